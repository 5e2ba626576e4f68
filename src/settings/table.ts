/** The table of settings. Parsing, `--help`, `.env.example` and the table in docs/settings.md are derived from its rows. */

/**
 * The kind of value.
 * - `url`: a base URL
 * - `secret`: a text that is never a flag and never printed
 * - `file`: the path of a file that is read immediately
 * - `integer`: an integer from `min` to `max`
 * - `choice`: one of several words
 * - `text` and `path`: the text as it is
 */
export type SettingKind = "url" | "secret" | "file" | "boolean" | "integer" | "choice" | "text" | "path";

export interface SettingRow {
  readonly kind: SettingKind;
  /** The heading above the setting in `--help` and `.env.example`. */
  readonly group: string;
  readonly description: string;
  /** The default of the setting, in words. */
  readonly default: string;
  readonly example: string;
  readonly min?: number;
  readonly max?: number;
}

/** The bounds of a number of things, and of a time in ms. A timer in Node.js has no longer delay. */
const COUNT = { min: 1, max: Number.MAX_SAFE_INTEGER };
const MS = { min: 1, max: 2_147_483_647 };

const KIB = 1024;

/** The default of an opt-in. The embedded server can do all that opt-ins ask for. */
const OPT_IN = "false; true for the embedded server";

type Row = Omit<SettingRow, "group">;

/** Makes a row of the table. After the description come an example, the default in words (`otherwise`), and the bounds of an integer. */
function setting(
  kind: SettingKind,
  description: string,
  example: string,
  otherwise = "none",
  bounds: { readonly min?: number; readonly max?: number } = {},
): Row {
  return { kind, description, default: otherwise, example, ...bounds };
}

function inGroup<Name extends string>(group: string, rows: Readonly<Record<Name, Row>>): Record<Name, SettingRow> {
  const named = Object.entries<Row>(rows).map(([name, row]) => [name, { ...row, group }] as const);
  return Object.fromEntries(named) as Record<Name, SettingRow>;
}

const table = {
  ...inGroup("Both services", {
    BASE_URL: setting(
      "url",
      "Base URL of each service whose own base URL is not set; a path prefix is allowed",
      "https://gateway.example.com/prefix",
      "none; without any base URL, the run judges the embedded reference server",
    ),
    API_TOKEN: setting("secret", "API token of each service whose own token is not set", "the token"),
    API_TOKEN_FILE: setting("file", "File that holds API_TOKEN", "/run/secrets/api-token"),
  }),
  ...inGroup("Metrics admin API", {
    METRICS_BASE_URL: setting("url", "Base URL of the admin API, the part before /admin/api/v1", "https://metrics.example.com", "BASE_URL"),
    METRICS_API_TOKEN: setting(
      "secret",
      "API token of the admin API: Basic authentication with an empty username; required with an admin URL",
      "the token",
      "API_TOKEN",
    ),
    METRICS_API_TOKEN_FILE: setting("file", "File that holds METRICS_API_TOKEN", "/run/secrets/metrics-token"),
    METRICS_CLUSTER: setting(
      "text",
      "Name of an existing cluster, in which a run creates its instances; required with an admin URL",
      "prod-1",
      "the cluster of the reference server",
    ),
    METRICS_EXPECTED_DEFAULTS: setting(
      "file",
      "JSON file with the global default limits of this deployment, if they differ from the document",
      "./expected-defaults.json",
      "the table of the document",
    ),
    METRICS_AUTH_ENFORCED: setting("boolean", "Opt-in: a request without a token, or with a wrong token, must not succeed", "true", OPT_IN),
  }),
  ...inGroup("Log API", {
    LOGS_BASE_URL: setting("url", "Base URL of the log API, the part before /<segment>/api/v1", "https://logs.example.com", "BASE_URL"),
    LOGS_PATH_SEGMENT: setting("text", "Name of the service in the paths of the log API", "loki", "logs"),
    LOGS_USER: setting(
      "text",
      "User of Basic authentication, with LOGS_API_TOKEN as the password; without a user, log requests have no Authorization header",
      "12345",
    ),
    LOGS_API_TOKEN: setting("secret", "API token of the log API: the password of LOGS_USER", "the token", "API_TOKEN"),
    LOGS_API_TOKEN_FILE: setting("file", "File that holds LOGS_API_TOKEN", "/run/secrets/logs-token"),
    LOGS_TENANT_ID: setting("text", "Tenant id that every log request sends as X-Scope-OrgID", "tenant-a"),
    LOGS_TENANT_ID_2: setting("text", "Opt-in: id of a second tenant, for the checks of isolation", "tenant-b"),
    LOGS_MULTI_TENANT_QUERIES: setting("boolean", "Opt-in: reads of several tenants (`a|b`) are enabled on the target", "true", OPT_IN),
    LOGS_AUTH_ENFORCED: setting("boolean", "Opt-in: a request without a token, or with a wrong token, must not succeed", "true", OPT_IN),
    LOGS_EXPECT_RATE_LIMIT: setting(
      "boolean",
      "Opt-in: a check overloads the log API until it answers 429, and then waits until requests succeed (this check runs last and alone)",
      "true",
      OPT_IN,
    ),
  }),
  ...inGroup("Transport", {
    TLS_CA_FILE: setting("file", "CA bundle (PEM) that verifies the certificates of the targets", "./ca.pem"),
    TLS_INSECURE: setting("boolean", "Accept each certificate without verification", "true", "false"),
    EXTRA_HEADERS_FILE: setting(
      "file",
      "JSON object of headers for a gateway in front of the services; the values are secrets",
      "./gateway-headers.json",
    ),
    CONCURRENCY: setting("integer", "Maximum number of requests at the same time", "8", "8", { min: 1, max: 1024 }),
    REQUEST_TIMEOUT_MS: setting("integer", "Time limit in ms for one request and its response", "10000", "10000", MS),
    SETTLE_TIMEOUT_MS: setting("integer", "Time in ms after which reads must show a write", "15000", "15000", MS),
  }),
  ...inGroup("The run", {
    PROFILE: setting("choice", "How much the run tests: smoke, release or nightly", "release", "release"),
    SEED: setting(
      "integer",
      "Seed of the generated inputs; each run prints its seed",
      "1729",
      "1729 for smoke and release, a new seed for each nightly run",
      { min: -2_147_483_648, max: 2_147_483_647 },
    ),
    RUN_TIMEOUT_MS: setting("integer", "Time limit in ms for the whole run", "600000", "smoke 60000, release 600000, nightly 1800000", MS),
    MAX_REQUESTS: setting(
      "integer",
      "Maximum number of requests of the whole run",
      "3000",
      "smoke 400, release 3000, nightly 50000",
      COUNT,
    ),
    MAX_INSTANCES: setting("integer", "Maximum number of instances that the run creates", "40", "smoke 8, release 40, nightly 40", COUNT),
    MAX_PUSH_BYTES: setting(
      "integer",
      "Maximum bytes of log lines that the run pushes; the opt-in overload check may push up to 64 MiB more",
      "8388608",
      "smoke 262144, release 8388608, nightly 268435456",
      COUNT,
    ),
    DEVIATIONS_FILE: setting(
      "file",
      "JSON file of accepted deviations; schemas/report/deviations.json describes it, and comments are allowed",
      "./deviations.json",
    ),
    BASELINE_DIR: setting("path", "Report folder of an earlier run, with which the run is compared", "./baseline"),
    RUN_ID: setting(
      "text",
      "Run id that the shards of one run share: 3 to 13 lower-case letters and digits, the first a letter; only with --shard",
      "r17342",
      "a new id for each run",
    ),
    NOTIFY_URL_FILE: setting(
      "file",
      "File that holds the address of a webhook, which is a secret; when the run has ended, the webhook gets the verdict and the counts",
      "/run/secrets/webhook",
    ),
    CLEANUP: setting(
      "choice",
      "`delete`: the run tries to delete the instances that it created; the responses are not judged, and failures are reported separately",
      "delete",
    ),
    REPORTS_DIR: setting("path", "Folder for all outputs", "./reports", "reports"),
  }),
};

export type SettingName = keyof typeof table;

export const SETTINGS: Readonly<Record<SettingName, SettingRow>> = table;

/** The names of all settings, in the order of the table. */
export const SETTING_NAMES = Object.keys(table) as readonly SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(table, name);
}

/** The flag of a setting without its dashes. Null for a secret, because other users of the machine can read a command line. */
export function flagOf(name: SettingName): string | null {
  return SETTINGS[name].kind === "secret" ? null : name.toLowerCase().replaceAll("_", "-");
}

/** The default budgets of each profile. Each budget can be set by a setting. */
export const PROFILE_BUDGETS = {
  smoke: { runTimeoutMs: 60_000, maxRequests: 400, maxInstances: 8, maxPushBytes: 256 * KIB },
  release: { runTimeoutMs: 600_000, maxRequests: 3000, maxInstances: 40, maxPushBytes: 8192 * KIB },
  nightly: { runTimeoutMs: 1_800_000, maxRequests: 50_000, maxInstances: 40, maxPushBytes: 262_144 * KIB },
};

/** The seed of smoke and release runs. It is fixed, so that all these runs have the same inputs. */
export const FIXED_SEED = 1729;
