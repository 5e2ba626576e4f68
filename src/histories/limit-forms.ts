/**
 * Assertions about the exact names of limits in requests and responses, and about the retention period:
 * a number and a unit, which a read shows with the same length.
 */
import { type Answered, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import { Inconclusive, precondition } from "../client/inconclusive.ts";
import { LIMIT_NAMES, LIMITS, type LimitName, type LimitValue, type Limits } from "../contract/limits.ts";
import { type Finding, found, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { isObject, type JsonObject, member } from "../model/json.ts";
import { misspelt } from "../model/limit-names.ts";
import { globalDefaults } from "../model/limits.ts";
import { acceptedLimits, emptied } from "./accepted-limits.ts";
import { shownViews } from "./creates.ts";
import { fewLimits, filledLimits, overridesOf, updatedOrPlainly } from "./filled-limits.ts";
import { newName, payloadOf, update } from "./instances.ts";
import { onPoolInstance, type PoolInstance } from "./instance-pool.ts";
import { probedUpdate } from "./observations.ts";
import { bodyOf, requireSuccess, shownBy, limitsJudgedBy, refusal } from "./reading.ts";
import { sentDifferences } from "../diagnosis/filling.ts";
import { keptLimits } from "./limit-findings.ts";
import { durationLength } from "../model/times.ts";

const CLAUSE = "admin-2.3a";

/** Returns a difference for each limit whose name is similar to a name in the table, but not equal to it. */
function misnamed(body: unknown, where = ""): Difference[] {
  const limits = member(body, "limits");
  if (!isObject(limits)) return [];
  return Object.keys(limits).flatMap((key): Difference[] => {
    const meant = misspelt(key);
    if (meant === undefined || Object.hasOwn(limits, meant)) return [];
    return [{ clause: CLAUSE, path: `limits.${key}${where}`, expected: `the name ${meant}`, actual: `the name ${key}` }];
  });
}

/** Responses must have the exact limit names of the table. */
export const namesExact: Assertion = async (scope) => {
  const views = shownViews(await scope.use(filledLimits));
  const finding = together(
    views.map(({ exchange }) => ({ clauses: [CLAUSE], differences: misnamed(jsonOf(exchange)), exchanges: [exchange] })),
  );
  return { ...finding, differences: [...new Map(finding.differences.map((one) => [one.path, one])).values()] };
};

/** The response to an update, and a read after the update, must also have the exact limit names. */
export const namesExactOnUpdate: Assertion = onPoolInstance([fewLimits], async (scope, borrowed) => {
  const answer = await updatedOrPlainly(scope, borrowed, await scope.use(fewLimits));
  requireSuccess(answer, "an update with limits", "admin-4.3");
  const onAnswer = await found(CLAUSE, misnamed(jsonOf(answer), " (in the response to the update)"), { exchanges: [answer] })(scope);
  return together([onAnswer, await shownBy(borrowed.instance, CLAUSE, (body) => misnamed(body))(scope)]);
});

/** Names that are similar to the name of a limit. */
const INEXACT: readonly ((name: LimitName) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name.replaceAll("_", "-"),
  (name) => `${name}_x`,
  (name) => name.slice(0, -1),
];

/** Whether the similar names of this limit are not similar to another limit. A service can then confuse them only with this limit. */
function isTelling(name: LimitName): boolean {
  return name.includes("_") && LIMIT_NAMES.every((other) => other === name || !name.startsWith(other));
}

/** The difference between the accepted value and the sent value. A target may accept only multiples of 1,000 or whole minutes. */
const STEP = 1_000;
const MINUTE_NS = 60_000_000_000;

function near(name: LimitName, accepted: number): number {
  const step = LIMITS[name].time === true ? MINUTE_NS : STEP;
  return accepted - (accepted > 2 * step ? step : 1);
}

/** These statuses do not show that the name was refused: the reason may be the credentials, another write or the state of the instance. */
const OF_OTHER_THINGS: ReadonlySet<number> = new Set([401, 403, 409, 412, 423, 425, 428]);

function isAboutName(answer: Answered): boolean {
  const status = statusOf(answer);
  return isSuccess(answer) || (status >= 400 && status < 500 && !OF_OTHER_THINGS.has(status));
}

/** A value under a similar name must not become the value of the limit. Refusing, ignoring and keeping the name are all legal. */
export const inexactNames: Assertion = onPoolInstance([acceptedLimits], async (scope, borrowed) => {
  const { values } = await scope.use(acceptedLimits);
  const { instance } = borrowed;
  const defaults = globalDefaults(overridesOf(scope));
  await emptied(scope, borrowed);
  const numbers = (Object.entries(values) as [LimitName, LimitValue][])
    .flatMap(([one, taken]) => (typeof taken === "number" && taken > 1 && isTelling(one) ? [{ name: one, value: near(one, taken) }] : []))
    .toSorted((one, other) => other.value - one.value);
  // The value is near an accepted value and was probably never sent. So no stale response shows it.
  const { name, value } = numbers.find((one) => one.value !== defaults[one.name]) ?? {};
  if (name === undefined || value === undefined || !borrowed.bare)
    throw precondition("no integer limit can be set, or limits cannot be removed (see admin-4.3 and admin-4.2)");
  const differencesIn = (body: JsonObject, sentFor: string): Difference[] => {
    const shown = member(body["limits"], name);
    const expected = `a value other than ${value}, which was sent as ${sentFor}: limit names are exact`;
    return shown === value ? [{ clause: CLAUSE, path: `limits.${name}`, expected, actual: show(shown) }] : [];
  };
  const sent = INEXACT.map((nearly) => nearly(name));
  const findings: Finding[] = [];
  for (const inexact of sent) {
    const limits = { [inexact]: value };
    const answer = await probedUpdate(scope, instance, "inexact limit", { ...payloadOf(instance, newName(scope)), limits });
    if (!isAboutName(answer)) continue;
    const { body } = bodyOf(answer, "admin-4.PUT");
    if (body === null && isSuccess(answer))
      throw new Inconclusive(`an update with the limit ${inexact} succeeds, and its response is not the instance object`);
    const differences = body === null ? [] : differencesIn(body, inexact);
    findings.push({ clauses: [CLAUSE], differences, exchanges: [answer], input: { limits } });
    if (differences.length > 0) return together(findings);
  }
  if (findings.length === 0)
    throw new Inconclusive("no response to an update with a misspelled name of a limit shows how the target treats this name");
  const onRead = await shownBy(instance, CLAUSE, (body) => differencesIn(body, sent.join(", ")), { when: "settled" })(scope);
  if (onRead.differences.length > 0) return together([onRead, ...findings]);
  // If the exact name is refused too, the name is not the reason for the refusals.
  const exact = await update(scope, instance, newName(scope), { [name]: value });
  if (!isSuccess(exact))
    throw precondition(`an update with ${name}: ${value} was answered ${statusOf(exact)}, so refusals of similar names prove nothing`);
  return together([onRead, ...findings]);
});

const PERIOD = "compactor_blocks_retention_period";
const FORMAT = "admin-2.retention-format";

interface Tried {
  readonly amount: string;
  readonly answer: Answered;
  /** Whether the period replaced the limits of the instance. */
  readonly isOver: boolean;
  /** The finding about later reads, or null if the update was refused. */
  readonly read: Finding | null;
}

/** Whether a period is between the shortest and the longest of `others`. */
function isBetween(amount: string, others: readonly string[]): boolean {
  const lengths = others.map((other) => Number(durationLength(other)));
  const length = Number(durationLength(amount));
  return lengths.some((other) => other <= length) && lengths.some((other) => other >= length);
}

/** Sends a period in an update. The update adds limits, or replaces limits if `isOver` is true. */
async function tried(scope: Scope, borrowed: PoolInstance, amount: string, isOver: boolean): Promise<Tried> {
  const sent: Limits = { [PERIOD]: amount };
  if (!borrowed.bare && !isOver) await update(scope, borrowed.instance, newName(scope));
  const alone = await update(scope, borrowed.instance, newName(scope), sent);
  // If a service refuses every update with a single limit, the period is not the reason for the refusal.
  const answer = isSuccess(alone)
    ? alone
    : await update(scope, borrowed.instance, newName(scope), { ...(await scope.use(fewLimits)), ...sent });
  if (!isSuccess(answer)) return { amount, answer: alone, isOver, read: null };
  const expect = (body: JsonObject): Difference[] =>
    limitsJudgedBy(body, "admin-4.3", (limits) => sentDifferences(sent, limits, FORMAT, () => false));
  return { amount, answer, isOver, read: await shownBy(borrowed.instance, FORMAT, expect, { after: [answer] })(scope) };
}

function isKept({ read }: Tried): boolean {
  return read?.differences.length === 0;
}

/** Whether the target accepts an update with a few other limits. */
async function takesOthers(scope: Scope, { instance }: PoolInstance): Promise<boolean> {
  const others = Object.entries(await scope.use(fewLimits)).filter(([name]) => name !== PERIOD);
  return isSuccess(await update(scope, instance, newName(scope), Object.fromEntries(others)));
}

/** Returns an assertion that documented periods are accepted and keep their lengths. */
export function periodsKept(amounts: readonly string[]): Assertion {
  return onPoolInstance([keptLimits, fewLimits], async (scope, borrowed) => {
    const { differences: onCreate } = await scope.use(keptLimits);
    const all: Tried[] = [];
    // Of each two periods, the second replaces the first and is longer, because a target may only let periods grow.
    for (const [index, amount] of amounts.entries()) all.push(await tried(scope, borrowed, amount, index % 2 === 1 && !borrowed.bare));
    // If no period can replace another one, the form of the periods is not the cause. So each is now added instead.
    if (!all.some((one) => one.isOver && isKept(one)))
      for (const [index, { amount, isOver }] of all.entries()) if (isOver) all[index] = await tried(scope, borrowed, amount, false);
    if (all.every(({ read }) => read === null) && !(await takesOthers(scope, borrowed)))
      throw precondition("the target refuses an update with a few other limits too (see admin-4.3)");
    const wrongOnCreate = onCreate.filter(({ clause }) => clause === FORMAT);
    return conclusion(all, wrongOnCreate);
  });
}

/** Judges the periods. A target may limit the length of periods. But if it accepts shorter and longer ones, a refusal is about the form. */
function conclusion(all: readonly Tried[], onCreate: readonly Difference[]): Finding {
  const taken = all.filter(({ read }) => read !== null).map(({ amount }) => amount);
  const refused = all
    .filter(({ amount, read }) => read === null && (taken.length === 0 || isBetween(amount, taken)))
    .map(({ amount, answer }) => refusal(FORMAT, `success (2xx) for ${show(amount)}`, answer));
  const wrong = [...onCreate, ...all.flatMap(({ read }) => read?.differences ?? []), ...refused];
  const held = all.filter(isKept).length;
  // If reads show no period at all, the clause of the limit is violated.
  const whole = held === 0 && wrong.length > 0 && wrong.every(({ path }) => path === `limits.${PERIOD}`);
  const telling = all.find(({ read }) => read === null || read.differences.length > 0) ?? all[0];
  return {
    clauses: [FORMAT],
    differences: whole ? wrong.map((one): Difference => ({ ...one, clause: `admin-2.limit.${PERIOD}` })) : wrong,
    exchanges: telling === undefined ? [] : (telling.read?.exchanges ?? [telling.answer]),
    attempts: telling?.read?.attempts ?? [],
    ...(telling === undefined ? {} : { input: { [PERIOD]: telling.amount } }),
  };
}
