/** The matrix: every fault and variant against the suite, and what the suite must have found. */
import { CLAUSES, isJudged } from "../contract/catalogue.ts";
import { isConsequence, orderedByCause } from "../diagnosis/causes.ts";
import type { Profile } from "../settings/types.ts";
import type { EntryOutcome, FirstFailure, RedClause } from "./entry.ts";

/** A clause that went red, and the one nearer the cause that it may follow from. */
export interface Red extends Pick<RedClause, "clause" | "checks" | "headline"> {
  readonly followsFrom?: string;
}

export interface FaultRow {
  readonly id: string;
  readonly clause: string;
  /** Other clauses that the same mistake breaks. */
  readonly also?: readonly string[];
  readonly sentence: string;
  readonly killed: boolean;
  /** Whether the clause it breaks was among the red ones. */
  readonly diagnosed: boolean;
  /** Null for a survivor. */
  readonly first: FirstFailure | null;
  /** Nearest the cause first. */
  readonly red: readonly Red[];
  readonly inconclusive: number;
  readonly requests: number;
  readonly durationMs: number;
}

export interface VariantRow {
  readonly id: string;
  readonly sentence: string;
  readonly why: string;
  readonly red: readonly Red[];
  readonly inconclusive: readonly { readonly check: string; readonly reason: string }[];
  readonly requests: number;
  readonly durationMs: number;
}

export interface Matrix {
  readonly profile: Profile;
  readonly seed: number;
  readonly durationMs: number;
  readonly faults: readonly FaultRow[];
  readonly variants: readonly VariantRow[];
  /** Entries that were run a second time, by themselves: beside others their shortened waiting can be too short. */
  readonly rerun: readonly string[];
}

export interface MatrixVerdict {
  /** Faults that no clause went red for. */
  readonly survivors: readonly string[];
  /** Faults whose own clause stayed green while another went red. */
  readonly misdiagnosed: readonly string[];
  /** Variants that were blamed, or could not be judged. */
  readonly falseAlarms: readonly string[];
  /** Those of them that had a failing clause. */
  readonly blamed: readonly string[];
  /** Judged clauses that no fault turned red. */
  readonly untested: readonly string[];
  /** Red clauses that neither the fault breaks nor are known to follow from what it breaks, as `fault: clause`. */
  readonly unexplained: readonly string[];
  readonly medianRed: number;
  /** Faults whose own clause stood first among the red ones. */
  readonly nearestFirst: number;
}

export function faultRow(fault: Pick<FaultRow, "id" | "clause" | "also" | "sentence">, outcome: EntryOutcome): FaultRow {
  const { id, clause, also, sentence } = fault;
  return {
    id,
    clause,
    ...(also === undefined ? {} : { also }),
    sentence,
    killed: outcome.red.length > 0,
    diagnosed: outcome.red.some((red) => red.clause === clause),
    first: outcome.first,
    red: nearestFirst(outcome.red),
    inconclusive: outcome.inconclusive.length,
    requests: outcome.requests,
    durationMs: outcome.durationMs,
  };
}

/** `leavesOpen`: checks that the variant rightly leaves inconclusive. */
export function variantRow(
  variant: { readonly id: string; readonly sentence: string; readonly why: string; readonly leavesOpen?: readonly string[] },
  outcome: EntryOutcome,
): VariantRow {
  const { id, sentence, why, leavesOpen = [] } = variant;
  return {
    id,
    sentence,
    why,
    red: nearestFirst(outcome.red),
    inconclusive: outcome.inconclusive.filter(({ check }) => !leavesOpen.includes(check)),
    requests: outcome.requests,
    durationMs: outcome.durationMs,
  };
}

function nearestFirst(red: readonly RedClause[]): Red[] {
  const known = new Map(red.map((one) => [one.clause, one]));
  return orderedByCause(red.map(({ clause, checks }) => ({ clause, checks: checks.length }))).flatMap(({ clause, followsFrom }) => {
    const one = known.get(clause);
    if (one === undefined) return [];
    return [{ clause, checks: one.checks, headline: one.headline, ...(followsFrom === undefined ? {} : { followsFrom }) }];
  });
}

/** Red clauses of a fault that nothing explains. */
function unexplained({ id, clause: own, also = [], red }: FaultRow): string[] {
  return red
    .map(({ clause }) => clause)
    .filter((clause) => clause !== own && !also.includes(clause) && ![own, ...also].some((cause) => isConsequence(clause, cause)))
    .map((clause) => `${id}: ${clause}`);
}

/** What a matrix says of the suite. */
export function judgeMatrix({ faults, variants }: Pick<Matrix, "faults" | "variants">): MatrixVerdict {
  const red = new Set(faults.flatMap((row) => row.red.map(({ clause }) => clause)));
  const counts = faults
    .filter(({ killed }) => killed)
    .map((row) => row.red.length)
    .toSorted((one, other) => one - other);
  return {
    survivors: faults.filter(({ killed }) => !killed).map(({ id }) => id),
    misdiagnosed: faults.filter(({ killed, diagnosed }) => killed && !diagnosed).map(({ id }) => id),
    falseAlarms: variants.filter((row) => row.red.length > 0 || row.inconclusive.length > 0).map(({ id }) => id),
    blamed: variants.filter((row) => row.red.length > 0).map(({ id }) => id),
    untested: CLAUSES.filter((clause) => isJudged(clause) && !red.has(clause.id)).map(({ id }) => id),
    unexplained: faults.filter(({ diagnosed }) => diagnosed).flatMap(unexplained),
    nearestFirst: faults.filter((row) => row.red[0]?.clause === row.clause).length,
    medianRed: counts[Math.floor(counts.length / 2)] ?? 0,
  };
}

/** Checks that alone caught some fault, with one such fault each. */
export function aloneIn(faults: readonly FaultRow[]): Record<string, string> {
  const alone: Record<string, string> = {};
  for (const { id, red } of faults) {
    const [only, ...others] = new Set(red.flatMap(({ checks }) => checks));
    if (only !== undefined && others.length === 0) alone[only] ??= id;
  }
  return alone;
}

/** Whether the fleet run succeeds. */
export function isSound({ survivors, misdiagnosed, falseAlarms, untested, unexplained: puzzling }: MatrixVerdict): boolean {
  return [survivors, misdiagnosed, falseAlarms, untested, puzzling].every((list) => list.length === 0);
}
