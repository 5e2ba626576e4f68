/** Assertions about limits that come and go by updates: added, removed, written over, and still so when everything has settled. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import type { Limits } from "../../contract/limits.ts";
import { type Finding, together } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { expecting } from "../../harness/expect.ts";
import type { JsonObject } from "../../model/json.ts";
import { fewLimits } from "./few-limits.ts";
import { brokenFields } from "./fields.ts";
import { updatePlainly } from "./filled-limits.ts";
import { newName, update } from "./instances.ts";
import { type LoanedInstance, onLoan } from "./loans.ts";
import { limitsIn, readUntil, reading } from "./reading.ts";
import { change, stateDifferences, removedFrom, CHANGE_NEEDS } from "./change.ts";
import { addedTo, ADDING_NEEDS } from "./updating.ts";

/** Gives a loaned instance limits. Throws `Inconclusive` when they cannot be added or are not shown. */
async function giveLimits(scope: Scope, loan: LoanedInstance, sent: Limits): Promise<void> {
  const first = await update(scope, loan.instance, newName(scope), sent);
  if (!isSuccess(first) && (await updatePlainly(scope, loan, sent)).taken === null)
    throw new Inconclusive(`precondition not met: adding limits was answered ${statusOf(first)} (see admin-4.3)`);
  loan.bare = false;
  const shown = await readUntil(scope, loan.instance, (body) => limitsIn(body, "admin-4.3").differences);
  if (shown.differences.length > 0)
    throw new Inconclusive("precondition not met: limits that were added are not shown (see admin-4.3 and admin-4.GET)");
}

/** Makes sure that a loaned instance has no limits; a refusal shows where limits are removed. */
async function takeLimits(scope: Scope, loan: LoanedInstance): Promise<void> {
  if (!loan.bare) loan.bare = isSuccess(await update(scope, loan.instance, newName(scope)));
}

/** An update that was answered and read right still holds once everything has settled. `reads` re-reads are made. */
export function settledUpdate(clause: "admin-4.2" | "admin-4.3", reads: number): Assertion {
  const needs = clause === "admin-4.2" ? CHANGE_NEEDS : ADDING_NEEDS;
  return onLoan([fewLimits, ...needs], async (scope, loan) => {
    // Removal is of limits that are there, adding to an instance that has none.
    const sent = await scope.use(fewLimits);
    if (clause === "admin-4.2") await giveLimits(scope, loan, sent);
    else await takeLimits(scope, loan);
    const limits = clause === "admin-4.2" ? undefined : sent;
    const state = { displayName: newName(scope), limits: limits === undefined ? await removedFrom(scope) : await addedTo(scope, limits) };
    const first = await change(scope, loan, { state, limits, clause });
    if (first.differences.length > 0 || first.refused === true)
      throw new Inconclusive("precondition not met: the update has no effect from the start (see admin-4.PUT, admin-4.2 and admin-4.3)");
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
