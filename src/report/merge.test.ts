import { expect, test } from "vitest";
import type { CheckResult, Verdict } from "../harness/result.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import { merge, refuseMixed } from "./merge.ts";
import type { ShardFile } from "./shard-file.ts";
import { COVERAGE, plannedCheck, resultOf, RUN_DETAILS, settingsFor, withCoverage } from "./testing.ts";

const [A, B, CLOSING] = [plannedCheck("admin-4.1"), plannedCheck("admin-4.2"), plannedCheck("logs-7.400", "closing")] as const;
const WHOLE = [A, B, CLOSING];
const ONLY = ["admin-4.1", "admin-4.2", "logs-7.400"];

function part(index: number, results: readonly CheckResult[], overrides: Partial<ShardFile> = {}, count = 2): ShardFile {
  const plan: PlannedCheck[] = WHOLE.filter(({ id }) => results.some((result) => result.id === id));
  const settings = { ...settingsFor({ LOGS_BASE_URL: "https://l" }, ONLY), shard: { index, count } };
  return { schemaVersion: 1, settings, details: RUN_DETAILS, plan, results, ...overrides };
}

function verdicts(one: ShardFile, other: ShardFile): Record<string, string> {
  const { finished } = merge([one, other], WHOLE);
  return Object.fromEntries(finished.summary.clauses.map(({ id, verdict }) => [id, verdict]));
}

test("the merged run has all checks, and its counters are the sums of the shards", () => {
  const one = part(1, [resultOf(A, "pass"), resultOf(CLOSING, "pass")]);
  const other = part(2, [resultOf(B, "fail"), resultOf(CLOSING, "pass")]);
  expect(verdicts(one, other)).toEqual({ "admin-4.1": "pass", "admin-4.2": "fail", "logs-7.400": "pass" });
  const { summary } = merge([one, other], WHOLE).finished;
  expect(summary.run).toMatchObject({ requests: 20, instancesCreated: 4 });
  expect(summary.settling).toEqual({ admin: null, logs: { slowestMs: 900, windowMs: 2_700 } });
});

test("a defect that several shards found is one defect of the merged run", () => {
  const one = part(1, [resultOf(A, "pass"), resultOf(CLOSING, "fail")]);
  const other = part(2, [resultOf(B, "fail"), resultOf(CLOSING, "fail")]);
  const { defects = [] } = merge([one, other], WHOLE).finished.summary;
  expect(defects.map(({ clauses }) => clauses)).toEqual([["admin-4.2"], ["logs-7.400"]]);
});

test("the merged run has the coverage of the shard that ran the engine", () => {
  const { summary } = merge([part(1, [], { details: withCoverage(COVERAGE) }), part(2, [])], WHOLE).finished;
  expect(summary.coverage).toMatchObject([{ name: "histories", possible: COVERAGE.possible }]);
});

test.each<[Verdict, string, Verdict, string]>([
  ["inconclusive", "precondition not met: no read was right earlier in the run, so no read can be repeated", "pass", "pass"],
  ["inconclusive", "no answer", "pass", "inconclusive"],
  ["fail", "lost", "pass", "fail"],
  ["inconclusive", "precondition not met: nothing came back", "inconclusive", "inconclusive"],
])("for a check that each shard has, %s (%s) and %s give %s", (verdict, headline, beside, whole) => {
  const one = part(1, [resultOf(A, "pass"), resultOf(CLOSING, verdict, headline)]);
  const other = part(2, [resultOf(B, "pass"), resultOf(CLOSING, beside)]);
  expect(verdicts(one, other)["logs-7.400"]).toBe(whole);
});

test("the checks of a missing shard are inconclusive, with the reason", () => {
  const { finished, missing } = merge([part(1, [resultOf(A, "pass"), resultOf(CLOSING, "pass")])], WHOLE);
  expect(missing).toEqual([2]);
  expect(finished.summary.clauses.find(({ id }) => id === "admin-4.2")).toMatchObject({
    verdict: "inconclusive",
    reason: "shard 2 of 2 is missing",
  });
});

test.each([
  ["run id", { details: { ...RUN_DETAILS, runId: "rother" } }],
  ["seed", { settings: { ...settingsFor({ LOGS_BASE_URL: "https://l" }, ONLY), shard: { index: 2, count: 2 }, seed: 5 } }],
  ["log API", { settings: { ...settingsFor({ LOGS_BASE_URL: "https://m" }, ONLY), shard: { index: 2, count: 2 } } }],
  ["number of shards", { settings: { ...settingsFor({ LOGS_BASE_URL: "https://l" }, ONLY), shard: { index: 2, count: 3 } } }],
  ["suite version", { details: { ...RUN_DETAILS, suite: { name: "plumbline", version: "0.9.0" } } }],
])("shards of runs that differ in %s are refused", (what, overrides) => {
  expect(() => refuseMixed([part(1, []), part(2, [], overrides)], ["one", "two"])).toThrow(
    `one and two are not parts of one run: their ${what} differs`,
  );
});

test("the same shard cannot be merged twice", () => {
  expect(() => refuseMixed([part(1, []), part(1, [])], ["one", "two"])).toThrow("two is shard 1 again");
});
