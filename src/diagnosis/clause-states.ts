/** What answers show of the clauses they were to show: kept, broken, or unseen, and then which clause hides it. */
import type { ClauseId } from "../contract/catalogue.ts";
import { blamed, type Difference } from "../model/difference.ts";

export type ClauseState =
  | { readonly state: "held" }
  | { readonly state: "violated" }
  /** `by`: the difference that stands in the way, or null when the answers held nothing of it. */
  | { readonly state: "not evaluated"; readonly by: Difference | null };

/**
 * The state of each clause that was to be shown, and of each that is blamed besides. Green is never assumed: an answer that is wrong
 * in one respect shows another clause only where the comparison says so (`kept`).
 */
export function clauseStates(
  clauses: readonly ClauseId[],
  differences: readonly Difference[],
  held: readonly ClauseId[] | undefined,
): ReadonlyMap<ClauseId, ClauseState> {
  const broken = new Set(blamed(differences));
  const shown = new Set(held ?? (differences.length === 0 ? clauses : []));
  const [first = null] = differences;
  const states = new Map<ClauseId, ClauseState>();
  for (const clause of [...clauses, ...broken]) {
    states.set(
      clause,
      broken.has(clause) ? { state: "violated" } : shown.has(clause) ? { state: "held" } : { state: "not evaluated", by: first },
    );
  }
  return states;
}

/** Why a clause was not seen, in one line. */
export function notEvaluatedReason(by: Difference | null): string {
  if (by === null) return "not evaluated: no response contained anything that could show it";
  return `not evaluated: the answer that would show it already violates another clause (see ${by.clause}): ${by.path} expected ${by.expected}, got ${by.actual}`;
}
