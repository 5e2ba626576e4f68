/** Counts how many combinations of levels were judged, and why other combinations were not judged. */
import { type Constraint, type Row, subsets } from "./covering-array.ts";

/** Counts of combinations of levels. `possible` is the sum of the other counts. */
interface CoverageCounts {
  /** The number of combinations that the constraints allow. */
  readonly possible: number;
  readonly judged: number;
  /** The number of combinations that the target refuses, because of one level or because of two levels together. */
  readonly masked: number;
  /** The number of combinations that could not be judged, because a defect made all their responses wrong. */
  readonly hidden: number;
  /** The number of combinations that occurred only in requests that could not be evaluated. */
  readonly notEvaluated: number;
  /** The number of combinations that were not tried, because the budget was used up first. */
  readonly cut: number;
}

/**
 * The counts for a pair of factors. `factor` and `other` are their indexes, and `other` is lower. At strength 1, both indexes are equal,
 * and the counts are of the levels of one factor.
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

/** Combinations that the target refuses, with the reason: a single level, or two levels that it refuses only together. */
export interface MaskedCombinations {
  /** The refused levels, by factor. Empty for cases that were written by hand, because they have no levels. */
  readonly levels: Readonly<Record<string, string>>;
  readonly combinations: number;
  readonly reason: string;
}

export interface Coverage extends CoverageCounts {
  readonly strength: 1 | 2 | 3;
  /** The masked combinations, grouped by the levels that the target refuses. The numbers add up to `masked`. */
  readonly maskedBy: readonly MaskedCombinations[];
  readonly factors: readonly string[];
  /** A cell for each pair of factors, or for each factor at strength 1. The coverage is the sum of all cells. Strength 3 has no cells. */
  readonly cells: readonly CoverageCell[];
}

/** The state of a level in one case. `refused`: the documents do not promise a part of the case, and the target refuses it. */
export type LevelState = "judged" | "hidden" | "refused" | "not evaluated";

/** The coverage of a group of cases in a run. Cases that were written by hand have no factors and no cells. */
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
  readonly strength: 1 | 2 | 3;
  readonly isAllowed?: Constraint;
  readonly isMasked: (factor: number, level: number) => boolean;
  /** Whether the target accepts each of two levels alone, but refuses both together. By default, there are no such levels. */
  readonly isApart?: (factor: number, level: number, other: number, second: number) => boolean;
  /** Whether requests with this level cannot be judged, for another reason than a budget. By default, all can be judged. */
  readonly isUnusable?: (factor: number, level: number) => boolean;
  /** The cases that were run, with the state of each of their levels. */
  readonly rows: readonly { readonly row: Row; readonly states: readonly LevelState[] }[];
}

/** Counts the combinations of one, two or three levels, in total and for each factor or pair of factors. */
export function coverageOf(input: CoverageInput): Coverage {
  const { factors, sizes, strength } = input;
  const masks = new Masks(input);
  const total = { ...NOTHING };
  const cells: CoverageCell[] = [];
  for (const set of subsets(sizes.length, strength)) {
    const counts = countsOf(set.toReversed(), input, masks);
    for (const key of Object.keys(total) as (keyof CoverageCounts)[]) total[key] += counts[key];
    const { possible, judged, masked, hidden, notEvaluated, cut } = counts;
    if (strength < 3) cells.push([set.at(-1) ?? 0, set[0] ?? 0, possible, judged, masked, hidden, notEvaluated, cut]);
  }
  return { strength, ...total, maskedBy: masks.counted(), factors, cells };
}

const NOTHING = { possible: 0, judged: 0, masked: 0, hidden: 0, notEvaluated: 0, cut: 0 };

class Masks {
  readonly #input: CoverageInput;
  readonly #counts = new Map<string, MaskedCombinations>();

  constructor(input: CoverageInput) {
    this.#input = input;
  }

  /** Counts a combination. If it is refused, the reason is a level that the target refuses, or else all levels together. */
  add(places: readonly Place[]): void {
    const { factors, levelName, isMasked } = this.#input;
    const alone = places.find((place) => isMasked(...place));
    const levels = Object.fromEntries(
      (alone === undefined ? places : [alone]).map(([at, level]) => [factors[at] ?? "", levelName(at, level)]),
    );
    const reason = alone === undefined ? "the target refuses these levels together" : "the target refuses or does not show this level";
    const key = JSON.stringify(levels);
    this.#counts.set(key, { levels, combinations: (this.#counts.get(key)?.combinations ?? 0) + 1, reason });
  }

  counted(): MaskedCombinations[] {
    return [...this.#counts.values()].toSorted((one, other) => other.combinations - one.combinations);
  }
}

type Place = readonly [factor: number, level: number];

/** The states of a combination in one case, from the least to the most informative. */
const SHOWN = ["cut", "notEvaluated", "masked", "hidden", "judged"] as const;

/** Returns the state of a combination in one case, as an index in `SHOWN`. It is the least informative state of its levels. */
function shownBy(states: readonly (LevelState | undefined)[]): number {
  if (states.every((state) => state === "judged")) return 4;
  if (states.includes("not evaluated")) return 1;
  return states.includes("refused") ? 2 : 3;
}

/** Counts the combinations of the levels of a set of factors. */
function countsOf(set: readonly number[], input: CoverageInput, masks: Masks): CoverageCounts {
  const { sizes, isAllowed, isMasked, isApart, isUnusable, rows } = input;
  const shown = new Uint8Array(set.reduce((product, factor) => product * (sizes[factor] ?? 0), 1));
  for (const { row, states } of rows) {
    const at = set.reduce((place, factor) => place * (sizes[factor] ?? 0) + (row[factor] ?? 0), 0);
    shown[at] = Math.max(shown[at] ?? 0, shownBy(set.map((factor) => states[factor])));
  }
  const counts = { ...NOTHING };
  const levels: (number | undefined)[] = Array.from(sizes, () => undefined);
  for (const [at, known] of shown.entries()) {
    let rest = at;
    for (const factor of set.toReversed()) {
      levels[factor] = rest % (sizes[factor] ?? 1);
      rest = Math.floor(rest / (sizes[factor] ?? 1));
    }
    if (isAllowed?.(levels) === false) continue;
    counts.possible += 1;
    const places = set.map((factor): Place => [factor, levels[factor] ?? 0]);
    const state = SHOWN[known] ?? "cut";
    const areApart = (): boolean =>
      isApart !== undefined && places.some((one, index) => places.slice(index + 1).some((other) => isApart(...one, ...other)));
    const isRefused = places.some((place) => isMasked(...place)) || (state === "cut" && areApart());
    const isOpen = state === "cut" && isUnusable !== undefined && places.some((place) => isUnusable(...place));
    counts[isRefused ? "masked" : isOpen ? "notEvaluated" : state] += 1;
    if (isRefused || state === "masked") masks.add(places);
  }
  return counts;
}
