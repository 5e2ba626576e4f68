/** The data of all reports: the data of the run, summarised once. The data does not depend on the test runner. */
import type { CheckResult, Verdict } from "../harness/result.ts";
import type { RunEnd } from "../harness/run.ts";
import type { OperationStats } from "../harness/latency.ts";
import type { DeviationSummary } from "./deviations.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";

export type SuiteVerdict = "conformant" | "nonconformant" | "inconclusive";
export type ClauseVerdict = Verdict | "not-judged";
export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Facts about the run, without the findings of its checks. */
export interface RunDetails {
  readonly suite: { readonly name: string; readonly version: string };
  readonly runId: string;
  /** In the format ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Null if the run did not end normally, because it was interrupted twice or crashed. */
  readonly end: RunEnd | null;
  readonly interrupted: Signal | null;
  /** An error of the suite itself, or null. A run with an internal error is never conformant. */
  readonly internalError: string | null;
}

export interface CheckSummary {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly message: string;
  readonly durationMs: number;
  readonly cases: number | null;
}

export interface ClauseSummary {
  readonly id: string;
  readonly document: string;
  readonly section: string;
  readonly level: string;
  readonly statement: string;
  readonly verdict: ClauseVerdict;
  /** The reason, in one line, why the clause failed, was inconclusive, did not run, or is not judged. */
  readonly reason?: string;
  /** Only for a passed clause: the part that was not evaluated, and the setting that adds it. */
  readonly partly?: string;
  /** The violated clause that this violation may follow from. The violation of that clause should be corrected first. */
  readonly followsFrom?: string;
  readonly checks: readonly CheckSummary[];
}

/** A run of the same trend. */
export interface FirstSeen {
  readonly run: string;
  /** In the format ISO 8601. */
  readonly startedAt: string;
}

/** Violations of the same clause with the same kind of difference. */
export interface DefectSummary {
  /** Eight hexadecimal digits. A defect has the same id in each run. */
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  /** The smallest combination of levels that fails, by factor, or empty if no engine states it. */
  readonly levels: Readonly<Record<string, string>>;
  /** The input in readable form, or null. */
  readonly input: string | null;
  readonly curl: string;
  readonly expected: string;
  readonly actual: string;
  /** The number of failed cases of the engines, plus the number of other failed checks. */
  readonly failing: number;
  /**
   * The number of failed cases with all levels of the defect, and of right cases that lack at least one of these levels. Null if no engine
   * states levels.
   */
  readonly failingWithLevels: number | null;
  readonly rightWithout: number | null;
  /** The ids of the checks that found the defect. The first check has the evidence. */
  readonly checks: readonly string[];
  /** A part of a sentence that says which similar request was answered rightly. */
  readonly contrast?: string;
  /** The violated clause that this defect may follow from. */
  readonly followsFrom?: string;
  /** The earliest run in the history that had this defect. */
  readonly firstSeen: FirstSeen;
}

export interface TargetSummary {
  readonly baseUrl: string;
  readonly kind: "embedded" | "remote";
}

export type DifferenceKind =
  | "newly red"
  | "newly green"
  | "newly unverified"
  | "verdict changed"
  | "observation changed"
  | "new limit"
  | "slower"
  | "faster";

/** A difference between two runs, as `compare.ts` finds it. */
export interface RunDifference {
  readonly kind: DifferenceKind;
  /** The id of a clause or observation, or the name of a limit or operation. */
  readonly subject: string;
  readonly before: string;
  readonly now: string;
}

export interface Summary {
  readonly schemaVersion: 1;
  readonly suite: { readonly name: string; readonly version: string };
  readonly verdict: SuiteVerdict;
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly profile: string;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly requests: number;
    readonly instancesCreated: number;
    readonly interrupted?: Signal;
    readonly internalError?: string;
  };
  readonly targets: { readonly admin: TargetSummary | null; readonly logs: TargetSummary | null };
  readonly totals: {
    readonly pass: number;
    readonly fail: number;
    readonly deviation: number;
    readonly inconclusive: number;
    readonly notRun: number;
  };
  /** The entries of DEVIATIONS_FILE with their states. If an entry must be deleted, the run ends with exit code 1. */
  readonly deviations: readonly DeviationSummary[];
  /**
   * The services of which accepted deviations hide more than a tenth of the judged clauses. A run with such a service is inconclusive. The
   * member is absent if no service has so many hidden clauses.
   */
  readonly hidden?: readonly { readonly service: "admin" | "logs"; readonly clauses: number; readonly judged: number }[];
  /** The violated clauses for which a repeat of the same request was right. Flaky clauses still count as violated. */
  readonly flaky: readonly string[];
  /** The durations of the operations, or absent if the run did not end normally. */
  readonly operations?: readonly OperationStats[];
  /** The time until reads showed the writes, and W, or absent if the run did not end normally. */
  readonly settling?: RunEnd["settling"];
  /** How many combinations of levels each engine judged, or absent if no engine ran to its end. */
  readonly coverage?: RunEnd["coverage"];
  /** The differences from the run in BASELINE_DIR, or absent if BASELINE_DIR is not set. */
  readonly comparison?: { readonly differences: readonly RunDifference[]; readonly gating: boolean };
  /** The result of the cleanup, or null unless CLEANUP is `delete`. */
  readonly cleanup: RunEnd["cleanup"];
  /** The defects of the run, or absent if the run has no defect. */
  readonly defects?: readonly DefectSummary[];
  readonly clauses: readonly ClauseSummary[];
}

/** The data that each report gets after the run has ended. */
export interface FinishedRun {
  readonly summary: Summary;
  readonly plan: readonly PlannedCheck[];
  /** The result of each planned check. A check without a result is inconclusive. */
  readonly results: readonly CheckResult[];
  /** The requests over time, or null if the run did not end normally. */
  readonly traffic: RunEnd["traffic"] | null;
}
