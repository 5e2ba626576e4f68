/** Makes rows of the matrix for tests. */
import type { FaultRow, Matrix, VariantRow } from "./matrix.ts";

export function fault(id: string, clause: string, red: readonly string[]): FaultRow {
  return {
    id,
    clause,
    sentence: "s",
    killed: red.length > 0,
    diagnosed: red.includes(clause),
    first: null,
    red: red.map((one) => ({ clause: one, checks: [`${one}/x`], headline: "h <b>" })),
    inconclusive: 0,
    requests: 1,
    durationMs: 1,
  };
}

export function matrixOf(seed: number, faults: readonly FaultRow[], variants: readonly VariantRow[] = []): Matrix {
  return { profile: "release", seed, durationMs: 1, faults, variants, rerun: [] };
}
