/** How a reference server is started. */
import type { BehaviourChange } from "./behaviour.ts";
import type { RateLimit } from "./http/rate-limit.ts";

export interface ReferenceOptions {
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
  /** The API token of both services; "reference-token" unless given. */
  readonly token?: string;
  /** The only cluster that exists; null and undefined: any. */
  readonly cluster?: string | null;
  /** Set: the log API demands Basic authentication with this user and the token. Null and undefined: none. */
  readonly logsUser?: string | null;
  /** Multi-tenant mode of the log API: X-Scope-OrgID is required and isolates; `a|b` reads the union. */
  readonly tenancy?: boolean;
  /** Whether the admin API refuses requests without the token; true unless given. */
  readonly authEnforced?: boolean;
  /** Added to each answer, ms. */
  readonly latencyMs?: number;
  /** Log requests beyond it get 429; null and undefined: no limit. */
  readonly rateLimit?: RateLimit | null;
  /** The log service's own name in its paths; "logs" unless given. */
  readonly segment?: string;
  /** PEM key and certificate: https instead of http. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** After so many ms the service reads its limits from object storage anew; a minute unless given (docs/1 section 8 rule 3). */
  readonly refreshMs?: number;
  /** The clock, ms since the epoch. */
  readonly now?: () => number;
  /** Faults and variants, applied in order. */
  readonly behaviours?: readonly BehaviourChange[];
}

/** The options with everything filled in that the rules look at. */
export interface ResolvedOptions {
  readonly token: string;
  readonly cluster: string | null;
  readonly logsUser: string | null;
  readonly tenancy: boolean;
  readonly authEnforced: boolean;
  readonly latencyMs: number;
  readonly rateLimit: RateLimit | null;
  readonly segment: string;
  readonly refreshMs: number;
  readonly now: () => number;
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
