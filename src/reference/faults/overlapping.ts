/** Requests that take a few milliseconds, so that others come while they go on. */
import type { Behaviour } from "../behaviour.ts";
import type { Operation } from "../http/message.ts";

/** How long a request takes, and how much of that it is sure to be going on, ms. */
const TAKES_MS = 12;
const BUSY_MS = 9;

/** What else goes on when a request comes. */
export interface Overlap {
  /** Whether one of them works on one of the same keys. */
  readonly same: boolean;
  readonly others: number;
}

/** Lets some operations take their time, and remembers by key what goes on. */
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
