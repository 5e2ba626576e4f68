import { expect, test } from "vitest";
import { StreamQuota } from "./stream-quota.ts";

const AFTER_MS = 15_000;
const AGAIN_MS = 10_000;

function refused(quota: StreamQuota, count: number, fromMs: number, everyMs: number): void {
  for (let one = 0; one < count; one += 1) quota.refused(fromMs + one * everyMs);
}

test("the quota counts as used up if many consecutive pushes were answered 429 for a long time", () => {
  const quota = new StreamQuota(AFTER_MS, AGAIN_MS);
  refused(quota, 15, 0, 1_000);
  expect(quota.isMet).toBe(false);
  quota.refused(15_000);
  expect(quota.isMet).toBe(true);
});

test("the quota does not count as used up after few pushes, or if one of many pushes was accepted", () => {
  const few = new StreamQuota(AFTER_MS, AGAIN_MS);
  refused(few, 11, 0, 10_000);
  const one = new StreamQuota(AFTER_MS, AGAIN_MS);
  refused(one, 11, 0, 1_000);
  one.taken();
  refused(one, 11, 11_000, 1_000);
  expect([few.isMet, one.isMet]).toEqual([false, false]);
});

test("if the quota is used up, single pushes are sent, and three accepted pushes in a row show that there is room again", () => {
  const quota = new StreamQuota(AFTER_MS, AGAIN_MS);
  refused(quota, 20, 0, 1_000);
  expect([20_000, 20_001, 29_999, 30_000].filter((ms) => quota.letsThrough(ms))).toEqual([20_000, 30_000]);
  quota.taken();
  quota.taken();
  quota.refused(31_000);
  quota.taken();
  quota.taken();
  expect(quota.isMet).toBe(true);
  quota.taken();
  expect(quota.isMet).toBe(false);
  expect(quota.letsThrough(31_001)).toBe(true);
});
