/** Faults of flushed data. Reads are right while the entries are in memory, and wrong later. */
import type { ServerHandle } from "../behaviour.ts";
import type { Block } from "../logs/blocks.ts";
import type { ResolveTenants } from "../logs/tenant-paths.ts";
import type { Direction, Entry, LabelledEntries } from "../logs/types.ts";
import { broken, fault, faultsOf, type Row, wrongInput } from "./define.ts";
import { TENANTS } from "./helpers.ts";
import type { Fault } from "./types.ts";

/** The time from a push to its flush, in ms. */
const MEMORY_MS = 1_000;

function isAway({ options }: ServerHandle, entries: readonly Entry[]): boolean {
  return entries.every(({ storedAtMs }) => options.now() - storedAtMs > MEMORY_MS);
}

/** A fault: some time after the first request of a tenant, it reads the data of all tenants. */
function everybodyLater({ options }: ServerHandle): ResolveTenants {
  const since = new Map<string, number>();
  return (asked, known) => {
    const [own = ""] = asked;
    const first = since.get(own) ?? options.now();
    since.set(own, first);
    return options.now() - first > MEMORY_MS ? known : asked;
  };
}

/** Returns the entries in memory. If none is in memory, returns all entries. So flushed entries are not read together with newer ones. */
function newestOnly(server: ServerHandle, blocks: readonly Block[]): Block[] {
  const inMemory = blocks.map((block) => ({ ...block, entries: block.entries.filter((entry) => !isAway(server, [entry])) }));
  return inMemory.some(({ entries }) => entries.length > 0) ? inMemory : [...blocks];
}

/** The shortest time from the first push of a stream to the flush of its first entries, in ms. */
const APART_MS = 250;

/** Returns the entries that were pushed after the flush of their stream, but have timestamps between those of flushed entries. */
function laterWritten(entries: readonly Entry[]): ReadonlySet<Entry> {
  const first = Math.min(...entries.map(({ storedAtMs }) => storedAtMs));
  const early = entries.filter(({ storedAtMs }) => storedAtMs - first <= APART_MS).map(({ ts }) => ts);
  const isAmong = (ts: bigint): boolean => early.some((one) => one < ts) && early.some((one) => one > ts);
  return new Set(entries.filter(({ ts, storedAtMs }) => storedAtMs - first > APART_MS && isAmong(ts)));
}

function withoutContained(blocks: readonly Block[]): Block[] {
  return blocks.map((block) => {
    const late = laterWritten(block.entries);
    return { ...block, entries: block.entries.filter((entry) => !late.has(entry)) };
  });
}

const HOUR_NS = 3_600_000_000_000n;

/** Returns the entries of a stream. If all entries of the stream are flushed, returns only the entries in the hour of its first entry. */
function firstHourOnly(server: ServerHandle, blocks: readonly Block[]): Block[] {
  const first = blocks[0]?.entries[0];
  if (first === undefined || !blocks.every(({ entries }) => isAway(server, entries))) return [...blocks];
  const isFound = ({ ts }: Entry): boolean => ts / HOUR_NS === first.ts / HOUR_NS;
  return blocks.map((block) => ({ ...block, entries: block.entries.filter(isFound) }));
}

const opposite: Readonly<Record<Direction, Direction>> = { forward: "backward", backward: "forward" };

/** Returns the whole words in the text of a filter: the words with a blank on both sides. */
function wholeWords(text: string): string[] {
  return text
    .split(" ")
    .slice(1, -1)
    .filter((word) => word !== "");
}

/** A fault of an index of the words in flushed lines: a line is read only if the index has each whole word of the filter. */
function wordIndex(sentence: string, indexed: (words: readonly string[]) => readonly string[]): Row {
  return broken({ clause: "logs-4.3", sentence: `The index of flushed lines has ${sentence}.` }, (base) => {
    let isAwayNow = false;
    return {
      entryVisible: (entry, nowMs) => {
        isAwayNow = nowMs - entry.storedAtMs > MEMORY_MS;
        return base.entryVisible(entry, nowMs);
      },
      filterLine: (filter, line, index) => {
        const asked = isAwayNow && filter.operator === "|=" ? wholeWords(filter.text) : [];
        const known = new Set(asked.length === 0 ? [] : indexed(line.split(" ").filter((word) => word !== "")));
        return asked.every((word) => known.has(word)) && base.filterLine(filter, line, index);
      },
    };
  });
}

export const LOGS_SEAM_STORE_FAULTS: readonly Fault[] = [
  ...(["range", "instant"] as const).map((path) =>
    fault(
      path === "range" ? "logs-4.query_range" : "logs-4.query",
      `logs-seam-store-hidden-by-new-${path}`,
      `Flushed entries are not ${path === "range" ? "returned" : "counted"} while their stream has newer entries.`,
      (base, server) => ({
        blocksToRead: (blocks, window, reading) =>
          base.blocksToRead(reading.path === path ? newestOnly(server, blocks) : blocks, window, reading),
      }),
    ),
  ),
  ...faultsOf("logs-4.1", {
    "logs-seam-store-hour-of-first": broken(
      { clause: "logs-4.query_range", sentence: "Only the flushed entries in the hour of the first flushed entry are returned." },
      (base, server) => ({
        blocksToRead: (blocks, window, reading) => base.blocksToRead(firstHourOnly(server, blocks), window, reading),
      }),
    ),
    "logs-seam-store-late-contained": wrongInput(
      "blocksToRead",
      { clause: "logs-4.query_range", sentence: "Backward reads leave out later entries that lie within the times of flushed entries." },
      (blocks, window, reading) => [
        reading.path === "range" && reading.direction === "backward" ? withoutContained(blocks) : blocks,
        window,
        reading,
      ],
    ),
    "logs-seam-store-late-not-needed": broken(
      // The timing of two concurrent pushes decides which of them is late, so another clause may be reported too.
      { sentence: "A limited read over times before the first late entry leaves out all late entries.", also: ["logs-5.2a"] },
      (base) => ({
        pick: (streams, limit, direction) => {
          const right = base.pick(streams, limit, direction);
          const late = laterWritten(streams.flatMap(({ entries }) => entries));
          const shown = right.flatMap(({ entries }) => entries.filter((entry) => !late.has(entry)));
          const reaches = [...late].some(({ ts }) => shown.some((entry) => (direction === "backward" ? entry.ts < ts : entry.ts > ts)));
          if (!reaches || shown.length === 0) return right;
          return base.pick(
            streams.map(({ labels, entries }) => ({ labels, entries: entries.filter((entry) => !late.has(entry)) })),
            limit,
            direction,
          );
        },
      }),
    ),
    "logs-seam-store-eight-pushes": broken("A limited read visits only the entries of the first eight pushes.", (base) => ({
      pick: (streams, limit, direction) => {
        const times = [...new Set(streams.flatMap(({ entries }) => entries.map(({ storedAtMs }) => storedAtMs)))];
        const last = times.toSorted((one, other) => one - other)[7];
        if (times.length <= 8 || last === undefined) return base.pick(streams, limit, direction);
        const early = streams.map(({ labels, entries }) => ({ labels, entries: entries.filter(({ storedAtMs }) => storedAtMs <= last) }));
        return base.pick(early, limit, direction);
      },
    })),
    "logs-seam-store-late-behind": broken("Late entries of a flushed stream are returned after all flushed entries.", (base) => ({
      order: (entries, direction) => {
        const right = base.order(entries, direction);
        const late = laterWritten(right);
        return late.size === 0 ? right : [...right.filter((entry) => !late.has(entry)), ...right.filter((entry) => late.has(entry))];
      },
    })),
    "logs-seam-store-plain-words": wordIndex("only words of ASCII letters", (words) => words.filter((word) => /^[a-z]+$/i.test(word))),
    "logs-seam-store-small-words": wordIndex("its words in lower case", (words) => words.map((word) => word.toLowerCase())),
    "logs-seam-store-names-hidden-by-new": broken(
      { clause: "logs-4.labels", sentence: "Label names of flushed entries are not listed while there are newer entries." },
      (base, server) => ({
        labelNames: (streams) => {
          const inMemory = streams.filter(({ entries }) => !isAway(server, entries));
          return base.labelNames(inMemory.length > 0 ? inMemory : streams);
        },
      }),
    ),
    "logs-seam-store-counts-new-only": broken(
      { clause: "logs-4.query", sentence: "If a stream has flushed and newer entries, a metric query counts only the newer ones." },
      (base, server) => ({
        aggregateRange: (aggregation, entries, seconds, length) => {
          const inMemory = entries.filter((entry) => !isAway(server, [entry]));
          return base.aggregateRange(aggregation, inMemory.length > 0 ? inMemory : entries, seconds, length);
        },
      }),
    ),
    "logs-seam-store-counts-half": broken(
      { clause: "logs-4.query", sentence: "Metric queries count only every second flushed entry." },
      (base, server) => ({
        aggregateRange: (aggregation, entries, seconds, length) =>
          base.aggregateRange(
            aggregation,
            isAway(server, entries) ? entries.filter((_, index) => index % 2 === 0) : entries,
            seconds,
            length,
          ),
      }),
    ),
    "logs-seam-store-wrong-end": broken("A limited read of flushed entries returns the entries at the wrong end.", (base, server) => ({
      pick: (streams, limit, direction) =>
        base.pick(
          streams,
          limit,
          streams.length > 0 && streams.every(({ entries }) => isAway(server, entries)) ? opposite[direction] : direction,
        ),
    })),
  }),
  ...(["labelNames", "labelValues"] as const).map((list) =>
    fault(
      list === "labelNames" ? "logs-4.labels" : "logs-4.label-values",
      `logs-seam-store-${list === "labelNames" ? "names" : "values"}-forgotten`,
      `${list === "labelNames" ? "Label names" : "Label values"} of flushed entries are not listed.`,
      (base, server) => {
        const inMemory = (streams: readonly LabelledEntries[]): LabelledEntries[] =>
          streams.filter(({ entries }) => !isAway(server, entries));
        return list === "labelNames"
          ? { labelNames: (streams) => base.labelNames(inMemory(streams)) }
          : { labelValues: (name, streams) => base.labelValues(name, inMemory(streams)) };
      },
    ),
  ),
  ...faultsOf("logs-4.1", {
    "logs-seam-store-names-of-all": broken(
      {
        clause: "logs-5.2a",
        sentence: "Some time after a tenant's first read, its list of label names has the names of all tenants.",
        ...TENANTS,
      },
      (_base, server) => ({ namesTenants: everybodyLater(server) }),
    ),
    "logs-seam-store-counts-of-all": broken(
      {
        clause: "logs-5.2a",
        sentence: "Some time after a tenant's first read, its metric queries count the entries of all tenants.",
        ...TENANTS,
      },
      (_base, server) => ({ instantTenants: everybodyLater(server) }),
    ),
  }),
];
