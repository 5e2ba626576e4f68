/** The HTML reports: Allure's own generator in a process of its own, then everything that would fetch is taken out. */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CATEGORIES } from "./allure-results.ts";
import type { Outputs } from "./outputs.ts";

/** Runs kept in the history; each adds to the size of every later report. */
const HISTORY_LIMIT = 30;

/** Longest time the generator may take; it needs about a second. */
const GENERATOR_TIMEOUT_MS = 120_000;

/** The history lies inside the multi-file report: keeping that folder between runs keeps the history. */
const HISTORY_FILE = "history.jsonl";

/** The history an earlier run left in its report, or null. To be read before the outputs are cleared. */
export function readHistory(outputs: Outputs): string | null {
  const path = join(outputs.allureReport, HISTORY_FILE);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function generatorConfig(folder: string): unknown {
  const common = {
    reportName: "Plumbline conformance report",
    groupBy: ["epic", "feature", "story"],
    charts: [
      { type: "currentStatus", title: "Checks by status" },
      { type: "statusDynamics", title: "Status over runs" },
      { type: "statusTransitions", title: "What changed between runs" },
      { type: "durations", title: "Durations of checks" },
    ],
  };
  return {
    name: "Plumbline conformance report",
    output: join(folder, "out"),
    historyPath: join(folder, HISTORY_FILE),
    historyLimit: HISTORY_LIMIT,
    appendHistory: true,
    categories: CATEGORIES.map(({ name, matchedStatuses, messageRegex }) => ({
      name,
      matchers: { statuses: matchedStatuses, ...(messageRegex === undefined ? {} : { message: messageRegex }) },
      groupByMessage: false,
    })),
    plugins: {
      multi: { import: "@allurereport/plugin-awesome", options: { ...common, singleFile: false } },
      single: { import: "@allurereport/plugin-awesome", options: { ...common, singleFile: true } },
    },
  };
}

/** What the generator needs of the environment; tokens are not among it. */
function generatorEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, TEMP, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, TEMP, SystemRoot, NO_COLOR: "1" };
}

async function runGenerator(folder: string, resultsDir: string): Promise<void> {
  const cli = fileURLToPath(new URL("../cli.js", import.meta.resolve("allure")));
  const config = join(folder, "allure.json");
  writeFileSync(config, JSON.stringify(generatorConfig(folder)));
  const child = spawn(process.execPath, [cli, "generate", "--config", config, "--cwd", folder, resultsDir], {
    cwd: folder,
    env: generatorEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: GENERATOR_TIMEOUT_MS,
    // A Ctrl-C at the terminal interrupts the run; its report is still written.
    detached: true,
  });
  const stop = (): void => void child.kill("SIGKILL");
  process.once("exit", stop);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      said += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  process.off("exit", stop);
  if (code !== 0) throw new Error(`the report generator ended with ${code ?? "a signal"}: ${said.trim().split("\n").slice(-3).join(" ")}`);
}

/** The page without the analytics that Allure embeds: a script from outside, and the one that starts it. */
export function withoutAnalytics(html: string): string {
  return html
    .replaceAll(/<script[^>]*\bsrc="https?:\/\/[^"]*"[^>]*>\s*<\/script>/g, "")
    .replaceAll(/<script(?![^>]*\bsrc=)[^>]*>(?:(?!<\/script>)[\s\S])*?\bdataLayer\b(?:(?!<\/script>)[\s\S])*?<\/script>/g, "");
}

function stripFile(path: string): string {
  const html = withoutAnalytics(readFileSync(path, "utf8"));
  if (/googletagmanager/.test(html.slice(0, 20_000))) throw new Error("the generated report still fetches a script from outside");
  return html;
}

/** Writes `allure-report/` and `report.html` from the results; `history` is what the report before this one left. */
export async function generateHtml(outputs: Outputs, history: string | null): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-report-"));
  try {
    if (history !== null) writeFileSync(join(folder, HISTORY_FILE), history);
    await runGenerator(folder, outputs.allureResults);
    const multi = join(folder, "out", "multi");
    const single = join(folder, "out", "single", "index.html");
    writeFileSync(join(multi, "index.html"), stripFile(join(multi, "index.html")));
    mkdirSync(outputs.allureReport, { recursive: true });
    for (const entry of readdirSync(multi)) cpSync(join(multi, entry), join(outputs.allureReport, entry), { recursive: true });
    writeFileSync(outputs.singleReport, stripFile(single));
    if (existsSync(join(folder, HISTORY_FILE))) cpSync(join(folder, HISTORY_FILE), join(outputs.allureReport, HISTORY_FILE));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
