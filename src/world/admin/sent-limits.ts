/** Assertions about limits that are kept as they were sent: row by row, and values that could be mistaken for "not set". */
import { sentDifferences } from "../../diagnosis/filling.ts";
import { isTypeDifference, lostByAdding } from "../../diagnosis/stored-limits.ts";
import { type Answered, isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import { LIMIT_NAMES, LIMITS, type LimitName, type Limits, type LimitType, type LimitValue } from "../../contract/limits.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together, type Assertion } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { type Difference, show } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import { sameAsRead } from "../../model/limits.ts";
import { acceptedLimits, takenTogether } from "./accepted-limits.ts";
import { wrongFirst } from "./created.ts";
import { fewLimits } from "./few-limits.ts";
import { filledLimits, updatePlainly } from "./filled-limits.ts";
import { createInstance, newName, update } from "./instances.ts";
import { keptLimits } from "./kept-limits.ts";
import { onLoan } from "./loans.ts";
import { bodyOf, limitsIn, reading } from "./reading.ts";
import { singleLimits } from "./single-limits.ts";
import { unchangedSince } from "./untouched.ts";

/** Each limit can be added by itself and is kept. Every limit shows the same defect again; the first one explains it. */
export const eachByItself: Assertion = async (scope) => {
  const single = await scope.use(singleLimits);
  const { brokenRows } = await scope.use(keptLimits);
  const telling = single.map((one) => ({ ...one, lost: lostByAdding(one, brokenRows) })).filter(({ lost }) => lost.length > 0);
  const [first] = telling;
  const finding = { clauses: ["admin-4.3"] } as const;
  if (first === undefined) return { ...finding, differences: [], exchanges: single.slice(-2).flatMap(({ exchanges }) => exchanges) };
  const input = { "the limit that was added": first.sent, "limits of which this is one": telling.length };
  return { ...finding, differences: first.lost, attempts: first.attempts, exchanges: first.exchanges, input };
};

/** What a row of the table says when its limit is sent: null where this target takes no value but the default, which nothing forbids. */
export function rowKept(name: LimitName): (scope: Scope) => Promise<Assertion | null> {
  const clause = `admin-2.limit.${name}` as const;
  return async (scope) => {
    const { names, refused } = await scope.use(acceptedLimits);
    const refusal = refused.get(name);
    if (refusal !== undefined && !refusal.settable && LIMITS[name].type !== "retention" && hasPlainValues(name)) {
      const { value, exchange } = refusal;
      const expected = `success (2xx) for at least one value of ${name} of type ${LIMITS[name].type}, such as ${show(value)} or its default`;
      const actual = `every value is refused, first with status ${statusOf(exchange)}: ${show(exchange.response.body)}`;
      return async () => ({ clauses: [clause], differences: [{ clause, path: "status", expected, actual }], exchanges: [exchange] });
    }
    if (!names.includes(name)) return null;
    return (later) => keptSomewhere(later, name);
  };
}

/** How texts, lists and durations are written is not stated, so refusing all that were tried says nothing. */
function hasPlainValues(name: LimitName): boolean {
  return LIMITS[name].type === "integer" || LIMITS[name].type === "boolean";
}

async function keptSomewhere(scope: Scope, name: LimitName): Promise<Finding> {
  const clause = `admin-2.limit.${name}` as const;
  const held = await scope.use(keptLimits);
  const { views } = await scope.use(filledLimits);
  const single = (await scope.use(singleLimits)).filter((one) => one.name === name);
  const alone = single.find(({ differences }) => differences.length > 0) ?? single[0];
  const sentBy = views.filter(({ sent, limits }) => sent[name] !== undefined && limits !== undefined);
  const shownAlone = alone !== undefined && alone.differences.every((difference) => difference.path !== "limits") ? alone : undefined;
  if (sentBy.length === 0 && shownAlone === undefined)
    throw new Inconclusive("precondition: no read showed limits of an instance that was sent this limit (see admin-4.1 and admin-4.3)");
  const fromCreate = held.differences.filter((difference) => difference.clause === clause);
  const fromUpdate = (alone?.differences ?? []).filter(
    (difference) => difference.clause === clause && (held.brokenRows.has(name) || isTypeDifference(difference)),
  );
  return {
    clauses: [clause],
    differences: [...fromCreate, ...fromUpdate],
    attempts: alone?.attempts ?? [],
    exchanges: [
      ...(fromCreate.length === 0 ? (alone?.exchanges ?? []) : []),
      ...wrongFirst(sentBy, fromCreate[0]).flatMap(({ exchange, instance }) => [exchange, instance.created]),
      ...(fromCreate.length > 0 && fromUpdate.length > 0 ? (alone?.exchanges ?? []) : []),
    ],
  };
}

/** One value for each limit that has one. */
export function limitsBy(valueOf: (name: LimitName) => LimitValue | undefined): Limits {
  return Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const value = valueOf(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Adds what the target takes of these limits in one update; they are kept exactly. Null when it takes none of them. */
export function keptWhenAdded(wanted: Limits): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const { brokenRows } = await scope.use(keptLimits);
    let taken: Limits = {};
    const finding = await onLoan([], async (inner, loan): Promise<Finding> => {
      if (!loan.bare) await update(inner, loan.instance, newName(inner));
      loan.bare = false;
      taken = await takenTogether(inner, loan, wanted);
      const removed = await update(inner, loan.instance, newName(inner));
      const count = Object.keys(taken).length;
      if (count === 0) return { clauses: [], differences: [], exchanges: [removed] };
      const answer = await update(inner, loan.instance, newName(inner), taken);
      if (!isSuccess(answer))
        throw new Inconclusive(
          `precondition: adding ${count} limits was answered ${statusOf(answer)}, and the target accepted them together before (see admin-4.3)`,
        );
      const read = await expecting({
        clauses: "admin-4.3",
        of: loan.instance,
        ask: reading(loan.instance),
        expect: (body) => keptIn(body, taken, "admin-4.3", brokenRows),
      })(inner);
      return { ...read, exchanges: [...read.exchanges, answer], input: { "one value per limit": taken } };
    })(scope);
    return Object.keys(taken).length === 0 ? null : async () => finding;
  };
}

const OVER = "admin-4.PUT-over-limits";

/**
 * Sends sets of limits one after the other over those an instance has, and the parts of a set where it is not taken as a whole; what
 * was taken is kept exactly. Null when nothing of them is taken.
 */
export function keptInTurn(rounds: readonly (readonly [whole: Limits, ...parts: Limits[]])[]): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const { brokenRows } = await scope.use(keptLimits);
    const before = await scope.use(fewLimits);
    const findings: Finding[] = [];
    const finding = await onLoan([], async (inner, loan): Promise<Finding> => {
      const { instance } = loan;
      const isTaken = async (limits: Limits): Promise<boolean> => {
        if (Object.keys(limits).length === 0) return false;
        const answer = await update(inner, instance, newName(inner), limits);
        if (!isSuccess(answer)) return false;
        const expect = (body: JsonObject): Difference[] => keptIn(body, limits, OVER, brokenRows);
        const read = await expecting({ clauses: OVER, of: instance, ask: reading(instance), expect })(inner);
        findings.push({ ...read, exchanges: [...read.exchanges, answer], input: { "limits that were sent over existing limits": limits } });
        return true;
      };
      // What is sent to an instance without limits is added to it, which is judged by itself.
      const first = await update(inner, instance, newName(inner), before);
      loan.bare = false;
      if (!isSuccess(first) && (await updatePlainly(inner, loan, before)).taken === null)
        throw new Inconclusive(`precondition: an update with limits was answered ${statusOf(first)} (see admin-4.3)`);
      for (const [whole, ...parts] of rounds) {
        if (await isTaken(whole)) continue;
        for (const part of parts) await isTaken(part);
      }
      return findings.length === 0 ? { clauses: [], differences: [], exchanges: [first] } : together(findings);
    })(scope);
    return findings.length === 0 ? null : async () => finding;
  };
}

/** The same by a create under a name that ends in `suffix`; null when the target takes none of them, or not all together. */
export function keptWhenCreated(suffix: string, wanted: Limits): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const { brokenRows } = await scope.use(keptLimits);
    let taken: Limits = {};
    await onLoan([], async (inner, loan) => {
      loan.bare = false;
      taken = await takenTogether(inner, loan, wanted);
      return { clauses: [], differences: [], exchanges: [] };
    })(scope);
    if (Object.keys(taken).length === 0) return null;
    const instance = await createInstance(scope, suffix, taken);
    if (!isSuccess(instance.created)) return null;
    const read = expecting({
      clauses: "admin-4.1",
      of: instance,
      ask: reading(instance),
      expect: (body) => keptIn(body, taken, "admin-4.1", brokenRows),
      input: { "one value per limit": taken },
    });
    return async (later) => {
      const finding = await read(later);
      const [deciding] = finding.exchanges as readonly Answered[];
      const body = finding.differences.length > 0 || deciding === undefined ? null : bodyOf(deciding, "admin-4.GET").body;
      // Where it is read from later may have less room than it was written to.
      if (body !== null) later.revisit(instance, unchangedSince(instance, body));
      return { ...finding, exchanges: [...finding.exchanges, instance.created] };
    };
  };
}

function keptIn(body: JsonObject, taken: Limits, rule: ClauseId, brokenRows: ReadonlySet<LimitName>): Difference[] {
  const { limits, differences } = limitsIn(body, rule);
  return limits === null ? differences : typeWiseDifferences(taken, limits, rule, brokenRows);
}

const TYPES: readonly LimitType[] = ["integer", "boolean", "string"];

/** Values that are lost for every limit of a type whose default is another are lost as such: it is not those limits. */
function typeWiseDifferences(taken: Limits, limits: JsonObject, rule: ClauseId, brokenRows: ReadonlySet<LimitName>): Difference[] {
  const lost = LIMIT_NAMES.filter((name) => taken[name] !== undefined && !sameAsRead(name, taken[name], limits[name]));
  const telling = (type: LimitType): LimitName[] =>
    LIMIT_NAMES.filter((name) => LIMITS[name].type === type && taken[name] !== undefined && taken[name] !== LIMITS[name].default);
  const wholeTypes = new Set(TYPES.filter((type) => telling(type).length > 1 && telling(type).every((name) => lost.includes(name))));
  return sentDifferences(taken, limits, rule, (name) => brokenRows.has(name) && !wholeTypes.has(LIMITS[name].type));
}
