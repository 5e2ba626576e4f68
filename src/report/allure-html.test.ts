import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../model/folder-testing.ts";
import { AllureGenerator } from "./allure-generator.ts";
import { generateHtml, placeReport, withoutAnalytics } from "./allure-html.ts";
import { dashboardCharts } from "./charts.ts";
import { type Outputs, outputsIn } from "./outputs.ts";
import { summarize } from "./summary.ts";
import { RUN_DETAILS, plannedCheck, resultOf, settingsFor } from "./testing.ts";
import { trendName } from "./trend.ts";

test("external scripts and analytics are removed, and the scripts of the report stay", () => {
  const own =
    '<script src="data:text/javascript;base64,AAAA"></script><script>window.allureReportData = {};</script><script src="app.js"></script>';
  const analytics = [
    '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>',
    "<script>\n  window.dataLayer = window.dataLayer || [];\n  gtag('js', new Date());\n</script>",
  ].join("\n");
  expect(withoutAnalytics(`<head>${analytics}</head>${own}`).replaceAll("\n", "")).toBe(`<head></head>${own}`);
});

test("a new report replaces the old report, and its history replaces the old history", () => {
  const folder = emptyFolder();
  const outputs = outputsIn(folder);
  const generated = join(folder, "generated");
  for (const path of [outputs.allureReport, join(generated, "data")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(outputs.allureReport, "history.jsonl"), "old");
  writeFileSync(join(outputs.allureReport, "stale.html"), "");
  writeFileSync(join(generated, "index.html"), "new");
  writeFileSync(join(generated, "data", "one.json"), "{}");
  placeReport(generated, outputs, "old\nnew\n");
  expect(readdirSync(outputs.allureReport).toSorted()).toEqual(["data", "history.jsonl", "index.html"]);
  expect(readdirSync(join(outputs.allureReport, "data"))).toEqual(["one.json"]);
  expect(readFileSync(join(outputs.allureReport, "history.jsonl"), "utf8")).toBe("old\nnew\n");
});

/** Writes a file of `allure-results/`: the result of a check that has the id of its clause as its name. */
function writeResult(folder: string, clause: string, status: string): void {
  const labels = [
    { name: "epic", value: "1. Metrics admin API" },
    { name: "feature", value: "Section 4: Endpoints" },
    { name: "story", value: clause },
  ];
  const fullName = `${clause}/check`;
  const result = { uuid: clause, historyId: clause, testCaseId: clause, fullName, name: clause, status, labels, start: 1000, stop: 2000 };
  writeFileSync(join(folder, `${clause}-result.json`), JSON.stringify(result));
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

/** Returns the history of earlier runs, one run per day. In every second run `admin-4.2` was violated. */
function historyOf(name: string, runs: number): string {
  const lines = Array.from({ length: runs }, (_, day) => {
    const timestamp = day * 86_400_000;
    const entry = (clause: string, status: string) => {
      // The Allure id has a hash of the check and a hash of its parameters. The checks in this test have no parameters.
      const historyId = `${md5(clause)}.${md5("")}`;
      return [historyId, { historyId, fullName: `${clause}/check`, status, start: timestamp, stop: timestamp + 1000 }];
    };
    const testResults = Object.fromEntries([entry("admin-4.1", "passed"), entry("admin-4.2", day % 2 === 0 ? "failed" : "passed")]);
    return JSON.stringify({ uuid: `run ${day}`, name, timestamp, knownTestCaseIds: [], testResults, metrics: {}, url: "" });
  });
  return `${lines.join("\n")}\n`;
}

interface Drawn {
  readonly type: string;
  readonly title: string;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly treeMap: unknown;
}

/** Returns the charts that the dashboard draws. */
function chartsOf(dashboard: string): Drawn[] {
  const packed = /window\.allureReportData=(\{.*?\})<\/script>/.exec(dashboard)?.[1] ?? "{}";
  const { "widgets/charts.json": charts = "" } = JSON.parse(packed) as Record<string, string>;
  return Object.values((JSON.parse(Buffer.from(charts, "base64").toString()) as { general: Record<string, Drawn> }).general);
}

/** Returns the addresses that a browser would fetch for a page. The script of Allure is not fetched, because the page has it as data. */
function fetched(page: string): string[] {
  return [...page.matchAll(/<(?:script|link|img|iframe)[^>]*\s(?:src|href)="(?!data:)([^"]*)"/g)].map(([, url = ""]) => url);
}

async function generated(profile: "release" | "nightly"): Promise<Outputs> {
  const outputs = outputsIn(emptyFolder());
  mkdirSync(outputs.allureResults, { recursive: true });
  const verdicts = { "admin-4.1": "passed", "admin-4.2": "failed", "admin-4.3": "skipped" };
  for (const [clause, status] of Object.entries(verdicts)) writeResult(outputs.allureResults, clause, status);
  const settings = { ...settingsFor(), profile };
  const plan = ["admin-4.1", "admin-4.2"].map((clause) => plannedCheck(clause));
  const results = plan.map((check) => resultOf(check, check.id === "admin-4.2/check" ? "fail" : "pass"));
  const history = historyOf(trendName(settings), 40);
  await generateHtml(summarize(results, plan, settings, RUN_DETAILS), settings, outputs, { history, generator: new AllureGenerator() });
  return outputs;
}

test.each(["release", "nightly"] as const)(
  "the dashboard of a %s run is a single file with 30 runs and fetches nothing",
  async (profile) => {
    const { allureReport, singleReport } = await generated(profile);
    const dashboard = readFileSync(join(allureReport, "dashboard", "index.html"), "utf8");
    expect(readdirSync(join(allureReport, "dashboard"))).toEqual(["index.html"]);
    expect(fetched(dashboard)).toEqual([]);
    expect(dashboard).not.toContain("googletagmanager");
    expect(dashboard).toContain('<h1 class="nonconformant">NONCONFORMANT</h1>');

    const charts = chartsOf(dashboard);
    expect(charts.map(({ type, title }) => ({ type, title }))).toEqual(
      dashboardCharts({ profile }).map(({ type, title }) => ({ type, title })),
    );
    const of = (title: string): Drawn | undefined => charts.find((one) => one.title.startsWith(title));
    expect(of("Current status")?.data).toMatchObject({ passed: 1, failed: 1, total: 2 });
    expect(of("Status over 30 runs")?.data).toHaveLength(30);
    expect(of("Failures over 30 runs")?.data.at(-1)).toMatchObject({ id: "current", statistic: { failed: 1, total: 1 } });
    expect(of("Status transitions")?.data.at(-1)).toMatchObject({ regressed: 1, fixed: 0 });
    expect(of("Stability by section")?.data).toEqual([{ id: "admin-4", stabilityRate: 50 }]);
    expect(of("Age of failures")?.data).toEqual([expect.objectContaining({ id: "current", failed: 1 })]);
    expect(JSON.stringify(of("Success rate")?.treeMap)).not.toContain("admin-4.3");
    expect(of("Duration dynamics")?.data.at(-1)).toMatchObject({ id: "current", duration: 1000 });
    expect(of("Growth of checks")?.data.at(-1)).toMatchObject({ "new:skipped": 1 });

    const link = 'href="dashboard/index.html"';
    expect(readFileSync(join(allureReport, "index.html"), "utf8")).toContain(link);
    expect(readFileSync(singleReport, "utf8")).toContain('href="allure-report/dashboard/index.html"');
    expect(dashboard).toContain('href="../../report.html"');
    expect(readFileSync(join(allureReport, "history.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(30);
  },
);
