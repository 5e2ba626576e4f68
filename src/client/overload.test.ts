import { expect, test } from "vitest";
import { Overload } from "./overload.ts";

/** How many of `answers` answers ask for a rest, of which those are 503 for which `isRefused` is true. */
function rests(answers: number, isRefused: (index: number) => boolean): number {
  const overload = new Overload();
  return Array.from({ length: answers }, (_, index) => overload.answered(isRefused(index) ? 503 : 200)).filter(Boolean).length;
}

test("503 to one request of six, or to a few in a row, is no overload", () => {
  expect(rests(3_000, (index) => index % 6 === 0)).toBe(0);
  expect(rests(3_000, (index) => index % 300 < 10)).toBe(0);
});

test("where most are answered 503 each of them asks for a rest from then on", () => {
  expect(rests(20, () => true)).toBe(7);
  expect(rests(120, (index) => index < 20 || index === 100)).toBe(8);
});
