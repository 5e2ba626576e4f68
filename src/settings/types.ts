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
}

export interface TransportSettings {
  readonly concurrency: number;
  readonly requestTimeoutMs: number;
  /** PEM text of the CA bundle, or null. */
  readonly tlsCa: string | null;
  readonly tlsInsecure: boolean;
  /** Proxy URL for https and http targets as HTTPS_PROXY gives it, or null; `noProxy` is the raw list. */
  readonly httpsProxy: string | null;
  readonly noProxy: string;
  /** Headers for a gateway in between; the values are secrets. */
  readonly extraHeaders: { readonly [name: string]: string };
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
  /** Clause-id globs; empty means every clause. */
  readonly only: readonly string[];
}
