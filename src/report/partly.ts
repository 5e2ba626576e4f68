/** Names the checks of a passed clause that did not run because a setting was missing. */
import { grouped } from "../model/grouped.ts";
import type { ClauseSummary, CheckSummary } from "./model.ts";

/** Matches the reason that `unless` returns for a check whose opt-in is not set. */
const NOT_SET = /^([A-Z][A-Z0-9_]*) is not set\b/;

/** The maximum number of checks that a report names for each missing setting. Further checks are only counted. */
const SHOWN_CHECKS = 2;

/** Returns the part of a clause without its setting, or that the target refuses, or undefined if everything was evaluated. */
export function partlyOf(checks: readonly CheckSummary[], refused: readonly string[] = []): string | undefined {
  const parts = [
    ...waitingFor(checks),
    ...(refused.length === 0 ? [] : [`${refused.join("; ")} (the target refuses them, or finds nothing with them)`]),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}

function waitingFor(checks: readonly CheckSummary[]): string[] {
  const notRun = checks.filter(({ verdict }) => verdict === "not-run");
  return [...grouped(notRun, ({ message }) => NOT_SET.exec(message)?.[1])].flatMap(([setting, all]) =>
    setting === undefined ? [] : [`${listed(all)} (set ${setting})`],
  );
}

function listed(checks: readonly CheckSummary[]): string {
  const more = checks.length - SHOWN_CHECKS;
  const shown = checks.slice(0, SHOWN_CHECKS).map(({ title }) => title);
  return shown.join("; ") + (more > 0 ? `; ${more} more` : "");
}

/** Returns the clauses that passed partly, grouped by the part that was not evaluated. */
export function byPart(clauses: readonly ClauseSummary[]): [partly: string, ids: string[]][] {
  const groups = [...grouped(clauses, ({ partly }) => partly)];
  return groups.flatMap(([partly, all]) => (partly === undefined ? [] : [[partly, all.map(({ id }) => id)]]));
}
