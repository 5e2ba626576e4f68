/** Applies deviations: a failure that the owner has accepted until a date is reported, but does not fail the run. */
import { matchesGlob } from "../contract/catalogue.ts";
import { namesOf } from "../contract/ended-checks.ts";
import type { Deviation, Settings } from "../settings/types.ts";
import type { Check } from "./check.ts";
import type { ClauseOutcome } from "./result.ts";

/** Whether an accepted deviation names this clause, or the check that judges the clause. */
export function matchesDeviation({ match }: Pick<Deviation, "match">, clause: string, check: string): boolean {
  return match.includes("/") ? namesOf(check).some((id) => matchesGlob(match, id)) : matchesGlob(match, clause);
}

/** Returns the outcome of a clause. If a valid entry of the deviations file accepts the failure, the outcome becomes a deviation. */
export function accepted(outcome: ClauseOutcome, { id, service }: Pick<Check, "id" | "service">, settings: Settings): ClauseOutcome {
  if (outcome.verdict !== "fail") return outcome;
  const baseUrl = settings[service]?.baseUrl;
  const entry = settings.deviations.find(
    (one) => !one.expired && (one.target === null || one.target === baseUrl) && matchesDeviation(one, outcome.clause, id),
  );
  if (entry === undefined) return outcome;
  const { owner, reason, link, expires } = entry;
  const note = `accepted until ${expires} by ${owner}: ${reason}`;
  return {
    ...outcome,
    verdict: "deviation",
    headline: `${note}; ${outcome.headline}`,
    message: `Deviation ${note}${link === null ? "" : ` (${link})`}\n${outcome.message}`,
    deviation: { owner, reason, link, expires },
  };
}
