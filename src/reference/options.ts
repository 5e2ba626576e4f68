/** The options of a reference server. */
import type { BehaviourChange, ResolvedOptions } from "./behaviour.ts";
import type { RateLimit } from "./http/rate-limit.ts";

export interface ReferenceOptions {
  /** The port on 127.0.0.1. The default is 0: the system chooses a free port. */
  readonly port?: number;
  /** The API token of both services. The default is "reference-token". */
  readonly token?: string;
  /** The name of the only cluster. If it is null or undefined, the server accepts each cluster. */
  readonly cluster?: string | null;
  /** The user that the log API requires, with the token. If it is null or undefined, no credentials are required. */
  readonly logsUser?: string | null;
  /** Whether each log request needs X-Scope-OrgID, and reads only the data of this tenant. `a|b` reads the data of two tenants. */
  readonly tenancy?: boolean;
  /** Whether the admin API refuses requests without the token. The default is true. */
  readonly authEnforced?: boolean;
  /** A delay that is added to each response, in ms. */
  readonly latencyMs?: number;
  /** The rate limit of the log API. Requests above it get 429. If it is null or undefined, there is no rate limit. */
  readonly rateLimit?: RateLimit | null;
  /** The path segment of the log service. The default is "logs". */
  readonly segment?: string;
  /** The key and the certificate of the server as PEM. If `tls` is set, the server uses https. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The period in ms after which the service loads its limits again. The default is 1 min (docs/1 section 8 rule 3). */
  readonly refreshMs?: number;
  /** The clock of the server, in milliseconds since 1970. */
  readonly now?: () => number;
  /** The faults and variants that change the server. The changes are applied in the order of the list. */
  readonly behaviours?: readonly BehaviourChange[];
}

export function resolveOptions(options: ReferenceOptions): ResolvedOptions {
  return {
    token: options.token ?? "reference-token",
    cluster: options.cluster ?? null,
    logsUser: options.logsUser ?? null,
    tenancy: options.tenancy ?? false,
    authEnforced: options.authEnforced ?? true,
    latencyMs: options.latencyMs ?? 0,
    rateLimit: options.rateLimit ?? null,
    segment: options.segment ?? "logs",
    refreshMs: options.refreshMs ?? 60_000,
    now: options.now ?? Date.now,
  };
}
