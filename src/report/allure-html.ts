/** Writes the HTML reports: the generator of Allure runs in its own process, then everything that a browser would fetch is removed. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AllureGenerator } from "./allure-generator.ts";
import { CATEGORIES } from "./allure-results.ts";
import { type ChartsFile, corrected, dashboardCharts, REPORT_CHARTS } from "./charts.ts";
import type { Settings } from "../settings/types.ts";
import type { FinishedRun } from "./model.ts";
import { clearAllureReport, HISTORY_FILE, type Outputs } from "./outputs.ts";
import { dashboardPage } from "./page/dashboard-page.ts";
import { CLAUSE_LINK_STYLE, clauseLinks, writeManual } from "./page/manual.ts";
import { anchorsOf, packReport, type PackedReport, singlePage } from "./page/single-page.ts";
import { verdictBody } from "./page/verdict-page.ts";
import { qualityGates } from "./quality-gate.ts";
import { entersTrend, KEPT_RUNS, splitHistory, trendName, trendOf, type TrendPoint, withRecord } from "./trend.ts";

/** Returns the history that the Allure report of an earlier run has, or null. The history must be read before the outputs are cleared. */
export function readHistory(outputs: Outputs): string | null {
  const path = join(outputs.allureReport, HISTORY_FILE);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function generatorConfig(folder: string, settings: Settings, appendHistory: boolean): unknown {
  const name = trendName(settings);
  const report = { reportName: name, groupBy: ["epic", "feature", "story"], defaultSortBy: "name,asc", charts: REPORT_CHARTS };
  const dashboard = { reportName: name, theme: "auto", layout: dashboardCharts(settings) };
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
    plugins: {
      report: { import: "@allurereport/plugin-awesome", options: { ...report, singleFile: false } },
      dashboard: { import: "@allurereport/plugin-dashboard", options: { ...dashboard, singleFile: false } },
    },
  };
}

/** Returns a page without the analytics that Allure embeds: an external script, and the script that starts the external script. */
export function withoutAnalytics(html: string): string {
  return html
    .replaceAll(/<script[^>]*\bsrc="https?:\/\/[^"]*"[^>]*>\s*<\/script>/g, "")
    .replaceAll(/<script(?![^>]*\bsrc=)[^>]*>(?:(?!<\/script>)[\s\S])*?\bdataLayer\b(?:(?!<\/script>)[\s\S])*?<\/script>/g, "");
}

/** Corrects the charts of the report or of the dashboard, and removes from the page everything that a browser would fetch. */
function readGenerated(folder: string, runs: readonly TrendPoint[]): { readonly index: string; readonly packed: PackedReport } {
  const charts = join(folder, "widgets", "charts.json");
  writeFileSync(charts, JSON.stringify(corrected(JSON.parse(readFileSync(charts, "utf8")) as ChartsFile, runs)));
  const index = withoutAnalytics(readFileSync(join(folder, "index.html"), "utf8"));
  if (/googletagmanager/.test(index.slice(0, 20_000))) throw new Error("the generated report still loads a script from another host");
  return { index, packed: packReport(folder, index) };
}

function linkTo(path: string, name: string): string {
  return `<a href="${path}" style="color:inherit;margin-right:1rem">${name}</a>`;
}

/** Returns the page of the report with links to the dashboard and to the contract. The page of Allure has no place for such links. */
export function withLinks(index: string): string {
  // The links have a fixed position in the window, because the Allure report fills the whole window.
  const place = "position:fixed;bottom:0;left:0;z-index:1;padding:.4rem .8rem;background:var(--color-bg-primary,#fff)";
  const text = "font:14px system-ui,sans-serif;color:var(--color-link-text,#1b5cc4)";
  const links = linkTo("dashboard/index.html", "Charts of this run and of earlier runs") + linkTo("docs/contract.html", "The contract");
  const script = clauseLinks('window.open("docs/contract.html#" + clause)');
  return index.replace(
    "<body>",
    () => `<body><div style="${place};${text}">${links}</div><style>${CLAUSE_LINK_STYLE}</style><script>${script}</script>`,
  );
}

/** Moves a file or a folder to a path that does not exist. If the path is on another file system, the file or folder is copied instead. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    cpSync(from, to, { recursive: true });
  }
}

/** Replaces the Allure report. At each moment, the folder has either the complete old or the complete new history. */
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

/** Writes `allure-report/` and `report.html` from the results. `history` is the history of the earlier report. */
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
    await generator.run({ config: generatorConfig(folder, settings, enters), folder, results: outputs.allureResults });
    const out = join(folder, "out");
    const report = join(out, "report");
    const grown = enters && existsSync(historyFile) ? withRecord(readFileSync(historyFile, "utf8"), finished.summary) : own;
    const runs = enters ? trendOf(grown) : [];
    // The run writes the quality gates itself, because Allure's own gates crash on Node 20, and because the run already has its verdict.
    writeFileSync(join(report, "widgets", "quality-gate.json"), JSON.stringify(qualityGates(finished.summary)));
    const { index, packed } = readGenerated(report, runs);
    writeFileSync(join(report, "index.html"), withLinks(index));
    const dashboard = dashboardPage(name, finished.summary, readGenerated(join(out, "dashboard"), runs).packed);
    writeManual(report);
    mkdirSync(join(report, "dashboard"));
    writeFileSync(join(report, "dashboard", "index.html"), dashboard);
    renameSync(join(out, "test-results.json"), join(report, "test-results.json"));
    placeReport(report, outputs, others + grown);
    const body = verdictBody({ finished, settings, trend: runs, anchors: anchorsOf(packed) });
    writeFileSync(outputs.singleReport, singlePage(`${finished.summary.verdict}: ${name}`, body, packed));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
