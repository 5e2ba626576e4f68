/** Assertions about limits that come and go by updates: added, removed, written over, and still so when everything has settled. */
import { sentDifferences, unsentDifferences } from "../../diagnosis/filling.ts";
import { type Answered, isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import type { LimitName, Limits } from "../../contract/limits.ts";
import { type Finding, together, type Assertion } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { expecting } from "../../harness/expect.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import { sameAsRead } from "../../model/limits.ts";
import { fewLimits } from "./few-limits.ts";
import { brokenFields } from "./fields.ts";
import { shownDefaults, updatePlainly } from "./filled-limits.ts";
import { newName, update } from "./instances.ts";
import { keptLimits } from "./kept-limits.ts";
import { type LoanedInstance, onLoan } from "./loans.ts";
import { bodyOf, limitsIn, readUntil, reading } from "./reading.ts";
import { addedTo, ADDING_NEEDS, change, refusedUpdate, removedFrom, REMOVAL_NEEDS, stateDifferences } from "./updating.ts";

/** Gives a loaned instance limits. Throws `Inconclusive` when they cannot be added or are not shown. */
async function giveLimits(scope: Scope, loan: LoanedInstance, sent: Limits): Promise<void> {
  const first = await update(scope, loan.instance, newName(scope), sent);
  if (!isSuccess(first) && (await updatePlainly(scope, loan, sent)).taken === null)
    throw new Inconclusive(`precondition: adding limits was answered ${statusOf(first)} (see admin-4.3)`);
  loan.bare = false;
  const shown = await readUntil(scope, loan.instance, (body) => limitsIn(body, "admin-4.3").differences);
  if (shown.differences.length > 0)
    throw new Inconclusive("precondition: limits that were added are not shown (see admin-4.3 and admin-4.GET)");
}

/** Makes sure that a loaned instance has no limits; a refusal shows where limits are removed. */
async function takeLimits(scope: Scope, loan: LoanedInstance): Promise<void> {
  if (!loan.bare) loan.bare = isSuccess(await update(scope, loan.instance, newName(scope)));
}

/** An update without limits removes those that were added; null: an instance that has none stays without. */
export function removed(sent: Limits | null): Assertion {
  return onLoan(REMOVAL_NEEDS, async (scope, loan) => {
    if (sent === null) await takeLimits(scope, loan);
    else await giveLimits(scope, loan, sent);
    const state = { displayName: newName(scope), limits: await removedFrom(scope) };
    return change(scope, loan, { state, clause: "admin-4.2", input: { "the limits the instance had": sent ?? "none" } });
  });
}

/** Limits added to an instance without limits are kept, the others filled. */
export function added(sent: Limits): Assertion {
  return onLoan(ADDING_NEEDS, async (scope, loan) => {
    await takeLimits(scope, loan);
    const state = { displayName: newName(scope), limits: await addedTo(scope, sent) };
    return change(scope, loan, { state, limits: sent, clause: "admin-4.3" });
  });
}

const OVER = "admin-4.PUT-over-limits";

/** What an update with limits does to limits that it does not send, on this target. */
export type Outcomes = Set<"kept" | "reset to the default">;

/** Limits written over limits are kept, and each other one is what it was or its default. */
export function overwritten({ before, after }: { readonly before: Limits; readonly after: Limits }, outcomes: Outcomes): Assertion {
  return onLoan(ADDING_NEEDS, async (scope, loan) => {
    // The limits to be written over may be written over those of another assertion themselves.
    const rule = loan.bare ? "admin-4.3" : OVER;
    const first = await update(scope, loan.instance, newName(scope), before);
    if (!isSuccess(first)) return refusedUpdate(scope, loan, first, before, rule);
    loan.bare = false;
    return written(scope, loan, { before, after, rule }, outcomes);
  });
}

async function written(
  scope: Scope,
  loan: LoanedInstance,
  { before, after, rule }: { readonly before: Limits; readonly after: Limits; readonly rule: ClauseId },
  outcomes: Outcomes,
): Promise<Finding> {
  const { brokenRows } = await scope.use(keptLimits);
  const effective = await scope.use(shownDefaults);
  const isRowBroken = (name: LimitName): boolean => brokenRows.has(name);
  const held = await expecting({
    clauses: OVER,
    of: loan.instance,
    ask: reading(loan.instance),
    expect: (body) => {
      const { limits, differences } = limitsIn(body, rule);
      return limits === null ? differences : sentDifferences(before, limits, rule, isRowBroken);
    },
  })(scope);
  const was = bodyOf(held.exchanges[0] as Answered, "admin-4.GET").body?.["limits"];
  if (held.differences.length > 0 || !isObject(was)) return { ...held, input: { sent: before } };
  const limits = (body: JsonObject) => {
    const { limits: shown, differences } = limitsIn(body, OVER);
    if (shown === null) return differences;
    for (const [name, old] of Object.entries(before) as [LimitName, unknown][]) {
      if (Object.hasOwn(after, name) || sameAsRead(name, old, effective[name])) continue;
      outcomes.add(sameAsRead(name, shown[name], old) ? "kept" : "reset to the default");
    }
    return [
      ...sentDifferences(after, shown, OVER, isRowBroken),
      ...unsentDifferences(after, shown, (name) => (effective[name] === undefined ? [] : [was[name], effective[name]]), OVER),
    ];
  };
  return change(scope, loan, {
    state: { displayName: newName(scope), limits },
    limits: after,
    clause: OVER,
    input: { before, after },
    isRestOpen: true,
  });
}

/** An update that was answered and read right still holds once everything has settled. `reads` re-reads are made. */
export function settledUpdate(clause: "admin-4.2" | "admin-4.3", reads: number): Assertion {
  const needs = clause === "admin-4.2" ? REMOVAL_NEEDS : ADDING_NEEDS;
  return onLoan([fewLimits, ...needs], async (scope, loan) => {
    // Removal is of limits that are there, adding to an instance that has none.
    const sent = await scope.use(fewLimits);
    if (clause === "admin-4.2") await giveLimits(scope, loan, sent);
    else await takeLimits(scope, loan);
    const limits = clause === "admin-4.2" ? undefined : sent;
    const state = { displayName: newName(scope), limits: limits === undefined ? await removedFrom(scope) : await addedTo(scope, limits) };
    const first = await change(scope, loan, { state, limits, clause });
    if (first.differences.length > 0 || first.refused === true)
      throw new Inconclusive("precondition: the update has no effect from the start (see admin-4.PUT, admin-4.2 and admin-4.3)");
    const known = await scope.use(brokenFields);
    return settledReads(scope, loan, clause, reads, (body) => stateDifferences(loan.instance, state, body, known));
  });
}

async function settledReads(
  scope: Scope,
  loan: LoanedInstance,
  clause: ClauseId,
  reads: number,
  expect: (body: JsonObject) => ReturnType<typeof stateDifferences>,
): Promise<Finding> {
  const findings: Finding[] = [];
  const assertion = expecting({ clauses: clause, of: loan.instance, ask: reading(loan.instance), when: "settled", expect });
  for (let read = 0; read < reads; read += 1) findings.push(await assertion(scope));
  if (scope.settings.profile !== "nightly") return together(findings);
  await scope.untilAfterWrite(loan.instance, scope.run.refreshMs * LATER_PART);
  return together([...findings, await assertion(scope)]);
}

/**
 * A fifth of the time after which a service has surely read its limits anew: 15 s. A cache of the service may expire between the reads
 * that follow an update and the reads a minute later.
 */
const LATER_PART = 1 / 5;
