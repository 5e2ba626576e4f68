import { expect, test } from "vitest";
import type { DefectSummary, Summary } from "./model.ts";
import { coverageLines, cutLine, releaseText, verdictLine } from "./summary-lines.ts";

const FULL = { strength: 2, possible: 4_214, judged: 4_214, masked: 0, hidden: 0, notEvaluated: 0, cut: 0, maskedLevels: {} } as const;
const linesOf = (coverage: NonNullable<Summary["coverage"]>): string[] => coverageLines({ coverage } as Summary);

test("one line says how many pairs of input values an engine judged", () => {
  expect(linesOf({ histories: FULL })).toEqual(["histories: 4,214 of 4,214 pairs of input values judged"]);
  expect(linesOf({ histories: { ...FULL, strength: 1 } })).toEqual(["histories: 4,214 of 4,214 input values judged"]);
});

test("the line says why combinations were not judged, and how many", () => {
  const part = { ...FULL, judged: 4_000, masked: 200, hidden: 4, notEvaluated: 3, cut: 7, maskedLevels: { unusual: ["ingestion_rate"] } };
  expect(linesOf({ histories: part })).toEqual([
    "histories: 4,000 of 4,214 pairs of input values judged; 200 pairs of input values not judged, because the target refuses unusual (ingestion_rate); 4 not judged, because a violation hides the result; 3 not judged, because the response was not evaluated; 7 not tried, because a budget was too small",
  ]);
  expect(linesOf({ histories: { ...FULL, judged: 4_212, masked: 2 } })).toEqual([
    "histories: 4,212 of 4,214 pairs of input values judged; 2 pairs of input values not judged, because the target refuses parts of the requests",
  ]);
});

/** Returns the summary of a run in which a budget cut `cut` of 4,214 pairs of levels. */
const cutRun = (profile: string, cut: number): Summary => {
  const histories = { ...FULL, judged: FULL.possible - cut, cut };
  return { run: { profile }, coverage: { queries: FULL, histories } } as unknown as Summary;
};

test("a release run says beside its verdict that a budget cut more than 2 % of the combinations", () => {
  expect(cutLine(cutRun("release", 85))).toBe(
    "a budget was too small, so the run did not try 85 of 4,214 pairs of input values (histories); a release run may leave out at most 2 %; raise RUN_TIMEOUT_MS and MAX_REQUESTS",
  );
  expect(cutLine(cutRun("release", 84))).toBeNull();
  expect(cutLine(cutRun("smoke", 4_000))).toBeNull();
});

test("the line about a small budget names the three engines and tables of which most was not tried", () => {
  const cuts = [300, 100, 500, 200].map((cut, index) => [`table ${index}`, { ...FULL, strength: 1, judged: FULL.possible - cut, cut }]);
  const line = cutLine({ run: { profile: "release" }, coverage: Object.fromEntries(cuts) } as unknown as Summary);
  expect(line).toContain(
    "did not try 500 of 4,214 input values (table 2), 300 of 4,214 input values (table 0), 200 of 4,214 input values (table 3), and parts of 1 more (see Coverage); a release run",
  );
});

/** Returns the summary of a finished run with the given numbers of clauses. */
const endedAs = (verdict: Summary["verdict"], profile: string, totals: Partial<Summary["totals"]>, deviations: unknown[] = []): Summary =>
  ({
    verdict,
    run: { profile },
    totals: { pass: 1, fail: 0, deviation: 0, inconclusive: 0, notRun: 0, ...totals },
    deviations,
    clauses: [{ id: "admin-4.2", verdict: "fail", checks: [{ verdict: "fail" }] }],
  }) as unknown as Summary;

test("the headline does not promise more than the run has shown", () => {
  expect(verdictLine(endedAs("conformant", "release", {}))).toBe("CONFORMANT: every clause that this run had to judge passed");
  expect(verdictLine(endedAs("conformant", "smoke", {}))).toMatch(/^CONFORMANT \(smoke: each input value once\): /);
  const entries = ["2027-03-01", "2027-01-31"].map((expires) => ({ expires, state: "accepted" }));
  expect(verdictLine(endedAs("conformant", "release", { deviation: 2 }, [...entries, { expires: "2026-01-01", state: "expired" }]))).toBe(
    "ACCEPTED: 2 deviations until 2027-01-31, no other violation",
  );
  expect(verdictLine(endedAs("nonconformant", "smoke", { fail: 1, deviation: 1 }))).toMatch(/^NONCONFORMANT: /);
});

test("one sentence says what the result means for a release", () => {
  const defects = [
    { clauses: ["admin-4.2"] },
    { clauses: ["logs-4.push"], actual: "missing from the answer: x" },
  ] as unknown as DefectSummary[];
  expect(releaseText({ ...endedAs("nonconformant", "release", { fail: 2 }), defects })).toBe(
    "Do not release on this evidence: 2 defects; 1 of the defects loses acknowledged entries.",
  );
  const refused = [{ id: "admin-4.1", verdict: "inconclusive", reason: "push was answered 401" }] as unknown as Summary["clauses"];
  expect(releaseText({ ...endedAs("inconclusive", "release", { pass: 0, inconclusive: 1 }), clauses: refused })).toBe(
    "This run says nothing about a release: nothing was judged. The cause: the target refuses the credentials.",
  );
  expect(releaseText(endedAs("inconclusive", "release", { inconclusive: 2 }))).toContain("does not support a release: 2 clauses");
  expect(releaseText(endedAs("conformant", "smoke", {}))).toContain("Use the profile release before a release.");
  expect(releaseText(endedAs("conformant", "release", { deviation: 1 }))).toMatch(
    /no reason against a release.*1 violation is accepted\.$/,
  );
  expect(releaseText(endedAs("conformant", "release", { notRun: 2 }))).toMatch(/no reason against a release.*2 clauses were not run\.$/);
});

test("a run that ends with exit code 1 without a violation does not speak for a release", () => {
  const stale = endedAs("conformant", "release", { deviation: 1 }, [{ expires: "2026-01-01", state: "expired" }]);
  expect(releaseText(stale)).toContain("the deviations file is out of date");
  const drifted = { ...endedAs("conformant", "release", {}), comparison: { differences: [], gating: true } };
  expect(releaseText(drifted)).toContain("the target differs from the baseline");
});
