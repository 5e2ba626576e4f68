/** Defines the paths of all files that a run writes into REPORTS_DIR, and removes the files of an earlier run. */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Outputs {
  readonly summary: string;
  readonly metrics: string;
  readonly junit: string;
  readonly observations: string;
  readonly created: string;
  readonly allureResults: string;
  readonly allureReport: string;
  readonly singleReport: string;
  /** The file with the data of a shard that a merge needs. Only a shard writes this file. */
  readonly shard: string;
  /** The file with the comparison with an earlier run. A run writes this file only if BASELINE_DIR is set. */
  readonly comparison: string;
  /** The file with the defects. A run without defects does not write this file. */
  readonly defects: string;
}

export function outputsIn(reportsDir: string): Outputs {
  return {
    summary: join(reportsDir, "summary.json"),
    metrics: join(reportsDir, "metrics.prom"),
    junit: join(reportsDir, "junit.xml"),
    observations: join(reportsDir, "observations.json"),
    created: join(reportsDir, "created.jsonl"),
    allureResults: join(reportsDir, "allure-results"),
    allureReport: join(reportsDir, "allure-report"),
    singleReport: join(reportsDir, "report.html"),
    shard: join(reportsDir, "shard.json"),
    comparison: join(reportsDir, "comparison.md"),
    defects: join(reportsDir, "defects.md"),
  };
}

/** The history of earlier runs is inside the Allure report. A user who keeps this folder keeps the history. */
export const HISTORY_FILE = "history.jsonl";

/** Empties the folder of the Allure report but keeps the history, so that a killed run does not destroy the history. */
export function clearAllureReport({ allureReport }: Outputs): void {
  if (!existsSync(allureReport)) return;
  for (const name of readdirSync(allureReport)) {
    if (name !== HISTORY_FILE) rmSync(join(allureReport, name), { recursive: true, force: true });
  }
}

/** Removes the outputs of an earlier run, so that no earlier verdict stays after an interrupt. Starts an empty `created.jsonl`. */
export function clearOutputs(outputs: Outputs): void {
  for (const path of Object.values(outputs)) {
    if (path === outputs.allureReport) clearAllureReport(outputs);
    else rmSync(path, { recursive: true, force: true });
  }
  writeFileSync(outputs.created, "");
}
