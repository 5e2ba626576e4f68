import { expect, test } from "vitest";
import { LIMIT_NAMES } from "../../contract/limits.ts";
import { ALL_PAIRS, RELATED } from "./pairs.ts";

test("every limit stands in a related pair", () => {
  expect(new Set(RELATED.flat())).toEqual(new Set(LIMIT_NAMES));
});

test("all pairs are all of them, once", () => {
  const keys = ALL_PAIRS.map((pair) => pair.toSorted().join());
  expect(new Set(keys).size).toBe((LIMIT_NAMES.length * (LIMIT_NAMES.length - 1)) / 2);
  expect(keys).toHaveLength(new Set(keys).size);
});
