import { expect, it } from "vitest";
import type { ClauseSummary, Summary } from "./model.ts";
import { qualityGates } from "./quality-gate.ts";

function clause(id: ClauseSummary["id"], verdict: ClauseSummary["verdict"]): ClauseSummary {
  return { id, document: "", section: "", level: "stated", statement: "", verdict, checks: [] };
}

function gates(summary: Partial<Summary>): readonly (readonly [string, boolean, string])[] {
  const { default: all = [] } = qualityGates({ clauses: [], deviations: [], ...summary });
  return all.map(({ rule, success, message }) => [rule, success, message]);
}

it("a conformant run has two gates that pass", () => {
  expect(gates({ clauses: [clause("admin-4.1", "pass")] })).toEqual([
    ["no violated clause", true, "0 clauses are violated"],
    ["no unverified clause", true, "0 clauses could not be verified"],
  ]);
});

it("each gate names the reasons why it failed", () => {
  const deviations: Summary["deviations"] = [
    { match: "logs-4.2", owner: "me", reason: "old", expires: "2026-01-01", lines: { first: 1, last: 1 }, state: "expired" },
    { match: "logs-4.1", owner: "me", reason: "old", expires: "2099-01-01", lines: { first: 2, last: 2 }, state: "accepted" },
  ];
  const comparison: NonNullable<Summary["comparison"]> = {
    differences: [
      { kind: "observation changed", subject: "logs-7.errors", before: "a", now: "b" },
      { kind: "newly red", subject: "admin-4.1", before: "pass", now: "fail" },
    ],
    gating: true,
  };
  expect(gates({ clauses: [clause("admin-4.1", "fail"), clause("admin-4.2", "inconclusive")], deviations, comparison })).toEqual([
    ["no violated clause", false, "1 clause is violated: admin-4.1"],
    ["no unverified clause", false, "1 clause could not be verified: admin-4.2"],
    ["no outdated deviation", false, "1 accepted deviation is outdated: logs-4.2 (expired)"],
    ["no drift", false, "1 difference from the run before: logs-7.errors"],
  ]);
});
