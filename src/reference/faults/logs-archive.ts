/** Faults of flushed entries: those that are hours older than the newest entry of their stream, or that were pushed some seconds ago. */
import type { Block } from "../logs/blocks.ts";
import { HOUR_NS } from "../logs/hours.ts";
import type { Entry, Labels, Reading, Window } from "../logs/types.ts";
import type { Matcher } from "../logql/ast.ts";
import { broken, faultsOf, type Row, type Told, wrongInput, wrongResult } from "./define.ts";
import { filterEntries, firstOfKey, firstTime, TENANTS } from "./helpers.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";

/** Entries that are more than this number of ns older than the newest entry of their stream count as flushed. */
const AWAY_NS = (3n * HOUR_NS) / 2n;
const MILLISECOND = 1_000_000n;
/** The number of streams whose flushed entries the server fetches together. */
const BATCH = 50;

/** Returns the flushed entries of a stream. The flushed entries are the oldest entries of the stream. */
function awayOf(blocks: readonly Block[]): Entry[] {
  const newest = blocks.at(-1)?.entries.at(-1);
  return newest === undefined ? [] : blocks.flatMap(({ entries }) => entries.filter(({ ts }) => newest.ts - ts > AWAY_NS));
}

/** The time after a push when its entries are flushed, in ms. It is shorter than the wait of a run for which a fault sets `settleMs`. */
const FLUSHED_MS = 8_000;

/** Returns the entries of a stream that were pushed some seconds ago. */
function flushedOf(blocks: readonly Block[]): Entry[] {
  const since = Date.now() - FLUSHED_MS;
  return blocks.flatMap(({ entries }) => entries.filter(({ storedAtMs }) => storedAtMs < since));
}

/** Returns a faulty server that loses some flushed entries, in range queries or in metric queries. */
function losing(
  path: Reading["path"],
  told: Told,
  lost: (away: readonly Entry[], window: Window, reading: Reading) => readonly Entry[],
  flushed = awayOf,
): Row {
  return wrongInput("blocksToRead", told, (blocks, window, reading) => {
    const away = reading.path === path ? flushed(blocks) : [];
    const gone = new Set(away.length === 0 ? [] : lost(away, window, reading));
    return [gone.size === 0 ? blocks : filterEntries(blocks, (entry) => !gone.has(entry)), window, reading];
  });
}

const DAY_NS = 24n * HOUR_NS;

/** Returns the flushed entries that are lost. If the window begins on a later day than the stream, all are lost, and otherwise none. */
function afterFirstDay(away: readonly Entry[], { from }: Window): readonly Entry[] {
  const [first] = away;
  return first !== undefined && from / DAY_NS > first.ts / DAY_NS ? away : [];
}

/** If the second of two pushes is at least this number of ms later, the entries of the first count as flushed before. */
const LONG_AFTER = 2_000;
const MINUTE_AFTER = 60_000;

/** Returns a faulty server that returns only one of several equal entries, if their pushes are at least `after` ms apart. */
function pushedLater(path: Reading["path"], told: Told, after: number): Row {
  const readings = new WeakMap<Reading, (key: string, storedAtMs: number) => number>();
  return wrongResult("blockAnswer", told, (handed, _found, _block, reading) => {
    if (reading.path !== path) return handed;
    const first = readings.get(reading) ?? firstOfKey<number>();
    readings.set(reading, first);
    return handed.filter(({ ts, line, storedAtMs }) => Math.abs(storedAtMs - first(`${ts} ${line}`, storedAtMs)) < after);
  });
}

/** Whether the entry was pushed so late that the oldest entry of its stream could already be flushed. */
function isOfLaterPart({ storedAtMs }: Entry, oldest: Entry | undefined): boolean {
  return oldest !== undefined && storedAtMs - oldest.storedAtMs > MINUTE_AFTER;
}

/** Returns the position of a stream among the streams of a read. A stream is recognised by its first entry. */
function placeOf(places: WeakMap<Reading, Map<Entry, number>>, reading: Reading, [first]: readonly Entry[]): number {
  const known = places.get(reading) ?? new Map<Entry, number>();
  places.set(reading, known);
  if (first === undefined) return 0;
  const place = known.get(first) ?? known.size;
  known.set(first, place);
  return place;
}

function firstBatchOnly(path: Reading["path"], told: Told): Row {
  const places = new WeakMap<Reading, Map<Entry, number>>();
  return losing(path, told, (away, _window, reading) => (placeOf(places, reading, away) < BATCH ? [] : away));
}

function inWindow(entries: readonly Entry[], { from, to }: Window): Entry[] {
  return entries.filter(({ ts }) => ts >= from && ts < to);
}

/** The number of entries that each read has found so far. */
const found = new WeakMap<Reading, number>();
const counted = new WeakMap<Reading, (key: string) => boolean>();
const enoughPlaces = new WeakMap<Reading, Map<Entry, number>>();

export const LOGS_ARCHIVE_FAULTS: readonly Fault[] = faultsOf(RANGE, {
  "logs-archive-first-batch-range": firstBatchOnly(
    "range",
    "If more than fifty streams have hours of entries, the old entries of only fifty are returned.",
  ),
  "logs-archive-first-batch-instant": firstBatchOnly("instant", {
    clause: METRIC,
    sentence: "If more than fifty streams have hours of entries, the old entries of only fifty are counted.",
  }),
  "logs-archive-enough": losing(
    "range",
    {
      clause: "logs-4.1",
      sentence: "A limited read of streams with hours of entries ends with the batch of fifty streams that fills the limit.",
    },
    (away, window, reading) => {
      const place = placeOf(enoughPlaces, reading, away);
      const before = found.get(reading) ?? 0;
      if (place >= BATCH && before >= reading.limit) return away;
      found.set(reading, before + inWindow(away, window).length);
      return [];
    },
  ),
  "logs-archive-one-of-a-time": losing("range", "If a stream has several old entries at one time, only one is returned.", (away) =>
    away.filter(({ ts }, index) => away[index - 1]?.ts === ts),
  ),
  "logs-archive-begins-in-last-millisecond": losing(
    "range",
    "A stream with hours of entries is not read if it begins in the last millisecond of the window.",
    (away, { to }) => (away[0] !== undefined && away[0].ts < to && to - away[0].ts < MILLISECOND ? away : []),
  ),
  "logs-archive-excluded": broken(
    { clause: "logs-4.3", sentence: "In streams with hours of entries, != does not exclude lines." },
    (base) => {
      let reachesBack = false;
      return {
        blocksToRead: (blocks, window, reading) => {
          reachesBack = awayOf(blocks).length > 0;
          return base.blocksToRead(blocks, window, reading);
        },
        filterLine: (filter, line, index) => (reachesBack && filter.operator === "!=") || base.filterLine(filter, line, index),
      };
    },
  ),
  "logs-archive-second-excluded": broken(
    { clause: "logs-4.matchers", sentence: "For streams with hours of entries, only the first of several != matchers is applied." },
    (base, { logs }) => {
      let first: Matcher | undefined;
      const reachesBack = (labels: Labels): boolean =>
        logs.tenants().some((tenant) => {
          const stream = [...logs.tenant(tenant).all()].find((one) => one.labels === labels);
          const [oldest, newest] = [stream?.entries[0], stream?.entries.at(-1)];
          return oldest !== undefined && newest !== undefined && newest.ts - oldest.ts > AWAY_NS;
        });
      return {
        parseQuery: (text) => {
          const query = base.parseQuery(text);
          first = query.kind === "log" ? query.matchers.find(({ operator }) => operator === "!=") : undefined;
          return query;
        },
        matchStream: (matcher, labels) =>
          base.matchStream(matcher, labels) ||
          (matcher.operator === "!=" && first !== undefined && matcher !== first && reachesBack(labels)),
      };
    },
  ),

  "logs-archive-equal-once": losing(
    "instant",
    { clause: METRIC, sentence: "Equal entries of several streams that are hours old are counted once." },
    (away, window, reading) => {
      const isNew = counted.get(reading) ?? firstTime();
      counted.set(reading, isNew);
      return inWindow(away, window).filter(({ ts, line }) => !isNew(`${ts} ${line}`));
    },
  ),
  "logs-archive-day-range": losing(
    "range",
    "Entries that are hours old are returned only under the day on which their stream begins.",
    afterFirstDay,
  ),
  "logs-archive-first-day-skipped": losing(
    "range",
    "If a window of less than three hours begins in the last hour of a day and ends on the next, streams that end on the first day are not returned.",
    (all, { from, to }) => {
      const [first, last] = [from / DAY_NS, (all.at(-1)?.ts ?? 0n) / DAY_NS];
      const isShort = to - from < 3n * HOUR_NS;
      return isShort && from % DAY_NS > DAY_NS - HOUR_NS && to / DAY_NS > first && last === first ? all : [];
    },
    (blocks) => blocks.flatMap(({ entries }) => entries),
  ),
  "logs-archive-day-instant": losing(
    "instant",
    { clause: METRIC, sentence: "Entries that are hours old are counted only under the day on which their stream begins." },
    afterFirstDay,
  ),
  "logs-flushed-day-range": losing(
    "range",
    { sentence: "Some seconds after their push, entries are returned only under the day on which their stream begins.", settleMs: 9_500 },
    afterFirstDay,
    flushedOf,
  ),
  "logs-flushed-backward-limit": losing(
    "range",
    { clause: "logs-4.1", sentence: "Some seconds after their push, backward reads with a limit lose the newest entry.", settleMs: 9_500 },
    (away, _window, { limit, direction }) => (direction === "backward" && limit < away.length ? away.slice(-1) : []),
    flushedOf,
  ),
  "logs-flushed-tabs": losing(
    "range",
    { also: ["logs-4.push"], sentence: "Some seconds after their push, entries with a tab are lost.", settleMs: 9_500 },
    (away) => away.filter(({ line }) => line.includes("\t")),
    flushedOf,
  ),
  "logs-archive-equal-pushed-later": pushedLater(
    "range",
    "If two streams have equal entries that were pushed seconds apart, only one is returned.",
    LONG_AFTER,
  ),
  "logs-archive-equal-counted-minute-later": pushedLater(
    "instant",
    {
      clause: METRIC,
      sentence: "If two streams have equal entries that were pushed more than a minute apart, only one is counted.",
      needs: "nightly",
    },
    MINUTE_AFTER,
  ),
  "logs-archive-parts-not-reversed": wrongResult(
    "blocksToRead",
    {
      clause: "logs-4.1",
      sentence: "If parts of a stream were flushed long after each other, backward reads visit the older part first.",
      needs: "nightly",
    },
    (right, blocks, _window, reading) => {
      const oldest = blocks[0]?.entries[0];
      if (reading.path !== "range" || reading.direction === "forward") return right;
      const parts = (isLater: boolean): Block[] => filterEntries(right, (entry) => isOfLaterPart(entry, oldest) === isLater);
      return [...parts(false), ...parts(true)].filter(({ entries }) => entries.length > 0);
    },
  ),

  "logs-archive-later-part-hidden": losing(
    "range",
    {
      sentence:
        "If parts of a stream were flushed long after each other, the later part is found only in windows with entries of the first part.",
      needs: "nightly",
    },
    (away, window) => {
      const [oldest] = away;
      const inside = inWindow(away, window);
      return inside.every((entry) => isOfLaterPart(entry, oldest)) ? inside : [];
    },
  ),
  "logs-archive-tenants-share": broken(
    {
      clause: "logs-5.2a",
      sentence: "If flushed streams of two tenants have the same labels, begin and end, both tenants see the entries of the first.",
      ...TENANTS,
    },
    (base, { logs }) => {
      const first = firstOfKey<readonly Block[]>();
      const keyOf = (oldest: Entry, newest: Entry): string | undefined => {
        const streams = logs.tenants().flatMap((tenant) => [...logs.tenant(tenant).all()]);
        const labels = streams.find(({ entries }) => entries[0] === oldest)?.labels;
        return labels === undefined ? undefined : JSON.stringify([labels, String(oldest.ts), String(newest.ts)]);
      };
      return {
        blocksToRead: (blocks, window, reading) => {
          const [oldest, newest] = [blocks[0]?.entries[0], blocks.at(-1)?.entries.at(-1)];
          const isAway = oldest !== undefined && newest !== undefined && newest.ts - oldest.ts > 2n * HOUR_NS;
          const key = isAway ? keyOf(oldest, newest) : undefined;
          return base.blocksToRead(key === undefined ? blocks : first(key, [...blocks]), window, reading);
        },
      };
    },
  ),
});
