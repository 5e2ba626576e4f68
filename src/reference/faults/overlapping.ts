/** Slows requests down, so that other requests arrive while a slow request is in progress. */
import type { Behaviour } from "../behaviour.ts";
import type { Operation } from "../http/message.ts";

/** The duration of a slow request, and the part of this duration in which the request is certainly in progress, in ms. */
const TAKES_MS = 12;
const BUSY_MS = 9;

/** The facts about the requests that are in progress when another request arrives. */
export interface Overlap {
  /** Whether some request in progress has the same key as the arriving request. */
  readonly same: boolean;
  readonly others: number;
}

/** Makes some operations of a server slow. Meanwhile the server remembers its requests in progress, by their key. */
export function slowed(
  base: Behaviour,
  operations: readonly Operation[],
): {
  readonly respond: Behaviour["respond"];
  readonly begin: (keys: readonly string[]) => Overlap;
  readonly busy: (key: string) => boolean;
} {
  let open: { readonly since: number; readonly keys: readonly string[] }[] = [];
  const current = (): typeof open => (open = open.filter(({ since }) => performance.now() - since < BUSY_MS));
  return {
    respond: (given, request, route) => {
      const reply = base.respond(given, request, route);
      const slow = route !== undefined && operations.includes(route.operation);
      return slow ? { ...reply, delayMs: (reply.delayMs ?? 0) + TAKES_MS } : reply;
    },
    begin: (keys) => {
      const before = current();
      open = [...before, { since: performance.now(), keys }];
      return { same: before.some((one) => one.keys.some((key) => keys.includes(key))), others: before.length };
    },
    busy: (key) => current().some(({ keys }) => keys.includes(key)),
  };
}
