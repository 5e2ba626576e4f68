import fc from "fast-check";
import { expect, test } from "vitest";
import { coveringArray, type Row } from "./covering-array.ts";

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 7 });
const strength = fc.constantFrom(1, 2, 3);

/** Returns every combination of levels of `count` factors. */
function combinations(all: readonly number[], count: number, from = 0): (readonly (readonly [number, number])[])[] {
  if (count === 0) return [[]];
  return all.flatMap((size, factor) =>
    factor < from
      ? []
      : Array.from({ length: size }, (_, level) => level).flatMap((level) =>
          combinations(all, count - 1, factor + 1).map((rest) => [[factor, level] as const, ...rest]),
        ),
  );
}

const occurs = (rows: readonly Row[], chosen: readonly (readonly [number, number])[]): boolean =>
  rows.some((row) => chosen.every(([factor, level]) => row[factor] === level));

test("every combination of levels occurs in a row", () => {
  fc.assert(
    fc.property(sizes, strength, fc.nat(), (all, of, seed) => {
      const rows = coveringArray({ sizes: all, strength: of, seed });
      for (const row of rows) expect(row.every((level, factor) => level >= 0 && level < (all[factor] ?? 0))).toBe(true);
      expect(combinations(all, Math.min(of, all.length)).filter((chosen) => !occurs(rows, chosen))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test("no row has a forbidden combination, and every pair that some row can have occurs", () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 4 }), (seed, forbidden) => {
      const all = [3, 3, 3, 3];
      const isAllowed = (levels: readonly (number | undefined)[]): boolean =>
        !forbidden.some(([one, other]) => levels[0] === one && levels[1] === other);
      const rows = coveringArray({ sizes: all, strength: 2, seed, isAllowed });
      expect(rows.every(isAllowed)).toBe(true);
      const possible = new Set(
        combinations(all, 4)
          .map((chosen) => chosen.map(([, level]) => level))
          .filter(isAllowed)
          .flatMap((row) =>
            combinations(all, 2)
              .filter((pair) => pair.every(([factor, level]) => row[factor] === level))
              .map(String),
          ),
      );
      expect(combinations(all, 2).filter((pair) => possible.has(String(pair)) && !occurs(rows, pair))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test("mandatory rows come first, their pairs are not covered twice, and a seed always gives the same rows", () => {
  const mandatory = [0, 1, 2].flatMap((one) => [0, 1, 2].map((other) => [one, other]));
  expect(coveringArray({ sizes: [3, 3], strength: 2, seed: 1, mandatory })).toEqual(mandatory);
  const options = { sizes: [4, 4, 4, 4, 4], strength: 2, seed: 7 } as const;
  expect(coveringArray(options)).toEqual(coveringArray(options));
  expect(coveringArray(options)).not.toEqual(coveringArray({ ...options, seed: 8 }));
});

test("48 factors of five levels need at most 85 rows at strength 2, and `most` keeps the rows that cover most", () => {
  const all = Array.from({ length: 48 }, () => 5);
  const rows = coveringArray({ sizes: all, strength: 2, seed: 1 });
  expect(rows.length).toBeLessThanOrEqual(85);
  expect(coveringArray({ sizes: all, strength: 2, seed: 1, most: 10 })).toEqual(rows.slice(0, 10));
});
