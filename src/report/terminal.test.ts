import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { DEVIATION, RUN_END } from "../harness/testing.ts";
import type { CheckResult } from "../harness/result.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import type { Settings } from "../settings/types.ts";
import type { RunDetails } from "./model.ts";
import { outputsIn } from "./outputs.ts";
import { summarize } from "./summary.ts";
import { judgedLine } from "./summary-lines.ts";
import { terminalReporter, type TerminalOptions } from "./terminal.ts";
import { COVERAGE, plannedCheck, resultOf, RUN_DETAILS, settingsFor, withCoverage } from "./testing.ts";

const PLAN = ["admin-4.1", "admin-4.2", "logs-7.400"].map((clause) => plannedCheck(clause));
const [FIRST = plannedCheck("admin-4.1"), SECOND = plannedCheck("admin-4.2"), THIRD = plannedCheck("logs-7.400")] = PLAN;
const ONLY = PLAN.flatMap((check) => check.clauses);

interface Shown extends TerminalOptions {
  readonly plan?: readonly PlannedCheck[];
  readonly tty?: boolean;
  readonly settings?: Settings;
  readonly details?: RunDetails;
}

/** Returns the whole terminal output of a run with the given results. */
function shown(
  results: readonly CheckResult[],
  { plan = PLAN, tty = false, settings, details = RUN_DETAILS, ...options }: Shown = {},
): string {
  let text = "";
  const screen = { isTTY: tty, columns: 60, write: (more: string) => (text += more) };
  const all =
    settings ??
    settingsFor(
      {},
      plan.flatMap((check) => check.clauses),
    );
  const reporter = terminalReporter(screen, all, outputsIn("/reports"), { exists: () => true, ...options });
  reporter.onPlan?.(plan);
  for (const result of results) reporter.onResult?.(result);
  void reporter.onFinish?.(summarize(results, plan, all, details));
  return text;
}

test("without a terminal the output has plain lines and no control characters", () => {
  const text = shown(PLAN.map((check) => resultOf(check, "pass")));
  expect(text).not.toContain("pass  admin-4.1");
  expect(text).toContain("CONFORMANT: every clause that this run had to judge passed");
  expect(text).toContain("clauses: 3 passed, 0 failed, 0 inconclusive, 0 not run · 10 requests, 2 instances created");
  expect(text).not.toContain("\u001B");
});

test("--verbose shows each result, and --quiet shows only the end", () => {
  const passing = PLAN.map((check) => resultOf(check, "pass"));
  const told = (verbosity: "quiet" | "verbose"): string => shown(passing, { verbosity });
  expect(told("verbose")).toContain("pass  admin-4.1/check (5 ms)\n");
  expect(told("quiet").trimStart()).toMatch(/^CONFORMANT/);
});

test("below its verdict a release run says that a budget cut more than 2 % of the pairs", () => {
  const text = shown([], { details: withCoverage({ ...COVERAGE, cut: 200 }) });
  expect(text).toMatch(
    /INCONCLUSIVE: .*\nclauses: .*\nchecks: .*\na budget was too small, so the run did not try 200 of 1,500 pairs of input values \(histories\);/,
  );
});

test("without a terminal a line shows the progress every ten seconds", () => {
  let time = 0;
  const now = (): number => (time += 4_000);
  const passing = PLAN.map((check) => resultOf(check, "pass"));
  const text = shown(passing, { now });
  expect(text.match(/\d\/3 checks/g)).toEqual(["3/3 checks"]);
});

test("deviations are shown and counted, and an entry to delete is named with its line", () => {
  const deviation = { ...DEVIATION, owner: "team logs" };
  const settings = {
    ...settingsFor({}, ONLY),
    deviations: [
      { ...deviation, match: "admin-4.1", lines: { first: 3, last: 3 } },
      { ...deviation, match: "admin-4.2", lines: { first: 4, last: 9 } },
    ],
  };
  const results = [resultOf(FIRST, "deviation", "accepted until then; status was 500"), resultOf(SECOND, "pass"), resultOf(THIRD, "pass")];
  const text = shown(results, { settings, deviationsFile: "/d.json" });
  expect(text).toContain("2 passed, 0 failed, 1 accepted deviation, 0 inconclusive");
  expect(text).toContain("Accepted deviations:\n  accepted until then; status was 500: admin-4.1\n");
  expect(text).toContain('  delete lines 4 to 9 of /d.json: "admin-4.2" now passes (owner team logs)');
  expect(text).not.toContain("delete line 3");
});

test("violations, inconclusive clauses and clauses that did not run are listed, and the last line says what was judged", () => {
  const text = shown([
    resultOf(FIRST, "fail", "status was 500"),
    resultOf(SECOND, "inconclusive", "labels was not answered"),
    resultOf(THIRD, "not-run", "LOGS_AUTH_ENFORCED is not set"),
  ]);
  expect(text).toContain("NONCONFORMANT");
  expect(text).toContain("Violated clauses; see docs/failures/violation.md:\n  admin-4.1  status was 500\n");
  expect(text).toContain(
    "Inconclusive:\n  the target did not answer: admin-4.2\n    labels was not answered\n    next: Run plumbline doctor, and check the base URL and the network; see docs/failures/unreachable.md\n",
  );
  expect(text).toContain(
    "Not run:\n  LOGS_AUTH_ENFORCED is not set: logs-7.400\n    next: Set LOGS_AUTH_ENFORCED to judge these clauses\n",
  );
  expect(text).toContain("report: /reports/report.html\nreplay: npm run conformance -- --only admin-4.1 ");
  expect(text.trimEnd().split("\n").at(-1)).toBe("Judged: embedded reference server, not a deployment");
});

test("a terminal shows the progress in place, and lists only results that need attention", () => {
  const text = stripVTControlCharacters(shown([resultOf(FIRST, "pass"), resultOf(SECOND, "fail", "status was 500")], { tty: true }));
  expect(text).toContain("1/3 checks · 1 passed");
  expect(text).not.toContain("pass  admin-4.1/check");
  expect(text).toContain("FAIL  admin-4.2, check admin-4.2/check (5 ms): status was 500");
});

test("control characters of a target do not reach the terminal", () => {
  const text = shown([resultOf(FIRST, "fail", "got \u001B[2J\u0007 and \u202E")]);
  expect(text).toContain("got \uFFFD[2J\uFFFD and \uFFFD");
});

test("interruptions, internal errors and the cleanup are reported", () => {
  const cleanup = { deleted: ["a"], failed: [{ name: "b", reason: "status 405" }] };
  const end = { ...RUN_END, cleanup };
  const text = shown([], { details: { ...RUN_DETAILS, end, interrupted: "SIGINT", internalError: "a crash" } });
  expect(text).toContain("interrupted by SIGINT: 3 checks did not run;");
  expect(text).toContain("error of the suite itself: a crash; see docs/failures/internal-error.md");
  expect(text).toContain("cleanup: 1 instance deleted, 1 could not be deleted\n  b: status 405");
});

test.each([
  [{}, "Judged: embedded reference server, not a deployment"],
  [{ LOGS_BASE_URL: "https://l" }, "Judged: log API only, at https://l"],
  [{ METRICS_BASE_URL: "https://m", API_TOKEN: "t", METRICS_CLUSTER: "c" }, "Judged: admin API only, at https://m"],
  [{ BASE_URL: "https://b", API_TOKEN: "t", METRICS_CLUSTER: "c" }, "Judged: admin API at https://b and log API at https://b"],
])("the last line names %j", (env, line) => {
  expect(judgedLine(settingsFor(env))).toBe(line);
});

test("of several violations the one nearest to the cause is first, and the others name the clause that they may follow from", () => {
  const plan = ["logs-4.4", "logs-4.push"].map((clause) => plannedCheck(clause));
  const results = plan.map((check) => resultOf(check, "fail", "entries are missing"));
  expect(shown(results, { plan })).toContain(
    "Violated clauses, nearest to the cause first; see docs/failures/violation.md:\n  logs-4.push  entries are missing\n  logs-4.4  entries are missing\n    may follow from logs-4.push\n",
  );
});

test.each([
  [["report.html", "summary.json"], "report: /reports/report.html\n"],
  [["summary.json"], "report: /reports/summary.json\n"],
  [[], "report: none could be written\n"],
])("if %j are written, the last lines name one of them", (written, line) => {
  const exists = (path: string): boolean => written.some((name) => path === `/reports/${name}`);
  expect(shown([], { exists })).toContain(line);
});

test("a line about a failed check names its first violated clause, as the verdict does", () => {
  const check = plannedCheck("admin-4.1", "check", ["admin-4.2", "admin-4.3"]);
  const failed = resultOf(check, "fail", "cluster is absent");
  const outcomes = failed.outcomes.map((outcome) =>
    outcome.clause === "admin-4.1" ? { ...outcome, verdict: "inconclusive" as const } : outcome,
  );
  expect(shown([{ ...failed, outcomes }], { plan: [check] })).toContain(
    "FAIL  admin-4.2 and admin-4.3, check admin-4.1/check (5 ms): cluster is absent\n",
  );
});

test("checks that only observe are in no number of the terminal", () => {
  const plan = [FIRST, plannedCheck("admin-7.errors")];
  const results = plan.map((check) => resultOf(check, "pass"));
  const text = shown(results, { plan, settings: settingsFor({}, ["admin-4.1"]) });
  expect(text).toMatch(/^1 check\n/);
  expect(text).toContain("checks: 1 passed, 0 failed, 0 inconclusive, 0 not run\n");
});
