/** What a run was asked to do, resolved and validated: no empty strings, no contradictions left. */
import type { LimitName, LimitValue } from "../contract/limits.ts";

export type Profile = "smoke" | "release" | "nightly";

/** Global default limits of one deployment, overriding the document's table row by row. */
export interface ExpectedDefaults {
  readonly limits: { readonly [Name in LimitName]?: LimitValue };
  /** Limits outside the table this deployment returns as well, with their values. */
  readonly extra: { readonly [name: string]: unknown };
}

export interface AdminTarget {
  /** http(s) URL, path prefix allowed, no trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  readonly cluster: string;
  readonly expectedDefaults: ExpectedDefaults;
  readonly authEnforced: boolean;
}

export interface LogsTarget {
  /** http(s) URL, path prefix allowed, no trailing slash. */
  readonly baseUrl: string;
  /** The service's own name in the path. */
  readonly segment: string;
  /** Basic credentials, or null when no Authorization header is sent. */
  readonly credentials: { readonly user: string; readonly token: string } | null;
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
  /** Bytes of log lines. */
  readonly maxPushBytes: number;
}

export interface TransportSettings {
  readonly concurrency: number;
  readonly requestTimeoutMs: number;
  /** PEM text of the CA bundle, or null. */
  readonly tlsCa: string | null;
  readonly tlsInsecure: boolean;
  /** The proxies for `http:` and `https:` targets, or null; `noProxy` is the raw list of hosts without. */
  readonly httpProxy: string | null;
  readonly httpsProxy: string | null;
  readonly noProxy: string;
  /** Headers for a gateway in between; the values are secrets. */
  readonly extraHeaders: { readonly [name: string]: string };
}

/** A failure that its owner has accepted until a date: shown and counted, not gating. */
export interface Deviation {
  /** Glob of clause or check ids. */
  readonly match: string;
  /** Only for this base URL; null: for every target. */
  readonly target: string | null;
  readonly owner: string;
  readonly reason: string;
  readonly link: string | null;
  /** The last day it holds, `YYYY-MM-DD`, UTC. */
  readonly expires: string;
  readonly expired: boolean;
  /** Where it stands in its file. */
  readonly lines: { readonly first: number; readonly last: number };
}

/** One part of a run that is spread over several machines; the first has index 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** What was given, so that the same run can be asked for again: secrets by their variable, never their value. */
export interface Given {
  readonly environment: readonly string[];
  readonly flags: readonly (readonly [flag: string, value: string])[];
}

export interface Settings {
  /** True when no base URL is configured: the embedded reference server is the target of both services. */
  readonly embedded: boolean;
  readonly admin: AdminTarget | null;
  readonly logs: LogsTarget | null;
  readonly transport: TransportSettings;
  /** How long a write may take to become visible. */
  readonly settleTimeoutMs: number;
  readonly profile: Profile;
  /** -2^31 .. 2^31-1. */
  readonly seed: number;
  readonly budgets: Budgets;
  readonly cleanup: "none" | "delete";
  readonly reportsDir: string;
  /** Globs of clause ids, and with a slash in them of check ids; empty means every clause. */
  readonly only: readonly string[];
  readonly deviations: readonly Deviation[];
  readonly shard: Shard | null;
  /** Absolute path of a folder with checks of the user's own, or null. */
  readonly specsDir: string | null;
  readonly given: Given;
}

/** What surrounds a run without changing what is judged; no check sees it. */
export interface Surroundings {
  /** Absolute path of the deviations file, or null. */
  readonly deviationsFile: string | null;
  /** Absolute path of an earlier run's report folder, or null. */
  readonly baselineDir: string | null;
  readonly failOnDrift: boolean;
  /** The run id that shards share, or null for a fresh one. */
  readonly runId: string | null;
  /** A secret. */
  readonly notifyUrl: string | null;
  /** How long to wait until the targets answer and can be written to, or null for not at all. */
  readonly waitMs: number | null;
  readonly verbosity: "quiet" | "normal" | "verbose";
}
