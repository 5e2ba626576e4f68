/** Many updates in a row of one instance that was created with limits: all limits, each by itself, in pairs, and none in the end. */
import fc from "fast-check";
import { sentDifferences, unsentDifferences } from "../../diagnosis/filling.ts";
import { isAnswered } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import { type LimitName, LIMITS, type Limits, type LimitValue } from "../../contract/limits.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together, type Assertion } from "../../harness/finding.ts";
import { isEnough } from "../../harness/property.ts";
import type { Fixture, Scope } from "../../harness/scope.ts";
import type { Difference } from "../../model/difference.ts";
import { isObject, type JsonObject, member } from "../../model/json.ts";
import { globalDefaults, sameAsRead } from "../../model/limits.ts";
import { acceptedLimits, type AcceptedLimits } from "./accepted-limits.ts";
import { fewLimits } from "./few-limits.ts";
import { brokenFields } from "./fields.ts";
import { overridesOf, shownDefaults } from "./filled-limits.ts";
import { newName } from "./instances.ts";
import { keptLimits } from "./kept-limits.ts";
import type { LoanedInstance } from "./loans.ts";
import type { Pair } from "./pairs.ts";
import { bodyOf, limitsIn, reading } from "./reading.ts";
import { type BornLimited, everyDefault, isNothing, namesake, similarLater, writtenOtherwise } from "./similar.ts";
import { addedTo, ADDING_NEEDS, type Change, change, type Changed, type LimitsJudge, removedFrom, stateDifferences } from "./updating.ts";

const OVER = "admin-4.PUT-over-limits";

/** Which limits are changed together, update after update. */
export interface Series {
  /** How many limits are changed by themselves. */
  readonly alone: number;
  /** Pairs that are changed before single limits. */
  readonly pairs: readonly Pair[];
  /** Pairs that are changed after them, as far as the time goes. */
  readonly further: readonly Pair[];
}

/** So many updates there must be for a verdict. */
const LEAST = 24;

/** The instance as one that is updated from now on. */
function loanOf({ instance, body, exchanges }: BornLimited): LoanedInstance {
  const [firstRead] = exchanges;
  if (body === null || firstRead === undefined)
    throw new Inconclusive("precondition: the instance was not created, or cannot be read (see admin-4.1 and admin-4.GET)");
  return { instance, firstRead, createdAt: member(body, "created_at"), bare: false };
}

/** What the series needs to know before it begins; the instances with similar names are looked at before one of them is changed. */
const NEEDS: readonly Fixture<unknown>[] = [acceptedLimits, fewLimits, similarLater, ...ADDING_NEEDS];

/** Updates over the limits that an instance was created with: every one is carried out, the last of many as the first. */
export function updatedInARow({ alone, pairs, further }: Series): Assertion {
  return async (scope) => {
    for (const need of NEEDS) await scope.use(need);
    const loan = loanOf(await scope.use(everyDefault));
    const accepted = await scope.use(acceptedLimits);
    const writable = (names: readonly LimitName[]): boolean => names.every((name) => accepted.names.includes(name));
    const sets = [
      accepted.names,
      // Each limit twice in a row: a value must take the place of the one before it. A limit with one value has no other.
      accepted.names.filter((name) => !accepted.refused.has(name)),
      ...pairs.filter(writable),
      ...shuffled(scope, accepted.names)
        .slice(0, alone)
        .map((name) => [name]),
      ...further.filter(writable),
    ];
    let shown = limitsOf(bodyOf(loan.firstRead, "admin-4.GET").body);
    const findings: Finding[] = [];
    for (const [index, names] of sets.entries()) {
      if (index >= LEAST && isEnough(scope)) break;
      const found = await changed(scope, loan, otherThan(scope, accepted, names, shown, index), shown);
      findings.push(found);
      if (found.differences.length > 0) return { ...found, clauses: [OVER], held: [] };
      shown = limitsShown(found) ?? shown;
    }
    const ended = await retentionEnded(scope, loan, accepted, shown);
    if (ended.some(({ differences }) => differences.length > 0)) return { ...together(ended), clauses: [OVER], held: [] };
    const nothing = await nothingOver(scope, loan, accepted, lastShown(ended) ?? shown);
    if (nothing.some(({ differences }) => differences.length > 0)) return { ...together(nothing), clauses: [OVER], held: [] };
    const again = await sentAgain(scope, loan, accepted, lastShown(nothing) ?? lastShown(ended) ?? shown);
    if (again.some(({ differences }) => differences.length > 0)) return { ...together(again), clauses: [OVER], held: [] };
    const judged = [...findings, ...ended, ...nothing, ...again].filter(({ clauses }) => clauses.length > 0);
    if (judged.length === 0) throw new Inconclusive("precondition: no update of these limits was accepted (see admin-4.3)");
    const over = together(judged);
    const held: readonly ClauseId[] = over.differences.length === 0 ? [OVER] : [];
    const removed = await leftWithout(scope, loan);
    if (removed.differences.length > 0) return { ...removed, clauses: [OVER], held };
    const added = await leftWith(scope);
    if (added.differences.length > 0) return { ...added, clauses: [OVER], held };
    const rewritten = await leftWithOthers(scope, accepted);
    return { ...(rewritten.differences.length > 0 ? rewritten : over), clauses: [OVER], held };
  };
}

/** So many updates in a row with the same limits. */
const EQUAL_UPDATES = 6;

/** The same limits in every update, as a client does that writes what it wants every minute. */
async function sentAgain(scope: Scope, loan: LoanedInstance, accepted: AcceptedLimits, shown: JsonObject): Promise<Changed[]> {
  const names = shuffled(scope, accepted.names).slice(0, 3);
  const sent = otherThan(scope, accepted, names, shown, 0);
  const all: Changed[] = [];
  for (let count = 1; count <= EQUAL_UPDATES; count += 1)
    all.push(await changed(scope, loan, sent, shown, { "updates in a row with these limits": String(count), limits: sent }));
  return all;
}

const RETENTION = "compactor_blocks_retention_period";
const NO_RETENTION = "0d";

/** A retention period, and then none over it; where the default is another than none, a service may take none for "not set". */
async function retentionEnded(scope: Scope, loan: LoanedInstance, accepted: AcceptedLimits, shown: JsonObject): Promise<Changed[]> {
  const usual = (await scope.use(shownDefaults))[RETENTION];
  if (!accepted.names.includes(RETENTION) || usual === undefined || !sameAsRead(RETENTION, usual, NO_RETENTION)) return [];
  const period = await changed(scope, loan, otherThan(scope, accepted, [RETENTION], shown, 0), shown);
  const none = await changed(scope, loan, { [RETENTION]: NO_RETENTION }, limitsShown(period) ?? shown);
  return [period, none];
}

/**
 * Nothing but limits at defaults that are nothing or none, over limits that are something: an update with limits all the same, and each
 * of them takes the place of what was there. Values that were taken together once are sent.
 */
async function nothingOver(scope: Scope, loan: LoanedInstance, accepted: AcceptedLimits, shown: JsonObject): Promise<Changed[]> {
  const { sent: defaults } = await scope.use(everyDefault);
  const names = (Object.keys(defaults) as LimitName[]).filter((name) => isNothing(defaults[name] ?? null) && accepted.names.includes(name));
  if (names.length === 0) return [];
  const something = await changed(scope, loan, otherThan(scope, accepted, names, shown, 1), shown);
  const nothing = Object.fromEntries(names.map((name) => [name, defaults[name]]));
  return [something, await changed(scope, loan, nothing, limitsShown(something) ?? shown)];
}

/** Removes the limits that an instance was created with; it is left so, and looked at again in the end. */
async function leftWithout(scope: Scope, loan: LoanedInstance): Promise<Finding> {
  const input = { "the limits the instance had": "limits since its create" };
  return left(scope, loan, { state: { displayName: newName(scope), limits: await removedFrom(scope) }, clause: "admin-4.2", input });
}

/** Adds limits to an instance whose limits were removed; it is left so, and looked at again in the end. */
async function leftWith(scope: Scope): Promise<Finding> {
  const loan = loanOf(await scope.use(namesake));
  const removed = await change(scope, loan, {
    state: { displayName: newName(scope), limits: await removedFrom(scope) },
    clause: "admin-4.2",
  });
  if (removed.differences.length > 0) return removed;
  const limits = await scope.use(fewLimits);
  return left(scope, loan, { state: { displayName: newName(scope), limits: await addedTo(scope, limits) }, limits, clause: "admin-4.3" });
}

/** Writes other limits over those that an instance was created with; it is left so, and looked at again in the end. */
async function leftWithOthers(scope: Scope, accepted: AcceptedLimits): Promise<Finding> {
  const born = await scope.use(writtenOtherwise);
  const loan = loanOf(born);
  const { brokenRows } = await scope.use(keptLimits);
  const sent = otherThan(scope, accepted, Object.keys(born.sent) as LimitName[], limitsOf(born.body), 0);
  const limits: LimitsJudge = (body) => {
    const { limits: shown, differences } = limitsIn(body, OVER);
    return shown === null ? differences : sentDifferences(sent, shown, OVER, (name) => brokenRows.has(name));
  };
  return left(scope, loan, { state: { displayName: newName(scope), limits }, limits: sent, clause: OVER });
}

async function left(scope: Scope, loan: LoanedInstance, wanted: Change): Promise<Finding> {
  const { instance } = loan;
  const found = await change(scope, loan, wanted);
  const known = await scope.use(brokenFields);
  if (found.differences.length > 0 || found.refused === true) return found;
  const expect = (body: JsonObject): Difference[] => stateDifferences(instance, wanted.state, body, known);
  scope.revisit(instance, expecting({ clauses: wanted.clause, of: instance, ask: reading(instance), expect }));
  return found;
}

/** The limits in an order that depends on SEED only. */
function shuffled(scope: Scope, names: readonly LimitName[]): LimitName[] {
  const [order = []] = scope.draw(fc.shuffledSubarray([...names], { minLength: names.length }), "limits by themselves", 1);
  return order;
}

function limitsOf(body: JsonObject | null): JsonObject {
  const limits = body === null ? undefined : member(body, "limits");
  return isObject(limits) ? limits : {};
}

/** The limits of the instance after a change: as a read shows them, or, where others than were wanted were taken, the answer. */
function limitsShown({ exchanges, refused }: Changed): JsonObject | null {
  const read = exchanges.find(({ operation }) => operation === "read instance");
  const telling = read ?? (refused === true ? exchanges[0] : undefined);
  return telling === undefined || !isAnswered(telling) ? null : limitsOf(bodyOf(telling, "admin-4.GET").body);
}

function lastShown(changes: readonly Changed[]): JsonObject | null {
  const last = changes.at(-1);
  return last === undefined ? null : limitsShown(last);
}

/** A value for each of `names` that is neither shown now nor, where another is taken, its default. */
function otherThan(scope: Scope, { valueOf }: AcceptedLimits, names: readonly LimitName[], shown: JsonObject, index: number): Limits {
  const defaults = globalDefaults(overridesOf(scope));
  return Object.fromEntries(
    names.map((name): [LimitName, LimitValue | undefined] => {
      const drawn = scope.draw(valueOf(name), `series ${index} ${name}`, 2);
      // A retention period is written as a duration only; its default is an integer.
      const usual = LIMITS[name].type === "retention" ? undefined : defaults[name];
      return [name, [...drawn, ...(usual === undefined ? [] : [usual])].find((value) => !sameAsRead(name, value, shown[name])) ?? drawn[0]];
    }),
  );
}

async function changed(scope: Scope, loan: LoanedInstance, sent: Limits, was: JsonObject, input?: Change["input"]): Promise<Changed> {
  const { brokenRows } = await scope.use(keptLimits);
  const effective = await scope.use(shownDefaults);
  const limits: LimitsJudge = (body) => {
    const { limits: shown, differences } = limitsIn(body, OVER);
    if (shown === null) return differences;
    return [
      ...sentDifferences(sent, shown, OVER, (name) => brokenRows.has(name)),
      ...unsentDifferences(sent, shown, (name) => (effective[name] === undefined ? [] : [was[name], effective[name]]), OVER),
    ];
  };
  const state = { displayName: newName(scope), limits };
  return change(scope, loan, { state, limits: sent, clause: OVER, ...(input === undefined ? {} : { input }) });
}
