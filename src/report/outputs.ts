/** The names of everything a run writes into REPORTS_DIR, and the clearing of what an earlier run left there. */
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
  /** Only in a shard: what merging needs in addition to its results. */
  readonly shard: string;
  /** Only with BASELINE_DIR. */
  readonly comparison: string;
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
  };
}

/** The history of earlier runs lies inside the Allure report: whoever keeps that folder between runs keeps the history. */
export const HISTORY_FILE = "history.jsonl";

/** Empties the folder of the Allure report, but for the history: a run that is killed must not take earlier runs with it. */
export function clearAllureReport({ allureReport }: Outputs): void {
  if (!existsSync(allureReport)) return;
  for (const name of readdirSync(allureReport)) {
    if (name !== HISTORY_FILE) rmSync(join(allureReport, name), { recursive: true, force: true });
  }
}

/** Removes exactly these outputs and starts an empty `created.jsonl`: an interrupted run must not show an older one's verdict. */
export function clearOutputs(outputs: Outputs): void {
  for (const path of Object.values(outputs)) {
    if (path === outputs.allureReport) clearAllureReport(outputs);
    else rmSync(path, { recursive: true, force: true });
  }
  writeFileSync(outputs.created, "");
}
