import { expect, test } from "vitest";
import type { CoverageSummary, DefectSummary, Summary } from "./model.ts";
import { outputsIn } from "./outputs.ts";
import { summarize } from "./summary.ts";
import { coverageLine, cutLine, releaseText, summaryLines, verdictLine } from "./summary-lines.ts";
import { RUN_DETAILS, settingsFor } from "./testing.ts";

const FULL: CoverageSummary = {
  engine: "histories",
  name: "histories",
  strength: 2,
  possible: 4_214,
  judged: 4_214,
  masked: [],
  hidden: [],
  notEvaluated: 0,
  cut: 0,
};
const lineOf = (part: Partial<CoverageSummary>): string => coverageLine({ ...FULL, ...part });
const refused = (levels: Record<string, string>, combinations: number) => ({
  levels,
  combinations,
  reason: "the target refuses this level",
});

test("one line says how many pairs of input values an engine judged", () => {
  expect(lineOf({})).toBe("histories: 4,214 of 4,214 pairs of input values judged");
  expect(lineOf({ strength: 1 })).toBe("histories: 4,214 of 4,214 input values judged");
});

test("the line says why combinations were not judged, and how many", () => {
  const masked = [refused({ ingestion_rate: "unusual" }, 150), refused({ drop_labels: "unusual" }, 50)];
  const hidden = [{ defect: "0a1b2c3d", combinations: 4 }];
  expect(lineOf({ judged: 4_000, masked, hidden, notEvaluated: 3, cut: 7 })).toBe(
    "histories: 4,000 of 4,214 pairs of input values judged; 200 not judged, because the target refuses or does not show unusual (ingestion_rate, drop_labels); 4 not judged, because a violation hides the result; 3 not judged, because the response was not evaluated; 7 not tried, because a budget was too small",
  );
  expect(lineOf({ judged: 4_212, masked: [refused({}, 2)] })).toBe(
    "histories: 4,212 of 4,214 pairs of input values judged; 2 not judged, because the target refuses or does not show parts of the requests",
  );
  expect(lineOf({ masked: [...masked, refused({ a: "x", b: "y" }, 1)] })).toContain(
    "unusual (ingestion_rate, drop_labels); some levels together",
  );
});

/** Returns the summary of a run with a group of cases for each of the given numbers of combinations that a budget prevented. */
const cutRun = (profile: string, ...cuts: number[]): Summary => {
  const coverage = cuts.map((cut, index) => ({ ...FULL, name: `table ${index}`, judged: FULL.possible - cut, cut }));
  return { run: { profile }, coverage } as unknown as Summary;
};

test("a release run says beside its verdict that a budget cut more than 2 % of the combinations", () => {
  expect(cutLine(cutRun("release", 85))).toBe(
    "a budget was too small, so the run did not try 85 of 4,214 pairs of input values (table 0); a release run may leave out at most 2 %; raise RUN_TIMEOUT_MS and MAX_REQUESTS",
  );
  expect(cutLine(cutRun("release", 84))).toBeNull();
  expect(cutLine(cutRun("smoke", 4_000))).toBeNull();
});

test("the line about a small budget names the three engines and tables of which most was not tried", () => {
  expect(cutLine(cutRun("release", 300, 100, 500, 200))).toMatch(
    /500 of .* \(table 2\), 300 .* \(table 0\), 200 .* \(table 3\), and parts of 1 more/,
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
  const defects = [{ clauses: ["admin-4.2"] }, { clauses: ["logs-4.push"], kind: "lost" }] as unknown as DefectSummary[];
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

test("the end of a run says that a drift decides its exit code", () => {
  const settings = settingsFor();
  const { summary, ...rest } = summarize([], [], settings, RUN_DETAILS);
  const textOf = (gating: boolean): string => {
    const finished = { ...rest, summary: { ...summary, comparison: { differences: [], gating } } };
    return summaryLines(finished, settings, outputsIn("/reports"), {
      paint: (_, text) => text,
      exists: () => true,
      deviationsFile: null,
    }).join("\n");
  };
  expect(textOf(true)).toContain("Observations differ from those of the baseline, and --fail-on-drift is given (exit 1)");
  expect(textOf(false)).not.toContain("baseline");
});
