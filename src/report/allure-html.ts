/** The HTML reports: Allure's own generator in a process of its own, then everything that would fetch is taken out. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AllureGenerator } from "./allure-generator.ts";
import { CATEGORIES } from "./allure-results.ts";
import type { Settings } from "../settings/types.ts";
import type { FinishedRun } from "./model.ts";
import { clearAllureReport, HISTORY_FILE, type Outputs } from "./outputs.ts";
import { anchorsOf, packReport, singlePage } from "./page/single-page.ts";
import { verdictBody } from "./page/verdict-page.ts";
import { qualityGates } from "./quality-gate.ts";
import { entersTrend, KEPT_RUNS, splitHistory, trendName, trendOf } from "./trend.ts";

/** The history an earlier run left in its report, or null. To be read before the outputs are cleared. */
export function readHistory(outputs: Outputs): string | null {
  const path = join(outputs.allureReport, HISTORY_FILE);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function generatorConfig(folder: string, name: string, appendHistory: boolean): unknown {
  const options = {
    reportName: name,
    groupBy: ["epic", "feature", "story"],
    defaultSortBy: "name,asc",
    charts: [
      { type: "currentStatus", title: "Checks by status" },
      { type: "statusDynamics", title: "Status over runs", limit: KEPT_RUNS },
      { type: "statusTransitions", title: "What changed between runs", limit: KEPT_RUNS },
      { type: "durations", title: "Durations of checks" },
    ],
  };
  return {
    name,
    output: join(folder, "out"),
    historyPath: join(folder, HISTORY_FILE),
    historyLimit: KEPT_RUNS,
    appendHistory,
    categories: CATEGORIES.map(({ name, matchedStatuses, messageRegex }) => ({
      name,
      matchers: { statuses: matchedStatuses, ...(messageRegex === undefined ? {} : { message: messageRegex }) },
      groupByMessage: false,
    })),
    plugins: { multi: { import: "@allurereport/plugin-awesome", options: { ...options, singleFile: false } } },
  };
}

/** The page without the analytics that Allure embeds: an external script, and the script that starts it. */
export function withoutAnalytics(html: string): string {
  return html
    .replaceAll(/<script[^>]*\bsrc="https?:\/\/[^"]*"[^>]*>\s*<\/script>/g, "")
    .replaceAll(/<script(?![^>]*\bsrc=)[^>]*>(?:(?!<\/script>)[\s\S])*?\bdataLayer\b(?:(?!<\/script>)[\s\S])*?<\/script>/g, "");
}

function stripFile(path: string): string {
  const html = withoutAnalytics(readFileSync(path, "utf8"));
  if (/googletagmanager/.test(html.slice(0, 20_000))) throw new Error("the generated report still loads a script from another host");
  return html;
}

/** Takes a file or a folder to where nothing is; only across file systems is it copied. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    cpSync(from, to, { recursive: true });
  }
}

/** Puts a generated report into its place. At any moment the place holds the old history or the new one, each whole. */
export function placeReport(generated: string, outputs: Outputs, history: string): void {
  clearAllureReport(outputs);
  mkdirSync(outputs.allureReport, { recursive: true });
  for (const name of readdirSync(generated)) {
    if (name !== HISTORY_FILE) move(join(generated, name), join(outputs.allureReport, name));
  }
  const path = join(outputs.allureReport, HISTORY_FILE);
  writeFileSync(`${path}.new`, history);
  renameSync(`${path}.new`, path);
}

/** Writes `allure-report/` and `report.html` from the results; `history` is what the report before this one left. */
export async function generateHtml(
  finished: FinishedRun,
  settings: Settings,
  outputs: Outputs,
  { history, generator }: { readonly history: string | null; readonly generator: AllureGenerator },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-report-"));
  const historyFile = join(folder, HISTORY_FILE);
  const name = trendName(settings);
  const { own, others } = splitHistory(history ?? "", name);
  const enters = entersTrend(settings, finished.summary);
  try {
    if (enters) writeFileSync(historyFile, own);
    const config = join(folder, "allure.json");
    writeFileSync(config, JSON.stringify(generatorConfig(folder, name, enters)));
    await generator.run(["generate", "--config", config, "--cwd", folder, outputs.allureResults]);
    const multi = join(folder, "out");
    const index = stripFile(join(multi, "index.html"));
    writeFileSync(join(multi, "index.html"), index);
    // Allure's own gates crash on Node 20, and the run has its verdict already.
    writeFileSync(join(multi, "widgets", "quality-gate.json"), JSON.stringify(qualityGates(finished.summary)));
    const packed = packReport(multi, index);
    const grown = enters && existsSync(historyFile) ? readFileSync(historyFile, "utf8") : own;
    placeReport(multi, outputs, others + grown);
    const body = verdictBody({ finished, settings, trend: enters ? trendOf(grown) : [], anchors: anchorsOf(packed) });
    writeFileSync(outputs.singleReport, singlePage(`${finished.summary.verdict}: ${name}`, body, packed));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
