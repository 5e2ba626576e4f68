import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serve } from "../client/testing.ts";
import { packageRoot } from "../model/schemas.ts";
import { type Ended, emptyFolder, plumbline, start } from "./testing.ts";

test.each([
  [["--help"], /plumbline \[command\]/],
  [["run", "--help"], /METRICS_BASE_URL/],
  [["serve", "--help"], /--fault ID/],
  [["doctor", "--help"], /changes nothing/],
  [["clauses", "--help"], /--format markdown/],
  [["--version"], /^\d+\.\d+\.\d+\n$/],
])("%j prints help and ends with 0", async (args, text) => {
  const { code, stdout, stderr } = await plumbline(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(text);
});

test.each([
  ["an unknown command", ["rum"], {}, /the command must be one of run, serve, doctor, clauses, .*; did you mean run\?/],
  ["an unknown flag", ["--nope"], {}, /--nope is not a known flag/],
  ["a malformed setting", ["run"], { SEED: "x" }, /SEED must be an integer; for example SEED=1729/],
  ["a slip in a name", [], { METRICS_BASE_URLS: "https://m" }, /did you mean METRICS_BASE_URL\?/],
  ["an unfilled URL", [], { METRICS_BASE_URL: "" }, /METRICS_BASE_URL is present but empty/],
  ["a glob that matches nothing", ["--only", "admin-99"], {}, /matches no clause/],
  ["unwritable reports", [], { REPORTS_DIR: "/dev/null/reports" }, /REPORTS_DIR is not a folder that can be written/],
  ["a doctor with a malformed setting", ["doctor"], { PROFILE: "x" }, /PROFILE must be one of/],
  ["a fault that does not exist", ["serve", "--fault", "nope"], {}, /--fault is not a known id/],
  ["a format that does not exist", ["clauses", "--format", "raml"], {}, /--format must be one of text, json, markdown, openapi;/],
  ["a document that does not exist", ["clauses", "--document", "x"], {}, /--document must be one of admin, logs;/],
  ["clauses of the other document", ["clauses", "--document", "logs", "--only", "admin-4.*"], {}, /--only matches no clause/],
  ["a part of a description", ["clauses", "--format", "openapi", "--only", "x"], {}, /--only has no effect with --format openapi/],
  ["a port that is none", ["serve", "--port", "x"], {}, /--port must be an integer/],
])("%s prints one line on stderr and ends with 2", async (_what, args, env, message) => {
  const { code, stdout, stderr } = await plumbline(args, env);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).toMatch(message);
});

test(".env of the working directory is read, and an unknown name in it is refused", async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, ".env"), "PROFILE=smoke\nWHATEVER=1\n");
  const { code, stderr } = await plumbline(["doctor"], {}, folder);
  expect(code).toBe(2);
  expect(stderr).toContain("WHATEVER in .env is not a known setting");
});

test.each([
  ["without a target says what a run would judge", {}, 0, "a run would judge the embedded reference server, not a deployment"],
  ["says that nothing listens at the address", { LOGS_BASE_URL: "http://127.0.0.1:9" }, 3, "no connection: host, port or firewall"],
])("doctor %s", async (_what, env, expected, text) => {
  const { code, stdout } = await plumbline(["doctor"], env);
  expect(code).toBe(expected);
  expect(stdout).toContain(text);
});

test("doctor names a proxy that cannot be reached, and does not use it for a host in NO_PROXY", async () => {
  const env = { LOGS_BASE_URL: "http://127.0.0.1:7", HTTP_PROXY: "http://127.0.0.1:9" };
  const { code, stdout } = await plumbline(["doctor"], env);
  expect(code).toBe(3);
  expect(stdout).toContain("no connection through the proxy: check HTTP_PROXY, HTTPS_PROXY and NO_PROXY");
  expect(stdout).toContain("the proxy http://127.0.0.1:9 (HTTP_PROXY) cannot be reached");
  expect((await plumbline(["doctor"], { ...env, NO_PROXY: "127.0.0.1" })).stdout).toContain("no connection: host, port or firewall");
});

test.each([
  [200, 0, "ok: status 200"],
  [401, 3, "the service refuses the credentials"],
  [404, 3, "check LOGS_PATH_SEGMENT"],
  [302, 3, "redirects are not followed"],
  [503, 3, "not available"],
])("doctor explains status %i of the log API", async (status, expected, text) => {
  const { url, received } = await serve(() => ({ status, body: "{}" }));
  const { code, stdout } = await plumbline(["doctor"], { LOGS_BASE_URL: url, LOGS_USER: "u", LOGS_API_TOKEN: "s3cr3t-token" });
  expect(code).toBe(expected);
  expect(stdout).toContain(text);
  expect(stdout).not.toContain("s3cr3t");
  expect(received).toMatchObject([{ method: "GET", url: "/logs/api/v1/labels" }]);
});

test("clauses prints the catalogue as a table and as JSON", async () => {
  const table = await plumbline(["clauses", "--only", "admin-4.*"]);
  expect(table.code).toBe(0);
  expect(table.stdout).toMatch(/^admin-4\.2 {2,}stated/m);
  const json = await plumbline(["clauses", "--format", "json"]);
  const listed = JSON.parse(json.stdout) as { id: string; judged: boolean; checks: unknown[] }[];
  expect(listed.find((clause) => clause.id === "admin-4.2")?.judged).toBe(true);
  expect(listed.filter((clause) => clause.judged && clause.checks.length === 0).map((clause) => clause.id)).toEqual([]);
});

test("clauses describes one document, or both, as OpenAPI", async () => {
  const [admin, log] = ["admin", "log"].map((name) => readFileSync(join(packageRoot(), `schemas/openapi/${name}.yaml`), "utf8"));
  expect((await plumbline(["clauses", "--format", "openapi", "--document", "admin"])).stdout).toBe(admin);
  expect((await plumbline(["clauses", "--format", "openapi"])).stdout).toBe(`${admin}---\n${log}`);
});

test("clauses prints the clauses of one document", async () => {
  const { code, stdout } = await plumbline(["clauses", "--document", "logs", "--format", "json"]);
  expect(code).toBe(0);
  expect(new Set((JSON.parse(stdout) as { document: string }[]).map(({ document }) => document))).toEqual(new Set(["logs"]));
});

test("the committed page of the contract is up to date with the catalogue and the checks", async () => {
  const page = await plumbline(["clauses", "--format", "markdown"]);
  const committed = readFileSync(join(packageRoot(), "docs/contract.md"), "utf8");
  expect(committed === page.stdout, "docs/contract.md is out of date: npm run contract writes it anew").toBe(true);
});

/** Starts a server, ends it with a signal, and returns what it printed. */
async function served(args: readonly string[]): Promise<Ended> {
  const { process: child, printed, ended } = start(["serve", "--port", "0", ...args]);
  await printed("Ctrl-C ends the server.");
  child.kill("SIGTERM");
  return ended;
}

test("serve prints how to judge the server, answers requests, and ends with 0 on a signal", async () => {
  const { code, stdout } = await served(["--token", "s3cr3t-token"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/BASE_URL=http:\/\/127\.0\.0\.1:\d+ API_TOKEN="\$API_TOKEN" METRICS_CLUSTER=reference npm run conformance/);
  expect(stdout).not.toContain("s3cr3t");
});

test("a server that npm started ends when npm ends, although npm forwards no signal", async () => {
  const main = join(packageRoot(), "dist/src/cli/main.js");
  const starting = `require("node:child_process").spawn(process.execPath, [${JSON.stringify(main)}, "serve", "--port", "0"], { stdio: "inherit" })`;
  const npm = spawn(process.execPath, ["-e", starting], {
    env: { PATH: process.env["PATH"], npm_command: "exec" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const closed = once(npm.stdout, "close");
  const [listening] = (await once(npm.stdout.setEncoding("utf8"), "data")) as [string];
  expect(listening).toContain("reference server listening");
  npm.kill("SIGKILL");
  // The pipe closes when the last process that writes to it has ended. This is the server.
  await closed;
});

test("serve prints the expected defaults that a run against a variant needs", async () => {
  const { stdout } = await served(["--variant", "extra-limits-expected"]);
  expect(stdout).toContain('{"extra":{"max_exemplars_per_user":100000,');
  expect(stdout).toContain(" METRICS_EXPECTED_DEFAULTS=defaults.json npm run conformance");
});

test.each([
  ["admin-auth-none", "METRICS_AUTH_ENFORCED=true"],
  ["logs-tenants-share-everything", "LOGS_TENANT_ID=one LOGS_TENANT_ID_2=two LOGS_MULTI_TENANT_QUERIES=true"],
  ["logs-auth-none", "LOGS_USER=fleet LOGS_AUTH_ENFORCED=true"],
])("serve prints the settings that the fault %s needs", async (id, settings) => {
  const { stdout } = await served(["--fault", id]);
  expect(stdout).toContain(`${id} needs these settings: ${settings}\n`);
  expect(stdout).toContain(` METRICS_CLUSTER=reference ${settings} npm run conformance`);
});

test("serve accepts the id of a merged fault, and prints no settings for a fault that needs none", async () => {
  const { stdout } = await served(["--fault", "admin-limits-by-word"]);
  expect(stdout).toContain("admin-removal-ignored: ");
  expect(stdout).not.toContain("needs these settings");
});

test("serve lists faults and variants by clause, and refuses flags without effect", async () => {
  const { code, stdout } = await plumbline(["serve", "--list", "--only", "admin-4.2"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^admin-4\.2 {2}--fault admin-removal-ignored {2}.+$/m);
  expect(stdout).not.toContain("--variant");
  expect((await plumbline(["serve", "--list", "--port", "1"])).stderr).toContain("--port has no effect with --list");
  expect((await plumbline(["serve", "--only", "admin-4.2"])).stderr).toContain("--only has no effect without --list");
});

test("serve with all opt-ins prints the settings of a run that judges it", async () => {
  const { stdout } = await served(["--auth", "me", "--tenants", "--rate-limit", "400"]);
  expect(stdout).toContain(
    "LOGS_USER=me LOGS_AUTH_ENFORCED=true LOGS_TENANT_ID=tenant-a LOGS_TENANT_ID_2=tenant-b LOGS_MULTI_TENANT_QUERIES=true LOGS_EXPECT_RATE_LIMIT=true npm run conformance",
  );
});
