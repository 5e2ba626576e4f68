/** The names of everything a run writes into REPORTS_DIR, and the clearing of what an earlier run left there. */
import { rmSync, writeFileSync } from "node:fs";
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
  /** Of a shard only: what merging needs beside its results. */
  readonly shard: string;
  /** Of a run with BASELINE_DIR only. */
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

/** Removes exactly these outputs and starts an empty `created.jsonl`: an interrupted run must not show an older one's verdict. */
export function clearOutputs(outputs: Outputs): void {
  for (const path of Object.values(outputs)) rmSync(path, { recursive: true, force: true });
  writeFileSync(outputs.created, "");
}
