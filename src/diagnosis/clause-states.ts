/** Finds the state of each clause after the responses of an assertion were compared: held, violated, or not evaluated. */
import type { ClauseId } from "../contract/catalogue.ts";
import { blamed, type Difference, differenceText } from "../model/difference.ts";

export type ClauseState =
  | { readonly state: "held" }
  | { readonly state: "violated" }
  /** `by` is the difference that prevented the evaluation. `by` is null if no response had data that the clause is about. */
  | { readonly state: "not evaluated"; readonly by: Difference | null };

/** Returns the state of each clause. If a response has a difference, a clause is held only if the comparison says so (`held`). */
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

/** Returns one line with the reason why a clause was not evaluated. */
export function notEvaluatedReason(by: Difference | null): string {
  if (by === null) return "not evaluated: no response contained data that could show this clause";
  return `not evaluated: the response that would show this clause already violates another clause (see ${by.clause}): ${by.path}: ${differenceText(by)}`;
}
