/** Distinguishes a 5xx that the request causes from a 5xx of a temporary problem. */
import { type Answered, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { Scope } from "../harness/scope.ts";

/** A request with this status is not repeated, because the status means that the server does not support the request. */
export const NOT_IMPLEMENTED = 501;

/**
 * After this number of 5xx in a row, the request is their cause.
 * PASSING_ERRORS applies if a repeat after 5xx has ever succeeded on this target.
 */
const SERVER_ERRORS = 3;
const PASSING_ERRORS = 9;
/** Before this number of requests, PASSING_ERRORS applies too, because too few repeats may have happened. */
const TELLING_REQUESTS = 60;

/** Returns the number of 5xx responses in a row after which the request is certainly their cause. */
export function timesNeeded({ run }: Scope): number {
  const { requests, passingErrors } = run.transport("logs");
  return passingErrors === 0 && requests >= TELLING_REQUESTS ? SERVER_ERRORS : PASSING_ERRORS;
}

/** Throws `Inconclusive` if a repeated 5xx may be a problem of the whole service. */
export function requireUntroubled({ run }: Scope): void {
  if (run.transport("logs").isTroubled)
    throw new Inconclusive("the request was answered 5xx, like more than a quarter of all first attempts of this run");
}

/** Waits before a request is repeated. Without this wait, a service that fails every n-th request could fail the same request each time. */
export async function restBetween({ run }: Scope): Promise<void> {
  await run.pause(run.transport("logs").pauseAfter(0));
}

/** Resolves to the response to a request. After 5xx, the request is repeated until the request is certainly the cause. */
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
