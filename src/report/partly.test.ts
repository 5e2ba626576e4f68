/** Tests that each report names the part of a passed clause that was not evaluated. */
import { expect, test } from "vitest";
import { CHECKS } from "../../specs/index.ts";
import type { Verdict } from "../harness/result.ts";
import { SETTINGS } from "../settings/table.ts";
import { toJunit } from "./junit.ts";
import type { FinishedRun } from "./model.ts";
import { partlyOf } from "./partly.ts";
import { outputsIn } from "./outputs.ts";
import { verdictBody } from "./page/verdict-page.ts";
import { summarize } from "./summary.ts";
import { summaryLines } from "./summary-lines.ts";
import { RUN_DETAILS, plannedCheck, resultOf, settingsFor } from "./testing.ts";

const NOT_SET = "METRICS_AUTH_ENFORCED is not set";
const SETTINGS_OF_RUN = settingsFor({}, ["admin-5.1"]);

/** Returns the summary of a run with the given checks of one clause. */
function runOf(...checks: readonly (readonly [slug: string, verdict: Verdict, reason: string])[]): FinishedRun {
  const plan = checks.map(([slug]) => plannedCheck("admin-5.1", slug));
  const results = plan.map((check, index) => resultOf(check, checks[index]?.[1] ?? "pass", checks[index]?.[2] ?? ""));
  return summarize(results, plan, SETTINGS_OF_RUN, RUN_DETAILS);
}

const IN_PART = runOf(["accepted", "pass", ""], ["enforced", "not-run", NOT_SET]);
const SAID = "enforced of admin-5.1 (set METRICS_AUTH_ENFORCED)";

test("a clause passes if one of its checks needs an opt-in, and the summary says what was not evaluated", () => {
  expect(IN_PART.summary.clauses).toMatchObject([{ id: "admin-5.1", verdict: "pass", partly: SAID }]);
  expect(IN_PART.summary.totals).toMatchObject({ pass: 1, notRun: 0 });
});

test("the terminal, JUnit and the page say what was not evaluated", () => {
  const lines = summaryLines(IN_PART, SETTINGS_OF_RUN, outputsIn("/reports"), {
    paint: (_colour, text) => text,
    exists: () => true,
    deviationsFile: null,
  });
  const heading = lines.indexOf("Passed in part:");
  expect(lines[heading + 1]).toBe(`  admin-5.1; not evaluated: ${SAID}`);
  expect(toJunit(IN_PART)).toContain(`<system-out>pass; not evaluated: ${SAID}</system-out>`);
  const page = verdictBody({ finished: IN_PART, settings: SETTINGS_OF_RUN, trend: [], anchors: new Map() }).text;
  expect(page).toContain("<h2>Passed in part</h2>");
  expect(page).toContain(`pass; not evaluated: ${SAID}`);
});

test.each<[string, FinishedRun]>([
  ["whose checks all passed", runOf(["accepted", "pass", ""], ["enforced", "pass", ""])],
  ["that failed", runOf(["accepted", "fail", "refused"], ["enforced", "not-run", NOT_SET])],
  ["that could not be evaluated", runOf(["accepted", "inconclusive", "no answer"], ["enforced", "not-run", NOT_SET])],
  ["that was not asked for at all", runOf(["enforced", "not-run", NOT_SET])],
  ["of which a check does not fit the target", runOf(["accepted", "pass", ""], ["other", "not-run", "this target takes no such query"])],
])("there is no such note on a clause %s", (_what, { summary }) => {
  expect(summary.clauses[0]?.partly).toBeUndefined();
});

test("if many checks need the same setting, the note gives their number", () => {
  const { summary } = runOf(["accepted", "pass", ""], ...["a", "b", "c", "d"].map((slug) => [slug, "not-run", NOT_SET] as const));
  expect(summary.clauses[0]?.partly).toBe("a of admin-5.1; b of admin-5.1; 2 more (set METRICS_AUTH_ENFORCED)");
});

test("the reason of each check that needs an opt-in has the words that the reports recognise", () => {
  const bare = settingsFor({ BASE_URL: "https://b", API_TOKEN: "a-token", METRICS_CLUSTER: "c" });
  const reasons = new Set(CHECKS.flatMap(({ unless }) => unless(bare) ?? []));
  const names = [...reasons].flatMap((reason) => /^(\w+) is not set\b/.exec(reason)?.[1] ?? []);
  expect(names).toEqual(names.filter((name) => Object.hasOwn(SETTINGS, name)));
  // All other reasons have the form `NAME is not set`, which names the missing setting.
  expect([...reasons].filter((reason) => !/ is not set\b/.test(reason))).toEqual([
    "METRICS_EXPECTED_DEFAULTS names no limit outside the documented table",
  ]);
});

test("the note names refused parts beside the missing setting", () => {
  expect(partlyOf([], ["matchers of !=", "windows of 720 minutes"])).toBe(
    "matchers of !=; windows of 720 minutes (the target refuses them, or finds nothing with them)",
  );
  expect(partlyOf([])).toBeUndefined();
});
