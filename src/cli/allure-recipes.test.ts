/** Tests the files of `recipes/allure` in the way that `docs/allure.md` describes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serve } from "../client/testing.ts";
import { packageRoot } from "../model/schemas.ts";
import { type Ended, emptyFolder, ran } from "./testing.ts";

const RECIPES = join(packageRoot(), "recipes/allure");

/** The quality gate of Allure uses a method of iterators that Node 20 does not have. */
const NODE_22 = "Object.getPrototypeOf(Object.getPrototypeOf([].values())).toArray ??= function () { return [...this]; };";

/** Runs the program of Allure on the results in `folder`, with a recipe as its configuration. */
async function allure(command: string, recipe: string, folder: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const program = join(packageRoot(), "node_modules/allure/cli.js");
  const args = ["--import", `data:text/javascript,${encodeURIComponent(NODE_22)}`, program, command];
  return ran(process.execPath, [...args, "--config", join(RECIPES, recipe), "--cwd", folder, "reports/allure-results"], folder, env);
}

interface Made {
  readonly status: string;
  readonly message?: string;
}

/** Returns a folder with results of checks, as a run writes them for Allure. */
function results(made: readonly Made[]): string {
  const folder = emptyFolder();
  const to = join(folder, "reports/allure-results");
  mkdirSync(to, { recursive: true });
  for (const [index, { status, message = "" }] of made.entries()) {
    const uuid = `check-${index}`;
    const result = { uuid, historyId: uuid, fullName: uuid, name: uuid, status, statusDetails: { message }, start: 1, stop: 2 };
    writeFileSync(join(to, `${uuid}-result.json`), JSON.stringify(result));
  }
  return folder;
}

const PASSED = { status: "passed" };
const ACCEPTED = { status: "failed", message: "Deviation accepted until 2027-01-31" };

test("the configuration makes a report, a dashboard and a history", async () => {
  const folder = results([PASSED]);
  const { code, stdout, stderr } = await allure("generate", "allurerc.mjs", folder);
  expect(code, stdout + stderr).toBe(0);
  expect(readFileSync(join(folder, "history.jsonl"), "utf8").trim().split("\n")).toHaveLength(1);
  expect(existsSync(join(folder, "allure/report/index.html"))).toBe(true);
  const dashboard = readFileSync(join(folder, "allure/dashboard/index.html"), "utf8");
  const charts = /d\("widgets\/charts\.json","([^"]*)"\)/.exec(dashboard)?.[1] ?? "";
  const { general } = JSON.parse(Buffer.from(charts, "base64").toString()) as { general: Record<string, { type: string }> };
  expect(Object.values(general).map(({ type }) => type)).toEqual([
    "currentStatus",
    "statusDynamics",
    "statusTransitions",
    "successRateDistribution",
    "durationDynamics",
    "testBaseGrowthDynamics",
  ]);
});

test.each([
  ["passed checks and accepted deviations", [PASSED, ACCEPTED], 0],
  ["a failed check", [PASSED, { status: "failed", message: "admin-4.2 is violated" }], 1],
  ["an inconclusive check", [PASSED, { status: "broken" }], 1],
  ["no check", [], 1],
])("the quality gate judges %s", async (_, made, expected) => {
  const { code, stdout, stderr } = await allure("quality-gate", "quality-gate.mjs", results(made));
  expect(code, stdout + stderr).toBe(expected);
  expect(stdout + stderr).not.toContain("TypeError");
});

test("the upload to TestOps has the results and no secret of the environment", async () => {
  const headers = { "content-type": "application/json" };
  const { url, received } = await serve(({ url: path }) => ({
    status: 200,
    headers,
    body: path.endsWith("/bulk") ? "[]" : '{"id":1,"ready":true,"results":[]}',
  }));
  const env = {
    CI: "true",
    ALLURE_ENDPOINT: url,
    ALLURE_TOKEN: "token-of-testops",
    ALLURE_PROJECT_ID: "7",
    METRICS_API_TOKEN: "token-of-mine",
  };
  const { code, stdout, stderr } = await allure("generate", "testops.mjs", results([PASSED]), env);
  expect(code, stdout + stderr).toBe(0);
  const sentTo = (path: RegExp) => received.find(({ method, url: asked }) => method === "POST" && path.test(asked));
  expect(sentTo(/^\/api\/launch$/)?.headers.authorization).toContain("token-of-testops");
  expect(sentTo(/^\/api\/launch$/)?.body).toContain('"conformance"');
  expect(sentTo(/^\/api\/upload\/test-result$/)?.body).toContain("check-0");
  expect(sentTo(/^\/api\/upload\/session/)?.body).toContain('"CI"');
  expect(received.map(({ body }) => body).join("")).not.toContain("token-of");
});

test("the site opens on the verdict and leaves the history out", async () => {
  const folder = emptyFolder();
  const report = join(folder, "reports/allure-report");
  mkdirSync(join(report, "dashboard"), { recursive: true });
  for (const file of ["history.jsonl", "index.html", "dashboard/index.html", "../report.html"]) writeFileSync(join(report, file), file);
  for (const attempt of [1, 2]) {
    const { code, stdout, stderr } = await ran("bash", [join(RECIPES, "site.sh"), "reports", "site"], folder);
    expect({ attempt, code, said: stdout + stderr }).toEqual({ attempt, code: 0, said: "" });
  }
  expect(readdirSync(join(folder, "site")).toSorted()).toEqual(["allure-report", "index.html", "report.html"]);
  expect(readFileSync(join(folder, "site/index.html"), "utf8")).toContain("url=report.html");
  expect(readdirSync(join(folder, "site/allure-report")).toSorted()).toEqual(["dashboard", "index.html"]);
});
