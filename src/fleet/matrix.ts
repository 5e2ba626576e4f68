/** Defines the matrix of the fleet: for each fault and variant, a row with the results of a run against this server. */
import { CLAUSES, isJudged } from "../contract/catalogue.ts";
import { isConsequence, orderedByCause } from "../diagnosis/causes.ts";
import type { Profile } from "../settings/types.ts";
import type { EntryOutcome, FirstFailure, RedClause } from "./entry.ts";

/** A clause that a run reported as violated. `followsFrom` is set if the violation is a known consequence of another clause. */
export interface Red extends Pick<RedClause, "clause" | "checks" | "headline"> {
  readonly followsFrom?: string;
}

export interface FaultRow {
  readonly id: string;
  readonly clause: string;
  /** Other clauses that the same fault violates. */
  readonly also?: readonly string[];
  readonly sentence: string;
  readonly killed: boolean;
  /** Whether the run reported the clause of the fault as violated. */
  readonly diagnosed: boolean;
  /** The first check that found a violation, or null if the fault was not detected. */
  readonly first: FirstFailure | null;
  /** The clauses that the run reported as violated. The clause that is nearest to the cause is first. */
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
  /** The servers that were judged again, one at a time. When several runs share the machine, waiting times may be too short. */
  readonly rerun: readonly string[];
}

export interface MatrixVerdict {
  /** The faults for which a run reported no violated clause. */
  readonly survivors: readonly string[];
  /** The faults for which the run reported other clauses, but not the clause of the fault. */
  readonly misdiagnosed: readonly string[];
  /** The variants for which a run reported a violation or could not judge all clauses. */
  readonly falseAlarms: readonly string[];
  /** The variants for which a run reported a violation. */
  readonly blamed: readonly string[];
  /** The judged clauses that no run against a fault reported as violated. */
  readonly untested: readonly string[];
  /** As `fault: clause`: reported clauses that the fault does not violate, and that are no known consequences of it. */
  readonly unexplained: readonly string[];
  readonly medianRed: number;
  /** The number of faults for which their own clause was reported first. */
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

/** `leavesOpen` has the ids, or the beginnings of the ids, of checks that may be inconclusive against this variant. */
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
    inconclusive: outcome.inconclusive.filter(({ check }) => !leavesOpen.some((open) => check.startsWith(open))),
    requests: outcome.requests,
    durationMs: outcome.durationMs,
  };
}

function nearestFirst(red: readonly RedClause[]): Red[] {
  const known = new Map(red.map((one) => [one.clause, one]));
  return orderedByCause(red.map(({ clause, checks, kind }) => ({ clause, checks: checks.length, kinds: [kind] }))).flatMap(
    ({ clause, followsFrom }) => {
      const one = known.get(clause);
      if (one === undefined) return [];
      return [{ clause, checks: one.checks, headline: one.headline, ...(followsFrom === undefined ? {} : { followsFrom }) }];
    },
  );
}

function unexplained({ id, clause: own, also = [], red }: FaultRow): string[] {
  return red
    .map(({ clause }) => clause)
    .filter((clause) => clause !== own && !also.includes(clause) && ![own, ...also].some((cause) => isConsequence(clause, cause)))
    .map((clause) => `${id}: ${clause}`);
}

/** Returns the verdict on the suite that follows from a matrix. */
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

/** For each fault that only one check detected, returns this check with the id of the fault. */
export function aloneIn(faults: readonly FaultRow[]): Record<string, string> {
  const alone: Record<string, string> = {};
  for (const { id, red } of faults) {
    const [only, ...others] = new Set(red.flatMap(({ checks }) => checks));
    if (only !== undefined && others.length === 0) alone[only] ??= id;
  }
  return alone;
}

/** Whether the suite found all faults and blamed no legal server: each list of problems is empty. */
export function isSound({ survivors, misdiagnosed, falseAlarms, untested, unexplained: puzzling }: MatrixVerdict): boolean {
  return [survivors, misdiagnosed, falseAlarms, untested, puzzling].every((list) => list.length === 0);
}
