/** Writes each report of a finished run. If a report cannot be written, the other reports are still written. */
import { writeFileSync } from "node:fs";
import type { AllureGenerator } from "../report/allure-generator.ts";
import { generateHtml } from "../report/allure-html.ts";
import { writeAllureExtras } from "../report/allure-results.ts";
import { writeDefects } from "../report/defects-note.ts";
import { writeObservations, writeSummary } from "../report/json.ts";
import { toJunit } from "../report/junit.ts";
import { toPrometheus } from "../report/metrics.ts";
import type { FinishedRun } from "../report/model.ts";
import type { Settings } from "../settings/types.ts";
import type { Outputs } from "../report/outputs.ts";

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}

/** Resolves to the names of the reports that could not be written, or to null if all reports were written. */
export async function writeReports(
  finished: FinishedRun,
  settings: Settings,
  outputs: Outputs,
  html: { readonly history: string | null; readonly generator: AllureGenerator },
): Promise<string | null> {
  const writers: readonly (readonly [what: string, write: () => Promise<void> | void])[] = [
    ["summary.json", () => writeSummary(outputs, finished)],
    ["metrics.prom", () => writeFileSync(outputs.metrics, toPrometheus(finished.summary))],
    ["junit.xml", () => writeFileSync(outputs.junit, toJunit(finished))],
    ["observations.json", () => writeObservations(outputs, finished)],
    ["defects.md", () => writeDefects(outputs, finished)],
    ["allure-results", () => writeAllureExtras(outputs.allureResults, finished, process.env)],
    ["report.html", () => generateHtml(finished, settings, outputs, html)],
  ];
  let problem: string | null = null;
  for (const [what, write] of writers) {
    try {
      await write();
    } catch (error) {
      problem ??= `${what} could not be written: ${messageOf(error)}`;
    }
  }
  return problem;
}
