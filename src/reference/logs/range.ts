/** Handles range queries: window, direction, limit and result (docs/2 section 4, query_range). */
import type { Json, JsonObject } from "../http/message.ts";
import { lowerBound } from "./store.ts";
import type { Direction, Entry, LabelledEntries, Window } from "./types.ts";

/** The parameters of a range query, with all defaults filled in. */
export interface RangeQuery {
  readonly start: bigint;
  readonly end: bigint;
  readonly limit: number;
  readonly direction: Direction;
  /** The parameters that the request did not have. */
  readonly defaulted: { readonly limit: boolean; readonly direction: boolean };
}

export interface RangeBehaviour {
  /** Returns the limit of a range query without the parameter `limit`. */
  readonly defaultLimit: (nowMs: number) => number;
  readonly defaultDirection: () => Direction;
  /** Returns the parameter `limit` as a number, or undefined if the server refuses its text. */
  readonly parseLimit: (text: string) => number | undefined;
  readonly parseDirection: (text: string) => Direction | undefined;
  /** Returns the whole range query. Faults that depend on several parameters replace this function. */
  readonly rangeQuery: (query: RangeQuery) => RangeQuery;
  /** Returns the times of the entries that a window from `start` to `end` selects. */
  readonly rangeTimes: (start: bigint, end: bigint) => Window;
  /** Returns at most `limit` entries in the window for which `accepts` is true: for `forward` oldest first, otherwise newest first. */
  readonly scan: (
    entries: readonly Entry[],
    window: Window,
    accepts: (entry: Entry) => boolean,
    limit: number,
    direction: Direction,
  ) => Entry[];
  /** Returns at most `limit` entries of all streams together. Each given stream has at most `limit` entries. */
  readonly pick: (streams: readonly LabelledEntries[], limit: number, direction: Direction) => readonly LabelledEntries[];
  /** Returns the entries of a result object, in the order of the response. */
  readonly order: (entries: readonly Entry[], direction: Direction) => readonly Entry[];
  readonly arrange: (streams: readonly LabelledEntries[], query: RangeQuery) => readonly LabelledEntries[];
  readonly presentEntry: (entry: Entry, query: RangeQuery) => Json;
  readonly presentStream: (labels: Json, values: readonly Json[]) => Json;
  readonly presentRange: (result: readonly Json[], query: RangeQuery) => JsonObject;
}

const MOST_ENTRIES = 5_000;

function scan(
  entries: readonly Entry[],
  { from, to }: Window,
  accepts: (entry: Entry) => boolean,
  limit: number,
  direction: Direction,
): Entry[] {
  const first = lowerBound(entries, from);
  const last = lowerBound(entries, to) - 1;
  const found: Entry[] = [];
  const step = direction === "forward" ? 1 : -1;
  for (let at = direction === "forward" ? first : last; at >= first && at <= last && found.length < limit; at += step) {
    const entry = entries[at];
    if (entry !== undefined && accepts(entry)) found.push(entry);
  }
  return found;
}

function byTime(direction: Direction): (one: Entry, other: Entry) => number {
  const sign = direction === "forward" ? 1 : -1;
  return (one, other) => (one.ts === other.ts ? 0 : one.ts < other.ts ? -sign : sign);
}

function pick(streams: readonly LabelledEntries[], limit: number, direction: Direction): readonly LabelledEntries[] {
  const total = streams.reduce((sum, { entries }) => sum + entries.length, 0);
  if (total <= limit) return streams;
  const compare = byTime(direction);
  const chosen = streams
    .flatMap(({ entries }, stream) => entries.map((entry) => ({ entry, stream })))
    .toSorted((one, other) => compare(one.entry, other.entry))
    .slice(0, limit);
  const kept = streams.map(({ labels }) => ({ labels, entries: [] as Entry[] }));
  for (const { entry, stream } of chosen) kept[stream]?.entries.push(entry);
  return kept;
}

export const RANGE_BASE: RangeBehaviour = {
  defaultLimit: () => 100,
  defaultDirection: () => "backward",
  parseLimit: (text) => (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_ENTRIES ? Number(text) : undefined),
  parseDirection: (text) => (text === "backward" || text === "forward" ? text : undefined),
  rangeQuery: (query) => query,
  rangeTimes: (start, end) => ({ from: start, to: end }),
  scan,
  pick,
  order: (entries, direction) => entries.toSorted(byTime(direction)),
  arrange: (streams) => streams.filter(({ entries }) => entries.length > 0),
  presentEntry: ({ ts, line }) => [ts.toString(), line],
  presentStream: (labels, values) => ({ stream: labels, values }),
  presentRange: (result) => ({ status: "success", data: { resultType: "streams", result } }),
};
