import fc from "fast-check";
import { expect, test } from "vitest";
import { type FailingCase, type KeptCase, keptAfter } from "./corpus.ts";
import { createRun } from "./run.ts";
import { checkOf, finding, settingsFor } from "./testing.ts";

const ONE: FailingCase = { check: "a/x", property: 0, seed: 7, case: 3, clause: "a", input: "[]" };
const KEPT: KeptCase = { ...ONE, lastFailed: "2026-11-01", passed: 6 };
const RAN = new Set(["a/x"]);

test("the count of right runs starts again after a failure, and a case that is right for a week is dropped", () => {
  expect(keptAfter([], [ONE], RAN, "2026-11-02")).toEqual([{ ...ONE, lastFailed: "2026-11-02", passed: 0 }]);
  expect(keptAfter([KEPT], [ONE], RAN, "2026-11-02")).toEqual([{ ...ONE, lastFailed: "2026-11-02", passed: 0 }]);
  expect(keptAfter([KEPT], [], RAN, "2026-11-02")).toEqual([]);
  expect(keptAfter([{ ...KEPT, passed: 2 }], [], RAN, "2026-11-02")).toEqual([{ ...KEPT, passed: 3 }]);
});

test("a case whose check could not judge is kept unchanged", () => {
  expect(keptAfter([KEPT], [], new Set(), "2026-11-02")).toEqual([KEPT]);
});

test("a case that failed in an earlier run is drawn in the same way and tried first", async () => {
  const seen: number[][] = [];
  const check = checkOf(async (t) => {
    await t.property({
      arbitrary: fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1 }),
      cases: 5,
      overlap: 1,
      assertion: (input) => {
        seen.push(input);
        return finding("admin-4.PUT", []);
      },
    });
  });
  const runWith = async (seed: number, corpus: readonly FailingCase[]) => {
    const run = createRun({ settings: { ...settingsFor(), seed }, runId: "test", suiteVersion: "0", checks: [check], corpus });
    await run.execute(check);
    await run.close();
    return seen.splice(0);
  };
  const earlier = await runWith(11, []);
  const later = await runWith(12, [{ ...ONE, check: check.id, seed: 11, case: 3 }]);
  expect(later).toHaveLength(6);
  expect(later[0]).toEqual(earlier[3]);
});
