/** The plain data a run produces: everything the reports show, structured-clonable and already redacted. */

import type { ExchangeEvidence } from "../client/evidence.ts";
import type { FailingCase } from "./corpus.ts";

export type { ExchangeEvidence } from "../client/evidence.ts";

/** ISO/IEC 9646 verdicts, plus `deviation` for an accepted failure and `not-run` for what was not requested. */
export type Verdict = "pass" | "fail" | "deviation" | "inconclusive" | "not-run";

/** From worst to best; a clause's verdict is the worst of its checks. */
export const VERDICT_ORDER = ["fail", "inconclusive", "deviation", "pass", "not-run"] as const satisfies readonly Verdict[];

/** The worst of `verdicts`; `not-run` when there is none. */
export function worstVerdict(verdicts: Iterable<Verdict>): Verdict {
  let worst = VERDICT_ORDER.length - 1;
  for (const verdict of verdicts) worst = Math.min(worst, VERDICT_ORDER.indexOf(verdict));
  return VERDICT_ORDER[worst] ?? "not-run";
}

/** What one check found for one clause. */
export interface ClauseOutcome {
  readonly clause: string;
  readonly verdict: Verdict;
  /** One line: what was wrong, or why it could not be judged. Empty for a pass. */
  readonly headline: string;
  /** The whole explanation, several lines. Empty for a pass. */
  readonly message: string;
  /** Who accepted the failure, of a deviation. */
  readonly deviation?: { readonly owner: string; readonly reason: string; readonly link: string | null; readonly expires: string };
  /** Of what could not be seen: the clauses that hid it, where nothing but their violations did. */
  readonly hiddenBy?: readonly string[];
  /** Not run because the target refuses what the check needs, which the documents do not promise. */
  readonly masked?: true;
  /** The same request, repeated unchanged, got a right response. */
  readonly flaky?: true;
}

export interface Observation {
  /** Stable between runs, e.g. `admin-4.4/create-status`. */
  readonly id: string;
  /** The "not shown" clause it belongs to. */
  readonly clause: string;
  readonly title: string;
  /** What was observed, without values that differ between runs, so that two runs can be compared. */
  readonly seen: unknown;
  readonly exchanges: readonly ExchangeEvidence[];
}

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** One per clause the check names. */
  readonly outcomes: readonly ClauseOutcome[];
  readonly durationMs: number;
  /** The number of generated cases that ran. Null for a check without them. */
  readonly cases: number | null;
  /** The number of exchanges of the check. `exchanges` has some of them. */
  readonly exchangesMade: number;
  /** A bounded sample: the deciding exchanges first, then the judged ones, then the preparation. */
  readonly exchanges: readonly ExchangeEvidence[];
  readonly observations: readonly Observation[];
  /** The generated cases that violated a clause. Absent if there was none. */
  readonly failing?: readonly FailingCase[];
  /** The run's counters when the check ended; the largest of all results are the run's totals. */
  readonly counters: { readonly requests: number; readonly instancesCreated: number };
  /** True when the check never got to judge because the run was interrupted. */
  readonly interrupted?: true;
}
