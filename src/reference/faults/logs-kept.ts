/** Faults of servers that cache streams, counts or lists wrongly. */
import { type HttpRequest, isJsonObject } from "../http/message.ts";
import { broken, type FaultDetails, faultsOf, type Row } from "./define.ts";
import { cached, cachedUntilPush, SETTLED_NS, tenantsOf, TENANTS } from "./helpers.ts";
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

/** Returns the key of a cached count: the changed query, the time and the tenants. */
function keyOfCount(request: HttpRequest, change: (query: string) => string): string {
  return [change(request.query.get("query") ?? ""), request.query.get("time"), tenantsOf(request)].join("\n");
}

/** Returns a faulty server that caches counts of old data under a key that lacks a part of the request. */
function countsKept(clause: string, sentence: string, keyOf: (request: HttpRequest) => string, details?: FaultDetails): Row {
  const change: Fault["change"] = (base, { options }) => {
    const kept = cached("logs.query", keyOf)(base);
    return {
      respond: (given, request, route) => {
        const isLongAgo = BigInt(request.query.get("time") ?? 0) < BigInt(options.now()) * 1_000_000n - LONG_AGO_NS;
        return (isLongAgo ? kept : base).respond(given, request, route);
      },
    };
  };
  return broken({ clause, sentence, ...details }, change);
}

export const LOGS_KEPT_FAULTS: readonly Fault[] = faultsOf("logs-4.push", {
  "logs-selection-kept-until-last-new": broken(
    {
      sentence: "A cached selection is renewed only if the last stream of a push is new. Other new streams of the push are not found.",
      also: ["logs-4.query_range", "logs-4.3", "logs-5.2b"],
    },
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
  "logs-selection-kept-by-values": broken(
    {
      sentence: "A cached selection is renewed only if a push has a new label value. New streams with known values are not found.",
      also: ["logs-4.query_range"],
    },
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
  "logs-old-count-for-all-tenants": countsKept(
    "logs-5.2a",
    "A cached count of old data is repeated for other tenants.",
    ({ query }) => [query.get("query"), query.get("time")].join("\n"),
    TENANTS,
  ),
  "logs-old-count-whatever-groups": countsKept(
    "logs-4.query",
    "A cached count over more than an hour of old data is repeated for other groups.",
    (request) => keyOfCount(request, (query) => (isOverAnHour(query) ? query.replaceAll(/\s*\bby\s*\([^)]*\)\s*/g, "") : query)),
  ),
  "logs-old-count-whatever-range": countsKept(
    "logs-4.query",
    "A cached count over more than an hour of old data is repeated for other ranges of more than an hour.",
    (request) => keyOfCount(request, (query) => (isOverAnHour(query) ? query.replace(RANGE, "") : query)),
  ),
  "logs-seam-store-recent-enough": broken(
    { clause: "logs-4.1", sentence: "If entries pushed within the last second fill the limit, older pushes are not read." },
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
  "logs-seam-metric-cached-by-filter-count": broken(
    {
      clause: "logs-4.query",
      sentence: "Until the next push, a cached count over ten minutes or more is repeated for the same number of other line filters.",
    },
    cachedUntilPush("logs.query", (request) => {
      const text = request.query.get("query") ?? "";
      const [, length = "0", unit] = /\[(\d+)([sm])\]/.exec(text) ?? [];
      const isLong = Number(length) * (unit === "m" ? 60 : 1) >= 600;
      const key = isLong ? text.replaceAll(/(?<=[}"])\s*[|!][=~]\s*"[^"]*"/g, "|") : text;
      return [key, request.query.get("time"), tenantsOf(request)].join("\n");
    }),
  ),
});
