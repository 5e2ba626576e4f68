import { expect, test } from "vitest";
import type { Verdict } from "../harness/result.ts";
import { compareRuns, differenceLines, GATES, isDrift, partialRuns, toMarkdown } from "./compare.ts";
import type { Compared } from "./read.ts";
import { summarize } from "./summary.ts";
import { RUN_DETAILS, plannedCheck, resultOf, settingsFor } from "./testing.ts";

const PLAN = ["admin-4.1", "admin-4.2", "logs-7.400"].map((clause) => plannedCheck(clause));

function run(verdicts: readonly Verdict[] = ["pass", "pass", "pass"], observed: Record<string, unknown> = {}, p50 = 10): Compared {
  const results = PLAN.map((check, index) => resultOf(check, verdicts[index] ?? "pass"));
  const { summary } = summarize(results, PLAN, settingsFor({}, ["admin-4.1", "admin-4.2", "logs-7.400"]), RUN_DETAILS);
  const operation = {
    service: "admin",
    operation: "read",
    requests: 50,
    unanswered: 0,
    totalMs: p50 * 50,
    p50,
    p90: p50,
    p99: p50,
  } as const;
  return {
    summary: { ...summary, operations: [operation] },
    observations: Object.entries(observed).map(([id, seen]) => ({ id, title: id, seen })),
  };
}

test("two equal runs have no difference, even if the order of fields or the time until a write was visible differs", () => {
  const one = run(undefined, { "admin-4.4/create": { a: 1, b: 2 }, "logs-2.3/visibility": "at once" }, 10);
  const other = run(undefined, { "logs-2.3/visibility": "1 s", "admin-4.4/create": { b: 2, a: 1 } }, 30);
  expect(compareRuns(one, other)).toEqual([]);
  expect(differenceLines([])).toEqual(["no differences"]);
  expect(toMarkdown([])).toBe("No differences.\n");
});

test("violated clauses are listed first, then unverified clauses, then passed clauses", () => {
  const differences = compareRuns(run(["fail", "pass", "pass"]), run(["pass", "inconclusive", "fail"]));
  expect(differences.map(({ kind, subject }) => [kind, subject])).toEqual([
    ["newly red", "logs-7.400"],
    ["newly unverified", "admin-4.2"],
    ["newly green", "admin-4.1"],
  ]);
  expect(differences.some(isDrift)).toBe(false);
  expect(toMarkdown(differences)).toContain("| newly red | logs-7.400 | pass | fail: fail it is |");
});

test("changed, new and missing observations are drift, and so are new limits", () => {
  const before = run(undefined, { a: 1, gone: true, "admin-2.4/extra-limits": ["x"] });
  const now = run(undefined, { a: 2, added: true, "admin-2.4/extra-limits": ["x", "y"] });
  const differences = compareRuns(before, now);
  expect(differences.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    "observation changed a",
    "observation changed added",
    "new limit y",
    "observation changed gone",
  ]);
  expect(differences.every(isDrift)).toBe(true);
});

test("a target is slower if it takes twice as long and at least 50 ms longer", () => {
  expect(compareRuns(run([], {}, 40), run([], {}, 100))).toMatchObject([{ kind: "slower", subject: "admin read" }]);
  expect(compareRuns(run([], {}, 100), run([], {}, 40))).toMatchObject([{ kind: "faster" }]);
  expect(compareRuns(run([], {}, 5), run([], {}, 20))).toEqual([]);
});

test("a clause that only one run judged is no difference, and the run that judged less is marked", () => {
  const whole = run(["pass", "fail", "pass"], { a: 1, b: 2 });
  const part = run(["pass", "not-run", "pass"], { a: 1 });
  expect(compareRuns(whole, part)).toEqual([]);
  expect(compareRuns(part, whole)).toEqual([]);
  expect(partialRuns(whole, part)).toEqual(["the later run is partial: it did not judge 1 clause that the other run judged"]);
  expect(partialRuns(part, whole)).toEqual(["the earlier run is partial: it did not judge 1 clause that the other run judged"]);
  expect(partialRuns(whole, whole)).toEqual([]);
  expect(differenceLines([], partialRuns(whole, part))).toEqual([...partialRuns(whole, part), "no differences"]);
  expect(toMarkdown([], ["a note"])).toBe("> a note\n\nNo differences.\n");
});

test("a run is partial if --only left clauses out or if it was interrupted", () => {
  const whole = run();
  const [first] = whole.summary.clauses;
  if (first === undefined) throw new Error("no clause");
  const part = { ...whole, summary: { ...whole.summary, clauses: [first] } };
  expect(compareRuns(whole, part)).toEqual([]);
  expect(partialRuns(whole, part)).toEqual(["the later run is partial: it did not judge 2 clauses that the other run judged"]);
  const interrupted: Compared = { ...whole, summary: { ...whole.summary, run: { ...whole.summary.run, interrupted: "SIGHUP" } } };
  expect(partialRuns(interrupted, whole)).toEqual(["the earlier run is partial: it was interrupted by SIGHUP"]);
});

test("a smoke run is partial beside a release run, and the observations that only the release run makes are not drift", () => {
  const release = run(undefined, { a: 1, both: 1 });
  const less = run(undefined, { b: 1, both: 1 });
  const smoke: Compared = { ...less, summary: { ...less.summary, run: { ...less.summary.run, profile: "smoke" } } };
  const note = "run is partial: it has the profile smoke, and the other run release";
  expect(partialRuns(smoke, release)).toEqual([`the earlier ${note}`]);
  expect(partialRuns(release, smoke)).toEqual([`the later ${note}`]);
  expect(compareRuns(smoke, release).map(({ subject }) => subject)).toEqual(["b"]);
  expect(compareRuns(release, smoke).map(({ subject }) => subject)).toEqual(["b"]);
});

test("each gate counts only its own kind of differences", () => {
  const red = compareRuns(run(), run(["fail", "pass", "pass"]));
  const drift = compareRuns(run(undefined, { a: 1 }), run(undefined, { a: 2 }));
  const green = compareRuns(run(["fail", "pass", "pass"]), run());
  const gating = (gate: string): boolean[] => [red, drift, green, []].map((all) => all.some((one) => GATES.get(gate)?.(one) === true));
  expect(gating("newly-red")).toEqual([true, false, false, false]);
  expect(gating("drift")).toEqual([false, true, false, false]);
  expect(gating("any")).toEqual([true, true, true, false]);
});
