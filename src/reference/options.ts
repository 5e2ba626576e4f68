/** The options of a reference server. */
import type { BehaviourChange, ResolvedOptions } from "./behaviour.ts";
import type { RateLimit } from "./http/rate-limit.ts";

export interface ReferenceOptions {
  /** The port on 127.0.0.1. With 0, the default, the system chooses a free port. */
  readonly port?: number;
  /** The API token of both services. The default is "reference-token". */
  readonly token?: string;
  /** The name of the only cluster that exists. With null or undefined, the server accepts any cluster. */
  readonly cluster?: string | null;
  /** The user that the log API requires, with the token. With null or undefined, no credentials are required. */
  readonly logsUser?: string | null;
  /** Whether each log request needs X-Scope-OrgID and sees only its tenant. The value `a|b` reads both tenants. */
  readonly tenancy?: boolean;
  /** Whether the admin API refuses requests without the token. The default is true. */
  readonly authEnforced?: boolean;
  /** A delay that is added to each response, in ms. */
  readonly latencyMs?: number;
  /** The rate of requests to the log API above which requests get 429. With null or undefined, the server has no rate limit. */
  readonly rateLimit?: RateLimit | null;
  /** The path segment of the log service. The default is "logs". */
  readonly segment?: string;
  /** The key and the certificate of the server as PEM. If `tls` is set, the server uses https. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The ms after which the service reads its limits from its store again, by default 1 minute (docs/1 section 8 rule 3). */
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
