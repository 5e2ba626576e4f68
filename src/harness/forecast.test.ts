import { expect, test } from "vitest";
import { leavesOutRow } from "./property.ts";
import type { Scope } from "./scope.ts";

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
