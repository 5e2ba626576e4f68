/** Artificial runs for the tests of the reports. */
import { CLAUSES } from "../contract/catalogue.ts";
import type { EngineCoverage } from "../design/coverage.ts";
import { type CheckResult, emptyResult, type Verdict, type ViolationFacts } from "../harness/result.ts";
import type { RunEnd } from "../harness/run.ts";
import { RUN_END, settingsFor as settingsOfHarness } from "../harness/testing.ts";
import { resolveTargets } from "../settings/targets.ts";
import { PROFILE_BUDGETS } from "../settings/table.ts";
import type { Settings } from "../settings/types.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import type { RunDetails } from "./model.ts";

export function settingsFor(env: Record<string, string> = {}, only: readonly string[] = []): Settings {
  const { embedded, admin, logs } = resolveTargets({ flags: new Map(), env, dotenv: {} });
  const rest = { settleTimeoutMs: 15_000, seed: 1729, budgets: PROFILE_BUDGETS.release, reportsDir: "/reports" };
  return settingsOfHarness("", { embedded, admin, logs, only, ...rest });
}

const END: RunEnd = {
  ...RUN_END,
  requests: 10,
  instancesCreated: 2,
  traffic: { sliceMs: 125, slices: [[10, 0, 0]], durations: {} },
  settling: { admin: null, logs: { slowestMs: 900, windowMs: 2_700 } },
};

export const RUN_DETAILS: RunDetails = {
  suite: { name: "plumbline", version: "1.0.0" },
  runId: "rabc",
  startedAt: "2026-11-21T10:00:00.000Z",
  durationMs: 1234,
  end: END,
  interrupted: null,
  internalError: null,
};

/** Six pairs of four factors: one pair is judged, and the five other pairs have different states. The last pair has no combinations. */
export const COVERAGE: EngineCoverage = {
  engine: "histories",
  check: "admin-4.3/histories",
  strength: 2,
  possible: 1_500,
  judged: 1_490,
  masked: 4,
  hidden: 2,
  notEvaluated: 2,
  cut: 2,
  maskedBy: [{ levels: { limit: "unusual" }, combinations: 4, reason: "the target refuses or does not show this level" }],
  factors: ["direction", "limit", "window", "filter"],
  cells: [
    [1, 0, 1_200, 1_200, 0, 0, 0, 0],
    [2, 0, 100, 97, 3, 0, 0, 0],
    [2, 1, 100, 97, 1, 2, 0, 0],
    [3, 0, 50, 48, 0, 0, 2, 0],
    [3, 1, 50, 48, 0, 0, 0, 2],
    [3, 2, 0, 0, 0, 0, 0, 0],
  ],
};

/** Returns the details of a run in which only the engine of the histories ran. */
export function withCoverage(histories: EngineCoverage): RunDetails {
  return { ...RUN_DETAILS, end: { ...END, coverage: { histories } } };
}

export function plannedCheck(clause: string, slug = "check", others: readonly string[] = []): PlannedCheck {
  const service = clause.startsWith("admin") ? "admin" : "logs";
  return { id: `${clause}/${slug}`, title: `${slug} of ${clause}`, clauses: [clause, ...others], service };
}

export const VIOLATION: ViolationFacts = {
  asked: "GET",
  difference: { path: "display_name", expected: '"one"', actual: '"two"' },
  curl: "curl -sS -X GET 'http://x/a'",
  input: null,
  shownBy: [7],
};

export function resultOf(check: PlannedCheck, verdict: Verdict, headline = verdict === "pass" ? "" : `${verdict} it is`): CheckResult {
  const { outcomes, ...rest } = emptyResult(check, verdict, check.clauses, headline);
  const told = { message: headline === "" ? "" : `${headline}\nmore`, ...(verdict === "fail" ? { violation: VIOLATION } : {}) };
  const all = outcomes.map((outcome) => ({ ...outcome, ...told }));
  return { ...rest, outcomes: all, durationMs: 5, counters: { requests: 7, instancesCreated: 1 } };
}

/** A plan with one check for each judged clause. */
export const FULL_PLAN: readonly PlannedCheck[] = CLAUSES.filter(
  (clause) => clause.sameAs === undefined && (clause.level === "stated" || clause.level === "implied"),
).map((clause) => plannedCheck(clause.id));
