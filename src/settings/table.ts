/** The table of settings. Parsing, `--help`, `.env.example` and the table in docs/settings.md are derived from its rows. */

/**
 * The kind of value.
 * - `url`: a base URL
 * - `secret`: a text that is never a flag and never printed
 * - `file`: the path of a file that is read immediately
 * - `integer`: an integer from `min` to `max`
 * - `choice`: one of `choices`
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
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

const BOTH = "Both services";
const ADMIN = "Metrics admin API";
const LOGS = "Log API";
const TRANSPORT = "Transport";
const RUN = "The run";

const MAX_MS = 2_147_483_647;

const KIB = 1024;

const table = {
  BASE_URL: {
    kind: "url",
    group: BOTH,
    description: "Base URL of each service whose own base URL is not set; a path prefix is allowed",
    default: "none; without any base URL, the run judges the embedded reference server",
    example: "https://gateway.example.com/prefix",
  },
  API_TOKEN: {
    kind: "secret",
    group: BOTH,
    description: "API token of each service whose own token is not set",
    default: "none",
    example: "the token",
  },
  API_TOKEN_FILE: {
    kind: "file",
    group: BOTH,
    description: "File that holds API_TOKEN",
    default: "none",
    example: "/run/secrets/api-token",
  },
  METRICS_BASE_URL: {
    kind: "url",
    group: ADMIN,
    description: "Base URL of the admin API, the part before /admin/api/v1",
    default: "BASE_URL",
    example: "https://metrics.example.com",
  },
  METRICS_API_TOKEN: {
    kind: "secret",
    group: ADMIN,
    description: "API token of the admin API: Basic authentication with an empty username; required with an admin URL",
    default: "API_TOKEN",
    example: "the token",
  },
  METRICS_API_TOKEN_FILE: {
    kind: "file",
    group: ADMIN,
    description: "File that holds METRICS_API_TOKEN",
    default: "none",
    example: "/run/secrets/metrics-token",
  },
  METRICS_CLUSTER: {
    kind: "text",
    group: ADMIN,
    description: "Name of an existing cluster, in which a run creates its instances; required with an admin URL",
    default: "the cluster of the reference server",
    example: "prod-1",
  },
  METRICS_EXPECTED_DEFAULTS: {
    kind: "file",
    group: ADMIN,
    description: "JSON file with the global default limits of this deployment, if they differ from the document",
    default: "the table of the document",
    example: "./expected-defaults.json",
  },
  METRICS_AUTH_ENFORCED: {
    kind: "boolean",
    group: ADMIN,
    description: "Opt-in: a request without a token, or with a wrong token, must not succeed",
    default: "false; true for the embedded server",
    example: "true",
  },
  LOGS_BASE_URL: {
    kind: "url",
    group: LOGS,
    description: "Base URL of the log API, the part before /<segment>/api/v1",
    default: "BASE_URL",
    example: "https://logs.example.com",
  },
  LOGS_PATH_SEGMENT: {
    kind: "text",
    group: LOGS,
    description: "Name of the service in the paths of the log API",
    default: "logs",
    example: "loki",
  },
  LOGS_USER: {
    kind: "text",
    group: LOGS,
    description:
      "User of Basic authentication, with LOGS_API_TOKEN as the password; without a user, log requests have no Authorization header",
    default: "none",
    example: "12345",
  },
  LOGS_API_TOKEN: {
    kind: "secret",
    group: LOGS,
    description: "API token of the log API: the password of LOGS_USER",
    default: "API_TOKEN",
    example: "the token",
  },
  LOGS_API_TOKEN_FILE: {
    kind: "file",
    group: LOGS,
    description: "File that holds LOGS_API_TOKEN",
    default: "none",
    example: "/run/secrets/logs-token",
  },
  LOGS_TENANT_ID: {
    kind: "text",
    group: LOGS,
    description: "Tenant id that every log request sends as X-Scope-OrgID",
    default: "none",
    example: "tenant-a",
  },
  LOGS_TENANT_ID_2: {
    kind: "text",
    group: LOGS,
    description: "Opt-in: id of a second tenant, for the checks of isolation",
    default: "none",
    example: "tenant-b",
  },
  LOGS_MULTI_TENANT_QUERIES: {
    kind: "boolean",
    group: LOGS,
    description: "Opt-in: reads of several tenants (`a|b`) are enabled on the target",
    default: "false; true for the embedded server",
    example: "true",
  },
  LOGS_AUTH_ENFORCED: {
    kind: "boolean",
    group: LOGS,
    description: "Opt-in: a request without a token, or with a wrong token, must not succeed",
    default: "false; true for the embedded server",
    example: "true",
  },
  LOGS_EXPECT_RATE_LIMIT: {
    kind: "boolean",
    group: LOGS,
    description:
      "Opt-in: a check overloads the log API until it answers 429, and then waits until requests succeed (this check runs last and alone)",
    default: "false; true for the embedded server",
    example: "true",
  },
  TLS_CA_FILE: {
    kind: "file",
    group: TRANSPORT,
    description: "CA bundle (PEM) that verifies the certificates of the targets",
    default: "none",
    example: "./ca.pem",
  },
  TLS_INSECURE: {
    kind: "boolean",
    group: TRANSPORT,
    description: "Accept each certificate without verification",
    default: "false",
    example: "true",
  },
  EXTRA_HEADERS_FILE: {
    kind: "file",
    group: TRANSPORT,
    description: "JSON object of headers for a gateway in front of the services; the values are secrets",
    default: "none",
    example: "./gateway-headers.json",
  },
  CONCURRENCY: {
    kind: "integer",
    group: TRANSPORT,
    description: "Maximum number of requests at the same time",
    default: "8",
    example: "8",
    min: 1,
    max: 1024,
  },
  REQUEST_TIMEOUT_MS: {
    kind: "integer",
    group: TRANSPORT,
    description: "Time limit in ms for one request and its response",
    default: "10000",
    example: "10000",
    min: 1,
    max: MAX_MS,
  },
  SETTLE_TIMEOUT_MS: {
    kind: "integer",
    group: TRANSPORT,
    description: "Time in ms after which reads must show a write",
    default: "15000",
    example: "15000",
    min: 1,
    max: MAX_MS,
  },
  PROFILE: {
    kind: "choice",
    group: RUN,
    description: "How much the run tests: smoke, release or nightly",
    default: "release",
    example: "release",
    choices: ["smoke", "release", "nightly"],
  },
  SEED: {
    kind: "integer",
    group: RUN,
    description: "Seed of the generated inputs; each run prints its seed",
    default: "1729 for smoke and release, a new seed for each nightly run",
    example: "1729",
    min: -2_147_483_648,
    max: 2_147_483_647,
  },
  RUN_TIMEOUT_MS: {
    kind: "integer",
    group: RUN,
    description: "Time limit in ms for the whole run",
    default: "smoke 60000, release 600000, nightly 1800000",
    example: "600000",
    min: 1,
    max: MAX_MS,
  },
  MAX_REQUESTS: {
    kind: "integer",
    group: RUN,
    description: "Maximum number of requests of the whole run",
    default: "smoke 400, release 3000, nightly 50000",
    example: "3000",
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  },
  MAX_INSTANCES: {
    kind: "integer",
    group: RUN,
    description: "Maximum number of instances that the run creates",
    default: "smoke 8, release 40, nightly 40",
    example: "40",
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  },
  MAX_PUSH_BYTES: {
    kind: "integer",
    group: RUN,
    description: "Maximum bytes of log lines that the run pushes; the opt-in overload check may push up to 64 MiB more",
    default: "smoke 262144, release 8388608, nightly 268435456",
    example: "8388608",
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  },
  DEVIATIONS_FILE: {
    kind: "file",
    group: RUN,
    description: "JSON file of accepted deviations; schemas/report/deviations.json describes it, and comments are allowed",
    default: "none",
    example: "./deviations.json",
  },
  BASELINE_DIR: {
    kind: "path",
    group: RUN,
    description: "Report folder of an earlier run, with which the run is compared",
    default: "none",
    example: "./baseline",
  },
  RUN_ID: {
    kind: "text",
    group: RUN,
    description: "Run id that the shards of one run share: 3 to 13 lower-case letters and digits, the first a letter; only with --shard",
    default: "a new id for each run",
    example: "r17342",
  },
  NOTIFY_URL_FILE: {
    kind: "file",
    group: RUN,
    description:
      "File that holds the address of a webhook, which is a secret; when the run has ended, the webhook gets the verdict and the counts",
    default: "none",
    example: "/run/secrets/webhook",
  },
  CLEANUP: {
    kind: "choice",
    group: RUN,
    description:
      "`delete`: the run tries to delete the instances that it created; the responses are not judged, and failures are reported separately",
    default: "none",
    example: "delete",
    choices: ["none", "delete"],
  },
  REPORTS_DIR: {
    kind: "path",
    group: RUN,
    description: "Folder for all outputs",
    default: "reports",
    example: "./reports",
  },
} as const satisfies Record<string, SettingRow>;

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
} as const;

/** The seed of smoke and release runs. It is fixed, so that all these runs have the same inputs. */
export const FIXED_SEED = 1729;
