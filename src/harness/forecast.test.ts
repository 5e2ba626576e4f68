import { expect, test } from "vitest";
import type { EngineCoverage } from "../design/coverage.ts";
import { CheckContext } from "./context.ts";
import { leavesOutRow } from "./property.ts";
import type { RunServices, Scope } from "./scope.ts";
import { TOLD } from "./testing.ts";

/** Returns a scope of a release run that has all of its time left, and `spare` requests more than its checks need. */
function scopeWith(spare: number): Scope {
  const scope = {
    settings: { profile: "release", budgets: { runTimeoutMs: 1_000, maxRequests: 100 } },
    run: { spare: () => spare + scope.progress.requests, transport: () => ({ budget: { msLeft: 1_000, requests: 90 } }) },
    progress: { requests: 0 },
  };
  return scope as unknown as Scope;
}

test("rows are left out until the requests suffice, and no further row is", () => {
  const scope = scopeWith(-3);
  expect([1, 2, 3].map(() => leavesOutRow(scope, 0.5, 2))).toEqual([true, true, false]);
});

test("no row is left out if the requests suffice, or if the row must run", () => {
  expect(leavesOutRow(scopeWith(0), 0.5, 2)).toBe(false);
  expect(leavesOutRow(scopeWith(-50), 0.5, 0)).toBe(false);
});

test("a table leaves out rows after the first eight until the requests suffice, and the coverage says so", async () => {
  const coverage = new Map<string, EngineCoverage>();
  const run = {
    ...scopeWith(0).run,
    settings: { profile: "release", budgets: { runTimeoutMs: 1_000, maxRequests: 100 } },
    coverage,
    spare: () => t.progress.requests - 2,
  };
  const t = new CheckContext(run as unknown as RunServices, "logs", "logs-4.3/rows");
  const ran: number[] = [];
  const rows = Array.from({ length: 12 }, (_, at) => ({
    clause: "logs-4.3" as const,
    assertion: async () => {
      ran.push(at);
      return { clauses: ["logs-4.3"] as const, differences: [], exchanges: [TOLD] };
    },
  }));
  await t.verifyRows(rows, 8);
  expect(ran).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10, 11]);
  expect(coverage.get("rows of logs-4.3/rows")).toMatchObject({ possible: 12, judged: 10, cut: 2 });
});
