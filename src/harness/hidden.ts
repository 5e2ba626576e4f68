/** If accepted deviations are the only reason why a clause was not evaluated, the clause becomes a deviation too. */
import { CLAUSES } from "../contract/catalogue.ts";
import { type CheckResult, type ClauseOutcome, worstVerdict } from "./result.ts";

const IDS: ReadonlySet<string> = new Set(CLAUSES.map(({ id }) => id));

/** Returns the clauses that a reason refers to, as in `(see admin-4.POST and admin-4.1)`. */
export function clausesToSee(reason: string): readonly string[] {
  const [, named = ""] = /\(see ([^()]*)\)/.exec(reason) ?? [];
  return (named.match(/[a-z][\w.-]*\w/g) ?? []).filter((word) => IDS.has(word));
}

/** The state of a clause that may hide other clauses: violated, violated but accepted, or hidden by an accepted violation. */
type Hider = "fail" | "deviation" | "hidden";

/** If accepted deviations hid the clause, and no other violation did, returns the outcome as a deviation. */
function hiddenByAccepted(outcome: ClauseOutcome, known: ReadonlyMap<string, Hider>): ClauseOutcome {
  const { hiddenBy = [], verdict, message } = outcome;
  const those = (state: Hider): readonly string[] => [...new Set(hiddenBy)].filter((clause) => known.get(clause) === state);
  if (verdict !== "inconclusive" || those("fail").length > 0) return outcome;
  const [nearest] = [those("deviation"), those("hidden")].filter(({ length }) => length > 0);
  if (nearest === undefined) return outcome;
  const headline = `hidden by ${nearest.join(", ")}`;
  return { ...outcome, verdict: "deviation", headline, message: `Deviation of another clause: ${headline}\n${message}` };
}

function hidersIn(outcomes: readonly ClauseOutcome[]): ReadonlyMap<string, Hider> {
  const known = new Map<string, Hider>();
  for (const outcome of outcomes.filter(isHidden)) known.set(outcome.clause, "hidden");
  for (const { clause } of outcomes.filter((one) => one.verdict === "deviation" && !isHidden(one))) known.set(clause, "deviation");
  for (const { clause } of outcomes.filter(({ verdict }) => verdict === "fail")) known.set(clause, "fail");
  return known;
}

/** Whether an outcome is a deviation only because accepted deviations hid its clause. */
export function isHidden({ verdict, hiddenBy }: ClauseOutcome): boolean {
  return verdict === "deviation" && hiddenBy !== undefined;
}

/** Returns the outcomes of a check. If only accepted violations of the same check hide a clause, it becomes a deviation. */
export function withOwnHidden(outcomes: readonly ClauseOutcome[]): ClauseOutcome[] {
  const known = hidersIn(outcomes);
  return outcomes.map((outcome) => hiddenByAccepted(outcome, known));
}

/** Returns the results of a run. If only accepted deviations of any checks hide a clause, it becomes a deviation. */
export function withHidden(results: readonly CheckResult[]): readonly CheckResult[] {
  const known = hidersIn(results.flatMap(({ outcomes }) => outcomes));
  let changed = false;
  const next = results.map((result) => {
    const outcomes = result.outcomes.map((outcome) => hiddenByAccepted(outcome, known));
    if (outcomes.every((outcome, index) => outcome === result.outcomes[index])) return result;
    changed = true;
    return { ...result, outcomes, verdict: worstVerdict(outcomes.map(({ verdict }) => verdict)) };
  });
  // A hidden clause may hide further clauses, so the function calls itself. The recursion ends, because each call has fewer inconclusive
  // clauses.
  return changed ? withHidden(next) : results;
}
