/** Finds the state of each entry of the deviations file after a run: still in use, or to be deleted for a given reason. */
import type { CheckResult, ClauseOutcome } from "../harness/result.ts";
import { isHidden } from "../harness/hidden.ts";
import { matchesDeviation } from "../harness/deviate.ts";
import type { DeviationEntry } from "../settings/deviations-text.ts";
import type { Settings } from "../settings/types.ts";

/**
 * `accepted`: the entry accepts a failure of this run. `unverified`: no check that the entry names could be judged.
 * `elsewhere`: the entry is about another target. In any other state, the entry must be deleted.
 * `expired`: its last day has passed. `unmatched`: nothing that ran matches the entry. `passes`: the failure no longer occurs.
 */
export type DeviationState = "accepted" | "unverified" | "elsewhere" | "expired" | "unmatched" | "passes";

export interface DeviationSummary extends DeviationEntry {
  readonly lines: { readonly first: number; readonly last: number };
  readonly state: DeviationState;
}

const TO_DELETE: readonly DeviationState[] = ["expired", "unmatched", "passes"];

/** Whether an entry of the deviations file must be deleted before a run can end with exit code 0. */
export function isToDelete({ state }: DeviationSummary): boolean {
  return TO_DELETE.includes(state);
}

/** Returns the state of each entry after this run. A shard never reports `unmatched` or `passes`, because it knows only its own checks. */
export function deviationSummaries(settings: Settings, results: readonly CheckResult[]): DeviationSummary[] {
  const targets = [settings.admin?.baseUrl, settings.logs?.baseUrl];
  return settings.deviations.map((entry) => {
    const { match, owner, reason, expires, lines, target, link, expired } = entry;
    const outcomes = results.flatMap((result) => result.outcomes.filter(({ clause }) => matchesDeviation(entry, clause, result.id)));
    const state = target !== null && !targets.includes(target) ? "elsewhere" : expired ? "expired" : stateOf(outcomes, settings);
    const given = { match, owner, reason, expires, lines, state } as const;
    return { ...given, ...(target === null ? {} : { target }), ...(link === null ? {} : { link }) };
  });
}

function stateOf(outcomes: readonly ClauseOutcome[], { shard }: Settings): DeviationState {
  const has = (verdict: ClauseOutcome["verdict"]): boolean => outcomes.some((outcome) => outcome.verdict === verdict && !isHidden(outcome));
  if (has("deviation")) return "accepted";
  // An entry for a clause that is now hidden stays in the file, because the entry may be needed once the hiding violation is corrected.
  if (has("inconclusive") || outcomes.some(isHidden) || shard !== null) return "unverified";
  return has("pass") ? "passes" : "unmatched";
}

const WHY: Readonly<Record<DeviationState, string>> = {
  accepted: "is accepted",
  unverified: "could not be verified",
  elsewhere: "is about another target",
  expired: "has expired",
  unmatched: "matches nothing that ran",
  passes: "now passes",
};

/** Returns a line that says which entry of the deviations file to delete, and why. */
export function deletionLine(entry: DeviationSummary, file: string | null): string {
  const { first, last } = entry.lines;
  const where = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  const since = entry.state === "expired" ? ` on ${entry.expires}` : "";
  return `delete ${where} of ${file ?? "the deviations file"}: ${JSON.stringify(entry.match)} ${WHY[entry.state]}${since} (owner ${entry.owner})`;
}
