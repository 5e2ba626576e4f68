import fc from "fast-check";
import { expect, test } from "vitest";
import { coverageOf, type CoverageCell, type CoverageInput, type LevelState } from "./coverage.ts";

const SOME: CoverageInput = {
  factors: ["direction", "limit", "window"],
  levelName: (_factor, level) => `level ${level}`,
  sizes: [2, 2, 2],
  strength: 2,
  isMasked: (factor, level) => factor === 2 && level === 1,
  rows: [
    { row: [0, 0, 0], states: ["judged", "judged", "judged"] },
    { row: [0, 1, 0], states: ["judged", "hidden", "judged"] },
    { row: [1, 1, 0], states: ["not evaluated", "judged", "judged"] },
  ],
};

test("each pair is counted for the best row that has it, altogether and in the cell of its factors", () => {
  expect(coverageOf(SOME)).toEqual({
    strength: 2,
    possible: 12,
    judged: 4,
    masked: 4,
    hidden: 1,
    notEvaluated: 2,
    cut: 1,
    maskedBy: [{ levels: { window: "level 1" }, combinations: 4, reason: "the target refuses or does not show this level" }],
    factors: ["direction", "limit", "window"],
    cells: [
      [1, 0, 4, 1, 0, 1, 1, 1],
      [2, 0, 4, 1, 2, 0, 1, 0],
      [2, 1, 4, 2, 2, 0, 0, 0],
    ],
  });
});

test("a pair of a row that the target refuses is masked, unless another row judges it", () => {
  const refused = { row: [1, 0, 0], states: ["refused", "refused", "refused"] } as const;
  const { masked, judged, notEvaluated, cut } = coverageOf({ ...SOME, rows: [...SOME.rows, refused] });
  expect({ masked, judged, notEvaluated, cut }).toEqual({ masked: 6, judged: 4, notEvaluated: 1, cut: 0 });
});

test("a pair with a level that cannot be used was not cut by a budget", () => {
  const { cut, notEvaluated } = coverageOf({ ...SOME, isUnusable: (factor, level) => factor === 0 && level === 1 });
  expect({ cut, notEvaluated }).toEqual({ cut: 0, notEvaluated: 3 });
});

test("at strength 1 there is a cell for each factor", () => {
  expect(coverageOf({ ...SOME, strength: 1 }).cells).toEqual([
    [0, 0, 2, 1, 0, 0, 1, 0],
    [1, 1, 2, 2, 0, 0, 0, 0],
    [2, 2, 2, 1, 1, 0, 0, 0],
  ]);
});

test("at strength 3 each triple is counted, without cells", () => {
  const { cells, ...counts } = coverageOf({ ...SOME, strength: 3 });
  expect(counts).toMatchObject({ strength: 3, possible: 8, judged: 1, masked: 4, hidden: 1, notEvaluated: 1, cut: 1 });
  expect(cells).toEqual([]);
});

test("a pair that the target refuses only together is masked, and not cut by the budget", () => {
  const { masked, maskedBy, cut, cells } = coverageOf({ ...SOME, isApart: (...pair) => pair.join() === "1,0,0,1" });
  expect([masked, cut]).toEqual([5, 0]);
  expect(maskedBy[1]).toEqual({
    levels: { limit: "level 0", direction: "level 1" },
    combinations: 1,
    reason: "the target refuses these levels together",
  });
  expect(cells[0]).toEqual([1, 0, 4, 1, 1, 1, 1, 0]);
});

test("a combination that the constraint forbids is not possible", () => {
  const { cells, possible } = coverageOf({ ...SOME, isAllowed: ([direction, limit]) => direction === undefined || limit === undefined });
  expect(cells[0]).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  expect(possible).toBe(8);
});

const added = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const anyInput: fc.Arbitrary<CoverageInput> = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
    strength: fc.constantFrom(1 as const, 2 as const, 3 as const),
  })
  .chain(({ sizes, strength }) => {
    const state = fc.constantFrom<LevelState>("judged", "hidden", "refused", "not evaluated");
    const row = fc.tuple(...sizes.map((size) => fc.nat(size - 1)));
    const place = fc.nat(sizes.length - 1).chain((factor) => fc.tuple(fc.constant(factor), fc.nat((sizes[factor] ?? 1) - 1)));
    return fc
      .record({
        rows: fc.array(fc.record({ row, states: fc.tuple(...sizes.map(() => state)) }), { maxLength: 12 }),
        masked: fc.array(place, { maxLength: 3 }),
        forbidden: fc.array(fc.tuple(place, place), { maxLength: 3 }),
      })
      .map(({ rows, masked, forbidden }) => ({
        factors: sizes.map((_, factor) => `factor ${factor}`),
        levelName: (_factor: number, level: number) => `level ${level}`,
        sizes,
        strength,
        rows,
        isMasked: (factor: number, level: number) => masked.some(([one, of]) => one === factor && of === level),
        isAllowed: (levels: readonly (number | undefined)[]) =>
          !forbidden.some((places) => places.every(([factor, level]) => levels[factor] === level)),
      }));
  });

test("the parts add up in each cell, and the cells add up to the coverage", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { cells, possible, judged, masked, maskedBy, hidden, notEvaluated, cut } = coverageOf(input);
      expect(added(maskedBy.map(({ combinations }) => combinations))).toBe(masked);
      expect(judged + masked + hidden + notEvaluated + cut).toBe(possible);
      if (input.strength === 3) return;
      for (const [, , all, ...parts] of cells) expect(added(parts)).toBe(all);
      const totals = [possible, judged, masked, hidden, notEvaluated, cut];
      expect(totals.map((_, index) => added(cells.map((cell: CoverageCell) => cell[index + 2] ?? 0)))).toEqual(totals);
      const count = input.sizes.length;
      expect(cells).toHaveLength(input.strength === 1 ? count : (count * (count - 1)) / 2);
      expect(cells.every(([factor, other]) => (input.strength === 1 ? factor === other : factor > other))).toBe(true);
    }),
  );
});
