/** Writes each report of a finished run. If a report cannot be written, the other reports are still written. */
import type { AllureGenerator } from "../report/allure-generator.ts";
import { generateHtml } from "../report/allure-html.ts";
import { allureExtras } from "../report/allure-results.ts";
import { defectsWriter } from "../report/defects-note.ts";
import { observationsWriter, summaryWriter } from "../report/json.ts";
import { junitWriter } from "../report/junit.ts";
import { metricsWriter } from "../report/metrics.ts";
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
    ["summary.json", () => summaryWriter(outputs).onFinish?.(finished)],
    ["metrics.prom", () => metricsWriter(outputs).onFinish?.(finished)],
    ["junit.xml", () => junitWriter(outputs).onFinish?.(finished)],
    ["observations.json", () => observationsWriter(outputs).onFinish?.(finished)],
    ["defects.md", () => defectsWriter(outputs).onFinish?.(finished)],
    ["allure-results", () => allureExtras(outputs.allureResults, process.env).onFinish?.(finished)],
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
