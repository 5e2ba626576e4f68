/** The matrix: every fault and variant against the suite, and what the suite must have found. */
import { CLAUSES, isJudged } from "../contract/catalogue.ts";
import type { Profile } from "../settings/types.ts";
import type { EntryOutcome, RedClause } from "./entry.ts";

export interface FaultRow {
  readonly id: string;
  readonly clause: string;
  readonly sentence: string;
  readonly killed: boolean;
  /** Whether the clause it breaks was among the red ones. */
  readonly diagnosed: boolean;
  readonly red: readonly Pick<RedClause, "clause" | "checks" | "headline">[];
  readonly inconclusive: number;
  readonly requests: number;
  readonly durationMs: number;
}

export interface VariantRow {
  readonly id: string;
  readonly sentence: string;
  readonly why: string;
  readonly red: readonly Pick<RedClause, "clause" | "checks" | "headline">[];
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
  /** Judged clauses that no fault turned red. */
  readonly untested: readonly string[];
  readonly medianRed: number;
  /** Checks that alone kill some fault, with one such fault each. */
  readonly soleKillers: Readonly<Record<string, string>>;
  /** Checks that went red but never alone. */
  readonly neverAlone: readonly string[];
}

export function faultRow(
  fault: { readonly id: string; readonly clause: string; readonly sentence: string },
  outcome: EntryOutcome,
): FaultRow {
  const { id, clause, sentence } = fault;
  return {
    id,
    clause,
    sentence,
    killed: outcome.red.length > 0,
    diagnosed: outcome.red.some((red) => red.clause === clause),
    red: outcome.red.map(brief),
    inconclusive: outcome.inconclusive.length,
    requests: outcome.requests,
    durationMs: outcome.durationMs,
  };
}

export function variantRow(
  variant: { readonly id: string; readonly sentence: string; readonly why: string },
  outcome: EntryOutcome,
): VariantRow {
  const { id, sentence, why } = variant;
  return {
    id,
    sentence,
    why,
    red: outcome.red.map(brief),
    inconclusive: outcome.inconclusive,
    requests: outcome.requests,
    durationMs: outcome.durationMs,
  };
}

function brief({ clause, checks, headline }: RedClause): Pick<RedClause, "clause" | "checks" | "headline"> {
  return { clause, checks, headline };
}

/** What a matrix says of the suite. */
export function judgeMatrix({ faults, variants }: Pick<Matrix, "faults" | "variants">): MatrixVerdict {
  const red = new Set(faults.flatMap((row) => row.red.map(({ clause }) => clause)));
  const counts = faults
    .filter(({ killed }) => killed)
    .map((row) => row.red.length)
    .toSorted((one, other) => one - other);
  const killers = faults.map((row) => ({ fault: row.id, checks: [...new Set(row.red.flatMap(({ checks }) => checks))] }));
  const soleKillers: Record<string, string> = {};
  for (const { fault, checks } of killers) {
    const [only] = checks;
    if (checks.length === 1 && only !== undefined) soleKillers[only] ??= fault;
  }
  const ever = new Set(killers.flatMap(({ checks }) => checks));
  return {
    survivors: faults.filter(({ killed }) => !killed).map(({ id }) => id),
    misdiagnosed: faults.filter(({ killed, diagnosed }) => killed && !diagnosed).map(({ id }) => id),
    falseAlarms: variants.filter((row) => row.red.length > 0 || row.inconclusive.length > 0).map(({ id }) => id),
    untested: CLAUSES.filter((clause) => isJudged(clause) && !red.has(clause.id)).map(({ id }) => id),
    medianRed: counts[Math.floor(counts.length / 2)] ?? 0,
    soleKillers,
    neverAlone: [...ever].filter((check) => !Object.hasOwn(soleKillers, check)).toSorted(),
  };
}

/** Whether the fleet run succeeds. */
export function isSound({ survivors, misdiagnosed, falseAlarms, untested }: MatrixVerdict): boolean {
  return [survivors, misdiagnosed, falseAlarms, untested].every((list) => list.length === 0);
}
