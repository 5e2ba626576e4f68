/** Writes parts of `allure-results/` that neither a test nor Allure's reporter can write (see `AllureRepair`). */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Stage, Status, type TestResult } from "allure-js-commons";
import type { Category, EnvironmentInfo } from "allure-js-commons/sdk";
import { clauseOf } from "../contract/catalogue.ts";
import { orderedByCause } from "../diagnosis/causes.ts";
import { judgedOutcomes, judgedVerdict, toldFirst } from "../harness/judged.ts";
import type { CheckResult, ClauseOutcome } from "../harness/result.ts";
import { grouped } from "../model/grouped.ts";
import { numberedName, sectionName } from "../contract/sections.ts";
import { allureIdOf } from "../harness/vitest-allure.ts";
import { type PlannedCheck, testName } from "../harness/vitest-types.ts";
import type { Settings } from "../settings/types.ts";
import { executorOf } from "./executor.ts";
import { observationsOf } from "./json.ts";
import type { FinishedRun, RunDetails } from "./model.ts";
import type { Subscriber } from "./subscriber.ts";
import { violated } from "./violated.ts";

/** The Allure categories of failures. Each category stands for a verdict of ISO/IEC 9646 in the words of Allure. */
export const CATEGORIES: Category[] = [
  { name: "Accepted deviations", messageRegex: "^Deviation accepted ", matchedStatuses: [Status.FAILED] },
  { name: "Contract violations", matchedStatuses: [Status.FAILED] },
  { name: "Inconclusive", matchedStatuses: [Status.BROKEN] },
  { name: "Not run", matchedStatuses: [Status.SKIPPED] },
];

/** Returns the lines of the environment page of the Allure report, without credentials. */
export function environmentOf(settings: Settings, details: Pick<RunDetails, "suite" | "runId">): EnvironmentInfo {
  const kind = settings.embedded ? " (embedded reference server)" : "";
  return {
    "Admin API": settings.admin === null ? "not configured" : settings.admin.baseUrl + kind,
    "Log API": settings.logs === null ? "not configured" : settings.logs.baseUrl + kind,
    Profile: settings.profile,
    Seed: String(settings.seed),
    "Run id": details.runId,
    Suite: `${details.suite.name} ${details.suite.version}`,
    Node: process.version,
    Platform: `${process.platform} ${process.arch}`,
  };
}

/** The names of Allure labels that are removed, because they name files and threads of this suite and say nothing about the target. */
const NOISE: readonly string[] = ["package", "parentSuite", "suite", "subSuite", "thread", "host", "_fallbackTestCaseId"];

/**
 * Before a result is written, sets values that the runtime API of Allure (`describeInAllure`) cannot set:
 * - the full name and the path of titles
 * - the time at which the work of a waiting test began
 * - the reason of a skipped test, and the description of a test that never started
 * - the violated clause that may be the cause of a violation, which is known only after the API is closed The class also removes labels.
 */
export class AllureRepair implements Subscriber {
  readonly #byId = new Map<string, PlannedCheck>();
  readonly #byName = new Map<string, PlannedCheck>();
  readonly #results = new Map<string, CheckResult>();
  #causes: ReadonlyMap<string, string> | null = null;

  onPlan(plan: readonly PlannedCheck[]): void {
    for (const check of plan) {
      this.#byId.set(allureIdOf(check.id), check);
      this.#byName.set(testName(check), check);
    }
  }

  onResult(result: CheckResult): void {
    this.#results.set(result.id, result);
  }

  /** Completes a result of Allure. `repair` must be called before the result is written. */
  repair(result: TestResult): void {
    const check = this.#byId.get(result.testCaseId ?? "") ?? this.#byName.get(result.name ?? "");
    if (check === undefined) return;
    result.fullName = check.id;
    const found = this.#results.get(check.id);
    const [first] = found === undefined ? check.clauses : toldFirst(found).map(({ clause }) => clause);
    const primary = first === undefined ? null : clauseOf(first);
    if (primary !== null) result.titlePath = [numberedName(primary.document), sectionName(primary), primary.id];
    result.labels = result.labels.filter((label) => !NOISE.includes(label.name));
    if (found === undefined) unstarted(result, check);
    else this.#complete(result, found);
  }

  #complete(result: TestResult, found: CheckResult): void {
    if (result.stop !== undefined) result.start = result.stop - found.durationMs;
    if (judgedVerdict(found) === "not-run") result.statusDetails = { message: judgedOutcomes(found)[0]?.headline ?? "not run" };
    // Allure reads the member `known`, but the types of its writer lack this member.
    if (judgedVerdict(found) === "deviation") result.statusDetails = Object.assign({}, result.statusDetails, { known: true });
    this.#markCauses(result, found);
  }

  /** Adds to a failed test the violated clause that may be its cause. Called when every check has reported. */
  #markCauses(result: TestResult, found: CheckResult): void {
    this.#causes ??= causesAmong([...this.#results.values()]);
    const notes = failedOutcomes(found).flatMap(({ clause }) => {
      const cause = this.#causes?.get(clause);
      return cause === undefined ? [] : [`${clause} may follow from the violation of ${cause}. Correct ${cause} first.`];
    });
    if (notes.length === 0) return;
    result.statusDetails = { ...result.statusDetails, message: [result.statusDetails.message ?? "", ...notes].join("\n\n") };
  }
}

/** Describes a test that never ran, because only a running test can describe itself. */
function unstarted(result: TestResult, check: PlannedCheck): void {
  result.name = check.title;
  result.testCaseId = allureIdOf(check.id);
  result.historyId = allureIdOf(check.id);
  result.status = Status.BROKEN;
  result.stage = Stage.INTERRUPTED;
  result.statusDetails = { message: "the run ended before this check reported a result" };
}

function failedOutcomes(result: CheckResult): ClauseOutcome[] {
  return judgedOutcomes(result).filter(({ verdict }) => verdict === "fail");
}

/** Returns a map with each violated clause that may follow from another violated clause. The value is this other clause. */
function causesAmong(results: readonly CheckResult[]): Map<string, string> {
  const failed = grouped(results.flatMap(failedOutcomes), ({ clause }) => clause);
  const ordered = orderedByCause(
    [...failed].map(([clause, outcomes]) => ({
      clause,
      checks: outcomes.length,
      kinds: outcomes.map(({ violation }) => violation?.difference.kind),
    })),
  );
  return new Map(ordered.flatMap(({ clause, followsFrom }) => (followsFrom === undefined ? [] : [[clause, followsFrom]])));
}

/** Returns requests and durations as metrics of Allure, so that the trends of Allure show when a target became slower. */
function metrics({ summary }: FinishedRun): unknown {
  const start = Date.parse(summary.run.startedAt);
  const stop = start + summary.run.durationMs;
  const run = { group: "run", start, stop };
  const metric = (key: string, title: string, value: number, unit: string) => ({ id: key, key, title, value, unit, ...run });
  return [
    metric("run.duration", "Duration of the run", summary.run.durationMs, "ms"),
    metric("run.requests", "Requests", summary.run.requests, "count"),
    metric("run.instances", "Instances created", summary.run.instancesCreated, "count"),
    metric("clauses.failed", "Clauses failed", summary.totals.fail, "count"),
    metric("clauses.inconclusive", "Clauses inconclusive", summary.totals.inconclusive, "count"),
  ];
}

/** Writes the Allure results about the run as a whole: the violated clauses with causes first, the observations, and the end of the run. */
function writeGlobals(resultsDir: string, run: FinishedRun): void {
  const timestamp = Date.parse(run.summary.run.startedAt) + run.summary.run.durationMs;
  const attached = (name: string, source: string, type: string, text: string) => {
    writeFileSync(join(resultsDir, source), text);
    return { name, source, type, timestamp };
  };
  const { verdict, totals } = run.summary;
  const counts = Object.entries(totals).map(([name, count]) => `${name}: ${count}`);
  const globals = {
    attachments: [
      attached("Verdict", "verdict-attachment.txt", "text/plain", `${verdict.toUpperCase()}\n${counts.join("\n")}\n`),
      attached(
        "Where the documents are silent, and what this target does",
        "observations-attachment.json",
        "application/json",
        JSON.stringify(observationsOf(run).observations, null, 2),
      ),
    ],
    errors: violated(run.summary.clauses).map(({ id, statement, reason = "" }) => ({
      message: `${id}: ${statement}`,
      trace: reason,
      timestamp,
    })),
  };
  writeFileSync(join(resultsDir, "plumbline-globals.json"), JSON.stringify(globals));
}

/** Writes `executor.json`, `performance.json` and the Allure results about the run as a whole, after all other results were written. */
export function writeAllureExtras(resultsDir: string, run: FinishedRun, env: Readonly<Record<string, string | undefined>>): void {
  writeFileSync(join(resultsDir, "executor.json"), JSON.stringify(executorOf(env), null, 2));
  writeFileSync(join(resultsDir, "performance.json"), JSON.stringify(metrics(run), null, 2));
  writeGlobals(resultsDir, run);
}
