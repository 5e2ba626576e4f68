/** The data of every report: the run's own data, summarised once, independent of the test runner. */
import type { CheckResult, Verdict } from "../harness/result.ts";
import type { RunEnd } from "../harness/run.ts";
import type { OperationStats } from "../harness/latency.ts";
import type { RunDifference } from "./compare.ts";
import type { DeviationSummary } from "./deviations.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";

export type SuiteVerdict = "conformant" | "nonconformant" | "inconclusive";
export type ClauseVerdict = Verdict | "not-judged";
export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** How the run went, without the findings of its checks. */
export interface RunDetails {
  readonly suite: { readonly name: string; readonly version: string };
  readonly runId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Null if the run did not end normally (interrupted twice, or crashed). */
  readonly end: RunEnd | null;
  readonly interrupted: Signal | null;
  /** An error of the suite itself, or null. A run with such an error is never conformant. */
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
  /** One line: why it failed, could not be judged, did not run, or is not judged. */
  readonly reason?: string;
  /** For a passed clause: what was not evaluated, and the setting that adds it. */
  readonly partly?: string;
  /** The violated clause that this violation may follow from. It should be corrected first. */
  readonly followsFrom?: string;
  readonly checks: readonly CheckSummary[];
}

export interface TargetSummary {
  readonly baseUrl: string;
  readonly kind: "embedded" | "remote";
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
  /** The entries of DEVIATIONS_FILE with their states. If some must be deleted, the run ends with 1. */
  readonly deviations: readonly DeviationSummary[];
  /** Services of which accepted deviations hide more than a tenth of the judged clauses, which makes the run inconclusive; absent: none. */
  readonly hidden?: readonly { readonly service: "admin" | "logs"; readonly clauses: number; readonly judged: number }[];
  /** Clauses that were broken and, repeated unchanged, kept: violated all the same. */
  readonly flaky: readonly string[];
  /** How long the operations took. Absent if the run did not end normally. */
  readonly operations?: readonly OperationStats[];
  /** How long writes took until reads showed them, and W. Absent if the run did not end normally. */
  readonly settling?: RunEnd["settling"];
  /** How many combinations of levels each engine judged. Absent if no engine ran to its end. */
  readonly coverage?: RunEnd["coverage"];
  /** The differences from the run in BASELINE_DIR. Absent without it. */
  readonly comparison?: { readonly differences: readonly RunDifference[]; readonly gating: boolean };
  /** Null unless CLEANUP=delete. */
  readonly cleanup: RunEnd["cleanup"];
  readonly clauses: readonly ClauseSummary[];
}

/** What each reporter gets after the run has ended. */
export interface FinishedRun {
  readonly summary: Summary;
  readonly plan: readonly PlannedCheck[];
  /** One per planned check. Checks that never reported are inconclusive. */
  readonly results: readonly CheckResult[];
}
