/** Defines the plain data of a run for reports. The data can be cloned between threads, and has no secrets. */

import type { ExchangeEvidence } from "../client/evidence.ts";
import type { Difference } from "../model/difference.ts";
import type { FailingCase } from "./corpus.ts";

export type { ExchangeEvidence } from "../client/evidence.ts";

/** The verdicts of ISO/IEC 9646, also `deviation` for an accepted failure, and `not-run` for a check that was not requested. */
export type Verdict = "pass" | "fail" | "deviation" | "inconclusive" | "not-run";

/** The verdicts from worst to best. The verdict of a clause is the worst verdict of its checks. */
export const VERDICT_ORDER = ["fail", "inconclusive", "deviation", "pass", "not-run"] as const satisfies readonly Verdict[];

/** Returns the worst of `verdicts`, or `not-run` for an empty list. */
export function worstVerdict(verdicts: Iterable<Verdict>): Verdict {
  let worst = VERDICT_ORDER.length - 1;
  for (const verdict of verdicts) worst = Math.min(worst, VERDICT_ORDER.indexOf(verdict));
  return VERDICT_ORDER[worst] ?? "not-run";
}

/** The facts about a violation that a report needs for its list of defects. */
export interface ViolationFacts {
  /** The deciding request as a headline names it: its method, or the endpoint of a log request. */
  readonly asked: string;
  /** The first difference between the expected and the actual response. */
  readonly difference: Pick<Difference, "path" | "expected" | "actual" | "contrast" | "kind">;
  /** The curl command of the deciding request, or empty without an exchange. */
  readonly curl: string;
  /** The input of the violation in a readable form, or null if there is no input. */
  readonly input: string | null;
  /** The smallest combination of levels whose requests fail. The field is absent if no engine has searched for the combination. */
  readonly minimal?: MinimalLevels;
  /** The sequence numbers of the exchanges that were judged together (the deciding exchange first), and of the last writes before them. */
  readonly shownBy: readonly number[];
}

/** The smallest combination of levels whose requests fail: a level for each factor, and the numbers of cases that support it. */
export interface MinimalLevels {
  readonly levels: Readonly<Record<string, string>>;
  /** Numbers of cases: all failed cases, failed cases with all these levels, and right cases that do not have all these levels. */
  readonly failing: number;
  readonly failingWithLevels: number;
  readonly rightWithout: number;
}

export interface ClauseOutcome {
  readonly clause: string;
  readonly verdict: Verdict;
  /** The outcome in one line: the difference, or the reason why the clause could not be judged. The headline of a pass is empty. */
  readonly headline: string;
  /** The whole explanation of the outcome, in several lines. The message of a pass is empty. */
  readonly message: string;
  /** The facts about the violation. The field is present only if the clause is violated. */
  readonly violation?: ViolationFacts;
  /** The owner and the reason of an accepted failure. */
  readonly deviation?: { readonly owner: string; readonly reason: string; readonly link: string | null; readonly expires: string };
  /** The clauses whose violations are the only reason why this clause was not evaluated. */
  readonly hiddenBy?: readonly string[];
  /** True if the check did not run because the target refuses a part that the documents do not promise. */
  readonly masked?: true;
  /** True if a repeat of the same request got a right response. */
  readonly flaky?: true;
}

export interface Observation {
  /** The id of the observation, for example `admin-4.4/create-status`. The id is the same in each run. */
  readonly id: string;
  /** The "not shown" clause that the observation belongs to. */
  readonly clause: string;
  readonly title: string;
  /** The observed value. Parts that differ in each run are removed, so that two runs can be compared. */
  readonly seen: unknown;
  readonly exchanges: readonly ExchangeEvidence[];
}

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** The outcomes of the check, at least one for each clause that the check names. */
  readonly outcomes: readonly ClauseOutcome[];
  readonly durationMs: number;
  /** The number of generated cases that ran, or null for a check without generated cases. */
  readonly cases: number | null;
  /** The number of all exchanges of the check. `exchanges` has only some of them. */
  readonly exchangesMade: number;
  /** Some exchanges of the check: first the deciding exchanges, then other judged exchanges, then the exchanges that prepared data. */
  readonly exchanges: readonly ExchangeEvidence[];
  readonly observations: readonly Observation[];
  /** The generated cases that violated a clause. Absent if there are none. */
  readonly failing?: readonly FailingCase[];
  /** The counters of the run at the end of the check. The highest counters of all results are the totals of the run. */
  readonly counters: { readonly requests: number; readonly instancesCreated: number };
  /** True if the check could not judge its clauses because the run was interrupted. */
  readonly interrupted?: true;
}

/** Returns the result of a check that made no exchange. `headline` is the reason of its verdict. */
export function emptyResult(
  { id, title }: Pick<CheckResult, "id" | "title">,
  verdict: Verdict,
  clauses: readonly string[],
  headline: string,
): CheckResult {
  return {
    id,
    title,
    verdict,
    outcomes: clauses.map((clause) => ({ clause, verdict, headline, message: headline })),
    durationMs: 0,
    cases: null,
    exchangesMade: 0,
    exchanges: [],
    observations: [],
    counters: { requests: 0, instancesCreated: 0 },
  };
}
