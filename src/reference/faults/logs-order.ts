/** Faults of direction and of paging (docs/2 section 4 rules 1 and 4). */
import type { Behaviour } from "../behaviour.ts";
import { changedResult } from "../change.ts";
import type { Direction, Entry, LabelledEntries } from "../logs/types.ts";
import { RANGE_BASE, type RangeQuery } from "../logs/range.ts";
import { broken, fault, faultsOf, type Row, wrongInput } from "./define.ts";
import type { Fault } from "./types.ts";

function opposite(direction: Direction): Direction {
  return direction === "forward" ? "backward" : "forward";
}

function asked(sentence: string, direction: (query: RangeQuery) => Direction): Row {
  return wrongInput("rangeQuery", sentence, (query) => [{ ...query, direction: direction(query) }]);
}

function ordered(sentence: string, order: (entries: readonly Entry[], direction: Direction) => readonly Entry[]): Row {
  return broken(sentence, () => ({ order }));
}

/** For each query with a limit, the server remembers the time of the last entry in its latest response. */
function withCursor(change: (query: RangeQuery, last: bigint | undefined) => RangeQuery): (base: Behaviour) => Partial<Behaviour> {
  return (base) => {
    const cursors = new Map<string, bigint>();
    let text = "";
    return {
      beforeHandle: (request, route) => {
        text = `${request.query.get("query") ?? ""} ${request.query.get("limit") ?? ""} ${request.query.get("direction") ?? ""}`;
        return base.beforeHandle(request, route);
      },
      rangeQuery: (query) => base.rangeQuery(change(query, cursors.get(text))),
      arrange: (streams, query) => {
        const arranged = base.arrange(streams, query);
        const times = arranged.flatMap(({ entries }) => entries.map(({ ts }) => ts));
        const last = times.reduce<bigint | undefined>(
          (found, ts) => (found === undefined || (query.direction === "forward" ? ts > found : ts < found) ? ts : found),
          undefined,
        );
        if (last !== undefined && times.length >= query.limit) cursors.set(text, last);
        return arranged;
      },
    };
  };
}

const LATER = 60_000_000_000n;

function timesIn(streams: readonly LabelledEntries[]): Map<bigint, number> {
  const times = new Map<bigint, number>();
  for (const { ts } of streams.flatMap(({ entries }) => entries)) times.set(ts, (times.get(ts) ?? 0) + 1);
  return times;
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

export const LOGS_ORDER_FAULTS: readonly Fault[] = [
  ...faultsOf("logs-4.1", {
    "logs-direction-default-forward": broken("Without direction, the oldest entries come first.", () => ({
      defaultDirection: () => "forward",
    })),
    "logs-direction-always-backward": asked("direction is ignored: the newest entries come first.", () => "backward"),
    "logs-direction-always-forward": asked("direction is ignored, so the oldest entries come first.", () => "forward"),
    "logs-direction-swapped": asked("If a query names a direction, it gets the opposite one.", ({ direction, defaulted }) =>
      defaulted.direction ? direction : opposite(direction),
    ),
    "logs-direction-lost-on-repeat": broken("A repeated query for more than 500 entries returns the oldest entries first.", (base) => {
      const known = new Set<string>();
      return {
        rangeQuery: (query) => {
          const key = [query.start, query.end, query.limit, query.direction, query.defaulted.direction].join();
          const again = query.limit > 500 && known.has(key);
          known.add(key);
          return base.rangeQuery(again ? { ...query, direction: "forward" } : query);
        },
      };
    }),
    "logs-direction-needs-limit": asked(
      "Without limit, direction is ignored and the newest entries come first.",
      ({ direction, defaulted }) => (defaulted.limit ? "backward" : direction),
    ),
    "logs-direction-default-by-limit": asked(
      "Without direction but with a limit, the oldest entries come first.",
      ({ direction, defaulted }) => (defaulted.direction && !defaulted.limit ? "forward" : direction),
    ),
  }),
  ...["start", "end"].map((edge) =>
    fault(
      "logs-4.1",
      `logs-direction-default-by-${edge}`,
      `Without direction and without ${edge}, the oldest entries come first.`,
      changedResult("readRequest", (request) => {
        if (request.query.has("direction") || request.query.has(edge)) return request;
        const query = new URLSearchParams(request.query);
        query.set("direction", "forward");
        return { ...request, query };
      }),
    ),
  ),
  ...faultsOf("logs-4.1", {
    "logs-order-always-ascending": ordered("Entries are always shown from the oldest to the newest.", (entries) =>
      RANGE_BASE.order(entries, "forward"),
    ),
    "logs-order-always-descending": ordered("Entries are always shown from the newest to the oldest.", (entries) =>
      RANGE_BASE.order(entries, "backward"),
    ),
    "logs-order-by-line": ordered("Entries are shown in the order of their lines.", (entries, direction) => {
      const sorted = entries.toSorted((one, other) => (one.line < other.line ? -1 : 1));
      return direction === "forward" ? sorted : sorted.toReversed();
    }),
    "logs-order-by-microsecond": ordered("Entries within a microsecond of each other are shown in the wrong order.", (entries, direction) =>
      RANGE_BASE.order(entries, opposite(direction)).toSorted((one, other) => {
        const [left, right] = [one.ts / 1_000n, other.ts / 1_000n];
        return left === right ? 0 : left < right === (direction === "forward") ? -1 : 1;
      }),
    ),
    "logs-order-last-two-swapped": ordered("If a stream returns more than 50 entries, the last two are swapped.", (entries, direction) => {
      const right = RANGE_BASE.order(entries, direction);
      return right.length > 50 ? [...right.slice(0, -2), ...right.slice(-2).toReversed()] : right;
    }),
    "logs-order-in-chunks": ordered(
      "Entries are ordered within chunks of 32, but the chunks come in the reverse order.",
      (entries, direction) => {
        const right = RANGE_BASE.order(entries, direction);
        const chunks = Array.from({ length: Math.ceil(right.length / 32) }, (_, chunk) => right.slice(chunk * 32, chunk * 32 + 32));
        return chunks.toReversed().flat();
      },
    ),
    "logs-limit-wrong-end-backward": broken("A limited backward query takes the oldest entries, and shows them newest first.", (base) => ({
      scan: (entries, window, accepts, limit, direction) =>
        base.scan(entries, window, accepts, limit, direction === "backward" && Number.isFinite(limit) ? "forward" : direction),
      pick: (streams, limit) => base.pick(streams, limit, "forward"),
    })),
    "logs-limit-wrong-end-forward": broken("A limited forward query takes the newest entries, and shows them oldest first.", (base) => ({
      scan: (entries, window, accepts, limit, direction) =>
        base.scan(entries, window, accepts, limit, direction === "forward" && Number.isFinite(limit) ? "backward" : direction),
      pick: (streams, limit) => base.pick(streams, limit, "backward"),
    })),
  }),
  ...faultsOf("logs-4.4", {
    "logs-page-at-last-ends": broken(
      "A page that starts at the last timestamp of the previous page begins a minute later.",
      withCursor((query, last) =>
        query.direction === "forward" && query.start === last ? { ...query, start: query.start + LATER } : query,
      ),
    ),
    "logs-page-direction-ignored": broken(
      { clause: "logs-4.1", sentence: "A page that starts at the last timestamp of the previous page ignores direction." },
      withCursor((query, last) => (query.direction === "forward" && query.start === last ? { ...query, direction: "backward" } : query)),
    ),
    "logs-page-past-last-skips": broken(
      "A page that starts a nanosecond after the previous page skips ten seconds.",
      withCursor((query, last) =>
        query.direction === "forward" && last !== undefined && query.start === last + 1n
          ? { ...query, start: query.start + LATER / 6n }
          : query,
      ),
    ),
    "logs-page-before-last-repeats": broken(
      "A page that starts a nanosecond before the end of the previous page repeats the previous page.",
      withCursor((query, last) =>
        query.direction === "forward" && last !== undefined && query.start === last - 1n ? { ...query, start: query.start - LATER } : query,
      ),
    ),
    "logs-page-backward-at-last-ends": broken(
      { clause: "logs-4.4-backward", sentence: "A backward page that ends at the last timestamp of the previous page is empty." },
      withCursor((query, last) => (query.direction === "backward" && query.end === last ? { ...query, end: query.start } : query)),
    ),
    "logs-page-backward-past-last-skips": broken(
      { clause: "logs-4.4-backward", sentence: "A backward page that ends a nanosecond beside the previous page skips ten seconds." },
      withCursor((query, last) =>
        query.direction === "backward" && last !== undefined && (query.end === last - 1n || query.end === last + 1n)
          ? { ...query, end: max(query.start, query.end - LATER / 6n) }
          : query,
      ),
    ),
    "logs-page-shared-time-lost": broken(
      "If a page ends among entries with the same timestamp, the next page leaves out this timestamp.",
      (base) => {
        const cut = new Set<bigint>();
        return {
          scan: (entries, window, accepts, limit, direction) => {
            const isEdge = (ts: bigint): boolean => ts - window.from <= 1n || window.to - ts <= 1n;
            return base.scan(entries, window, (entry) => accepts(entry) && !(cut.has(entry.ts) && isEdge(entry.ts)), limit, direction);
          },
          pick: (streams, limit, direction) => {
            const picked = base.pick(streams, limit, direction);
            const before = timesIn(streams);
            const after = timesIn(picked);
            for (const [ts, count] of after) if ((before.get(ts) ?? 0) > count) cut.add(ts);
            return picked;
          },
        };
      },
    ),
  }),
];
