/** Selects the outcomes of judged clauses from a result. */
import { clauseOf, isJudged } from "../contract/catalogue.ts";
import { type CheckResult, type ClauseOutcome, type Verdict, worstVerdict } from "./result.ts";

/** Returns the outcomes of the judged clauses of a check. The list is empty for a check that only observes. */
export function judgedOutcomes(result: CheckResult): readonly ClauseOutcome[] {
  return result.outcomes.filter((outcome) => isJudged(clauseOf(outcome.clause)));
}

/** Returns the worst verdict on the judged clauses of a check, or null for a check that only observes. */
export function judgedVerdict(result: CheckResult): Verdict | null {
  const outcomes = judgedOutcomes(result);
  return outcomes.length === 0 ? null : worstVerdict(outcomes.map((outcome) => outcome.verdict));
}

/** Returns the judged outcomes. Outcomes with the verdict of the check come first, so that all reports name the same clause. */
export function toldFirst(result: CheckResult): readonly ClauseOutcome[] {
  const verdict = judgedVerdict(result);
  return judgedOutcomes(result).toSorted((one, other) => Number(other.verdict === verdict) - Number(one.verdict === verdict));
}
