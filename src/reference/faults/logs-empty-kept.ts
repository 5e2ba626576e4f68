/** Faults of negative caches, which store that a query had an empty result. */
import { isSuccessful, type Reply } from "../http/message.ts";
import { HOUR_NS } from "../logs/hours.ts";
import type { Window } from "../logs/types.ts";
import { cached, hasResult } from "./answer-cache.ts";
import { SETTLED_NS, tenantsOf, windowOf } from "./asked.ts";
import { fault, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

const SEVERAL: FaultDetails = {
  options: { tenancy: true },
  settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two", LOGS_MULTI_TENANT_QUERIES: "true" },
};

/** The hour of the clock that contains the whole window; undefined if the window crosses an hour. */
function hourOf({ from, to }: Window): bigint | undefined {
  return from / HOUR_NS === to / HOUR_NS ? from / HOUR_NS : undefined;
}

/** Whether the time is at most a microsecond from a full hour. */
function isBesideHour(time: bigint): boolean {
  return (time + 1_000n) % HOUR_NS <= 2_000n;
}

function within(asked: Window, known: Window): boolean {
  return asked.from >= known.from && asked.to <= known.to;
}

/**
 * Windows of settled times that a filtered query found empty are kept by its text or another key, one for each, which grows by every
 * further one; `isEmpty` says of which windows it is believed that they are empty, too.
 */
function emptyKept(
  id: string,
  sentence: string,
  isEmpty: (asked: Window, known: Window) => boolean,
  keyOf: (query: string, asked: Window, tenants: string) => string | undefined = (query, _asked, tenants) => `${tenants} ${query}`,
  clause = "logs-4.3",
  details: FaultDetails = {},
): Fault {
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
  return fault(clause, id, sentence, change, details);
}

function emptyAgain(reply: Reply): Reply {
  return { ...reply, body: { kind: "json", value: { status: "success", data: { resultType: "streams", result: [] } } } };
}

export const LOGS_EMPTY_KEPT_FAULTS: readonly Fault[] = [
  emptyKept(
    "logs-empty-windows-joined",
    "If a filtered query found nothing in two windows, the time between them is taken for empty.",
    within,
  ),
  emptyKept(
    "logs-empty-windows-of-hour-joined",
    "If a filtered query found nothing in two windows of an hour, the time between them is taken for empty.",
    within,
    (query, asked) => {
      const hour = hourOf(asked);
      return hour === undefined ? undefined : `${hour} ${query}`;
    },
  ),
  emptyKept(
    "logs-empty-windows-beside-hour-joined",
    "If a filtered query found nothing on both sides of a full hour, the time between these windows is taken for empty.",
    within,
    (query, { from, to }, tenants) => ([from, to].some(isBesideHour) ? `${tenants} ${query}` : undefined),
  ),
  emptyKept(
    "logs-empty-by-first-tenant",
    "If a filter found nothing in a window for one tenant, the window is taken for empty for all lists that begin with this tenant.",
    () => true,
    (query, { from, to }, tenants) => [tenants.split("|")[0], query, from, to].join(" "),
    "logs-5.2b",
    SEVERAL,
  ),
  fault(
    "logs-4.query_range",
    "logs-empty-filtered-whatever-limit",
    "If a query with a line filter found nothing in a window, it finds nothing for ever, also with other limits.",
    cached(
      "logs.query_range",
      (request) => [...["query", "start", "end"].map((name) => request.query.get(name)), tenantsOf(request)].join("\n"),
      (reply, request) => !hasResult(reply) && (request.query.get("query") ?? "").includes("|="),
    ),
  ),
  fault(
    "logs-4.query_range",
    "logs-empty-window-extended",
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
];
