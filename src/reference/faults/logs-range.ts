/** Faults of range queries: window, limit, result, and the form of the result (docs/2 section 2 and section 4, query_range). */
import { counter, onAnswer, onReply, withMembers } from "../change.ts";
import type { Behaviour } from "../behaviour.ts";
import { isJsonObject, type Json, type JsonObject, textReply } from "../http/message.ts";
import type { RangeQuery } from "../logs/range.ts";
import type { Entry, Window } from "../logs/types.ts";
import { broken, fault, faultsOf, type Row, wrongInput, wrongResult } from "./define.ts";
import { cached, filterEntries, firstEntries, hasResult, tenantsOf } from "./helpers.ts";
import type { Fault } from "./types.ts";

const CLAUSE = "logs-4.query_range";
const SECOND = 1_000_000_000n;
const MOST_NS = 48n * 3_600n * SECOND;
const LAST_NS = MOST_NS / 4n;

function windowed(sentence: string, times: (start: bigint, end: bigint) => Window): Row {
  return broken(sentence, () => ({ rangeTimes: times }));
}

function asked(sentence: string, change: (query: RangeQuery) => Partial<RangeQuery>): Row {
  return broken(sentence, () => ({ rangeQuery: (query) => ({ ...query, ...change(query) }) }));
}

function floor(time: bigint, unit: bigint): bigint {
  return (time / unit) * unit;
}

/** Returns the position at which a binary search finds the time. If several entries have this time, it is any of them. */
function foundAt(entries: readonly Entry[], ts: bigint): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = entries[middle]?.ts ?? 0n;
    if (found === ts) return middle;
    if (found < ts) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isEmpty(value: Json): boolean {
  const data = isJsonObject(value) ? value["data"] : undefined;
  const result = isJsonObject(data) ? data["result"] : undefined;
  return Array.isArray(result) && result.length === 0;
}

/** Returns a fault: if an earlier request with the same key had a result, its response is sent again. */
function remembered(sentence: string, key: (query: URLSearchParams) => string): Row {
  return broken(sentence, (base) => {
    const answers = new Map<string, Json>();
    return {
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        if (route?.operation !== "logs.query_range" || reply.body.kind !== "json") return reply;
        const before = answers.get(key(request.query));
        if (before !== undefined) return { ...reply, body: { kind: "json", value: before } };
        if (!isEmpty(reply.body.value)) answers.set(key(request.query), reply.body.value);
        return reply;
      },
    };
  });
}

function reshaped(clause: string, sentence: string, change: (data: JsonObject) => Json): Row {
  return broken({ clause, sentence }, (base) =>
    onAnswer(base, ["logs.query_range"], (value) =>
      isJsonObject(value) && isJsonObject(value["data"]) ? withMembers(value, { data: change(value["data"]) }) : value,
    ),
  );
}

function eachObject(sentence: string, present: Behaviour["presentStream"]): Row {
  return broken({ clause: "logs-2.range-result", sentence }, () => ({ presentStream: present }));
}

export const LOGS_RANGE_FAULTS: readonly Fault[] = [
  ...faultsOf(CLAUSE, {
    "logs-range-start-among-equals": wrongInput(
      "scan",
      "If several entries of a stream lie exactly at start, a binary search leaves out some of them.",
      (entries, window, accepts, limit, direction) => [entries.slice(foundAt(entries, window.from)), window, accepts, limit, direction],
    ),
    "logs-range-fails-on-control": broken("A range query that finds a control character is answered 500.", (base) =>
      onReply(base, ["logs.query_range"], (reply) =>
        reply.body.kind === "json" && /\\u00[01]/.test(JSON.stringify(reply.body.value))
          ? textReply(500, "an entry cannot be written\n")
          : reply,
      ),
    ),
    "logs-range-start-ignored": windowed("start is ignored.", (_start, end) => ({ from: 0n, to: end })),
    "logs-range-48-hours": windowed("Only the first 48 hours of a window are read.", (from, end) => ({
      from,
      to: end - from > MOST_NS ? from + MOST_NS : end,
    })),
    "logs-range-last-12-hours": windowed("Only the last 12 hours of a window are read.", (start, end) => ({
      from: end - start > LAST_NS ? end - LAST_NS : start,
      to: end,
    })),
    "logs-range-last-24-hours": windowed("Only the last 24 hours of a window are read.", (start, end) => ({
      from: end - start > 2n * LAST_NS ? end - 2n * LAST_NS : start,
      to: end,
    })),
    "logs-range-end-ignored": windowed("end is ignored.", (start) => ({ from: start, to: 2n ** 63n })),
    "logs-range-start-to-second": windowed("start is rounded down to the second.", (start, end) => ({
      from: floor(start, SECOND),
      to: end,
    })),
    "logs-range-end-to-second": windowed("end is rounded up to the second.", (start, end) => ({
      from: start,
      to: floor(end, SECOND) + SECOND,
    })),
    "logs-range-to-microseconds": windowed("start and end are cut to microseconds.", (start, end) => ({
      from: floor(start, 1_000n),
      to: floor(end, 1_000n),
    })),
    "logs-range-double": windowed("start and end pass through a double, which cannot hold their last digits.", (start, end) => ({
      from: BigInt(Number(start)),
      to: BigInt(Number(end)),
    })),
    "logs-range-start-plus-two": windowed("Entries at start and one nanosecond after start are left out.", (start, end) => ({
      from: start + 2n,
      to: end,
    })),
    "logs-range-end-minus-one": windowed("Entries a nanosecond before end are left out.", (start, end) => ({ from: start, to: end - 1n })),
    "logs-range-end-plus-two": windowed("Entries one nanosecond after end are returned.", (start, end) => ({ from: start, to: end + 2n })),
    "logs-range-last-minute-missing": windowed("If a window is longer than two minutes, its last minute is missing.", (start, end) => ({
      from: start,
      to: end - start > 120n * SECOND ? end - 60n * SECOND : end,
    })),
    "logs-limit-plus-one": asked("A response has one entry more than limit.", ({ limit, defaulted }) => ({
      limit: defaulted.limit ? limit : limit + 1,
    })),
    "logs-limit-minus-one": asked("A response has one entry less than limit, but at least one.", ({ limit, defaulted }) => ({
      limit: defaulted.limit ? limit : Math.max(1, limit - 1),
    })),
    "logs-limit-ignored": asked("limit is ignored, so a response has at most 100 entries.", () => ({ limit: 100 })),
    "logs-limit-capped": asked("limit is capped at 128.", ({ limit }) => ({ limit: Math.min(limit, 128) })),
    "logs-answer-of-half-a-thousand": wrongInput(
      "pick",
      { clause: "logs-4.4", sentence: "A response has at most 512 entries, whatever the limit is.", also: ["logs-4.query_range"] },
      (streams, limit, direction) => [streams, Math.min(limit, 512), direction],
    ),
    "logs-limit-one-is-all": asked("limit=1 is read as no limit.", ({ limit }) => ({ limit: limit === 1 ? 5_000 : limit })),
    "logs-limit-whole-ties": broken("limit does not divide entries with the same timestamp. All of them are returned.", (base) => ({
      scan: (entries, window, accepts, _limit, direction) => base.scan(entries, window, accepts, 5_000, direction),
      pick: (streams, limit, direction) => {
        const all = streams.flatMap(({ entries }) => entries.map(({ ts }) => ts)).toSorted((one, other) => Number(one - other));
        const last = direction === "forward" ? all[limit - 1] : all[all.length - limit];
        if (last === undefined) return streams;
        return filterEntries(streams, ({ ts }) => (direction === "forward" ? ts <= last : ts >= last));
      },
    })),
    "logs-range-chunk-edge": wrongInput(
      "scan",
      { sentence: "If a window starts after the first entry of a stream, the 64th entry is missing.", also: ["logs-4.query"] },
      (entries, window, accepts, limit, direction) => {
        const [first, lost] = [entries[0], entries[63]];
        const chunked = first !== undefined && window.from > first.ts;
        return [entries, window, (entry) => accepts(entry) && !(chunked && entry === lost), limit, direction];
      },
    ),
    "logs-limit-per-stream": broken("limit is applied to each stream instead of the whole response.", (base) => ({
      pick: (streams, limit, direction) => (limit === 100 ? base.pick(streams, limit, direction) : streams),
    })),
    "logs-limit-shared-out": wrongInput(
      "pick",
      "limit is divided equally among the streams, even if one has all the newest entries.",
      (streams, limit, direction) => {
        const filled = streams.filter(({ entries }) => entries.length > 0);
        const share = Math.ceil(limit / Math.max(1, filled.length));
        return [filled.map(({ labels, entries }) => ({ labels, entries: entries.slice(0, share) })), limit, direction];
      },
    ),
    "logs-limit-first-streams": broken(
      { clause: "logs-4.1", sentence: "limit is filled from the first streams, even if other streams have newer entries." },
      () => ({ pick: firstEntries }),
    ),
    "logs-range-nothing-cached": broken(
      "A query that found nothing is answered with nothing for ever.",
      cached(
        "logs.query_range",
        (request) => `${tenantsOf(request)} ${request.query.toString()}`,
        (reply) => !hasResult(reply),
      ),
    ),
    "logs-range-empty-404": broken("A query that selects nothing is answered 404.", (base) =>
      onReply(base, ["logs.query_range"], (reply) =>
        isEmpty(reply.body.kind === "json" ? reply.body.value : null) ? textReply(404, "no entries\n") : reply,
      ),
    ),
    "logs-range-many-streams-cut": wrongResult("arrange", "A response has at most ten streams.", (arranged) => arranged.slice(0, 10)),
    "logs-range-last-stream-missing": wrongResult(
      "arrange",
      "If a query selects more than three streams, the last is not returned.",
      (shown) => (shown.length > 3 ? shown.slice(0, -1) : shown),
    ),
    "logs-range-every-eighth-short": broken("Every eighth response lacks its last entry.", (base) => {
      const count = counter();
      return {
        pick: (streams, limit, direction) => {
          const picked = base.pick(streams, limit, direction);
          if (count("pick") % 8 !== 0) return picked;
          const at = picked.findLastIndex(({ entries }) => entries.length > 0);
          return picked.map((stream, index) => (index === at ? { ...stream, entries: stream.entries.slice(0, -1) } : stream));
        },
      };
    }),
    "logs-range-cache-without-window": remembered("A response is cached by query and limit, and repeated for other windows.", (query) =>
      ["query", "limit", "direction"].map((name) => query.get(name)).join(" "),
    ),
    "logs-range-cache-without-limit": remembered("A response is cached by query and window, and repeated for other limits.", (query) =>
      ["query", "start", "end", "direction"].map((name) => query.get(name)).join(" "),
    ),
    "logs-range-cache-for-ever": remembered("A response with entries is repeated for the same query for ever.", (query) =>
      query.toString(),
    ),
    "logs-result-labels": eachObject("The labels of a result object are called `labels`.", (labels, values) => ({ labels, values })),
    "logs-result-value": eachObject("A result object with one entry has `value` instead of a list `values`.", (stream, values) =>
      values.length === 1 ? { stream, value: values[0] ?? null } : { stream, values },
    ),
    "logs-result-null": reshaped("logs-2.range-result", "data.result is null when nothing is selected.", (data) =>
      JSON.stringify(data["result"]) === "[]" ? { ...data, result: null } : data,
    ),
    "logs-result-keyed": reshaped("logs-2.range-result", "data.result is an object whose keys are numbers.", (data) => ({
      ...data,
      result: { ...(data["result"] as readonly Json[]) },
    })),
    "logs-result-in-data": reshaped(CLAUSE, "data is the list itself.", (data) => data["result"] ?? null),
  }),
  ...[10, 99, 101, 1_000].map((count) =>
    fault("logs-8.default-limit", `logs-default-limit-${count}`, `Without limit, a response has at most ${count} entries.`, () => ({
      defaultLimit: () => count,
    })),
  ),
];
