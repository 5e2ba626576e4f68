/** Defines the data that all reports show: the results of a run and their summary. The data does not depend on the test runner. */
import type { CheckResult, Verdict } from "../harness/result.ts";
import type { DifferenceKind } from "../model/kinds.ts";
import type { EngineCoverage } from "../design/coverage.ts";
import type { RunEnd } from "../harness/run.ts";
import type { OperationStats } from "../harness/latency.ts";
import type { DeviationSummary } from "./deviations.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";

export type SuiteVerdict = "conformant" | "nonconformant" | "inconclusive";
export type ClauseVerdict = Verdict | "not-judged";
export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The facts about the run itself, without the findings of its checks. */
export interface RunDetails {
  readonly suite: { readonly name: string; readonly version: string };
  readonly runId: string;
  /** The start time of the run, in the format ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** The data about the end of the run. `end` is null if the run was interrupted twice or crashed. */
  readonly end: RunEnd | null;
  readonly interrupted: Signal | null;
  /** The text of an error of the suite itself, or null. A run with an internal error is never conformant. */
  readonly internalError: string | null;
}

export interface CheckSummary {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly message: string;
  /** The kind of the first difference, if the check found the clause violated. */
  readonly kind?: DifferenceKind;
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
  /** The part of a passed clause that was not evaluated, and the setting that adds this part. Other clauses have no `partly`. */
  readonly partly?: string;
  /** The violated clause that may be the cause of this violation. The violation of the clause `followsFrom` should be corrected first. */
  readonly followsFrom?: string;
  readonly checks: readonly CheckSummary[];
}

/** The earlier run of the same trend in which a defect was first seen. */
export interface FirstSeen {
  readonly run: string;
  /** The start time of the run, in the format ISO 8601. */
  readonly startedAt: string;
}

/** A defect: all violations of one clause with the same kind of difference. */
export interface DefectSummary {
  /** The id of the defect: eight hexadecimal digits, which are the same in each run. */
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  /** The smallest combination of levels whose requests fail, by factor. The record is empty if no engine has found the combination. */
  readonly levels: Readonly<Record<string, string>>;
  /** The input of the violation in a readable form, or null if there is no input. */
  readonly input: string | null;
  readonly curl: string;
  readonly expected: string;
  readonly actual: string;
  readonly kind?: DifferenceKind;
  /** The number of failed cases of the engines, plus the number of other failed checks. */
  readonly failing: number;
  /** Two numbers of cases, or null without levels: failed with all levels of the defect, and right without at least one of them. */
  readonly failingWithLevels: number | null;
  readonly rightWithout: number | null;
  /** The ids of the checks that found the defect. The first of these checks has the evidence. */
  readonly checks: readonly string[];
  /** A part of a sentence that says which similar request got a right response. */
  readonly contrast?: string;
  /** The violated clause that may be the cause of this defect. */
  readonly followsFrom?: string;
  /** The earliest run in the history in which this defect was found. */
  readonly firstSeen: FirstSeen;
}

/** The coverage of an engine. `possible` is the sum of `judged`, `masked`, `hidden`, `notEvaluated` and `cut`. */
export interface CoverageSummary extends Omit<EngineCoverage, "check" | "masked" | "maskedBy" | "hidden"> {
  /** The name of the group of cases, for example `range queries`. */
  readonly name: string;
  readonly masked: EngineCoverage["maskedBy"];
  /** The combinations that occurred only in wrong responses, with the id of the first defect that the same check found, or null. */
  readonly hidden: readonly { readonly defect: string | null; readonly combinations: number }[];
}

export interface TargetSummary {
  readonly baseUrl: string;
  readonly kind: "embedded" | "remote";
}

export type RunDifferenceKind =
  | "newly red"
  | "newly green"
  | "newly unverified"
  | "verdict changed"
  | "observation changed"
  | "new limit"
  | "slower"
  | "faster";

export interface RunDifference {
  readonly kind: RunDifferenceKind;
  /** The thing that differs: the id of a clause or an observation, or the name of a limit or an operation. */
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
  readonly totals: Readonly<Record<"pass" | "fail" | "deviation" | "inconclusive" | "notRun", number>>;
  /** The entries of DEVIATIONS_FILE with their states. If an entry must be deleted, the run ends with exit code 1. */
  readonly deviations: readonly DeviationSummary[];
  /** The services for which accepted deviations hide more than a tenth of the judged clauses, which makes a run inconclusive. */
  readonly hidden?: readonly { readonly service: "admin" | "logs"; readonly clauses: number; readonly judged: number }[];
  /** The violated clauses for which a repeat of the same request got a right response. These flaky clauses still count as violated. */
  readonly flaky: readonly string[];
  readonly operations?: readonly OperationStats[];
  /** For each service, the time until reads showed the writes, and W (see the glossary). Absent if the run did not end normally. */
  readonly settling?: RunEnd["settling"];
  /** For each engine, how many combinations of levels the run judged. `coverage` is absent in files of older versions. */
  readonly coverage?: readonly CoverageSummary[];
  /** The differences from the earlier run in BASELINE_DIR. `comparison` is absent if BASELINE_DIR is not set. */
  readonly comparison?: { readonly differences: readonly RunDifference[]; readonly gating: boolean };
  /** The result of the cleanup, or null unless CLEANUP is `delete`. */
  readonly cleanup: RunEnd["cleanup"];
  /** The defects of the run. `defects` is absent in files of older versions. */
  readonly defects?: readonly DefectSummary[];
  readonly clauses: readonly ClauseSummary[];
}

/** The data that each report gets after the run has ended. */
export interface FinishedRun {
  readonly summary: Summary;
  readonly plan: readonly PlannedCheck[];
  /** The results of all planned checks. A planned check that never reported has an inconclusive result. */
  readonly results: readonly CheckResult[];
  /** The numbers of requests in each slice of time, or null if the run did not end normally. */
  readonly traffic: RunEnd["traffic"] | null;
}
