/** Tells a 5xx that the request causes from a 5xx of a passing problem. */
import { type Answered, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { Scope } from "../harness/scope.ts";

/** A server that does not know what is asked says so at once. */
export const NOT_IMPLEMENTED = 501;

/** How often a 5xx is seen before it counts as the answer, and on a target where a 5xx passes now and then. */
const SERVER_ERRORS = 3;
const PASSING_ERRORS = 9;
/** After fewer requests than this, that no 5xx has passed says nothing of the target. */
const TELLING_REQUESTS = 60;

/** How often a 5xx has to be seen on this target before it is certain that it is meant for what was asked. */
export function timesNeeded({ run }: Scope): number {
  const { requests, passingErrors } = run.transport("logs");
  return passingErrors === 0 && requests >= TELLING_REQUESTS ? SERVER_ERRORS : PASSING_ERRORS;
}

/** Throws `Inconclusive` where a 5xx, however often it is seen, may be trouble of the service as a whole. */
export function requireUntroubled({ run }: Scope): void {
  if (run.transport("logs").isTroubled)
    throw new Inconclusive("the request was answered 5xx, like more than a quarter of all first attempts of this run");
}

/** Waits a little: what fails every so many requests is not to meet the same one each time. */
export async function restBetween({ run }: Scope): Promise<void> {
  await run.pause(run.transport("logs").pauseAfter(0));
}

/** The answer to a request that is sent again while it is answered 5xx, until that is certain. */
export async function lastingAnswer(scope: Scope, request: (scope: Scope) => Promise<Answered>): Promise<Answered> {
  for (let times = 1; ; times += 1) {
    const answer = await request(scope);
    const status = statusOf(answer);
    if (status < 500 && times > 1) scope.run.transport("logs").notePassingError(times - 1);
    if (status < 500 || status === NOT_IMPLEMENTED) return answer;
    if (times >= timesNeeded(scope)) {
      requireUntroubled(scope);
      return answer;
    }
    await restBetween(scope);
  }
}
