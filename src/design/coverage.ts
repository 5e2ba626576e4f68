/** Counts how many combinations of levels were judged, and why other combinations were not judged. */
import type { Constraint, Row } from "./covering-array.ts";

/** The numbers of combinations of levels. `possible` is the sum of the other numbers. */
interface CoverageCounts {
  /** The number of combinations that the constraints allow. */
  readonly possible: number;
  readonly judged: number;
  /** The number of combinations that the target refuses, because of one level or because of both levels together. */
  readonly masked: number;
  /** The number of combinations that could not be judged, because the relevant part of each response had a defect. */
  readonly hidden: number;
  /** The number of combinations that occurred only in requests that could not be evaluated. */
  readonly notEvaluated: number;
  /** The number of combinations that were not tried, because the budget was used up first. */
  readonly cut: number;
}

/**
 * The numbers for two factors, by their indexes, of which `other` is the lower.
 * At strength 1 both are equal, and the numbers count the levels of a single factor.
 */
export type CoverageCell = readonly [
  factor: number,
  other: number,
  possible: number,
  judged: number,
  masked: number,
  hidden: number,
  notEvaluated: number,
  cut: number,
];

/** Combinations that the target refuses, because of one level or because of two levels together. */
export interface MaskedCombinations {
  /** The refused levels, by factor. There are none if the rows of a table are not combined from levels. */
  readonly levels: Readonly<Record<string, string>>;
  readonly combinations: number;
  readonly reason: string;
}

export interface Coverage extends CoverageCounts {
  readonly strength: 1 | 2;
  /** The masked combinations by the refused levels. The numbers add up to `masked`. */
  readonly maskedBy: readonly MaskedCombinations[];
  readonly factors: readonly string[];
  /** One cell for each pair of factors, or for each factor at strength 1. The numbers of all cells add up to the whole coverage. */
  readonly cells: readonly CoverageCell[];
}

/** `judged`: the part of the response about the level was right. `refused`: the target refuses an unpromised part of the row. */
export type LevelState = "judged" | "hidden" | "refused" | "not evaluated";

/** The coverage of an engine in a run. A table of rows has no factors and no cells. */
export interface EngineCoverage
  extends CoverageCounts, Pick<Coverage, "strength" | "maskedBy">, Partial<Pick<Coverage, "factors" | "cells">> {
  readonly engine: "queries" | "histories";
  readonly check: string;
}

export interface CoverageInput {
  readonly factors: readonly string[];
  readonly levelName: (factor: number, level: number) => string;
  /** The number of levels of each factor. */
  readonly sizes: readonly number[];
  readonly strength: 1 | 2;
  readonly isAllowed?: Constraint;
  readonly isMasked: (factor: number, level: number) => boolean;
  /** Whether the target accepts each of two levels alone but refuses both together. By default, it never does. */
  readonly isApart?: (factor: number, level: number, other: number, second: number) => boolean;
  /** Whether rows with this level cannot be judged, although the budgets suffice. By default, all rows can be judged. */
  readonly isUnusable?: (factor: number, level: number) => boolean;
  /** The rows that were run, with the state of each of their levels. */
  readonly rows: readonly { readonly row: Row; readonly states: readonly LevelState[] }[];
}

/** Counts the combinations of one or two levels, in total and for each factor or pair of factors. */
export function coverageOf(input: CoverageInput): Coverage {
  const { factors, sizes, strength } = input;
  const indexes = [...sizes.keys()];
  const masks = new Masks(input);
  const cells = indexes.flatMap((factor) =>
    (strength === 1 ? [factor] : indexes.slice(0, factor)).map((other) => cellOf(factor, other, input, masks)),
  );
  const total = { possible: 0, judged: 0, masked: 0, hidden: 0, notEvaluated: 0, cut: 0 };
  for (const [, , possible, judged, masked, hidden, notEvaluated, cut] of cells) {
    total.possible += possible;
    total.judged += judged;
    total.masked += masked;
    total.hidden += hidden;
    total.notEvaluated += notEvaluated;
    total.cut += cut;
  }
  return { strength, ...total, maskedBy: masks.counted(), factors, cells };
}

class Masks {
  readonly #input: CoverageInput;
  readonly #counts = new Map<string, MaskedCombinations>();

  constructor(input: CoverageInput) {
    this.#input = input;
  }

  /** Counts one combination. If the target refuses one of its levels, this level is the reason, and otherwise both levels together. */
  add(...pair: readonly (readonly [factor: number, level: number])[]): void {
    const { factors, levelName, isMasked } = this.#input;
    const alone = pair.find((place) => isMasked(...place));
    const levels = Object.fromEntries(
      (alone === undefined ? pair : [alone]).map(([at, level]) => [factors[at] ?? "", levelName(at, level)]),
    );
    const reason = alone === undefined ? "the target refuses these levels together" : "the target refuses or does not show this level";
    const key = JSON.stringify(levels);
    this.#counts.set(key, { levels, combinations: (this.#counts.get(key)?.combinations ?? 0) + 1, reason });
  }

  counted(): MaskedCombinations[] {
    return [...this.#counts.values()].toSorted((one, other) => other.combinations - one.combinations);
  }
}

/** The states of a pair of levels in one row, from the least to the most informative. */
const SHOWN = ["cut", "notEvaluated", "masked", "hidden", "judged"] as const;

/** Returns the index in `SHOWN` of the state that a single row gives to a pair of levels. */
function shownBy(one: LevelState | undefined, other: LevelState | undefined): number {
  if (one === "judged" && other === "judged") return 4;
  if (one === "not evaluated" || other === "not evaluated") return 1;
  return one === "refused" || other === "refused" ? 2 : 3;
}

function cellOf(factor: number, other: number, input: CoverageInput, masks: Masks): CoverageCell {
  const { sizes, isAllowed, isMasked, isApart, isUnusable, rows } = input;
  const width = sizes[other] ?? 0;
  const shown = new Uint8Array((sizes[factor] ?? 0) * width);
  for (const { row, states } of rows) {
    const at = (row[factor] ?? 0) * width + (row[other] ?? 0);
    shown[at] = Math.max(shown[at] ?? 0, shownBy(states[factor], states[other]));
  }
  const counts = { judged: 0, masked: 0, hidden: 0, notEvaluated: 0, cut: 0 };
  const levels: (number | undefined)[] = Array.from(sizes, () => undefined);
  let possible = 0;
  for (let level = 0; level < (sizes[factor] ?? 0); level += 1)
    for (let second = 0; second < width; second += 1) {
      if (factor === other && level !== second) continue;
      levels[factor] = level;
      levels[other] = second;
      if (isAllowed?.(levels) === false) continue;
      possible += 1;
      const state = SHOWN[shown[level * width + second] ?? 0] ?? "cut";
      const isRefused = isMasked(factor, level) || isMasked(other, second) || (state === "cut" && isApart?.(factor, level, other, second));
      const isCut = state === "cut" && isUnusable?.(factor, level) !== true && isUnusable?.(other, second) !== true;
      const counted = isRefused === true ? "masked" : state === "cut" && !isCut ? "notEvaluated" : state;
      counts[counted] += 1;
      if (counted === "masked") masks.add([factor, level], [other, second]);
    }
  const { judged, masked, hidden, notEvaluated, cut } = counts;
  return [factor, other, possible, judged, masked, hidden, notEvaluated, cut];
}
