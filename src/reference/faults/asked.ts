/** Parts of requests that the faults of caches use as keys. */
import type { HttpRequest } from "../http/message.ts";
import type { Window } from "../logs/types.ts";

export function windowOf({ query }: HttpRequest): Window {
  return { from: BigInt(query.get("start") ?? 0), to: BigInt(query.get("end") ?? 0) };
}

/** The tenants in the header of the request, as written there. */
export function tenantsOf({ headers }: HttpRequest): string {
  return headers["x-scope-orgid"] ?? "";
}

/** Data older than ten minutes. Caches of services do not treat newer data as final. */
export const SETTLED_NS = 600_000_000_000n;
