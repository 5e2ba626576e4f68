import { expect, test } from "vitest";
import { Overload } from "./overload.ts";

/**
 * Returns how many of `answers` responses ask the run to rest. Response number `index` is 503 if `isRefused(index)` is true, and otherwise
 * 200.
 */
function rests(answers: number, isRefused: (index: number) => boolean): number {
  const overload = new Overload();
  return Array.from({ length: answers }, (_, index) => overload.answered(isRefused(index) ? 503 : 200)).filter(Boolean).length;
}

test("503 to each sixth request, or to a few requests in a row, is no overload", () => {
  expect(rests(3_000, (index) => index % 6 === 0)).toBe(0);
  expect(rests(3_000, (index) => index % 300 < 10)).toBe(0);
});

test("if most requests are answered 503, each later 503 asks for a rest", () => {
  expect(rests(20, () => true)).toBe(7);
  expect(rests(120, (index) => index < 20 || index === 100)).toBe(8);
});
