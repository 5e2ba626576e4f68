import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { ENCODERS } from "../client/encoders-testing.ts";
import { packageRoot, readSchema } from "../model/schemas.ts";
import type { Summary } from "../report/model.ts";
import { emptyFolder, plumbline, start } from "./testing.ts";

function summaryIn(folder: string): Summary {
  return JSON.parse(readFileSync(join(folder, "reports/summary.json"), "utf8")) as Summary;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

// These tests run concurrently, because a run mostly waits. Only a few run at the same time, because some tests measure the duration of a
// run.
test.concurrent("without settings a run judges the embedded server and writes each output", async ({ onTestFinished }) => {
  const folder = emptyFolder(onTestFinished);
  const { code, stdout, stderr } = await plumbline(["run", "--profile", "smoke"], {}, folder);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("Judged: embedded reference server, not a deployment");
  expect(readdirSync(join(folder, "reports")).toSorted()).toEqual([
    "allure-report",
    "allure-results",
    "created.jsonl",
    "junit.xml",
    "metrics.prom",
    "observations.json",
    "report.html",
    "summary.json",
  ]);
  expect(readdirSync(folder)).toEqual(["reports"]);
  const besideProgram = ["dist", "dist/src"].map((place) => join(packageRoot(), place, "node_modules"));
  expect(besideProgram.filter((path) => existsSync(path))).toEqual([]);
  const summary = summaryIn(folder);
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  expect(ajv.validate(readSchema("report/summary.json"), summary), ajv.errorsText()).toBe(true);
  expect(summary).toMatchObject({ verdict: "conformant", totals: { fail: 0, inconclusive: 0 } });
  const created = readFileSync(join(folder, "reports/created.jsonl"), "utf8").trim().split("\n");
  expect(created.length).toBeGreaterThanOrEqual(summary.run.instancesCreated);
  for (const line of created) expect((JSON.parse(line) as { name: string }).name).toContain(summary.run.id);
});

// The next test runs alone, because other tests would change its duration.
test("a run against a wrong port is inconclusive within two minutes", async () => {
  const folder = emptyFolder();
  const env = { BASE_URL: "http://127.0.0.1:9", API_TOKEN: "some-token", METRICS_CLUSTER: "c" };
  const { code, stdout } = await plumbline(["run"], env, folder);
  expect(code, stdout).toBe(3);
  const summary = summaryIn(folder);
  expect(summary).toMatchObject({ verdict: "inconclusive", totals: { pass: 0, fail: 0 } });
  // If the run did not give up early, it would take its whole RUN_TIMEOUT_MS of 10 min.
  expect(summary.run.durationMs).toBeLessThan(120_000);
});

test.concurrent.for([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s, also if it is repeated at once, ends a run with %i and with the reports of the ended checks",
  // The test is retried once, because other tests run at the same time and may make the first attempt too slow.
  { retry: 1 },
  async ([signal, expected], { onTestFinished }) => {
    // The target never answers, so the run is certainly still waiting when the signal arrives.
    const server = createServer(() => undefined);
    const url = await listening(server);
    const folder = emptyFolder(onTestFinished);
    const { process: child, printed, ended } = start(["run", "--verbose"], { LOGS_BASE_URL: url }, folder);
    // When the signal arrives, some checks have already ended. It must interrupt all other checks.
    await printed("not run  logs-");
    child.kill(signal);
    // Programs such as `timeout` send a signal twice: to the process, and to the group of the process.
    setTimeout(() => child.kill(signal), 50);
    const { code, stdout } = await ended;
    server.closeAllConnections();
    server.close();
    expect(code, stdout).toBe(expected);
    expect(stdout).toContain(`interrupted by ${signal}`);
    expect(summaryIn(folder)).toMatchObject({ verdict: "inconclusive", run: { interrupted: signal } });
    expect(existsSync(join(folder, "reports/report.html"))).toBe(true);
  },
);

test.concurrent("two runs at the same time do not affect each other", async ({ onTestFinished }) => {
  const folder = emptyFolder(onTestFinished);
  const runs = ["a", "b"].map(async (name) => plumbline(["run", "--only", "logs-4.labels", "--reports-dir", name], {}, folder));
  for (const { code, stdout } of await Promise.all(runs)) expect(code, stdout).toBe(0);
  const ids = ["a", "b"].map((name) => (JSON.parse(readFileSync(join(folder, name, "summary.json"), "utf8")) as Summary).run.id);
  expect(new Set(ids).size).toBe(2);
});

test.concurrent("a run replaces its own outputs, keeps other files, and keeps the history of the report", async ({ onTestFinished }) => {
  const folder = emptyFolder(onTestFinished);
  const whole = ["run", "--profile", "smoke"];
  await plumbline(whole, {}, folder);
  writeFileSync(join(folder, "reports/mine.txt"), "mine");
  writeFileSync(join(folder, "reports/allure-results/stale-result.json"), "{}");
  await plumbline(whole, {}, folder);
  // A run of only some clauses does not change the history.
  await plumbline([...whole, "--only", "logs-4.labels"], {}, folder);
  expect(readFileSync(join(folder, "reports/mine.txt"), "utf8")).toBe("mine");
  expect(existsSync(join(folder, "reports/allure-results/stale-result.json"))).toBe(false);
  expect(readFileSync(join(folder, "reports/allure-report/history.jsonl"), "utf8").trim().split("\n")).toHaveLength(2);
});

/**
 * Returns the forms in which a server may repeat a token: unchanged, in base64, encoded by each encoder, and each of these percent-encoded.
 */
function formsOf(tokens: readonly string[]): string[] {
  return tokens.flatMap((token) => [
    token,
    Buffer.from(token).toString("base64"),
    ...Object.values(ENCODERS).flatMap((encode) => [encode(token), encodeURIComponent(encode(token))]),
  ]);
}

/** Returns a server whose responses repeat the received credentials and the tokens in each form. */
function leakyServer(tokens: readonly string[]): Server {
  const forms = formsOf(tokens);
  const written = ENCODERS["JSON of Gson"]?.(tokens.join(" ")) ?? "";
  return createServer((request: IncomingMessage, response) => {
    request.resume();
    const leaked = [...forms, request.headers.authorization ?? "", JSON.stringify(request.headers)];
    response.writeHead(200, { "content-type": "application/json", "x-leak": tokens[0], etag: `"${encodeURIComponent(tokens[0] ?? "")}"` });
    response.end(`{"error":"${written}",${JSON.stringify({ data: leaked, name: leaked.join(" "), limits: leaked }).slice(1)}`);
  });
}

/** Returns the decoded text of each long base64 text. Reports have attachments in base64, which must not contain tokens either. */
function decoded(text: string): string {
  return [...text.matchAll(/[A-Za-z0-9+/]{80,}={0,2}/g)].map(([encoded]) => Buffer.from(encoded, "base64").toString("utf8")).join("\n");
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  equals: "=",
  plus: "+",
  sol: "/",
  percnt: "%",
};

const ESCAPE = /%([\dA-F]{2})|\\u([\dA-F]{4})|&#x([\dA-F]+);|&#(\d+);|&([a-z]{2,6});|\\(["'\\/])/gi;

/** Returns the text with one layer of each kind of escape decoded. */
function unescaped(text: string): string {
  return text.replaceAll(
    ESCAPE,
    (all, percent?: string, json?: string, hex?: string, decimal?: string, name?: string, escaped?: string) => {
      const hexadecimal = percent ?? json ?? hex;
      if (hexadecimal !== undefined) return String.fromCharCode(Number.parseInt(hexadecimal, 16));
      if (decimal !== undefined) return String.fromCharCode(Number(decimal));
      return (name === undefined ? escaped : NAMED[name]) ?? all;
    },
  );
}

test("the decoder of this test reads each form that the encoders write", () => {
  const token = `t&k<en>="x'y/z+%`;
  for (const one of Object.values(ENCODERS))
    for (const other of Object.values(ENCODERS)) expect(unescaped(unescaped(other(one(token))))).toBe(token);
});

test.concurrent("no output has a token in any encoding, even if the target repeats it", async ({ onTestFinished }) => {
  const metrics = `t&k<en>="x'y/z+%`;
  const logs = "l0gs t0ken/with+more=characters";
  const gateway = "gateway-s3cr3t-value";
  const server = leakyServer([metrics, logs, gateway]);
  const url = await listening(server);
  const folder = emptyFolder(onTestFinished);
  writeFileSync(join(folder, "headers.json"), JSON.stringify({ "X-Gateway": gateway }));
  const env = {
    BASE_URL: url,
    METRICS_API_TOKEN: metrics,
    METRICS_CLUSTER: "c",
    LOGS_USER: "user",
    LOGS_API_TOKEN: logs,
    EXTRA_HEADERS_FILE: "headers.json",
    SETTLE_TIMEOUT_MS: "500",
    PROFILE: "smoke",
  };
  const { code, stdout, stderr } = await plumbline(["run", "--only", "admin-4.*,admin-5.*,logs-*"], env, folder);
  server.closeAllConnections();
  server.close();
  expect(code, stdout).toBe(1);
  const secrets = [
    // Outputs must not contain the middle part of a token either.
    ...[metrics, logs, gateway].map((token) => token.slice(2, -2)),
    ...[metrics, logs, gateway, `:${metrics}`, `user:${logs}`].map((text) => Buffer.from(text).toString("base64").replace(/=+$/, "")),
  ];
  const files = filesBelow(join(folder, "reports"));
  expect(files.length).toBeGreaterThan(10);
  for (const [name, text] of [
    ["stdout", stdout],
    ["stderr", stderr],
    ...files.map((path) => [path, readFileSync(path, "utf8")]),
  ] as const) {
    for (const layer of [text, decoded(text)]) {
      const once = unescaped(layer);
      const twice = unescaped(once);
      const texts = [layer, once, twice, unescaped(twice)];
      const held = secrets.filter((secret) => texts.some((one) => one.includes(secret)));
      expect(held.length, `${name} holds a token`).toBe(0);
    }
  }
});
