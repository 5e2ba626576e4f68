import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dashboardCharts } from "../report/charts.ts";
import { findChromium, openPage } from "./browser-testing.ts";
import { emptyFolder, plumbline, target } from "./testing.ts";

const chromium = findChromium();
if (chromium === null) process.stderr.write("no Chromium on this machine: the report is not looked at in a browser\n");

interface ReportedTest {
  readonly id: string;
  readonly fullName: string;
  readonly status: string;
}

/** Returns the checks of a clause in the data of the report. */
function reported(folder: string, clause: string): ReportedTest[] {
  const data = join(folder, "reports/allure-report/data/test-results");
  return readdirSync(data)
    .map((name) => JSON.parse(readFileSync(join(data, name), "utf8")) as ReportedTest)
    .filter((result) => result.fullName.startsWith(`${clause}/`));
}

/** Returns an expression that clicks the first element whose own text matches. Its value is false if there is no such element. */
function click(pattern: RegExp): string {
  return `(() => {
    const leaf = [...document.querySelectorAll("*")].find((element) => element.children.length === 0 && ${pattern}.test(element.textContent.trim()));
    leaf?.click();
    return leaf !== undefined;
  })()`;
}

function shows(text: string): string {
  return `document.body.innerText.includes(${JSON.stringify(text)})`;
}

/**
 * Opens `report.html` from disk and reads the verdict. Then opens a check, its clause and an exchange, and goes back. Fails if the page
 * fetches anything.
 */
async function look(folder: string, verdict: string, clause: string, result: ReportedTest, texts: readonly string[]): Promise<void> {
  if (chromium === null) return;
  const page = await openPage(chromium);
  try {
    const report = `file://${join(folder, "reports/report.html")}`;
    await page.goTo(report);
    await page.until(shows(verdict));
    // The entries of the browser's history are counted, because not each click adds one.
    await page.until("(window.stepsBefore = history.length, true)");
    await page.until(`(document.querySelector('[data-open="${result.id}"]').click(), true)`);
    await page.until(shows(result.fullName));
    await page.until(shows(clause));
    const isPassed = result.status === "passed";
    if (!isPassed) await page.until(click(/ → (?:\d{3}|no response)(?: \(and \d+ more with the same request and response\))?$/));
    // The report shows the exchanges of a passed check as one text. The click is repeated every second, because the report ignores clicks
    // while it opens a step.
    const [opener, text] = isPassed ? [/^\d+ exchanges?$/, "curl"] : [/^exchange$/, "REQUEST"];
    await page.until(`${shows(text)} || ((window.tries = (window.tries ?? -1) + 1) % 10 === 0 && ${click(opener)}, false)`);
    await page.until(shows("/api/v1/"));
    for (const one of texts) await page.until(shows(one));
    await page.until("(history.go(window.stepsBefore - history.length), true)");
    await page.until(shows("Every clause"));
    await page.until(`(document.querySelector('[data-open="${result.id}"]').click(), true)`);
    await page.until(`(document.querySelector('[data-testid="test-result-meta-link"]')?.click(), location.hash === "#${clause}")`);
    await page.until(shows("Every clause"));
    const outside = page.requests.filter((url) => !/^(?:data:|blob:)/.test(url) && !url.startsWith(report));
    expect(outside).toEqual([]);
    expect(page.requests.length).toBeGreaterThan(5);
  } finally {
    await page.close();
  }
}

/** Follows the link from `report.html` to the dashboard and back. Both pages are opened from disk, and must fetch nothing. */
async function lookAtDashboard(folder: string, verdict: string): Promise<void> {
  if (chromium === null) return;
  const page = await openPage(chromium);
  try {
    const report = `file://${join(folder, "reports/report.html")}`;
    const dashboard = `file://${join(folder, "reports/allure-report/dashboard/index.html")}`;
    await page.goTo(report);
    await page.until(click(/^Charts of this run and of earlier runs$/));
    for (const { title } of dashboardCharts({ profile: "smoke" })) await page.until(shows(title));
    await page.until(shows(verdict));
    await page.until("document.querySelector('[data-testid=\"arc.failed\"]') !== null");
    await page.until(click(/^The verdict with its evidence$/));
    await page.until(shows("Every clause"));
    expect(page.requests.filter((url) => !/^(?:data:|blob:)/.test(url))).toEqual([report, dashboard, report]);
  } finally {
    await page.close();
  }
}

test.skipIf(chromium === null)(
  "the report of a passing run opens from disk, shows a clause and its exchange, and fetches nothing",
  async () => {
    const folder = emptyFolder();
    const { code, stdout } = await plumbline(["run", "--only", "admin-4.2"], {}, folder);
    expect(code, stdout).toBe(0);
    const [result] = reported(folder, "admin-4.2");
    if (result === undefined) throw new Error("the report holds no check of admin-4.2");
    expect(result.status).toBe("passed");
    await look(folder, "CONFORMANT", "admin-4.2", result, ["Passed"]);
  },
  60_000,
);

test.skipIf(chromium === null)(
  "the report of a failing run names the clause, its statement and the exchange that violated it",
  async () => {
    const folder = emptyFolder();
    const env = { ...(await target(onTestFinished, "admin-removal-ignored")), PROFILE: "smoke" };
    const { code, stdout } = await plumbline(["run", "--only", "admin-4.2"], env, folder);
    expect(code, stdout).toBe(1);
    const result = reported(folder, "admin-4.3").find(({ status }) => status === "failed");
    if (result === undefined) throw new Error("the report holds no failed check that judges admin-4.2");
    await look(folder, "NONCONFORMANT", "admin-4.2", result, ["Failed", "The document says", "expected:", "Replay:"]);
    await lookAtDashboard(folder, "NONCONFORMANT");
  },
  120_000,
);
