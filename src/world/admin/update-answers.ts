/** What kinds of update are answered: each with success. One that is always answered 5xx, alone among the others, is refused as such. */
import { outcomeOf } from "../../client/transport.ts";
import { type Answered, type Exchange, isAnswered, isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import type { Limits } from "../../contract/limits.ts";
import { type Finding, together, type Trial } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { type Instance, newName, payloadOf, update } from "./instances.ts";
import { onLoan } from "./loans.ts";
import { bodyOf } from "./reading.ts";

/** Fewer answers of 5xx than this may be trouble that passes. */
const LEAST_ROUNDS = 5;

interface Kind {
  readonly clause: ClauseId;
  readonly what: string;
  /** What the instance has before, and what is sent. */
  readonly before: Limits | undefined;
  readonly sent: Limits | undefined;
}

/** The kinds of update, in an order in which each leaves the instance as the next one needs it. */
function kindsOf(limits: Limits): readonly Kind[] {
  return [
    { clause: "admin-4.PUT", what: "without limits, of an instance without limits", before: undefined, sent: undefined },
    { clause: "admin-4.3", what: "with limits, of an instance without limits", before: undefined, sent: limits },
    { clause: "admin-4.PUT-over-limits", what: "with limits, of an instance with limits", before: limits, sent: limits },
    { clause: "admin-4.2", what: "without limits, of an instance with limits", before: limits, sent: undefined },
  ];
}

/** Each kind of update is answered with success. */
export const everyKindAnswered: Trial = onLoan([acceptedLimits], async (scope, loan) => {
  const { together: accepted } = await scope.use(acceptedLimits);
  const limits = Object.fromEntries(Object.entries(accepted).slice(0, 3));
  const { instance } = loan;
  await update(scope, instance, newName(scope));
  loan.bare = false;
  const findings: Finding[] = [];
  for (const kind of kindsOf(limits)) {
    // A kind that was repeated leaves the instance where it began.
    if (findings.some(({ differences }) => differences.length > 0)) await update(scope, instance, newName(scope), kind.before);
    const answer = await sent(scope, instance, kind.sent);
    findings.push(isAnswered(answer) && isSuccess(answer) ? right(kind, answer) : await repeated(scope, instance, kind, limits, answer));
  }
  return together([...findings, await unchanged(scope, instance)]);
});

/** An update that sends what is already so is answered like any other: with the instance object. */
async function unchanged(scope: Scope, instance: Instance): Promise<Finding> {
  const same = newName(scope);
  await update(scope, instance, same);
  const answer = await update(scope, instance, same);
  const { differences } = bodyOf(answer, "admin-4.PUT");
  return {
    clauses: ["admin-4.PUT"],
    differences,
    exchanges: [answer],
    input: { "the update is sent": "twice, with the same display name" },
  };
}

async function sent(scope: Scope, instance: Instance, limits: Limits | undefined): Promise<Exchange> {
  const exchange = await scope.admin.updateOnce(instance.name, payloadOf(instance, newName(scope), limits));
  instance.lastWriteAt = exchange.endedAt;
  return exchange;
}

function right({ clause, what }: Kind, answer: Answered): Finding {
  if (bodyOf(answer, clause).body === null)
    throw new Inconclusive(`precondition: an update ${what} is not answered with the instance object (see admin-4.PUT and admin-4.json)`);
  return { clauses: [clause], differences: [], exchanges: [answer] };
}

/**
 * Repeats an update that was not answered with success, until one is or the time for it is over. Before each time, and after the
 * last, the instance is brought where this kind of update begins; that these updates are answered with success shows that it is this
 * kind and no trouble of the service. Throws `Inconclusive` where they are not, and for every answer but 5xx.
 */
async function repeated(scope: Scope, instance: Instance, kind: Kind, limits: Limits, first: Exchange): Promise<Finding> {
  const ends = performance.now() + scope.settings.settleTimeoutMs;
  const { clause, what, before } = kind;
  let refused = first;
  for (let round = 0; ; round += 1) {
    if (isAnswered(refused) && statusOf(refused) < 500) {
      // A precondition that failed, a limit of rates: the update that waits and asks again is answered for good.
      const answer = await update(scope, instance, newName(scope), kind.sent);
      if (!isSuccess(answer)) throw new Inconclusive(`precondition: an update ${what} is refused (see ${clause})`);
      return right(kind, answer);
    }
    if (!isAnswered(refused)) throw new Inconclusive(`an update ${what} was not answered: ${outcomeOf(refused)}`);
    await scope.run.pause(scope.run.transport("admin").pauseAfter(Math.min(round, 3)));
    await sent(scope, instance, before === undefined ? limits : undefined);
    const beside = await sent(scope, instance, before);
    if (!isSuccess(beside)) throw new Inconclusive(`an update ${what} and another one are answered ${outcomeOf(refused)}`);
    if (round >= LEAST_ROUNDS && performance.now() > ends) {
      const expected = `success (2xx) for an update ${what}, as for the others`;
      const actual = `${outcomeOf(refused)}, ${round + 1} times, each time between updates of other kinds that were answered with success`;
      return { clauses: [clause], differences: [{ clause, path: "status", expected, actual }], exchanges: [refused, beside] };
    }
    const answer = await sent(scope, instance, kind.sent);
    if (isAnswered(answer) && isSuccess(answer)) return right(kind, answer);
    refused = answer;
  }
}
