/** Coverage: how many combinations of levels were judged, and why the others were not. The parts add up to `possible`. */
import type { Constraint, Row } from "./covering-array.ts";

export interface Coverage {
  readonly strength: 1 | 2 | 3;
  /** All combinations that the constraints allow. */
  readonly possible: number;
  readonly judged: number;
  /** A level of the combination is masked: the target refuses it. */
  readonly masked: number;
  /** The combination occurred only in responses that a defect made wrong in this part. */
  readonly hidden: number;
  /** The combination occurred only in requests that could not be evaluated. */
  readonly notEvaluated: number;
  /** No row has the combination, because the budget ended first. */
  readonly cut: number;
}

/** The state of a level in a row that was run. `judged` levels were right. */
export type LevelState = "judged" | "hidden" | "not evaluated";

/** The coverage of an engine in a run. */
export interface EngineCoverage extends Coverage {
  /** The masked levels, each with the factors that have it masked. */
  readonly maskedLevels: Readonly<Record<string, readonly string[]>>;
}

export interface CoverageInput {
  readonly sizes: readonly number[];
  readonly strength: 1 | 2;
  readonly isAllowed?: Constraint;
  readonly isMasked: (factor: number, level: number) => boolean;
  /** The rows that were run, with the state of each of their levels. */
  readonly rows: readonly { readonly row: Row; readonly states: readonly LevelState[] }[];
}

/** Counts the combinations of one or two levels. */
export function coverageOf({ sizes, strength, isAllowed, isMasked, rows }: CoverageInput): Coverage {
  const counts = { judged: 0, masked: 0, hidden: 0, notEvaluated: 0, cut: 0 };
  let possible = 0;
  const combine = (chosen: readonly (readonly [factor: number, level: number])[]): void => {
    if (isAllowed !== undefined) {
      const levels: (number | undefined)[] = Array.from(sizes, () => undefined);
      for (const [factor, level] of chosen) levels[factor] = level;
      if (!isAllowed(levels)) return;
    }
    possible += 1;
    counts[stateOf(chosen, isMasked, rows)] += 1;
  };
  for (const [factor, size] of sizes.entries())
    for (let level = 0; level < size; level += 1) {
      if (strength === 1) combine([[factor, level]]);
      else
        for (const [other, otherSize] of sizes.slice(0, factor).entries())
          for (let second = 0; second < otherSize; second += 1)
            combine([
              [factor, level],
              [other, second],
            ]);
    }
  return { strength, possible, ...counts };
}

function stateOf(
  chosen: readonly (readonly [factor: number, level: number])[],
  isMasked: CoverageInput["isMasked"],
  rows: CoverageInput["rows"],
): "judged" | "masked" | "hidden" | "notEvaluated" | "cut" {
  if (chosen.some(([factor, level]) => isMasked(factor, level))) return "masked";
  const having = rows.filter(({ row }) => chosen.every(([factor, level]) => row[factor] === level));
  if (having.some(({ states }) => chosen.every(([factor]) => states[factor] === "judged"))) return "judged";
  if (having.some(({ states }) => chosen.every(([factor]) => states[factor] !== "not evaluated"))) return "hidden";
  return having.length > 0 ? "notEvaluated" : "cut";
}
