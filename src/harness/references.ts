/** Removes references such as `(see logs-4.push)` if the clause or check passed: a pass is not the reason for another result. */
import type { CheckResult, ClauseOutcome, Verdict } from "./result.ts";

const ID = String.raw`(?:admin|logs)-[\w.-]*\w(?:\/[\w-]+)?`;
const REFERENCE = new RegExp(String.raw` \(see (${ID}(?:(?:, | and )${ID})*)\)`, "g");

const LEADS_ON: ReadonlySet<Verdict> = new Set(["fail", "deviation", "inconclusive"]);

/** Remembers which clauses and checks of a run were violated or not evaluated. */
export class References {
  readonly #open = new Set<string>();

  /** Keeps a reference only to a violation of the same check, or to a clause or check that ended earlier without a pass. */
  checked(result: CheckResult): CheckResult {
    const own = result.outcomes.filter(({ verdict }) => verdict === "fail" || verdict === "deviation").map(({ clause }) => clause);
    const leads = new Set([...this.#open, ...own]);
    const outcomes = result.outcomes.map((outcome) => (outcome.verdict === "inconclusive" ? referring(outcome, leads) : outcome));
    if (LEADS_ON.has(result.verdict)) this.#open.add(result.id);
    for (const { clause, verdict } of outcomes) if (LEADS_ON.has(verdict)) this.#open.add(clause);
    return { ...result, outcomes };
  }
}

function referring(outcome: ClauseOutcome, leads: ReadonlySet<string>): ClauseOutcome {
  const text = (one: string): string =>
    one.replaceAll(REFERENCE, (_all, ids: string) => {
      const held = ids.split(/, | and /).filter((id) => leads.has(id));
      return held.length === 0 ? "" : ` (see ${held.join(" and ")})`;
    });
  return { ...outcome, headline: text(outcome.headline), message: text(outcome.message) };
}
