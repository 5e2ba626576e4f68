/** Assertions about the retention period: a number and a unit, which a read shows with the same length. */
import { sentDifferences } from "../diagnosis/filling.ts";
import { type Answered, isSuccess } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import type { Limits } from "../contract/limits.ts";
import type { Finding } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { durationLength } from "../model/duration.ts";
import type { JsonObject } from "../model/json.ts";
import { fewLimits } from "./filled-limits.ts";
import { newName, update } from "./instances.ts";
import { keptLimits } from "./limit-findings.ts";
import { type PoolInstance, onPoolInstance } from "./instance-pool.ts";
import { limitsJudgedBy, refusal, shownBy } from "./reading.ts";

const NAME = "compactor_blocks_retention_period";
const CLAUSE = "admin-2.retention-format";

interface Tried {
  readonly amount: string;
  readonly answer: Answered;
  /** The finding about later reads, or null if the update was refused. */
  readonly read: Finding | null;
}

/** Whether a period is between the shortest and the longest of `others`. */
function isBetween(amount: string, others: readonly string[]): boolean {
  const lengths = others.map((other) => Number(durationLength(other)));
  const length = Number(durationLength(amount));
  return lengths.some((other) => other <= length) && lengths.some((other) => other >= length);
}

async function tried(scope: Scope, borrowed: PoolInstance, amount: string): Promise<Tried> {
  const sent: Limits = { [NAME]: amount };
  if (!borrowed.bare) await update(scope, borrowed.instance, newName(scope));
  const alone = await update(scope, borrowed.instance, newName(scope), sent);
  // A service that refuses every update with one limit does not refuse the period.
  const answer = isSuccess(alone)
    ? alone
    : await update(scope, borrowed.instance, newName(scope), { ...(await scope.use(fewLimits)), ...sent });
  if (!isSuccess(answer)) return { amount, answer: alone, read: null };
  const expect = (body: JsonObject): Difference[] =>
    limitsJudgedBy(body, "admin-4.3", (limits) => sentDifferences(sent, limits, CLAUSE, () => false));
  return { amount, answer, read: await shownBy(borrowed.instance, CLAUSE, expect, { after: [answer] })(scope) };
}

/** Returns an assertion that documented periods are accepted and keep their lengths. */
export function periodsKept(amounts: readonly string[]): Assertion {
  return onPoolInstance([keptLimits, fewLimits], async (scope, borrowed) => {
    const { differences: onCreate } = await scope.use(keptLimits);
    const all: Tried[] = [];
    for (const amount of amounts) all.push(await tried(scope, borrowed, amount));
    if (all.every(({ read }) => read === null)) {
      const others = Object.entries(await scope.use(fewLimits)).filter(([name]) => name !== NAME);
      if (!isSuccess(await update(scope, borrowed.instance, newName(scope), Object.fromEntries(others))))
        throw precondition("the target refuses an update with a few other limits too (see admin-4.3)");
    }
    const wrongOnCreate = onCreate.filter(({ clause }) => clause === CLAUSE);
    return conclusion(all, wrongOnCreate);
  });
}

/** The documents do not limit a period. But if the target refuses one between two accepted periods, its form is the reason. */
function conclusion(all: readonly Tried[], onCreate: readonly Difference[]): Finding {
  const taken = all.filter(({ read }) => read !== null).map(({ amount }) => amount);
  const refused = all
    .filter(({ amount, read }) => read === null && (taken.length === 0 || isBetween(amount, taken)))
    .map(({ amount, answer }) => refusal(CLAUSE, `success (2xx) for ${show(amount)}`, answer));
  const wrong = [...onCreate, ...all.flatMap(({ read }) => read?.differences ?? []), ...refused];
  const held = all.filter(({ read }) => read !== null && read.differences.length === 0).length;
  // If no period is kept at all, the row of the limit is violated.
  const whole = held === 0 && wrong.length > 0 && wrong.every(({ path }) => path === `limits.${NAME}`);
  const telling = all.find(({ read }) => read === null || read.differences.length > 0) ?? all[0];
  return {
    clauses: [CLAUSE],
    differences: whole ? wrong.map((one): Difference => ({ ...one, clause: `admin-2.limit.${NAME}` })) : wrong,
    exchanges: telling === undefined ? [] : (telling.read?.exchanges ?? [telling.answer]),
    attempts: telling?.read?.attempts ?? [],
    ...(telling === undefined ? {} : { input: { [NAME]: telling.amount } }),
  };
}
