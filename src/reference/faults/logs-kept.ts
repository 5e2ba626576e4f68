/** Faults of servers that cache streams, counts or lists wrongly. */
import { type HttpRequest, isJsonObject } from "../http/message.ts";
import { cached, cachedUntilPush } from "./answer-cache.ts";
import { SETTLED_NS, tenantsOf } from "./asked.ts";
import { fault, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

const TENANTS: FaultDetails = { options: { tenancy: true }, settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two" } };

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

/** Returns the key of a cached count: the changed query, the time and the tenants. */
function keyOfCount(request: HttpRequest, change: (query: string) => string): string {
  return [change(request.query.get("query") ?? ""), request.query.get("time"), tenantsOf(request)].join("\n");
}

/** Returns a faulty server that caches counts of old data under a key that lacks a part of the request. */
function countsKept(clause: string, id: string, sentence: string, keyOf: (request: HttpRequest) => string, details?: FaultDetails): Fault {
  const change: Fault["change"] = (base, { options }) => {
    const kept = cached("logs.query", keyOf)(base);
    return {
      respond: (given, request, route) => {
        const isLongAgo = BigInt(request.query.get("time") ?? 0) < BigInt(options.now()) * 1_000_000n - LONG_AGO_NS;
        return (isLongAgo ? kept : base).respond(given, request, route);
      },
    };
  };
  return fault({ clause, ...details }, id, sentence, change);
}

export const LOGS_KEPT_FAULTS: readonly Fault[] = [
  fault(
    { clause: "logs-4.push", also: ["logs-4.query_range", "logs-4.3", "logs-5.2b"] },
    "logs-selection-kept-until-last-new",
    "A cached selection is renewed only if the last stream of a push is new. Other new streams of the push are not found.",
    (base) => {
      const streamsKnown = new Set<string>();
      let known = new Map<string, ReadonlySet<string>>();
      let text = "";
      return {
        parsePush: (body) => {
          const streams = base.parsePush(body);
          if (typeof streams === "string") return streams;
          const texts = streams.map(({ labels }) => JSON.stringify(labels));
          if (!streamsKnown.has(texts.at(-1) ?? "")) known = new Map();
          for (const one of texts) streamsKnown.add(one);
          return streams;
        },
        parseQuery: (asked) => {
          text = asked;
          return base.parseQuery(asked);
        },
        arrange: (streams, direction) => {
          const found = known.get(text);
          if (found === undefined) known.set(text, new Set(streams.map(({ labels }) => JSON.stringify(labels))));
          const shown = found === undefined ? streams : streams.filter(({ labels }) => found.has(JSON.stringify(labels)));
          return base.arrange(shown, direction);
        },
      };
    },
  ),
  fault(
    { clause: "logs-4.push", also: ["logs-4.query_range"] },
    "logs-selection-kept-by-values",
    "A cached selection is renewed only if a push has a new label value. New streams with known values are not found.",
    (base) => {
      const values = new Set<string>();
      const known = new Map<string, ReadonlySet<string>>();
      let text = "";
      return {
        parsePush: (body) => {
          const streams = base.parsePush(body);
          if (typeof streams !== "string")
            for (const { labels } of streams) for (const [name, value] of Object.entries(labels)) values.add(`${name}=${value}`);
          return streams;
        },
        parseQuery: (asked) => {
          text = asked;
          return base.parseQuery(asked);
        },
        arrange: (streams, direction) => {
          const key = `${values.size} ${text}`;
          const found = known.get(key);
          if (found === undefined) known.set(key, new Set(streams.map(({ labels }) => JSON.stringify(labels))));
          const shown = found === undefined ? streams : streams.filter(({ labels }) => found.has(JSON.stringify(labels)));
          return base.arrange(shown, direction);
        },
      };
    },
  ),

  countsKept(
    "logs-5.2a",
    "logs-old-count-for-all-tenants",
    "A cached count of old data is repeated for other tenants.",
    ({ query }) => [query.get("query"), query.get("time")].join("\n"),
    TENANTS,
  ),
  countsKept(
    "logs-4.query",
    "logs-old-count-whatever-groups",
    "A cached count over more than an hour of old data is repeated for other groups.",
    (request) => keyOfCount(request, (query) => (isOverAnHour(query) ? query.replaceAll(/\s*\bby\s*\([^)]*\)\s*/g, "") : query)),
  ),
  countsKept(
    "logs-4.query",
    "logs-old-count-whatever-range",
    "A cached count over more than an hour of old data is repeated for other ranges of more than an hour.",
    (request) => keyOfCount(request, (query) => (isOverAnHour(query) ? query.replace(RANGE, "") : query)),
  ),
  fault(
    "logs-4.1",
    "logs-seam-store-recent-enough",
    "If entries pushed within the last second fill the limit, older pushes are not read.",
    (base, { options }) => ({
      pick: (streams, limit, direction) => {
        const recent = streams.map(({ labels, entries }) => ({
          labels,
          entries: entries.filter(({ storedAtMs }) => options.now() - storedAtMs <= RECENT_MS),
        }));
        const found = recent.reduce((sum, { entries }) => sum + entries.length, 0);
        return base.pick(found >= limit ? recent : streams, limit, direction);
      },
    }),
  ),
  fault(
    "logs-4.labels",
    "logs-names-first-kept",
    "The first list of label names that is not empty is repeated for ever.",
    cached("logs.labels", tenantsOf, ({ body }) => body.kind === "json" && isJsonObject(body.value) && hasEntries(body.value["data"])),
  ),
  fault(
    "logs-4.label-values",
    "logs-values-empty-kept",
    "If the values of a label were listed before the first push, the list stays empty.",
    cached(
      "logs.label_values",
      (request) => `${request.segments.join("/")} ${tenantsOf(request)}`,
      ({ body }) => body.kind === "json" && isJsonObject(body.value) && !hasEntries(body.value["data"]),
    ),
  ),
  fault(
    { clause: "logs-4.matchers", also: ["logs-4.3"] },
    "logs-match-kept-by-value",
    "A cached selection is found by its value under another label name, until a push.",
    (base) => {
      let kept = new Map<string, string>();
      return {
        respond: (given, request, route) => {
          if (route?.operation === "logs.push") kept = new Map();
          return base.respond(given, request, route);
        },
        parseQuery: (text) => {
          const query = base.parseQuery(text);
          if (query.kind !== "log") return query;
          const matchers = query.matchers.map((matcher) => {
            if (matcher.operator !== "=" || !matcher.name.startsWith("svc_")) return matcher;
            const name = kept.get(matcher.value) ?? matcher.name;
            kept.set(matcher.value, name);
            return { ...matcher, name };
          });
          return { ...query, matchers };
        },
      };
    },
  ),
  fault(
    "logs-4.query",
    "logs-seam-metric-cached-by-filter-count",
    "Until the next push, a cached count over ten minutes or more is repeated for the same number of other line filters.",
    cachedUntilPush("logs.query", (request) => {
      const text = request.query.get("query") ?? "";
      const [, length = "0", unit] = /\[(\d+)([sm])\]/.exec(text) ?? [];
      const isLong = Number(length) * (unit === "m" ? 60 : 1) >= 600;
      const key = isLong ? text.replaceAll(/(?<=[}"])\s*[|!][=~]\s*"[^"]*"/g, "|") : text;
      return [key, request.query.get("time"), tenantsOf(request)].join("\n");
    }),
  ),
];
