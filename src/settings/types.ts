/** The validated settings of a run. They have no empty strings and no contradictions. */
import type { LimitName, LimitValue } from "../contract/limits.ts";

export type Profile = "smoke" | "release" | "nightly";

/** The global defaults of a deployment. They replace the defaults of some limits in the documented table. */
export interface ExpectedDefaults {
  readonly limits: { readonly [Name in LimitName]?: LimitValue };
  /** Limits outside the table that this deployment returns too, with their values. */
  readonly extra: { readonly [name: string]: unknown };
}

/** The name of the environment variable that has a token. Evidence shows the name of this variable instead of the token. */
export type TokenName = "API_TOKEN" | "METRICS_API_TOKEN" | "LOGS_API_TOKEN";

export interface AdminTarget {
  /** The base URL of the service: an http or https URL, perhaps with a path prefix, but without a slash at its end. */
  readonly baseUrl: string;
  readonly token: string;
  readonly tokenName: TokenName;
  readonly cluster: string;
  readonly expectedDefaults: ExpectedDefaults;
  readonly authEnforced: boolean;
}

export interface LogsTarget {
  /** The base URL of the service: an http or https URL, perhaps with a path prefix, but without a slash at its end. */
  readonly baseUrl: string;
  /** The path segment with which the paths of the log API begin. */
  readonly segment: string;
  /** The Basic credentials, or null if requests are sent without an Authorization header. */
  readonly credentials: { readonly user: string; readonly token: string; readonly tokenName: TokenName } | null;
  readonly tenantId: string | null;
  readonly tenantId2: string | null;
  readonly multiTenantQueries: boolean;
  readonly authEnforced: boolean;
  readonly expectRateLimit: boolean;
}

export interface Budgets {
  readonly runTimeoutMs: number;
  readonly maxRequests: number;
  readonly maxInstances: number;
  /** The maximum number of bytes of log lines that a run may push. */
  readonly maxPushBytes: number;
}

export interface TransportSettings {
  readonly concurrency: number;
  readonly requestTimeoutMs: number;
  /** The PEM text of the CA bundle that verifies the target, or null if there is none. */
  readonly tlsCa: string | null;
  readonly tlsInsecure: boolean;
  /** The proxies for `http:` and `https:` targets, or null. `noProxy` is the unparsed list of hosts that need no proxy. */
  readonly httpProxy: string | null;
  readonly httpsProxy: string | null;
  readonly noProxy: string;
  /** Additional headers that a gateway in front of the target requires. The values of these headers are secrets. */
  readonly extraHeaders: { readonly [name: string]: string };
}

/** A failure that its owner has accepted until a date. The failure is reported, but does not fail the run. */
export interface Deviation {
  /** A glob of the clause ids or check ids whose failures are accepted. */
  readonly match: string;
  /** The base URL of the target whose failures are accepted. Null means all targets. */
  readonly target: string | null;
  readonly owner: string;
  readonly reason: string;
  readonly link: string | null;
  /** The last day on which the deviation is accepted, `YYYY-MM-DD` in UTC. */
  readonly expires: string;
  readonly expired: boolean;
  /** The first and the last line of this entry in the deviations file. */
  readonly lines: { readonly first: number; readonly last: number };
}

/** A part of a run that is divided between several machines. The first shard has index 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export interface Given {
  readonly environment: readonly string[];
  readonly flags: readonly (readonly [flag: string, value: string])[];
}

export interface Settings {
  /** True if no base URL is configured. In this case the embedded reference server is the target for both services. */
  readonly embedded: boolean;
  readonly admin: AdminTarget | null;
  readonly logs: LogsTarget | null;
  readonly transport: TransportSettings;
  /** The time in ms after a write until which lag is legal. */
  readonly settleTimeoutMs: number;
  readonly profile: Profile;
  /** The seed of the run, an integer from -2^31 to 2^31-1. */
  readonly seed: number;
  readonly budgets: Budgets;
  readonly cleanup: "none" | "delete";
  readonly reportsDir: string;
  /** Globs that select the clauses of the run by id. A glob with a slash selects checks by id. An empty list selects all clauses. */
  readonly only: readonly string[];
  readonly deviations: readonly Deviation[];
  readonly shard: Shard | null;
  /** The absolute path of the folder with the user's checks, or null. */
  readonly specsDir: string | null;
  readonly given: Given;
}

/** Inputs of a run that have no effect on verdicts, and that no check can read. */
export interface Surroundings {
  /** The absolute path of the deviations file, or null if there is none. */
  readonly deviationsFile: string | null;
  /** The absolute path of the report folder of an earlier run, or null. */
  readonly baselineDir: string | null;
  readonly failOnDrift: boolean;
  /** The run id that all shards of a run share. If it is null, the run makes a new id. */
  readonly runId: string | null;
  /** The address of the webhook that receives the verdict. This address is a secret. */
  readonly notifyUrl: string | null;
  /** The maximum wait in ms until the targets answer reads and writes. If it is null, the run does not wait. */
  readonly waitMs: number | null;
  readonly verbosity: "quiet" | "normal" | "verbose";
}
