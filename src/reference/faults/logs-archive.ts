/** Faults of flushed entries that are hours older than the newest entry of their stream. */
import type { Block } from "../logs/blocks.ts";
import { HOUR_NS } from "../logs/hours.ts";
import type { Entry, Labels, Reading, Window } from "../logs/types.ts";
import type { Matcher } from "../logql/ast.ts";
import { broken, fault, type FaultDetails, faultsOf, type Row, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

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

function without(blocks: readonly Block[], lost: readonly Entry[]): Block[] {
  const all = new Set(lost);
  return blocks.map((block) => ({ ...block, entries: block.entries.filter((entry) => !all.has(entry)) }));
}

function losing(
  path: Reading["path"],
  id: string,
  sentence: string,
  lost: (away: readonly Entry[], window: Window, reading: Reading, blocks: readonly Block[]) => readonly Entry[],
  clause: string = path === "range" ? "logs-4.query_range" : "logs-4.query",
  details: FaultDetails = {},
): Fault {
  return fault({ clause, ...details }, `logs-archive-${id}`, sentence, (base) => ({
    blocksToRead: (blocks, window, reading) => {
      const away = reading.path === path ? awayOf(blocks) : [];
      const gone = away.length === 0 ? [] : lost(away, window, reading, blocks);
      return base.blocksToRead(gone.length === 0 ? blocks : without(blocks, gone), window, reading);
    },
  }));
}

const DAY_NS = 24n * HOUR_NS;

/** Returns the flushed entries that are lost: all if the window begins on a later day than the stream, and otherwise none. */
function afterFirstDay(away: readonly Entry[], { from }: Window): readonly Entry[] {
  const [first] = away;
  return first !== undefined && from / DAY_NS > first.ts / DAY_NS ? away : [];
}

/** If at least this number of ms is between two pushes, the entries of the first push count as flushed before the second push. */
const LONG_AFTER = 2_000;
const MINUTE_AFTER = 60_000;

/** Returns a faulty server that returns only one of several entries with the same key, if their pushes are at least `after` ms apart. */
function pushedLater(
  path: Reading["path"],
  sentence: string,
  keyOf: (entry: Entry, stream: number) => string,
  after = LONG_AFTER,
  details: FaultDetails = {},
): Row {
  const clause = path === "range" ? "logs-4.query_range" : "logs-4.query";
  return broken({ clause, sentence, ...details }, (base) => {
    const readings = new WeakMap<Reading, Map<string, number>>();
    const streams = new WeakMap<Block, number>();
    let count = 0;
    return {
      blocksToRead: (blocks, window, reading) => {
        count += 1;
        const read = base.blocksToRead(blocks, window, reading);
        for (const block of read) streams.set(block, count);
        return read;
      },
      blockAnswer: (entries, block, reading) => {
        const handed = base.blockAnswer(entries, block, reading);
        if (reading.path !== path) return handed;
        const known = readings.get(reading) ?? new Map<string, number>();
        readings.set(reading, known);
        return handed.filter((entry) => {
          const key = keyOf(entry, streams.get(block) ?? 0);
          const first = known.get(key) ?? entry.storedAtMs;
          known.set(key, first);
          return Math.abs(entry.storedAtMs - first) < after;
        });
      },
    };
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

function firstBatchOnly(path: Reading["path"], sentence: string): Fault {
  const places = new WeakMap<Reading, Map<Entry, number>>();
  return losing(path, `first-batch-${path}`, sentence, (away, _window, reading) => (placeOf(places, reading, away) < BATCH ? [] : away));
}

function inWindow(entries: readonly Entry[], { from, to }: Window): Entry[] {
  return entries.filter(({ ts }) => ts >= from && ts < to);
}

/** The number of entries that each read has found so far. */
const found = new WeakMap<Reading, number>();
const counted = new WeakMap<Reading, Set<string>>();
const enoughPlaces = new WeakMap<Reading, Map<Entry, number>>();

export const LOGS_ARCHIVE_FAULTS: readonly Fault[] = [
  firstBatchOnly("range", "If more than fifty streams have hours of entries, the old entries of only fifty are returned."),
  firstBatchOnly("instant", "If more than fifty streams have hours of entries, the old entries of only fifty are counted."),
  losing(
    "range",
    "enough",
    "A limited read of streams with hours of entries ends with the batch of fifty streams that fills the limit.",
    (away, window, reading) => {
      const place = placeOf(enoughPlaces, reading, away);
      const before = found.get(reading) ?? 0;
      if (place >= BATCH && before >= reading.limit) return away;
      found.set(reading, before + inWindow(away, window).length);
      return [];
    },
    "logs-4.1",
  ),
  losing("range", "one-of-a-time", "If a stream has several old entries at one time, only one is returned.", (away) =>
    away.filter(({ ts }, index) => away[index - 1]?.ts === ts),
  ),
  losing(
    "range",
    "begins-in-last-millisecond",
    "A stream with hours of entries is not read if it begins in the last millisecond of the window.",
    (away, { to }) => (away[0] !== undefined && away[0].ts < to && to - away[0].ts < MILLISECOND ? away : []),
  ),
  ...faultsOf("logs-4.3", {
    "logs-archive-excluded": broken("In streams with hours of entries, != does not exclude lines.", (base) => {
      let reachesBack = false;
      return {
        blocksToRead: (blocks, window, reading) => {
          reachesBack = awayOf(blocks).length > 0;
          return base.blocksToRead(blocks, window, reading);
        },
        filterLine: (filter, line, index) => (reachesBack && filter.operator === "!=") || base.filterLine(filter, line, index),
      };
    }),
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
  }),
  losing("instant", "equal-once", "Equal entries of several streams that are hours old are counted once.", (away, window, reading) => {
    const known = counted.get(reading) ?? new Set<string>();
    counted.set(reading, known);
    return inWindow(away, window).filter(({ ts, line }) => {
      const key = `${ts} ${line}`;
      if (known.has(key)) return true;
      known.add(key);
      return false;
    });
  }),
  losing("range", "day-range", "Entries that are hours old are returned only under the day on which their stream begins.", afterFirstDay),
  losing(
    "instant",
    "day-instant",
    "Entries that are hours old are counted only under the day on which their stream begins.",
    afterFirstDay,
  ),
  ...faultsOf("logs-4.3", {
    "logs-archive-equal-pushed-later": pushedLater(
      "range",
      "If two streams have equal entries that were pushed seconds apart, only one is returned.",
      ({ ts, line }) => `${ts} ${line}`,
    ),
    "logs-archive-equal-counted-minute-later": pushedLater(
      "instant",
      "If two streams have equal entries that were pushed more than a minute apart, only one is counted.",
      ({ ts, line }) => `${ts} ${line}`,
      MINUTE_AFTER,
      { needs: "nightly" },
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
        const parts = (isLater: boolean): Block[] =>
          right.map((block) => ({ ...block, entries: block.entries.filter((entry) => isOfLaterPart(entry, oldest) === isLater) }));
        return [...parts(false), ...parts(true)].filter(({ entries }) => entries.length > 0);
      },
    ),
  }),
  losing(
    "range",
    "later-part-hidden",
    "If parts of a stream were flushed long after each other, the later part is found only in windows with entries of the first part.",
    (away, window) => {
      const [oldest] = away;
      const inside = inWindow(away, window);
      return inside.every((entry) => isOfLaterPart(entry, oldest)) ? inside : [];
    },
    "logs-4.query_range",
    { needs: "nightly" },
  ),
  ...faultsOf("logs-4.3", {
    "logs-archive-tenants-share": broken(
      {
        clause: "logs-5.2a",
        sentence: "If flushed streams of two tenants have the same labels, begin and end, both tenants see the entries of the first.",
        options: { tenancy: true },
        settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two" },
      },
      (base, { logs }) => {
        const first = new Map<string, Block[]>();
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
            if (key === undefined) return base.blocksToRead(blocks, window, reading);
            const shared = first.get(key) ?? [...blocks];
            first.set(key, shared);
            return base.blocksToRead(shared, window, reading);
          },
        };
      },
    ),
  }),
];
