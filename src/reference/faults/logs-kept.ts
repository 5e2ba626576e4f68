/** Faults of servers that cache streams, counts or lists wrongly. */
import type { Behaviour } from "../behaviour.ts";
import { onPush } from "../change.ts";
import { type HttpRequest, isJsonObject, isSuccessful } from "../http/message.ts";
import type { Window } from "../logs/types.ts";
import { broken, faultsOf, type Row, type Told } from "./define.ts";
import {
  cached,
  cachedUntilPush,
  emptied,
  filterEntries,
  firstOfKey,
  hasResult,
  metricKey,
  noted,
  SETTLED_NS,
  tenantsOf,
  TENANTS,
  windowOf,
} from "./helpers.ts";
import type { Fault } from "./types.ts";

function hasEntries(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

/** The greatest age of data that a faulty server keeps in memory, in ms. */
const RECENT_MS = 1_000;

const LONG_AGO_NS = 3n * SETTLED_NS;

/** Matches a range in whole hours, minutes and seconds. */
const RANGE = /\[(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?\]/;

function isOverAnHour(query: string): boolean {
  const [, hours = "0", minutes = "0", seconds = "0"] = RANGE.exec(query) ?? [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) > 3_600;
}

/** Returns a fault: counts of old data are cached under a key that does not have all parts of the request. */
function countsKept(told: Told, keyOf: (request: HttpRequest) => string): Row {
  return broken(told, (base, { options }) => {
    const kept = cached("logs.query", keyOf)(base);
    return {
      respond: (given, request, route) => {
        const isLongAgo = BigInt(request.query.get("time") ?? 0) < BigInt(options.now()) * 1_000_000n - LONG_AGO_NS;
        return (isLongAgo ? kept : base).respond(given, request, route);
      },
    };
  });
}

/** The server caches which streams a query selects. When `version` changes, the cache is renewed. */
function selectionsKept(base: Behaviour, version: () => number): Pick<Behaviour, "parseQuery" | "arrange"> {
  const selected = firstOfKey<ReadonlySet<string>>();
  const { parseQuery, fact } = noted(base, "", (_query, text) => text);
  return {
    parseQuery,
    arrange: (streams, query) => {
      const known = selected(`${version()} ${fact()}`, new Set(streams.map(({ labels }) => JSON.stringify(labels))));
      return base.arrange(
        streams.filter(({ labels }) => known.has(JSON.stringify(labels))),
        query,
      );
    },
  };
}

export const LOGS_KEPT_FAULTS: readonly Fault[] = faultsOf("logs-4.push", {
  "logs-selection-kept-until-last-new": broken(
    {
      sentence: "A cached selection is renewed only if the last stream of a push is new. Other new streams of the push are not found.",
      also: ["logs-4.query_range", "logs-4.3", "logs-5.2b"],
    },
    (base) => {
      const streamsKnown = new Set<string>();
      let renewals = 0;
      return {
        ...selectionsKept(base, () => renewals),
        ...onPush(base, (streams) => {
          const texts = streams.map(({ labels }) => JSON.stringify(labels));
          if (!streamsKnown.has(texts.at(-1) ?? "")) renewals += 1;
          for (const one of texts) streamsKnown.add(one);
          return streams;
        }),
      };
    },
  ),
  "logs-selection-kept-by-values": broken(
    {
      sentence: "A cached selection is renewed only if a push has a new label value. New streams with known values are not found.",
      also: ["logs-4.query_range"],
    },
    (base) => {
      const values = new Set<string>();
      return {
        ...selectionsKept(base, () => values.size),
        ...onPush(base, (streams) => {
          for (const { labels } of streams) for (const [name, value] of Object.entries(labels)) values.add(`${name}=${value}`);
          return streams;
        }),
      };
    },
  ),
  "logs-range-kept-in-any-case": broken(
    {
      clause: "logs-4.3",
      sentence: "For up to two seconds, a range query gets the response to the same query in another letter case.",
      also: ["logs-4.matchers"],
      settleMs: 5_000,
    },
    cached("logs.query_range", (request) =>
      [Math.floor(Date.now() / 2_000), ...tenantsOf(request), ...request.query.values()].join("\n").toLowerCase(),
    ),
  ),
  "logs-old-count-for-all-tenants": countsKept(
    { clause: "logs-5.2a", sentence: "A cached count of old data is repeated for other tenants.", ...TENANTS },
    ({ query }) => [query.get("query"), query.get("time")].join("\n"),
  ),
  "logs-old-count-whatever-groups": countsKept(
    { clause: "logs-4.query", sentence: "A cached count over more than an hour of old data is repeated for other groups." },
    (request) => metricKey(request, (query) => (isOverAnHour(query) ? query.replaceAll(/\s*\bby\s*\([^)]*\)\s*/g, "") : query)),
  ),
  "logs-old-count-whatever-range": countsKept(
    {
      clause: "logs-4.query",
      sentence: "A cached count over more than an hour of old data is repeated for other ranges of more than an hour.",
    },
    (request) => metricKey(request, (query) => (isOverAnHour(query) ? query.replace(RANGE, "") : query)),
  ),
  "logs-seam-store-recent-enough": broken(
    { clause: "logs-4.1", sentence: "If entries pushed within the last second fill the limit, older pushes are not read." },
    (base, { options }) => ({
      pick: (streams, limit, direction) => {
        const recent = filterEntries(streams, ({ storedAtMs }) => options.now() - storedAtMs <= RECENT_MS);
        const found = recent.reduce((sum, { entries }) => sum + entries.length, 0);
        return base.pick(found >= limit ? recent : streams, limit, direction);
      },
    }),
  ),
  "logs-names-first-kept": broken(
    { clause: "logs-4.labels", sentence: "The first list of label names that is not empty is repeated for ever." },
    cached("logs.labels", tenantsOf, ({ body }) => body.kind === "json" && isJsonObject(body.value) && hasEntries(body.value["data"])),
  ),
  "logs-values-empty-kept": broken(
    { clause: "logs-4.label-values", sentence: "If the values of a label were listed before the first push, the list stays empty." },
    cached(
      "logs.label_values",
      (request) => `${request.segments.join("/")} ${tenantsOf(request)}`,
      ({ body }) => body.kind === "json" && isJsonObject(body.value) && !hasEntries(body.value["data"]),
    ),
  ),
  "logs-match-kept-by-value": broken(
    {
      clause: "logs-4.matchers",
      sentence: "A cached selection is found by its value under another label name, until a push.",
      also: ["logs-4.3"],
    },
    (base) => {
      let kept = firstOfKey<string>();
      return {
        respond: (given, request, route) => {
          if (route?.operation === "logs.push") kept = firstOfKey();
          return base.respond(given, request, route);
        },
        parseQuery: (text) => {
          const query = base.parseQuery(text);
          if (query.kind !== "log") return query;
          const matchers = query.matchers.map((matcher) => {
            const isKept = matcher.operator === "=" && matcher.name.startsWith("svc_");
            return isKept ? { ...matcher, name: kept(matcher.value, matcher.name) } : matcher;
          });
          return { ...query, matchers };
        },
      };
    },
  ),
  "logs-seam-metric-cached-by-filter-count": broken(
    {
      clause: "logs-4.query",
      sentence: "Until the next push, a cached count over ten minutes or more is repeated for the same number of other line filters.",
    },
    cachedUntilPush("logs.query", (request) =>
      metricKey(request, (text) => {
        const [, length = "0", unit] = /\[(\d+)([sm])\]/.exec(text) ?? [];
        const isLong = Number(length) * (unit === "m" ? 60 : 1) >= 600;
        return isLong ? text.replaceAll(/(?<=[}"])\s*[|!][=~]\s*"[^"]*"/g, "|") : text;
      }),
    ),
  ),
});

/** Faults of a negative cache: it stores that a query with a filter found nothing in a window, or in several windows. */
export const LOGS_EMPTY_KEPT_FAULTS: readonly Fault[] = faultsOf("logs-4.3", {
  "logs-empty-windows-joined": broken(
    "If a filtered query found nothing in two windows, the time between them is taken for empty.",
    (base, { options }) => {
      const kept = new Map<string, Window>();
      return {
        respond: (given, request, route) => {
          const reply = base.respond(given, request, route);
          const query = request.query.get("query") ?? "";
          if (route?.operation !== "logs.query_range" || !isSuccessful(reply) || !/\}\s*[|!]=/.test(query)) return reply;
          const { from, to } = windowOf(request);
          if (to > BigInt(options.now()) * 1_000_000n - SETTLED_NS) return reply;
          const key = `${tenantsOf(request)} ${query}`;
          const known = kept.get(key) ?? { from, to };
          if (hasResult(reply)) return kept.has(key) && from >= known.from && to <= known.to ? emptied(reply) : reply;
          kept.set(key, { from: known.from < from ? known.from : from, to: known.to > to ? known.to : to });
          return reply;
        },
      };
    },
  ),
  "logs-empty-window-extended": broken(
    {
      clause: "logs-4.query_range",
      sentence: "After an empty response, the same query with the same start and a later end is answered as empty, until a push.",
    },
    (base) => {
      let empty = new Set<string>();
      return {
        respond: (given, request, route) => {
          const reply = base.respond(given, request, route);
          if (route?.operation === "logs.push") empty = new Set();
          if (route?.operation !== "logs.query_range" || !isSuccessful(reply)) return reply;
          const key = `${request.query.get("query") ?? ""} ${request.query.get("start") ?? ""}`;
          if (!hasResult(reply)) empty.add(key);
          return empty.has(key) ? emptied(reply) : reply;
        },
      };
    },
  ),
});
