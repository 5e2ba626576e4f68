/** What a request asks for, as the faults of what is kept tell requests apart. */
import type { HttpRequest } from "../http/message.ts";
import type { Window } from "../logs/types.ts";

export function windowOf({ query }: HttpRequest): Window {
  return { from: BigInt(query.get("start") ?? 0), to: BigInt(query.get("end") ?? 0) };
}

/** The tenants that it names, as they are written. */
export function tenantsOf({ headers }: HttpRequest): string {
  return headers["x-scope-orgid"] ?? "";
}

/** Behind the newest ten minutes, which services never take to stay as they are. */
export const SETTLED_NS = 600_000_000_000n;
