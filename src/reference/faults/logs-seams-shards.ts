import type { Behaviour } from "../behaviour.ts";
import { hashOf } from "../logs/shards.ts";
import type { Direction, Entry, LabelledEntries, Reading } from "../logs/types.ts";
import { broken, fault, faultsOf, type Row, wrongDecision, wrongResult } from "./define.ts";
import { filterEntries, firstEntries, firstTime } from "./helpers.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";
/** If a query selects at least this number of streams, the faulty servers use shards. */
const MANY = 16;
const MILLISECOND = 1_000_000n;

function mostStreams(count: number): Fault {
  return fault(RANGE, `logs-seam-streams-${count}`, `At most ${count} streams are returned.`, (base) => ({
    arrange: (streams, query) => base.arrange(streams, query).slice(0, count),
  }));
}

/** Returns a faulty server. Its shards return wrong streams if a query of the kind `path` (range or metric) selects many streams. */
function sharded(
  clause: string,
  path: Reading["path"],
  sentence: string,
  change: (streams: Parameters<Behaviour["shardAnswer"]>[0], reading: Reading) => ReturnType<Behaviour["shardAnswer"]>,
): Row {
  return wrongDecision("shardAnswer", { clause, sentence }, (streams, reading, selected) =>
    reading.path === path && selected > MANY ? change(streams, reading) : undefined,
  );
}

/** Returns a faulty server that merges the responses of shards wrongly, in range queries or in metric queries. */
function merged(
  clause: string,
  path: Reading["path"],
  sentence: string,
  change: (streams: ReturnType<Behaviour["mergeShards"]>) => ReturnType<Behaviour["mergeShards"]>,
): Row {
  return wrongResult("mergeShards", { clause, sentence }, (streams, _answers, reading) =>
    reading.path === path ? change(streams) : streams,
  );
}

/** Returns a function that applies a limit to timestamps rounded to `unit`. Entries with equal rounded times are taken stream by stream. */
function coarse(unit: bigint): (streams: readonly LabelledEntries[], limit: number, direction: Direction) => readonly LabelledEntries[] {
  return (streams, limit, direction) => {
    const sign = direction === "forward" ? 1n : -1n;
    const sequence = streams
      .flatMap(({ entries }, stream) => entries.map((entry) => ({ entry, stream })))
      .toSorted((one, other) => Number(sign * (one.entry.ts / unit - other.entry.ts / unit)) || one.stream - other.stream);
    const kept = new Set(sequence.slice(0, limit).map(({ entry }) => entry));
    return filterEntries(streams, (entry) => kept.has(entry));
  };
}

/** Removes each entry whose key is equal to the key of an entry in an earlier stream. */
function withoutRepeats<Stream extends LabelledEntries>(streams: readonly Stream[], key: (entry: Entry) => string): readonly Stream[] {
  const seen = new Set<string>();
  return streams.map((stream) => {
    const fresh = stream.entries.filter((entry) => !seen.has(key(entry)));
    for (const entry of fresh) seen.add(key(entry));
    return { ...stream, entries: fresh };
  });
}

function linesOnce(entries: readonly Entry[]): readonly Entry[] {
  const isNew = firstTime();
  return entries.filter(({ line }) => isNew(line));
}

/** Applies a limit stream by stream. If a stream exceeds the limit, its entries outside the times of earlier streams are left out. */
function gathered(streams: readonly LabelledEntries[], limit: number, direction: Direction): readonly LabelledEntries[] {
  const before = (one: bigint, other: bigint): boolean => (direction === "forward" ? one < other : one > other);
  let count = 0;
  let last: bigint | undefined;
  return streams.map(({ labels, entries }) => {
    const within = last;
    const taken = within === undefined || count + entries.length <= limit ? entries : entries.filter(({ ts }) => before(ts, within));
    count = Math.min(limit, count + taken.length);
    for (const { ts } of taken) if (last === undefined || before(last, ts)) last = ts;
    return { labels, entries: taken };
  });
}

/** A fault: a large limit is applied to the streams in another order. The response has the usual order. Small limits are right. */
function gatheredIn(sentence: string, order: (streams: readonly LabelledEntries[]) => readonly LabelledEntries[]): Row {
  return broken({ clause: RANGE, sentence }, (base) => ({
    pick: (streams, limit, direction) =>
      base.pick(limit > MANY ? order(gathered(order(streams), limit, direction)) : streams, limit, direction),
  }));
}

const equalEntry = ({ ts, line }: Entry): string => `${ts} ${line}`;

export const LOGS_SEAM_SHARD_FAULTS: readonly Fault[] = [
  mostStreams(16),
  mostStreams(32),
  mostStreams(100),
  ...faultsOf("logs-4.1", {
    "logs-seam-shard-limit-shared": sharded(
      RANGE,
      "range",
      "If a query selects more than 16 streams, each shard returns a sixteenth of the limit.",
      (streams, { limit }) => firstEntries(streams, Math.ceil(limit / 16)),
    ),
    "logs-seam-shard-one-stream": sharded(
      RANGE,
      "range",
      "If a query selects more than 16 streams, each shard returns at most three streams.",
      (streams) => streams.slice(0, 3),
    ),
    "logs-seam-shard-merged-by-labels": wrongDecision(
      "pick",
      "If a query selects more than 16 streams, a limit is filled in the order of their labels.",
      (streams, limit) => (streams.length > MANY ? firstEntries(streams, limit) : undefined),
    ),
    "logs-seam-no-room-for-earlier": gatheredIn(
      "With a limit above 16, a stream that does not fit whole loses entries, although there is room for them.",
      (streams) => streams.toReversed(),
    ),
    "logs-seam-shard-sum": sharded(
      METRIC,
      "instant",
      "If a query selects more than 16 streams, a metric query counts only two of each shard.",
      (streams) => streams.slice(0, 2),
    ),
    "logs-seam-sum-of-32": broken({ clause: METRIC, sentence: "sum adds at most 32 samples." }, (base) => ({
      combine: (operator, values) => base.combine(operator, operator === "sum" ? values.slice(0, 32) : values),
    })),
    "logs-seam-fingerprint": broken(
      {
        clause: "logs-1.1",
        sentence: "Streams are identified by eight bits, so some of a hundred streams are confused.",
        // The server shows entries in a stream to which they were not pushed. This violates another clause too.
        also: ["logs-2.Entry"],
      },
      () => ({ streamIdentity: (labels) => `${hashOf(labels) % 256}` }),
    ),
    "logs-seam-merge-by-millisecond": broken("A limit over several streams compares only milliseconds.", () => ({
      pick: coarse(MILLISECOND),
    })),
    "logs-seam-merge-by-microsecond": broken("A limit over several streams compares only microseconds.", () => ({
      pick: coarse(1_000n),
    })),
    "logs-seam-merge-one-per-time": merged(
      RANGE,
      "range",
      "If several streams have entries at the same time, only one is returned.",
      (streams) => withoutRepeats(streams, ({ ts }) => ts.toString()),
    ),
    "logs-seam-merge-equal-entries": merged(
      RANGE,
      "range",
      "If several streams have an equal entry, it is returned for one of them only.",
      (streams) => withoutRepeats(streams, equalEntry),
    ),
    "logs-seam-equal-entries-counted-once": merged(
      METRIC,
      "instant",
      "If several streams have an equal entry, it is counted once.",
      (streams) => withoutRepeats(streams, equalEntry),
    ),
    "logs-seam-same-time-counted-once": merged(
      METRIC,
      "instant",
      "If several streams have entries at the same time, only one is counted.",
      (streams) => withoutRepeats(streams, ({ ts }) => ts.toString()),
    ),
    "logs-seam-same-line-once": wrongDecision(
      "blockAnswer",
      { clause: RANGE, sentence: "If a stream has a line at several times, it is returned once." },
      (found, _block, reading) => (reading.path === "instant" ? undefined : linesOnce(found)),
    ),
    "logs-seam-same-line-counted-once": wrongDecision(
      "blockAnswer",
      { clause: METRIC, sentence: "If a stream has a line at several times, it is counted once." },
      (found, _block, reading) => (reading.path === "range" ? undefined : linesOnce(found)),
    ),
  }),
];
