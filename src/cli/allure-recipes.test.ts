/** Tests the files of `recipes/allure` in the way that `docs/allure.md` describes. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { emptyFolder } from "./testing.ts";

const RECIPES = join(packageRoot(), "recipes/allure");

/** The quality gate of Allure uses a method of iterators that Node 20 does not have. */
const NODE_22 = "Object.getPrototypeOf(Object.getPrototypeOf([].values())).toArray ??= function () { return [...this]; };";

interface Ended {
  readonly code: number;
  readonly said: string;
}

async function ended(program: string, args: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { PATH = "", HOME = "" } = process.env;
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env: { PATH, HOME, ...env } }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, said: stdout + stderr });
    });
  });
}

/** Runs the program of Allure on the results in `folder`, with a recipe as its configuration. */
async function allure(command: string, recipe: string, folder: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const program = join(packageRoot(), "node_modules/allure/cli.js");
  const args = ["--import", `data:text/javascript,${encodeURIComponent(NODE_22)}`, program, command];
  return ended(process.execPath, [...args, "--config", join(RECIPES, recipe), "--cwd", folder, "reports/allure-results"], folder, env);
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
  const { code, said } = await allure("generate", "allurerc.mjs", folder);
  expect(code, said).toBe(0);
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
  const { code, said } = await allure("quality-gate", "quality-gate.mjs", results(made));
  expect(code, said).toBe(expected);
  expect(said).not.toContain("TypeError");
});

/** Starts a server that accepts all requests, and returns its address and the list of its requests. */
async function acceptingServer(): Promise<{ readonly url: string; readonly requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      requests.push(`${request.method ?? ""} ${request.url ?? ""} ${request.headers.authorization ?? ""}\n${body}`);
      response
        .setHeader("content-type", "application/json")
        .end(request.url?.endsWith("/bulk") === true ? "[]" : '{"id":1,"ready":true,"results":[]}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

test("the upload to TestOps has the results and no secret of the environment", async () => {
  const { url, requests } = await acceptingServer();
  const env = {
    CI: "true",
    ALLURE_ENDPOINT: url,
    ALLURE_TOKEN: "token-of-testops",
    ALLURE_PROJECT_ID: "7",
    METRICS_API_TOKEN: "token-of-mine",
  };
  const { code, said } = await allure("generate", "testops.mjs", results([PASSED]), env);
  expect(code, said).toBe(0);
  const launch = requests.find((request) => request.startsWith("POST /api/launch "));
  expect(launch).toContain("token-of-testops");
  expect(launch).toContain('"conformance"');
  expect(requests.find((request) => request.startsWith("POST /api/upload/test-result "))).toContain("check-0");
  const session = requests.find((request) => request.startsWith("POST /api/upload/session"));
  expect(session).toContain('"CI"');
  const bodies = requests.map((request) => request.slice(request.indexOf("\n"))).join("");
  expect(bodies).not.toContain("token-of");
});

test("the site opens on the verdict and leaves the history out", async () => {
  const folder = emptyFolder();
  const report = join(folder, "reports/allure-report");
  mkdirSync(join(report, "dashboard"), { recursive: true });
  for (const file of ["history.jsonl", "index.html", "dashboard/index.html", "../report.html"]) writeFileSync(join(report, file), file);
  for (const attempt of [1, 2]) {
    const { code, said } = await ended("bash", [join(RECIPES, "site.sh"), "reports", "site"], folder);
    expect({ attempt, code, said }).toEqual({ attempt, code: 0, said: "" });
  }
  expect(readdirSync(join(folder, "site")).toSorted()).toEqual(["allure-report", "index.html", "report.html"]);
  expect(readFileSync(join(folder, "site/index.html"), "utf8")).toContain("url=report.html");
  expect(readdirSync(join(folder, "site/allure-report")).toSorted()).toEqual(["dashboard", "index.html"]);
});
