import { expect, test } from "vitest";
import { RUN_END } from "../harness/testing.ts";
import type { CheckResult } from "../harness/result.ts";
import { exitCodeOf, summarize } from "./summary.ts";
import type { ClauseSummary, Summary } from "./model.ts";
import { hiddenLines } from "./summary-lines.ts";
import { RUN_DETAILS, FULL_PLAN, plannedCheck, resultOf, settingsFor } from "./testing.ts";

const settings = settingsFor();
const passing = FULL_PLAN.map((check) => resultOf(check, "pass"));

/** Returns the summary of a run in which all checks pass, except the check of one clause. */
function withOne(clause: string, change: (result: CheckResult) => CheckResult | null): Summary {
  const results = passing.flatMap((result) => (result.id === `${clause}/check` ? (change(result) ?? []) : result));
  return summarize(results, FULL_PLAN, settings, RUN_DETAILS).summary;
}

function clauseIn(summary: Summary, id: string): ClauseSummary {
  const found = summary.clauses.find((clause) => clause.id === id);
  if (found === undefined) throw new Error(`no clause ${id} in the summary`);
  return found;
}

test("if all checks pass the run is conformant, and clauses that are not judged are in no total", () => {
  const { summary } = summarize(passing, FULL_PLAN, settings, RUN_DETAILS);
  expect(summary.verdict).toBe("conformant");
  expect(exitCodeOf(summary)).toBe(0);
  expect(summary.totals).toEqual({ pass: FULL_PLAN.length, fail: 0, deviation: 0, inconclusive: 0, notRun: 0 });
  expect(clauseIn(summary, "logs-6.events")).toMatchObject({ verdict: "not-judged", checks: [] });
  expect(clauseIn(summary, "logs-8.label-matchers").reason).toBe("the same statement is judged as logs-2.2");
});

test("a single violation makes the run nonconformant, even beside inconclusive clauses", () => {
  const summary = withOne("admin-4.2", (result) => ({ ...result, ...resultOf(plannedCheck("admin-4.2"), "fail") }));
  expect(summary.verdict).toBe("nonconformant");
  expect(exitCodeOf(summary)).toBe(1);
  expect(clauseIn(summary, "admin-4.2")).toMatchObject({ verdict: "fail", reason: "fail it is" });
});

test("the reason of a violated clause is the headline with plain data, because unusual data is then not the cause", () => {
  const headlines = [
    'the line "größe" is lost, request: a',
    "a line is lost, request: a; the queried entries are hours old",
    "a line is lost, request: b",
  ];
  const plan = headlines.map((_, at) => plannedCheck("logs-4.push", `check-${at}`));
  const results = plan.map((check, at) => resultOf(check, "fail", headlines[at]));
  expect(clauseIn(summarize(results, plan, settings, RUN_DETAILS).summary, "logs-4.push").reason).toBe(headlines[2]);
});

test("a single inconclusive clause makes the run inconclusive", () => {
  const summary = withOne("admin-4.2", () => resultOf(plannedCheck("admin-4.2"), "inconclusive"));
  expect(summary.verdict).toBe("inconclusive");
  expect(exitCodeOf(summary)).toBe(3);
});

test("a check that was not run does not count against the target", () => {
  const summary = withOne("logs-7.429", () => resultOf(plannedCheck("logs-7.429"), "not-run", "LOGS_EXPECT_RATE_LIMIT is not set"));
  expect(summary.verdict).toBe("conformant");
  expect(summary.totals.notRun).toBe(1);
  expect(clauseIn(summary, "logs-7.429").reason).toBe("LOGS_EXPECT_RATE_LIMIT is not set");
});

test("a run in which no check passed is inconclusive", () => {
  const none = FULL_PLAN.map((check) => resultOf(check, "not-run"));
  expect(exitCodeOf(summarize(none, FULL_PLAN, settings, RUN_DETAILS).summary)).toBe(3);
  expect(exitCodeOf(summarize([], [], settings, RUN_DETAILS).summary)).toBe(3);
});

test("a shard without checks is conformant, unless it crashed or lost its results", () => {
  const shard = { ...settings, shard: { index: 3, count: 3 } };
  const idle = FULL_PLAN.map((check) => resultOf(check, "not-run"));
  expect(exitCodeOf(summarize([], [], shard, RUN_DETAILS).summary)).toBe(0);
  expect(exitCodeOf(summarize(idle, FULL_PLAN, shard, RUN_DETAILS).summary)).toBe(0);
  expect(exitCodeOf(summarize([], FULL_PLAN, shard, RUN_DETAILS).summary)).toBe(3);
  expect(exitCodeOf(summarize([], [], shard, { ...RUN_DETAILS, internalError: "the worker crashed" }).summary)).toBe(3);
});

test("a planned check without a result is inconclusive with the reason, and is never dropped", () => {
  const summary = withOne("admin-4.2", () => null);
  expect(exitCodeOf(summary)).toBe(3);
  expect(clauseIn(summary, "admin-4.2").reason).toMatch(/ended before this check reported/);
  const interrupted = summarize([], FULL_PLAN, settings, { ...RUN_DETAILS, interrupted: "SIGTERM" });
  expect(interrupted.results).toHaveLength(FULL_PLAN.length);
  expect(clauseIn(interrupted.summary, "admin-4.2").reason).toMatch(/interrupted by SIGTERM/);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("after %s the exit code is %i, whatever was found", (signal, code) => {
  const failing = passing.map((result) => ({ ...result, verdict: "fail" as const }));
  expect(exitCodeOf(summarize(failing, FULL_PLAN, settings, { ...RUN_DETAILS, interrupted: signal }).summary)).toBe(code);
});

test("a run with an internal error is never conformant, and its violations are not hidden", () => {
  const details = { ...RUN_DETAILS, internalError: "the worker crashed" };
  expect(exitCodeOf(summarize(passing, FULL_PLAN, settings, details).summary)).toBe(3);
  const failing = passing.map((result, index) => (index === 0 ? resultOf(FULL_PLAN[0] ?? plannedCheck("admin-4.2"), "fail") : result));
  expect(exitCodeOf(summarize(failing, FULL_PLAN, settings, details).summary)).toBe(1);
});

test("the verdict of a clause is the worst verdict of its checks", () => {
  const plan = [plannedCheck("admin-4.2", "one"), plannedCheck("admin-4.2", "two"), plannedCheck("admin-4.2", "three")];
  const verdicts = ["pass", "inconclusive", "not-run"] as const;
  const results = plan.map((check, index) => resultOf(check, verdicts[index] ?? "pass"));
  const { summary } = summarize(results, plan, settingsFor({}, ["admin-4.2"]), RUN_DETAILS);
  expect(clauseIn(summary, "admin-4.2").verdict).toBe("inconclusive");
  expect(clauseIn(summary, "admin-4.2").checks.map((check) => check.verdict)).toEqual(verdicts);
});

test("if a check reports a clause that it does not name, this clause fails", () => {
  const check = plannedCheck("admin-4.1");
  const outcome = { clause: "admin-2.limit.ingestion_rate", verdict: "fail", headline: "wrong", message: "wrong" } as const;
  const result: CheckResult = { ...resultOf(check, "pass"), verdict: "fail", outcomes: [...resultOf(check, "pass").outcomes, outcome] };
  const { summary } = summarize([result], [check], settings, RUN_DETAILS);
  expect(clauseIn(summary, "admin-4.1").verdict).toBe("pass");
  expect(clauseIn(summary, "admin-2.limit.ingestion_rate")).toMatchObject({ verdict: "fail", reason: "wrong" });
  expect(summary.totals.fail).toBe(1);
});

test("a result without an outcome for one of its clauses makes this clause inconclusive", () => {
  const check = plannedCheck("admin-4.1", "two", ["admin-4.2"]);
  const result = { ...resultOf(check, "pass"), outcomes: resultOf(plannedCheck("admin-4.1"), "pass").outcomes };
  const { summary } = summarize([result], [check], settings, RUN_DETAILS);
  expect(clauseIn(summary, "admin-4.1").verdict).toBe("pass");
  expect(clauseIn(summary, "admin-4.2")).toMatchObject({
    verdict: "inconclusive",
    reason: "the check ended without a verdict for this clause",
  });
});

test("a check that --only selects by one of its clauses does not count for its other clauses", () => {
  const plan = [plannedCheck("admin-4.1", "two", ["admin-4.2"]), plannedCheck("admin-4.2", "other")];
  const found = [resultOf(plannedCheck("admin-4.1", "two"), "pass"), resultOf(plannedCheck("admin-4.2", "other"), "pass")];
  const { summary } = summarize(found, plan, settingsFor({}, ["admin-4.1", "admin-4.2/other"]), RUN_DETAILS);
  expect(summary.verdict).toBe("conformant");
  expect(clauseIn(summary, "admin-4.2").checks.map(({ id }) => id)).toEqual(["admin-4.2/other"]);
});

test("clauses outside --only are left out", () => {
  const { summary } = summarize([], [], settingsFor({}, ["admin-4.2", "logs-7.*"]), RUN_DETAILS);
  expect(summary.clauses.map((clause) => clause.id)).toEqual([
    "admin-4.2",
    "logs-7.400",
    "logs-7.429",
    "logs-7.429-retry",
    "logs-7.429-recovery",
    "logs-7.429-accepted",
    "logs-7.5xx",
    "logs-7.bodies",
  ]);
  expect(summary.clauses[0]?.reason).toBe("profile release has no check of this clause");
});

test("the counters are the largest counters of all results", () => {
  expect(summarize(passing, FULL_PLAN, settings, RUN_DETAILS).summary.run).toMatchObject({ requests: 10, instancesCreated: 2 });
  // The number of created instances fell after the last check, because a create that was in flight was refused.
  const end = { ...RUN_END, requests: 12 };
  expect(summarize(passing, FULL_PLAN, settings, { ...RUN_DETAILS, end }).summary.run).toMatchObject({ requests: 12, instancesCreated: 0 });
  expect(summarize(passing, FULL_PLAN, settings, { ...RUN_DETAILS, end: null }).summary.run).toMatchObject({
    requests: 7,
    instancesCreated: 1,
  });
});

test("the targets say what was judged", () => {
  const remote = settingsFor({ LOGS_BASE_URL: "https://l.example.com" });
  expect(summarize([], [], remote, RUN_DETAILS).summary.targets).toEqual({
    admin: null,
    logs: { baseUrl: "https://l.example.com", kind: "remote" },
  });
  expect(summarize([], [], settings, RUN_DETAILS).summary.targets.admin?.kind).toBe("embedded");
});

/**
 * Returns a run in which an accepted deviation hides `count` clauses of the admin API. If `alsoShown` is true, other checks show these
 * clauses to be held.
 */
function withHiddenClauses(count: number, alsoShown = false): Summary {
  const admin = FULL_PLAN.filter(({ id }) => id.startsWith("admin-") && !id.startsWith("admin-4.2/")).slice(0, count);
  const hidden = new Set(admin.map(({ id }) => id));
  const results = FULL_PLAN.map((check): CheckResult => {
    if (check.id.startsWith("admin-4.2/")) return resultOf(check, "deviation");
    const result = resultOf(check, hidden.has(check.id) ? "inconclusive" : "pass");
    return hidden.has(check.id) ? { ...result, outcomes: result.outcomes.map((one) => ({ ...one, hiddenBy: ["admin-4.2"] })) } : result;
  });
  const others = alsoShown ? admin.map(({ clauses }) => plannedCheck(clauses[0] ?? "", "other")) : [];
  const shown = others.map((check) => resultOf(check, "pass"));
  return summarize([...results, ...shown], [...FULL_PLAN, ...others], settings, RUN_DETAILS).summary;
}

const ADMIN_CLAUSES = FULL_PLAN.filter(({ id }) => id.startsWith("admin-")).length;

test("a clause that an accepted deviation hides does not fail the run, and names the deviation", () => {
  const summary = withHiddenClauses(1);
  expect(exitCodeOf(summary)).toBe(0);
  expect(summary.totals).toMatchObject({ deviation: 2, inconclusive: 0 });
  expect(summary.clauses.filter(({ reason }) => reason === "hidden by admin-4.2")).toHaveLength(1);
});

test("a run is inconclusive with a reason if accepted deviations hide more than a tenth of the clauses of a service", () => {
  const most = Math.floor(ADMIN_CLAUSES / 10);
  expect(exitCodeOf(withHiddenClauses(most))).toBe(0);
  const over = withHiddenClauses(most + 1);
  expect(exitCodeOf(over)).toBe(3);
  expect(over.hidden).toEqual([{ service: "admin", clauses: most + 1, judged: ADMIN_CLAUSES }]);
  expect(hiddenLines(over)).toEqual([
    `accepted deviations hide ${most + 1} of ${ADMIN_CLAUSES} judged clauses of the admin API: that is more than a tenth, so the run is inconclusive`,
  ]);
  expect(exitCodeOf(withHiddenClauses(most + 1, true))).toBe(0);
});
