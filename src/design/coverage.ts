/** Coverage: how many combinations of levels were judged, and why the others were not. All numbers together give `possible`. */
import type { Constraint, Row } from "./covering-array.ts";

/** Numbers of combinations. `possible` is the sum of the others. */
interface CoverageCounts {
  /** All combinations that the constraints allow. */
  readonly possible: number;
  readonly judged: number;
  /** The target refuses a level of the combination, or its two levels together. */
  readonly masked: number;
  /** The combination occurred only in responses in which a defect made the judged part wrong. */
  readonly hidden: number;
  /** The combination occurred only in requests that could not be evaluated. */
  readonly notEvaluated: number;
  /** No row has the combination, because the budget ended first. */
  readonly cut: number;
}

/**
 * The numbers of the combinations of two factors. `factor` and `other` are indexes in the list of factors, and `other` is the lower one. At
 * strength 1 both are equal, and the numbers are those of the levels of this factor.
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

export interface Coverage extends CoverageCounts {
  readonly strength: 1 | 2;
  /** The names of the factors. */
  readonly factors: readonly string[];
  /** A cell for each pair of factors, or for each factor at strength 1. The numbers of the cells add up to those of the coverage. */
  readonly cells: readonly CoverageCell[];
}

/** The state of a level in a row that was run. `judged` levels were right. */
export type LevelState = "judged" | "hidden" | "not evaluated";

/** The coverage of an engine in a run. */
export interface EngineCoverage extends CoverageCounts {
  readonly strength: 1 | 2 | 3;
  /** The factors and cells of `Coverage`. Absent in files of versions that did not count them. */
  readonly factors?: Coverage["factors"];
  readonly cells?: Coverage["cells"];
  /** The masked levels, each with the factors that have it masked. */
  readonly maskedLevels: Readonly<Record<string, readonly string[]>>;
}

export interface CoverageInput {
  /** The names of the factors. */
  readonly factors: readonly string[];
  /** The number of levels of each factor. */
  readonly sizes: readonly number[];
  readonly strength: 1 | 2;
  readonly isAllowed?: Constraint;
  readonly isMasked: (factor: number, level: number) => boolean;
  /** Whether the target accepts each of two levels alone, and refuses both together. Default: never. */
  readonly isApart?: (factor: number, level: number, other: number, second: number) => boolean;
  /** Whether rows with this level cannot be judged, although the budgets suffice. Default: never. */
  readonly isUnusable?: (factor: number, level: number) => boolean;
  /** The rows that were run, with the state of each of their levels. */
  readonly rows: readonly { readonly row: Row; readonly states: readonly LevelState[] }[];
}

/** Counts the combinations of one or two levels: altogether, and for each factor or pair of factors. */
export function coverageOf(input: CoverageInput): Coverage {
  const { factors, sizes, strength } = input;
  const indexes = [...sizes.keys()];
  const cells = indexes.flatMap((factor) =>
    (strength === 1 ? [factor] : indexes.slice(0, factor)).map((other) => cellOf(factor, other, input)),
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
  return { strength, ...total, factors, cells };
}

/** The results that rows can give for a pair of levels, from the least to the most. */
const SHOWN = ["cut", "notEvaluated", "hidden", "judged"] as const;

/** Returns the index in `SHOWN` of the result of a single row. */
function shownBy(one: LevelState | undefined, other: LevelState | undefined): number {
  if (one === "judged" && other === "judged") return 3;
  return one === "not evaluated" || other === "not evaluated" ? 1 : 2;
}

function cellOf(factor: number, other: number, { sizes, isAllowed, isMasked, isApart, isUnusable, rows }: CoverageInput): CoverageCell {
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
      counts[isRefused === true ? "masked" : state === "cut" && !isCut ? "notEvaluated" : state] += 1;
    }
  const { judged, masked, hidden, notEvaluated, cut } = counts;
  return [factor, other, possible, judged, masked, hidden, notEvaluated, cut];
}
