/** Entries that are older than the newest entry of their stream. A service may refuse them, but must return entries that it accepts. */
import { type RelativeStream, evenly } from "../arbitraries/streams.ts";
import { noise } from "../arbitraries/noise.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { found } from "../harness/finding.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import type { AnsweredStream } from "../model/log-answer.ts";
import { type Entry, linesOf, withEntries } from "../model/logs.ts";
import { range } from "./requests.ts";
import { type Dataset, ofSize, untilFlushed, wholeQuery, isAccepted, withStreams } from "./datasets.ts";
import { extend, placingFor, store, acceptedAt } from "./dataset-pushes.ts";
import { visible } from "./read-back.ts";
import { CHUNK_STEP, chunks } from "./large-datasets.ts";
import { difference } from "../model/difference.ts";
import { SECOND } from "../model/times.ts";

/** The out-of-order entries are between these offsets, in ns. All other entries are newer. */
export const LATE = { from: 5n * SECOND, to: 200n * SECOND } as const;
const NEWEST = 495n * SECOND;

/** The stream whose out-of-order entries fill a whole block. */
export const BLOCKWISE = "blockwise";

/** The starts of three blocks in ns, in ascending order. The middle block is pushed last. */
const BLOCKS = { first: 220n * SECOND, between: 310n * SECOND, last: 400n * SECOND } as const;

/** The stream that gets a few out-of-order entries after the service has closed one of its blocks. */
export const HEADED = "headed";

/** The length of a line in bytes. With such lines, a block of entries has more than 256 KiB, so a service closes it. */
const FILLING = 1_890;
/** The length of a line in bytes. With such lines, a service does not close a block of entries. */
const SHORT = 90;

/** Returns a block of 140 entries in less than 90 s, with pauses in which metric queries may end. */
function block(colour: string, which: keyof typeof BLOCKS, length = FILLING): RelativeStream {
  return {
    labels: { svc_size: "late", svc_colour: colour },
    entries: Array.from({ length: 140 }, (_, index) => ({
      offset: BLOCKS[which] + BigInt(index) * 450_000_003n + BigInt(Math.floor(index / 20)) * 3n * SECOND,
      line: `${which} ${colour} ${index} ${noise(index + Number(BLOCKS[which] / SECOND), length)}`,
    })),
  };
}

/**
 * Returns out-of-order entries that are older than all entries of the middle block. A service that hides old entries hides these entries
 * first. So a read that returns one of them must return the whole middle block.
 */
function late(colour: string): RelativeStream {
  return {
    labels: { svc_size: "late", svc_colour: colour },
    entries: Array.from({ length: 40 }, (_, index) => ({
      // In each group of ten entries, the last two share a timestamp.
      offset: LATE.from + BigInt(index % 10 === 9 ? index - 1 : index) * 3_000_000_007n,
      line: `late ${colour} ${index}`,
    })),
  };
}

function newest(colour: string): RelativeStream {
  return {
    labels: { svc_size: "late", svc_colour: colour },
    entries: [0n, 1n, 2n, 2n].map((seconds, index) => ({ offset: NEWEST + seconds * SECOND, line: `newest ${colour} ${index}` })),
  };
}

/** Returns a block of 70 entries. With the default line length, the block also has more than 256 KiB. */
function halfAsMany(colour: string, length = 2 * FILLING): RelativeStream {
  const { labels, entries } = block(colour, "first", length);
  return { labels, entries: entries.filter((_entry, index) => index % 2 === 1) };
}

/** Returns a whole block of the newest entries. A service then closes the earlier blocks, which have the out-of-order entries. */
function newestBlock(colour: string): RelativeStream {
  const { labels, entries } = halfAsMany(colour);
  return {
    labels,
    entries: entries.map(({ line }, index) => ({ offset: NEWEST + BigInt(index) * 40_000_003n, line: line.replace("first", "newest") })),
  };
}

/**
 * Returns out-of-order entries: older entries, entries at timestamps of a closed block, entries 1 ns after entries of this block with the
 * same line, and an old entry with the newest line. A service may wrongly take entries with equal lines for the same entry.
 */
function lateAndBeside(colour: string): RelativeStream {
  const { labels, entries } = late(colour);
  const there = halfAsMany(colour).entries;
  const times = there.filter((_entry, index) => index % 9 === 2);
  const beside = times.map(({ offset }, index) => ({ offset, line: `beside ${colour} ${index}` }));
  const again = there.filter((_entry, index) => index % 30 === 5).map(({ offset, line }) => ({ offset: offset + 1n, line }));
  // This entry is pushed directly after the newest entry, because a service may compare an entry only with the previous one. It is one of
  // the oldest entries: a service that hides old entries hides this entry first.
  const sameLine = { offset: LATE.from + SECOND, line: there.at(-1)?.line ?? "" };
  return { labels, entries: [sameLine, ...entries, ...beside, ...again] };
}

/** Returns a stream with only the last entry of a block. Its newest entry is then as new as that of a stream with the whole block. */
function single(colour: string): RelativeStream {
  const { labels, entries } = block(colour, "first", SHORT);
  return { labels, entries: entries.slice(-1) };
}

/**
 * Resolves to the dataset with the out-of-order entries that the target returns, or to null if it returns none. Each line is unique. If the
 * first two streams lack the same oldest entries, the target hides old entries, and the dataset is returned without them. If fewer than
 * `least` entries are missing, they count as lost. The whole dataset is read, because reads of small windows may have a defect.
 */
export async function shown(scope: Scope, dataset: Dataset, isLate: (entry: Entry) => boolean, least = 2): Promise<Dataset | null> {
  const { start, end } = dataset;
  const lateLines = (streams: readonly AnsweredStream[] | null): ReadonlySet<string> => linesOf(withEntries(streams ?? [], isLate));
  const lateOnes = withEntries(dataset.streams, isLate).map(({ entries }) => entries);
  const all = lateOnes.reduce((sum, entries) => sum + entries.length, 0);
  const { value } = await scope.eventually({
    resource: dataset,
    read: async () => (await range({ query: wholeQuery(dataset), start, end, limit: 1_000, direction: "forward" })(scope)).answer,
    judge: (streams) => {
      const count = lateLines(streams).size;
      return count === all ? [] : [difference("logs-4.push", "data.result", `${all} out-of-order entries`, String(count), "too-few")];
    },
  });
  const lines = lateLines(value);
  if (lines.size === 0) return null;
  const [one, other] = lateOnes.map((entries) => entries.findIndex(({ line }) => lines.has(line)));
  const oldest = lateOnes[0]?.[one ?? 0]?.ts;
  if (one === undefined || one !== other || one < least || oldest === undefined) return dataset;
  return withStreams(
    dataset,
    withEntries(dataset.streams, (entry) => !isLate(entry) || entry.ts >= oldest),
  );
}

interface OutOfOrderData {
  readonly pushed: Dataset;
  readonly isTaken: boolean;
  readonly shown: Dataset | null;
}

/**
 * Streams with out-of-order entries. `shown` has the entries that the target returns, or is null if it returns none. In the stream `last`,
 * the out-of-order entries are pushed last. `between` gets newer entries afterwards. `single` has only one entry before. `headed` has a
 * closed block before, and some out-of-order entries at its timestamps. `blockwise` gets a whole out-of-order block between other blocks.
 */
export const outOfOrderData = fixture<OutOfOrderData>("logs", "out-of-order entries", async (scope) => {
  const pushes = [
    [halfAsMany("last", SHORT), halfAsMany("between", SHORT), block(BLOCKWISE, "first", SHORT), single("single"), halfAsMany(HEADED)],
    [block(BLOCKWISE, "last")],
    [late("last"), late("between"), block(BLOCKWISE, "between"), late("single"), lateAndBeside(HEADED)],
    // The newer entries close the block of out-of-order entries.
    [newest("between"), newestBlock(BLOCKWISE)],
  ];
  const dataset = await store(scope, "late-entries", { pushes });
  const isTaken = dataset.isReduced !== true && isAccepted(dataset);
  return { pushed: dataset, isTaken, shown: isTaken ? await shown(scope, dataset, ({ ts }) => ts < dataset.anchor + LATE.to) : null };
});

/** If no read returned the accepted entries, returns an assertion that leaves the clause unverified: they may be lost or too old. */
export function takenAndHidden({ pushed, isTaken, shown: seen }: OutOfOrderData): Assertion | null {
  if (!isTaken || seen !== null) return null;
  return found("logs-4.push", [], {
    held: [],
    notEvaluated:
      "a push of out-of-order entries was answered with success, and no read showed these entries; the documents do not say whether a service may hide them",
    exchanges: pushed.pushes,
  });
}

const COLOURS = ["one", "other"] as const;
const AGAIN = "again";
/** Returns entries every 10 s, beginning at `from` s. */
function entries(word: string, from: bigint, count: number, size = "late again"): RelativeStream[] {
  return COLOURS.map((colour, stream) => ({
    labels: { svc_size: size, svc_colour: colour },
    entries: evenly(count, 10n * SECOND, from * SECOND + BigInt(stream) * 11n, (index) => `${word} ${colour} ${index}`),
  }));
}

/** The streams as they are before out-of-order entries are pushed. After that push, no check may repeat reads of this dataset. */
export const beforeLate = fixture<Dataset>("logs", "streams that get out-of-order entries some time later", async (scope) =>
  visible(scope, await store(scope, "late-again", { pushes: [entries("before", 1n, 40)] })),
);

/** Groups of streams that get no push for some time. If the next push to a group gets no response, another group is used a second later. */
const RESTED = ["rested", "rested too", "rested as well"];
const NEXT_GROUP_MS = 1_000;

/** Streams that get newer entries after some time without a push. */
export const restedStreams = fixture<Dataset>("logs", "streams that rest before newer entries", async (scope) =>
  visible(scope, await store(scope, "rested", { pushes: [RESTED.flatMap((size) => entries("before", 1n, 4, size))] })),
);

/** The same streams with newer entries. They are pushed at a time when a service may have flushed and forgotten the streams. */
export const afterRest = fixture<Dataset>("logs", "newer entries of streams that have rested", async (scope) => {
  const before = await scope.use(restedStreams);
  await untilFlushed(scope, before);
  for (const size of RESTED) {
    const dataset = await extend(scope, { ...ofSize(before, size, before), name: before.name }, entries("after", 101n, 4, size));
    if (dataset !== null) return dataset;
    await scope.run.pause(NEXT_GROUP_MS);
  }
  throw new Inconclusive("pushes of newer entries to streams that had rested were not answered");
});

/** Why out-of-order entries cannot be judged. `hidden`: reads showed those of an earlier dataset, but not of this one. */
type Unseen = "not shown" | "hidden" | "not answered";

/** The streams with the out-of-order entries that the target returns. They are pushed some time after the first push. */
export const secondOutOfOrderPush = fixture<Dataset | Unseen>(
  "logs",
  "out-of-order entries that are pushed some time after the other entries",
  async (scope) => {
    const { pushed, shown: first } = await scope.use(outOfOrderData);
    if (first === null) return "not shown";
    const before = await scope.use(beforeLate);
    await untilFlushed(scope, before);
    const dataset = await extend(scope, before, entries(AGAIN, 105n, 12));
    if (dataset === null) return "not answered";
    if (!isAccepted(dataset)) return "not shown";
    const seen = await shown(scope, dataset, ({ line }) => line.startsWith(AGAIN), 1);
    return seen ?? (first.entries === pushed.entries ? "hidden" : "not shown");
  },
);

/** The text with which the lines of the out-of-order entries begin. */
const LATE_TO_CHUNK = "late to a chunk";

/** Out-of-order entries between entries of the first and the second chunk, far from their ends. */
const lateEntries = evenly(24, 25n * CHUNK_STEP, 130n * CHUNK_STEP + CHUNK_STEP / 2n, (index) => `${LATE_TO_CHUNK} ${index}`);

/** Streams with out-of-order entries in closed chunks. Null if they are refused or not returned, or if the push got no response. */
export const outOfOrderChunks = fixture<Dataset | null>(
  "logs",
  "out-of-order entries of a stream of nearly three megabytes",
  async (scope) => {
    // The fixture `outOfOrderData` already shows whether out-of-order entries are returned. In a sharded run, another machine may have
    // built that fixture.
    if (scope.settings.shard === null && (await scope.use(outOfOrderData)).shown === null) return null;
    const dataset = await extend(scope, await scope.use(chunks), [{ labels: { svc_size: "chunks" }, entries: lateEntries }]);
    if (dataset === null || !isAccepted(dataset)) return null;
    return shown(scope, dataset, ({ line }) => line.startsWith(LATE_TO_CHUNK));
  },
);

/** The number of entries, which one read can return. Some of the first fifth are pushed later, followed by more than a chunk. */
const CLOSED_ENTRIES = 930;
const CLOSED_BYTES = 2_850;
const FIRST_FIFTH = CLOSED_ENTRIES / 5;
const isHeldBack = (index: number): boolean => index < FIRST_FIFTH && index % 9 === 4;

const closedEntries = evenly(CLOSED_ENTRIES, CHUNK_STEP, 11n, (index) => {
  return `${isHeldBack(index) ? LATE_TO_CHUNK : "in order"} ${index} ${noise(index, CLOSED_BYTES)}`;
});

function held({ line }: { readonly line: string }): boolean {
  return line.startsWith(LATE_TO_CHUNK);
}

/** A stream in pushes of less than 1 MB. Later pushes close the chunk with the out-of-order entries. */
export const lateClosed = fixture<Dataset | null>(
  "logs",
  "out-of-order entries of a chunk that was closed before their push",
  async (scope) => {
    if ((await scope.use(outOfOrderData)).shown === null) return null;
    const fifths = Array.from({ length: 5 }, (_, fifth) => closedEntries.slice(fifth * FIRST_FIFTH, (fifth + 1) * FIRST_FIFTH));
    const [first = [], ...others] = fifths;
    const parts = [first.filter((entry) => !held(entry)), first.filter(held), ...others];
    const pushes = parts.map((entries) => [{ labels: { svc_size: "closed" }, entries }]);
    const dataset = await acceptedAt(scope, "late-closed", pushes, await placingFor(scope, "settled"));
    return dataset && shown(scope, dataset, held);
  },
);
