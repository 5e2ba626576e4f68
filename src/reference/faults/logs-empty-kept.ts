/** Faults of negative caches, which store that a query had an empty result. */
import { isSuccessful, type Reply } from "../http/message.ts";
import type { Window } from "../logs/types.ts";
import { broken, type FaultDetails, faultsOf, type Row } from "./define.ts";
import { hasResult, SETTLED_NS, tenantsOf, windowOf } from "./helpers.ts";
import type { Fault } from "./types.ts";

function within(asked: Window, known: Window): boolean {
  return asked.from >= known.from && asked.to <= known.to;
}

/**
 * A negative cache: it remembers the window in which a query with a filter found nothing, and extends it by further empty windows.
 * If `isEmpty` is true for a later window with the same key, its response is wrongly empty. Windows of the last ten minutes are not cached.
 */
function emptyKept(
  sentence: string,
  isEmpty: (asked: Window, known: Window) => boolean,
  keyOf: (query: string, asked: Window, tenants: string) => string | undefined = (query, _asked, tenants) => `${tenants} ${query}`,
  clause = "logs-4.3",
  details: FaultDetails = {},
): Row {
  const change: Fault["change"] = (base, { options }) => {
    const kept = new Map<string, Window>();
    return {
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        const query = request.query.get("query") ?? "";
        if (route?.operation !== "logs.query_range" || !isSuccessful(reply) || !/\}\s*[|!]=/.test(query)) return reply;
        const asked = windowOf(request);
        if (asked.to > BigInt(options.now()) * 1_000_000n - SETTLED_NS) return reply;
        const key = keyOf(query, asked, tenantsOf(request));
        if (key === undefined) return reply;
        const known = kept.get(key);
        if (hasResult(reply)) return known !== undefined && isEmpty(asked, known) ? emptyAgain(reply) : reply;
        const from = known !== undefined && known.from < asked.from ? known.from : asked.from;
        kept.set(key, { from, to: known !== undefined && known.to > asked.to ? known.to : asked.to });
        return reply;
      },
    };
  };
  return broken({ clause, sentence, ...details }, change);
}

function emptyAgain(reply: Reply): Reply {
  return { ...reply, body: { kind: "json", value: { status: "success", data: { resultType: "streams", result: [] } } } };
}

export const LOGS_EMPTY_KEPT_FAULTS: readonly Fault[] = faultsOf("logs-4.query_range", {
  "logs-empty-windows-joined": emptyKept(
    "If a filtered query found nothing in two windows, the time between them is taken for empty.",
    within,
  ),
  "logs-empty-window-extended": broken(
    "After an empty response, the same query with the same start and a later end is answered as empty, until a push.",
    (base) => {
      let empty = new Set<string>();
      return {
        respond: (given, request, route) => {
          const reply = base.respond(given, request, route);
          if (route?.operation === "logs.push") empty = new Set();
          if (route?.operation !== "logs.query_range" || !isSuccessful(reply)) return reply;
          const key = `${request.query.get("query") ?? ""} ${request.query.get("start") ?? ""}`;
          if (!hasResult(reply)) empty.add(key);
          return empty.has(key) ? emptyAgain(reply) : reply;
        },
      };
    },
  ),
});
