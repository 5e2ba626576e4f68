import { expect, test } from "vitest";
import { CHECKS } from "../../specs/index.ts";
import { ENGINE_CHECKS, interval, sampled, shares } from "./sample.ts";
import type { FaultRow } from "./matrix.ts";

test("the checks of the engines exist", () => {
  const ids = CHECKS.map(({ id }) => id);
  expect(ENGINE_CHECKS.filter((id) => !ids.includes(id))).toEqual([]);
});

test("a sample has different ids, and the same ids for the same seed", () => {
  const ids = Array.from({ length: 50 }, (_, index) => `fault-${index}`);
  const sample = sampled(ids, 20, 7);
  expect(new Set(sample).size).toBe(20);
  expect(sampled(ids, 20, 7)).toEqual(sample);
  expect(sampled(ids, 20, 8)).not.toEqual(sample);
  expect(sampled(ids, 90, 7).toSorted()).toEqual(ids.toSorted());
});

test("the confidence interval contains the share and stays within 0 and 100 per cent", () => {
  // The expected values are the results of Wilson's formula for 81 detected faults of 263.
  expect(interval(81, 263).map((edge) => edge.toFixed(1))).toEqual(["25.5", "36.6"]);
  expect(interval(0, 10)[0]).toBe(0);
  expect(interval(10, 10)[1]).toBe(100);
});

function row(clause: string, diagnosed: boolean): FaultRow {
  return { clause, diagnosed } as FaultRow;
}

test("the shares are given for both documents and for each of them", () => {
  expect(shares([row("admin-4.1", true), row("logs-4.1", true), row("logs-4.2", false)])).toEqual([
    expect.stringMatching(/^both documents: 2 of 3 faults caught \(67 %, 95 % confidence \d+ to \d+ %\)$/),
    expect.stringMatching(/^admin API: 1 of 1 /),
    expect.stringMatching(/^log API: 1 of 2 /),
  ]);
});
