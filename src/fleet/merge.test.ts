import { expect, test } from "vitest";
import type { FaultRow, Matrix } from "./matrix.ts";
import { mergedMatrix, mergedProfile } from "./merge.ts";
import { recordOf } from "./profile.ts";
import { fault, matrixOf } from "./testing.ts";

function row(id: string, checks: readonly string[]): FaultRow {
  const red = checks.length === 0 ? [] : [{ clause: "logs-4.1", checks, headline: "" }];
  return {
    ...fault(
      id,
      "logs-4.1",
      red.map(({ clause }) => clause),
    ),
    red,
  };
}

const matrix = (faults: readonly FaultRow[], seed = 1): Matrix => ({ ...matrixOf(seed, faults), profile: "smoke" });

const OLD = matrix([row("a", []), row("gone", ["one"]), row("b", ["two"])]);
const FRESH = matrix([row("b", []), row("new", ["three"])]);
const FLEET = { faults: ["a", "new", "b"], variants: [] };

test("new rows replace the old rows in the order of the fleet, and rows of removed entries are dropped", () => {
  const merged = mergedMatrix(OLD, FRESH, FLEET);
  expect(merged.faults.map(({ id, killed }) => [id, killed])).toEqual([
    ["a", false],
    ["new", true],
    ["b", false],
  ]);
});

test("a record with some new rows equals the record of a matrix with all new rows", () => {
  expect(mergedProfile(recordOf([OLD]), FRESH, FLEET)).toEqual(recordOf([mergedMatrix(OLD, FRESH, FLEET)]));
});

test("a record refuses rows of another seed", () => {
  expect(() => mergedMatrix(OLD, matrix([], 2), FLEET)).toThrow("seed 2");
  expect(() => mergedProfile(recordOf([OLD]), matrix([], 2), FLEET)).toThrow("seed 2");
  expect(() => mergedProfile(recordOf([OLD, matrix([], 2)]), FRESH, FLEET)).toThrow("seeds 1, 2");
});
