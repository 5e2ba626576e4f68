/** The verdict for each clause of a check: violated, held, not evaluated with a reason, or not run. */
import { isCheck } from "../contract/ended-checks.ts";
import { errorText, Inconclusive, Masked } from "../client/inconclusive.ts";
import type { Exchange } from "../client/exchange.ts";
import { type ClauseId, matchesGlob } from "../contract/catalogue.ts";
import type { Settings } from "../settings/types.ts";
import type { Check } from "./check.ts";
import { NotRun } from "./context.ts";
import { accepted } from "./deviate.ts";
import { clausesToSee, withOwnHidden } from "./hidden.ts";
import { factsOf, headlineOf, messageOf, type Violation } from "./message.ts";
import type { Origins } from "./origins.ts";
import type { CheckRecord } from "./record.ts";
import { replayCommand } from "./replay.ts";
import type { ClauseOutcome, Verdict } from "./result.ts";

/** Whether the globs of `--only` select an outcome, by its clause or by its check. Without globs all outcomes are selected. */
export function isSelected(only: readonly string[], clause: string, check: string): boolean {
  return only.length === 0 || only.some((glob) => (glob.includes("/") ? isCheck(check, glob) : matchesGlob(glob, clause)));
}

export function selectedClauses({ id, clauses }: Pick<Check, "id" | "clauses">, { only }: Pick<Settings, "only">): ClauseId[] {
  return clauses.filter((clause) => isSelected(only, clause, id));
}

export interface CheckEnd {
  readonly record: CheckRecord;
  readonly ended: unknown;
  /** Whether at least one documented request to the service succeeded. */
  readonly answered: boolean;
  readonly exchanges: readonly Exchange[];
  readonly originsOf: (exchange: Exchange) => Origins;
  /** Returns the curl command of an exchange, without secrets. */
  readonly curlOf: (exchange: Exchange) => string;
}

/** Returns an outcome for each clause of the check, and for each other clause that the check found violated. */
export function outcomesOf(
  check: Check,
  settings: Settings,
  { record, ended, answered, exchanges, originsOf, curlOf }: CheckEnd,
): ClauseOutcome[] {
  // Normally the clause is replayed. If the check does not name the clause, this would not run the check, so the check is replayed.
  const replayed = (clause: string): string => (check.clauses.some((own) => own === clause) ? clause : check.id);
  const broken: ClauseOutcome[] = record.violations
    .filter(({ clause }) => isSelected(settings.only, clause, check.id))
    .map((violation) => withOrigins(violation, originsOf))
    .map((violation) => ({
      clause: violation.clause,
      verdict: "fail",
      headline: headlineOf(violation),
      message: messageOf(violation, replayCommand(settings, [replayed(violation.clause)]), curlOf),
      violation: factsOf(violation, exchanges, curlOf),
      ...(violation.input?.intermittent === true ? { flaky: true } : {}),
    }));
  // If no documented request to a service has succeeded, the settings are probably wrong, so the clauses do not count as violated.
  if (broken.length > 0 && !answered) {
    const reason = `no documented request to this service was answered with success: ${broken[0]?.headline ?? ""}`;
    return selectedClauses(check, settings).map((clause) => ({ clause, verdict: "inconclusive", headline: reason, message: reason }));
  }
  const failed = new Set(broken.map(({ clause }) => clause));
  const others = selectedClauses(check, settings)
    .filter((clause) => !failed.has(clause))
    .map((clause): ClauseOutcome => {
      const { verdict, reason, hiddenBy = [] } = fateOf(record, clause, ended);
      const isMasked = verdict === "not-run" && !(ended instanceof NotRun);
      return {
        clause,
        verdict,
        headline: reason.split("\n")[0] ?? "",
        message: reason,
        ...(isMasked ? { masked: true } : {}),
        ...(hiddenBy.length > 0 ? { hiddenBy } : {}),
      };
    });
  return withOwnHidden([...broken.map((outcome) => accepted(outcome, check, settings)), ...others]);
}

/** Returns the violation, with the origin of each wrong value in its differences, such as a write of another instance. */
function withOrigins(violation: Violation, originsOf: CheckEnd["originsOf"]): Violation {
  const [deciding] = violation.exchanges;
  if (deciding === undefined) return violation;
  const { of, equalTo } = originsOf(deciding);
  const differences = violation.differences.map((one) => ({ ...one, actual: `${one.actual}${of(one)}` }));
  return { ...violation, differences, ...(equalTo === null ? {} : { equalTo }) };
}

interface Fate {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly hiddenBy?: readonly string[];
}

function fateOf(record: CheckRecord, clause: ClauseId, ended: unknown): Fate {
  const notEvaluated = record.notEvaluated(clause);
  // If a check ended early, its reason may name violated clauses. If the reason names no clause, violations are not the only reason why
  // clauses were not evaluated.
  const hiddenEnd = ended instanceof Inconclusive ? clausesToSee(ended.message) : [];
  if (notEvaluated !== null) {
    const hiddenBy = record.hiders(clause);
    const endedEarly = ended !== null && hiddenEnd.length === 0;
    return {
      verdict: "inconclusive",
      reason: notEvaluated,
      ...(endedEarly || hiddenBy.length === 0 ? {} : { hiddenBy: [...hiddenBy, ...hiddenEnd] }),
    };
  }
  if (ended instanceof NotRun || ended instanceof Masked)
    return record.isKept(clause) ? { verdict: "pass", reason: "" } : { verdict: "not-run", reason: ended.message };
  if (ended instanceof Inconclusive) return { verdict: "inconclusive", reason: ended.message, hiddenBy: hiddenEnd };
  const stack = ended instanceof Error ? (ended.stack ?? ended.message) : errorText(ended);
  if (ended !== null) return { verdict: "inconclusive", reason: `internal error of this suite: ${stack}` };
  if (record.isKept(clause)) return { verdict: "pass", reason: "" };
  if (record.masked !== null) return { verdict: "not-run", reason: record.masked };
  const [violation] = record.violations;
  // If a part of a list could not make its cases, this is also the reason why a clause without a finding is inconclusive.
  const [reason] = record.reasons;
  if (violation === undefined && reason !== undefined) return { verdict: "inconclusive", reason };
  if (violation === undefined)
    return { verdict: "inconclusive", reason: "internal error of this suite: the check never evaluated this clause" };
  return {
    verdict: "inconclusive",
    reason: `not evaluated: the check ended at the violation of another clause (see ${violation.clause}): ${headlineOf(violation)}`,
    hiddenBy: record.violations.map(({ clause: hider }) => hider),
  };
}
