/** What became of each clause of a check: judged, undecided and why, or not run. */
import { errorText, Inconclusive } from "../client/inconclusive.ts";
import { matchesGlob } from "../contract/catalogue.ts";
import type { Settings } from "../settings/types.ts";
import type { Check } from "./check.ts";
import { type CheckContext, NotRun } from "./context.ts";
import { headlineOf, messageOf } from "./message.ts";
import { replayCommand } from "./replay.ts";
import type { ClauseOutcome, Verdict } from "./result.ts";

/** Whether a clause is among those `--only` selects; no globs select every clause. */
export function isSelected(only: readonly string[], clause: string): boolean {
  return only.length === 0 || only.some((glob) => matchesGlob(glob, clause));
}

/** The selected ones of the clauses a check names. */
export function selectedClauses(check: Check, { only }: Settings): string[] {
  return check.clauses.filter((clause) => isSelected(only, clause));
}

/** The outcome for each clause the check names or blames, by what was judged and how the check ended. */
export function outcomesOf(check: Check, t: CheckContext, ended: unknown): ClauseOutcome[] {
  const { settings } = t;
  const broken: ClauseOutcome[] = [...t.violations.values()]
    .filter(({ clause }) => isSelected(settings.only, clause))
    .map((violation) => ({
      clause: violation.clause,
      verdict: "fail",
      headline: headlineOf(violation),
      message: messageOf(violation, replayCommand(settings, [violation.clause])),
    }));
  // No documented request was ever answered with success: the target is not what the settings say, not a broken one.
  const strangers = broken.length > 0 && t.tally.successes === 0;
  if (strangers) ended = new Inconclusive(`no documented request to this service was answered with success: ${broken[0]?.headline ?? ""}`);
  const failed = new Set(strangers ? [] : broken.map(({ clause }) => clause));
  const hidden = [...t.violations.keys()].filter((clause) => !isSelected(settings.only, clause));
  const others = selectedClauses(check, settings)
    .filter((clause) => !failed.has(clause))
    .map((clause): ClauseOutcome => {
      const { verdict, reason } = fateOf(t.judged.has(clause), hidden, ended);
      return { clause, verdict, headline: reason.split("\n")[0] ?? "", message: reason };
    });
  return [...(strangers ? [] : broken), ...others];
}

function fateOf(judged: boolean, hidden: readonly string[], ended: unknown): { verdict: Verdict; reason: string } {
  if (ended instanceof NotRun) return judged ? { verdict: "pass", reason: "" } : { verdict: "not-run", reason: ended.message };
  if (ended instanceof Inconclusive) return { verdict: "inconclusive", reason: ended.message };
  if (ended !== null)
    return {
      verdict: "inconclusive",
      reason: `internal error of this suite: ${ended instanceof Error ? (ended.stack ?? ended.message) : errorText(ended)}`,
    };
  if (hidden.length > 0)
    return { verdict: "inconclusive", reason: `a violation of ${hidden.join(", ")}, outside --only, stands in the way` };
  if (!judged) return { verdict: "inconclusive", reason: "internal error of this suite: the check ended without judging this clause" };
  return { verdict: "pass", reason: "" };
}
