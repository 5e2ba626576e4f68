import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SettingsError } from "./error.ts";
import { resolveSettings, type Resolved } from "./resolve.ts";
import type { SettingName } from "./table.ts";
import type { Settings } from "./types.ts";

const folder = mkdtempSync(join(tmpdir(), "plumbline-settings-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const REPORTS = { REPORTS_DIR: join(folder, "reports") };

let files = 0;

/** Writes a new file, and returns its path. */
function file(text: string): string {
  const path = join(folder, `file-${(files += 1)}`);
  writeFileSync(path, text);
  return path;
}

interface Given {
  readonly env?: Record<string, string>;
  readonly flags?: Partial<Record<SettingName, string>>;
  readonly dotenv?: Record<string, string>;
  readonly only?: string;
  readonly run?: Readonly<Record<string, string>>;
}

function resolved({ env = {}, flags = {}, dotenv = {}, only, run = {} }: Given): Resolved {
  const entries = Object.entries(flags) as [SettingName, string][];
  const command = new Map(Object.entries({ ...(only === undefined ? {} : { only }), ...run }));
  return resolveSettings({ flags: new Map(entries), env: { ...REPORTS, ...env }, dotenv }, command);
}

function settingsOf(env: Record<string, string>): Settings {
  return resolved({ env }).settings;
}

const ADMIN = { METRICS_BASE_URL: "https://m.example.com", METRICS_API_TOKEN: "metrics-token", METRICS_CLUSTER: "c1" };
const LOGS = { LOGS_BASE_URL: "https://l.example.com" };

test("without a base URL the embedded server is judged, with all opt-ins", () => {
  const { settings, warnings } = resolved({});
  expect(warnings).toEqual([]);
  expect(settings).toMatchObject({ embedded: true, profile: "release", seed: 1729, cleanup: "none", only: [] });
  expect(settings.admin).toMatchObject({ cluster: "reference", authEnforced: true });
  expect(settings.logs).toMatchObject({ segment: "logs", multiTenantQueries: true, authEnforced: true, expectRateLimit: true });
  expect(settings.logs?.credentials?.token).toBe(settings.admin?.token);
  expect(settings.admin?.token).toMatch(/^[0-9a-f]{48}$/);
});

test("the defaults are the documented defaults", () => {
  const { transport, budgets, settleTimeoutMs } = settingsOf({ ...ADMIN });
  expect(settleTimeoutMs).toBe(15_000);
  expect(transport).toEqual({
    concurrency: 8,
    requestTimeoutMs: 10_000,
    tlsCa: null,
    tlsInsecure: false,
    httpProxy: null,
    httpsProxy: null,
    noProxy: "",
    extraHeaders: {},
  });
  expect(budgets).toEqual({ runTimeoutMs: 600_000, maxRequests: 3000, maxInstances: 40, maxPushBytes: 8_388_608 });
  expect(settingsOf({ ...ADMIN, PROFILE: "smoke" }).budgets).toMatchObject({ maxRequests: 400, maxInstances: 8, maxPushBytes: 262_144 });
  expect(settingsOf({ ...ADMIN, PROFILE: "nightly" }).budgets).toMatchObject({
    maxRequests: 50_000,
    maxInstances: 40,
    maxPushBytes: 268_435_456,
  });
});

test("a remote target has only the opt-ins that are given", () => {
  const settings = settingsOf({ BASE_URL: "https://x.example.com/", API_TOKEN: "shared-token", METRICS_CLUSTER: "c1" });
  expect(settings.embedded).toBe(false);
  expect(settings.admin).toMatchObject({ baseUrl: "https://x.example.com", token: "shared-token", authEnforced: false });
  expect(settings.logs).toEqual({
    baseUrl: "https://x.example.com",
    segment: "logs",
    credentials: null,
    tenantId: null,
    tenantId2: null,
    multiTenantQueries: false,
    authEnforced: false,
    expectRateLimit: false,
  });
});

test("if only one service is configured, the other is not judged", () => {
  expect(settingsOf(LOGS)).toMatchObject({ embedded: false, admin: null, logs: { baseUrl: "https://l.example.com" } });
  expect(settingsOf(ADMIN)).toMatchObject({ embedded: false, logs: null });
});

test("a flag has priority over the environment, then .env, then the default, and an empty value is unset", () => {
  const dotenv = { PROFILE: "nightly", SEED: "3", CONCURRENCY: "2" };
  const env = { SEED: "2", CONCURRENCY: "" };
  const { settings } = resolved({ dotenv, env, flags: { SEED: "1" } });
  expect(settings).toMatchObject({ profile: "nightly", seed: 1 });
  expect(settings.transport.concurrency).toBe(2);
  expect(resolved({ env: { SEED: "2" }, flags: { SEED: "" } }).settings.seed).toBe(2);
});

test("a path prefix is kept, and trailing slashes are removed", () => {
  expect(settingsOf({ LOGS_BASE_URL: "http://h:1/a/b//" }).logs?.baseUrl).toBe("http://h:1/a/b");
});

test("the seed is fixed except in nightly runs, and each 32-bit integer is accepted", () => {
  expect(settingsOf({ PROFILE: "smoke" }).seed).toBe(1729);
  expect(settingsOf({ SEED: "-2147483648" }).seed).toBe(-2_147_483_648);
  expect(settingsOf({ SEED: "2147483647" }).seed).toBe(2_147_483_647);
  const seeds = new Set([1, 2, 3].map(() => settingsOf({ PROFILE: "nightly" }).seed));
  expect(seeds.size).toBeGreaterThan(1);
});

test("a token may come from a file, and the shared token is inherited", () => {
  const path = file("from-file-token\n");
  expect(settingsOf({ ...ADMIN, METRICS_API_TOKEN: "", METRICS_API_TOKEN_FILE: path }).admin?.token).toBe("from-file-token");
  expect(settingsOf({ ...LOGS, LOGS_USER: "u", API_TOKEN: "shared-token" }).logs?.credentials).toEqual({
    user: "u",
    token: "shared-token",
    tokenName: "API_TOKEN",
  });
  const { settings } = resolved({ env: ADMIN, dotenv: { METRICS_API_TOKEN_FILE: path } });
  expect(settings.admin?.token).toBe("metrics-token");
});

test("an inherited token does not contradict a missing user", () => {
  expect(settingsOf({ ...LOGS, API_TOKEN: "shared-token" }).logs?.credentials).toBeNull();
});

test("the expected defaults, extra headers and the CA bundle are read", () => {
  const defaults = file(JSON.stringify({ ingestion_rate: 5, compactor_blocks_retention_period: "30d", extra: { other: 1 } }));
  const headers = file(JSON.stringify({ "X-Gateway": "secret" }));
  const settings = settingsOf({ ...ADMIN, METRICS_EXPECTED_DEFAULTS: defaults, EXTRA_HEADERS_FILE: headers });
  expect(settings.admin?.expectedDefaults).toEqual({
    limits: { ingestion_rate: 5, compactor_blocks_retention_period: "30d" },
    extra: { other: 1 },
  });
  expect(settings.transport.extraHeaders).toEqual({ "X-Gateway": "secret" });
});

test("proxy variables are accepted in upper and lower case", () => {
  const { transport } = settingsOf({ ...LOGS, https_proxy: "http://p.example.com:3128", NO_PROXY: "localhost" });
  expect(transport).toMatchObject({ httpsProxy: "http://p.example.com:3128", noProxy: "localhost" });
});

test("a proxy is checked only if a target is reached through it", () => {
  const env = { HTTP_PROXY: "http://p.example.com:3128", HTTPS_PROXY: "none", NO_PROXY: "" };
  expect(settingsOf({ ...env, LOGS_BASE_URL: "http://l.example.com" }).transport).toMatchObject({
    httpProxy: "http://p.example.com:3128",
    httpsProxy: null,
  });
  expect(settingsOf(env).transport).toMatchObject({ httpProxy: null, httpsProxy: null });
});

test("names that orchestrators set give one warning", () => {
  const { warnings } = resolved({ env: { METRICS_SERVICE_HOST: "1", LOGS_PORT_3100_TCP: "2", TLS_WHATEVER: "3", HTTP_PROXY: "x" } });
  expect(warnings).toEqual(["not settings of this program, ignored: LOGS_PORT_3100_TCP, METRICS_SERVICE_HOST, TLS_WHATEVER"]);
});

test("a short token is accepted with a warning", () => {
  const { warnings } = resolved({ env: { ...ADMIN, METRICS_API_TOKEN: "short" } });
  expect(warnings).toEqual([expect.stringContaining("METRICS_API_TOKEN is shorter than 8 characters")]);
});

function withDefaults(text: string): Record<string, string> {
  return { ...ADMIN, METRICS_EXPECTED_DEFAULTS: file(text) };
}

type Refused = [what: string, env: Record<string, string>, message: RegExp, more?: Omit<Given, "env">];

const refused: readonly Refused[] = [
  ["an empty base URL alone", { METRICS_BASE_URL: "" }, /^METRICS_BASE_URL is present but empty .*for example METRICS_BASE_URL=https/],
  ["an empty shared base URL", { BASE_URL: " " }, /^BASE_URL is present but empty/],
  ["an empty base URL in .env", {}, /^LOGS_BASE_URL in \.env is present but empty/, { dotenv: { LOGS_BASE_URL: "" } }],
  ["an empty base URL flag", {}, /^--base-url is present but empty/, { flags: { BASE_URL: "" } }],
  ["no URL at all", { LOGS_BASE_URL: "example.com" }, /^LOGS_BASE_URL is not an absolute URL/],
  ["another scheme", { LOGS_BASE_URL: "ftp://h" }, /^LOGS_BASE_URL must start with http/],
  ["userinfo", { LOGS_BASE_URL: "https://user:pass@h" }, /^LOGS_BASE_URL must not hold a user or password/],
  ["empty userinfo", { LOGS_BASE_URL: "https://@h" }, /^LOGS_BASE_URL must not hold a user or password/],
  ["a query", { LOGS_BASE_URL: "https://h/?a=1" }, /^LOGS_BASE_URL must not have a query/],
  ["an empty query", { LOGS_BASE_URL: "https://h/?" }, /^LOGS_BASE_URL must not have a query/],
  ["a fragment", { LOGS_BASE_URL: "https://h/#a" }, /^LOGS_BASE_URL must not have a fragment/],
  ["an admin URL without token", { METRICS_BASE_URL: "https://m", METRICS_CLUSTER: "c" }, /^METRICS_API_TOKEN is missing/],
  ["an admin URL without cluster", { METRICS_BASE_URL: "https://m", API_TOKEN: "abcdefgh" }, /^METRICS_CLUSTER is missing/],
  ["a log token without user", { ...LOGS, LOGS_API_TOKEN: "abcdefgh" }, /^LOGS_API_TOKEN is set but LOGS_USER is not/],
  ["a log user without token", { ...LOGS, LOGS_USER: "u" }, /^LOGS_USER is set but neither LOGS_API_TOKEN nor API_TOKEN is/],
  ["a second tenant alone", { ...LOGS, LOGS_TENANT_ID_2: "b" }, /^LOGS_TENANT_ID_2 is set but LOGS_TENANT_ID is not/],
  ["equal tenants", { ...LOGS, LOGS_TENANT_ID: "a", LOGS_TENANT_ID_2: "a" }, /LOGS_TENANT_ID_2 and LOGS_TENANT_ID are equal/],
  [
    "multi-tenant reads of one tenant",
    { ...LOGS, LOGS_TENANT_ID: "a", LOGS_MULTI_TENANT_QUERIES: "true" },
    /LOGS_MULTI_TENANT_QUERIES is true but LOGS_TENANT_ID_2 is not/,
  ],
  ["a tenant list", { ...LOGS, LOGS_TENANT_ID: "a|b" }, /^LOGS_TENANT_ID must be one tenant id/],
  ["a path as segment", { ...LOGS, LOGS_PATH_SEGMENT: "a/b" }, /^LOGS_PATH_SEGMENT must be one path segment/],
  ["a CA bundle nobody reads", { ...LOGS, TLS_INSECURE: "true", TLS_CA_FILE: "x" }, /^TLS_INSECURE and TLS_CA_FILE are both set/],
  ["a missing CA bundle", { ...LOGS, TLS_CA_FILE: join(folder, "none") }, /^TLS_CA_FILE names a file that cannot be read \(ENOENT\)/],
  ["a CA bundle that is none", { ...LOGS, TLS_CA_FILE: file("hello") }, /^TLS_CA_FILE names a file that holds no PEM certificate/],
  ["both a token and its file", { ...ADMIN, METRICS_API_TOKEN_FILE: "x" }, /^METRICS_API_TOKEN and METRICS_API_TOKEN_FILE are both set/],
  ["an empty token file", { ...ADMIN, METRICS_API_TOKEN: "", METRICS_API_TOKEN_FILE: file("\n") }, /names an empty file/],
  ["a token with a line end", { ...ADMIN, METRICS_API_TOKEN: "abcd\nefgh" }, /holds a token with a line end/],
  ["an unknown profile", { PROFILE: "full" }, /^PROFILE must be one of smoke, release, nightly; for example PROFILE=release/],
  ["a boolean that is none", { LOGS_AUTH_ENFORCED: "yes" }, /^LOGS_AUTH_ENFORCED must be true or false/],
  ["a seed that is no integer", { SEED: "1.5" }, /^SEED must be an integer; for example SEED=1729/],
  ["a seed beyond 32 bits", { SEED: "2147483648" }, /^SEED must be between -2147483648 and 2147483647/],
  ["a seed flag that is no integer", {}, /^--seed must be an integer; for example --seed=1729/, { flags: { SEED: "x" } }],
  ["no concurrency", { CONCURRENCY: "0" }, /^CONCURRENCY must be between 1 and/],
  ["no requests", { MAX_REQUESTS: "0" }, /^MAX_REQUESTS must be between 1 and/],
  ["an unknown cleanup", { CLEANUP: "all" }, /^CLEANUP must be one of none, delete/],
  [
    "a slip in the environment",
    { METRICS_BASE_URI: "https://m" },
    /^METRICS_BASE_URI is not a known setting; did you mean METRICS_BASE_URL\?/,
  ],
  ["an unknown name in .env", {}, /^WHATEVER in \.env is not a known setting/, { dotenv: { WHATEVER: "1" } }],
  ["a slip in a new name", { BASELINE_DIRS: "x" }, /^BASELINE_DIRS is not a known setting; did you mean BASELINE_DIR\?/],
  ["a shard of nothing", { RUN_ID: "rabc" }, /^--shard must be i\/n/, { run: { shard: "4/3" } }],
  ["a shard without an id", {}, /^--shard is given but RUN_ID is not set/, { run: { shard: "1/3" } }],
  ["an id without a shard", {}, /^--run-id has no effect without --shard/, { flags: { RUN_ID: "rabc" } }],
  ["an id that fits no name", { RUN_ID: "Run-7" }, /^RUN_ID must be 3 to 13 lower-case/, { run: { shard: "1/3" } }],
  ["drift from nothing", {}, /^--fail-on-drift is given but BASELINE_DIR is not set/, { run: { "fail-on-drift": "true" } }],
  ["no baseline there", { BASELINE_DIR: join(folder, "none") }, /^BASELINE_DIR is not a folder/],
  ["no specs there", {}, /^--specs is not a folder/, { run: { specs: join(folder, "none") } }],
  ["a wait without a number", {}, /^--wait must be a number of seconds/, { run: { wait: "2m" } }],
  ["nothing and everything said", {}, /^--quiet and --verbose are both given/, { run: { quiet: "true", verbose: "true" } }],
  ["a webhook that is none", { NOTIFY_URL_FILE: file("abcdefgh") }, /^NOTIFY_URL_FILE names a file that does not hold/],
  ["deviations that are none", { DEVIATIONS_FILE: file("{}") }, /^DEVIATIONS_FILE names a file without a list "deviations"/],
  ["a proxy that is no URL", { ...LOGS, HTTPS_PROXY: "proxy:3128" }, /^HTTPS_PROXY is not an http or https URL/],
  [
    "a proxy for http that is no URL",
    { LOGS_BASE_URL: "http://l.example.com", HTTP_PROXY: "proxy:3128" },
    /^HTTP_PROXY is not an http or https URL/,
  ],
  ["defaults that are not JSON", withDefaults("{"), /names a file that is not JSON/],
  ["defaults that are a list", withDefaults("[]"), /is not a JSON object/],
  ["an unknown limit", withDefaults('{"ingestion_rat":1}'), /unknown limit "ingestion_rat" \(did you mean ingestion_rate\?\)/],
  ["a limit of the wrong type", withDefaults('{"ingestion_rate":"1"}'), /ingestion_rate is not an integer/],
  ["a retention that is none", withDefaults('{"compactor_blocks_retention_period":"long"}'), /is not a duration string/],
  ["a documented limit as extra", withDefaults('{"extra":{"ingestion_rate":1}}'), /extra holds the documented limit ingestion_rate/],
  ["headers that are no strings", { ...LOGS, EXTRA_HEADERS_FILE: file('{"a":1}') }, /the value of a is not a header value/],
  [
    "a header of the suite's own",
    { ...LOGS, EXTRA_HEADERS_FILE: file('{"Authorization":"x"}') },
    /sets Authorization, which the suite itself sends/,
  ],
  ["a glob that matches nothing", {}, /--only "admin-99\.\*" matches no clause/, { only: "admin-99.*" }],
  ["one glob of two that matches nothing", {}, /--only "nope" matches no clause/, { only: "admin-4.*,nope" }],
  ["globs of clauses that are not judged", {}, /matches only clauses that are not judged/, { only: "logs-6.events" }],
  ["no glob", {}, /--only names no clause/, { only: " , " }],
  ["reports where a file is", { REPORTS_DIR: join(file(""), "x") }, /^REPORTS_DIR is not a folder that can be written/],
  ["reports below a folder that cannot be made", { REPORTS_DIR: "/proc/x/y" }, /^REPORTS_DIR is not a folder that can be written/],
];

test.each<Refused>(refused)("%s is refused", (_what, env, message, more) => {
  const attempt = (): unknown => resolved({ env, ...more });
  expect(attempt).toThrow(SettingsError);
  expect(attempt).toThrow(message);
});

test("shards share an id, and --wait takes seconds", () => {
  const env = { ...LOGS, RUN_ID: "r17" };
  const parts = [1, 2, 3].map((index) => resolved({ env, run: { shard: `${index}/3`, wait: "120s" } }));
  expect(parts.map(({ surroundings }) => [surroundings.runId, surroundings.waitMs])).toEqual([1, 2, 3].map(() => ["r17", 120_000]));
});

test("a replay repeats each setting, and names tokens only by their variable", () => {
  const { settings } = resolved({ env: { ...ADMIN, MAX_REQUESTS: "100", SEED: "3" }, flags: { METRICS_CLUSTER: "c2" } });
  expect(settings.given.environment).toEqual(["METRICS_API_TOKEN"]);
  expect(Object.fromEntries(settings.given.flags)).toEqual({
    "metrics-base-url": "https://m.example.com",
    "metrics-cluster": "c2",
    "max-requests": "100",
  });
});

test("each refusal is one line and never repeats a value", () => {
  const messages = refused.map(([, env, , more = {}]) => {
    try {
      resolved({ env, ...more });
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  });
  expect(messages.filter((message) => message === "" || message.includes("\n"))).toEqual([]);
  expect(messages.filter((message) => /user:pass|abcdefgh/.test(message))).toEqual([]);
});
