/** Gives the parts of a request that faulty caches use as keys. */
import type { HttpRequest } from "../http/message.ts";
import type { Window } from "../logs/types.ts";

export function windowOf({ query }: HttpRequest): Window {
  return { from: BigInt(query.get("start") ?? 0), to: BigInt(query.get("end") ?? 0) };
}

/** Returns the tenants of a request, as X-Scope-OrgID has them. */
export function tenantsOf({ headers }: HttpRequest): string {
  return headers["x-scope-orgid"] ?? "";
}

/** Data older than this number of ns count as final. Caches do not treat data of the last ten minutes as final. */
export const SETTLED_NS = 600_000_000_000n;
