import { expect, test } from "vitest";
import { DEVIATION } from "../harness/testing.ts";
import type { Verdict } from "../harness/result.ts";
import type { Deviation } from "../settings/types.ts";
import { deviationSummaries, isToDelete } from "./deviations.ts";
import { exitCodeOf, summarize } from "./summary.ts";
import { RUN_DETAILS, plannedCheck, resultOf, settingsFor } from "./testing.ts";

const PLAN = [plannedCheck("admin-4.1"), plannedCheck("admin-4.2")];

function stateWith(verdict: Verdict, entry: Partial<Deviation> = {}): string | undefined {
  const settings = { ...settingsFor(), deviations: [{ ...DEVIATION, ...entry }] };
  return deviationSummaries(settings, [resultOf(plannedCheck("admin-4.2"), verdict)])[0]?.state;
}

test.each([
  ["deviation", {}, "accepted"],
  ["inconclusive", {}, "unverified"],
  ["pass", {}, "passes"],
  ["not-run", {}, "unmatched"],
  ["pass", { match: "admin-9*" }, "unmatched"],
  ["fail", { expired: true }, "expired"],
  ["pass", { target: "https://elsewhere.example.com" }, "elsewhere"],
] as const)("with the verdict %s the state of the entry %j is %s", (verdict, entry, state) => {
  expect(stateWith(verdict, entry)).toBe(state);
});

test("a shard gives only the states that do not depend on other shards", () => {
  const settings = { ...settingsFor(), deviations: [DEVIATION], shard: { index: 1, count: 2 } };
  expect(deviationSummaries(settings, [])[0]?.state).toBe("unverified");
});

test("a deviation does not fail the run, and an entry that must be deleted does", () => {
  const settings = { ...settingsFor({}, ["admin-4.1", "admin-4.2"]), deviations: [DEVIATION] };
  const codeWith = (verdict: Verdict): number => {
    const results = PLAN.map((check, index) => resultOf(check, index === 0 ? "pass" : verdict));
    const { summary } = summarize(results, PLAN, settings, RUN_DETAILS);
    expect(summary.verdict).toBe("conformant");
    expect(summary.deviations.some(isToDelete)).toBe(verdict === "pass");
    return exitCodeOf(summary);
  };
  expect(codeWith("deviation")).toBe(0);
  expect(codeWith("pass")).toBe(1);
});
