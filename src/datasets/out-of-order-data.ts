/**
 * Entries that are older than the newest entry of their stream. The documents do not say which of them a service accepts, but accepted
 * entries must be returned.
 */
import type { RelativeEntry, RelativeStream } from "../arbitraries/streams.ts";
import { noise } from "../arbitraries/noise.ts";
import { isSuccess } from "../client/exchange.ts";
import { found } from "../harness/finding.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import type { AnsweredStream } from "../model/log-answer.ts";
import { countEntries, type Entry } from "../model/logs.ts";
import { range } from "./requests.ts";
import { type Dataset, extend, placingFor, store, storeAt, wholeQuery } from "./datasets.ts";
import { visible } from "./read-back.ts";
import { CHUNK_STEP, chunks } from "./large-datasets.ts";

const SECOND = 1_000_000_000n;

/** The late entries lie between these, seen from the anchor of the set; everything else is newer. */
export const LATE = { from: 5n * SECOND, to: 200n * SECOND } as const;
const NEWEST = 495n * SECOND;

/** The stream whose late entries are a block by themselves. */
export const BLOCKWISE = "blockwise";

/** Where each of three blocks begins, in the order of time; the one between is pushed last. */
const BLOCKS = { first: 220n * SECOND, between: 310n * SECOND, last: 400n * SECOND } as const;

/** The stream whose late entries are few, and come when a block of it is closed. */
export const HEADED = "headed";

/** With lines of this length it is more than a block of 256 KiB. */
const FILLING = 1_890;
/** With lines of this length it stays open. */
const SHORT = 90;

/** Less than a minute and a half of entries, with pauses in which metric queries may end. */
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
 * All of them are further behind their stream than any entry of the block between: a service that hides what is too late shows that block
 * as a whole, or none of these.
 */
function late(colour: string): RelativeStream {
  return {
    labels: { svc_size: "late", svc_colour: colour },
    entries: Array.from({ length: 40 }, (_, index) => ({
      // Of every ten the last two share a time.
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

/** A block of half as many entries, twice as long. */
function halfAsMany(colour: string): RelativeStream {
  const { labels, entries } = block(colour, "first", 2 * FILLING);
  return { labels, entries: entries.filter((_entry, index) => index % 2 === 1) };
}

/** Late entries; others at some of the times that are in a block already; lines of that block once more, right behind it. */
function lateAndBeside(colour: string): RelativeStream {
  const { labels, entries } = late(colour);
  const there = halfAsMany(colour).entries;
  const times = there.filter((_entry, index) => index % 9 === 2);
  const beside = times.map(({ offset }, index) => ({ offset, line: `beside ${colour} ${index}` }));
  const again = there.filter((_entry, index) => index % 30 === 5).map(({ offset, line }) => ({ offset: offset + 1n, line }));
  return { labels, entries: [...entries, ...beside, ...again] };
}

/** The last entry of a block by itself: what comes late to it is as far behind as what comes to the others. */
function single(colour: string): RelativeStream {
  const { labels, entries } = block(colour, "first", SHORT);
  return { labels, entries: entries.slice(-1) };
}

/**
 * The set with those of its late entries that this target shows; null when it shows none. Each of their lines stands in it once. Taken
 * and not shown is what some services do with entries that are late, or that are later than they allow: these are left out, where the
 * same oldest are missing of the first two streams that have any.
 * Fewer than `least` that are missing are rather lost than too late: a limit of age hardly falls between the oldest and the next.
 * Looked for from the oldest entry on, and by no window of their own: a window that leaves them out is a defect to be found.
 */
export async function shown(scope: Scope, dataset: Dataset, isLate: (entry: Entry) => boolean, least = 2): Promise<Dataset | null> {
  const { start, end } = dataset;
  const linesOf = (streams: readonly AnsweredStream[]): ReadonlySet<string> =>
    new Set(streams.flatMap(({ entries }) => entries.filter(isLate).map(({ line }) => line)));
  const lateOnes = dataset.streams.map(({ entries }) => entries.filter(isLate)).filter(({ length }) => length > 0);
  const all = lateOnes.reduce((sum, entries) => sum + entries.length, 0);
  const { value } = await scope.eventually({
    resource: dataset,
    read: async () => (await range({ query: wholeQuery(dataset), start, end, limit: 1_000, direction: "forward" })(scope)).answer,
    judge: (streams) => {
      const count = linesOf(streams ?? []).size;
      return count === all
        ? []
        : [{ clause: "logs-4.push", path: "data.result", expected: `${all} out-of-order entries`, actual: String(count) }];
    },
  });
  const lines = linesOf(value ?? []);
  if (lines.size === 0) return null;
  const [one, other] = lateOnes.map((entries) => entries.findIndex(({ line }) => lines.has(line)));
  const oldest = lateOnes[0]?.[one ?? 0]?.ts;
  if (one === undefined || one !== other || one < least || oldest === undefined) return dataset;
  const streams = dataset.streams.map(({ labels, entries }) => ({
    labels,
    entries: entries.filter((entry) => !isLate(entry) || entry.ts >= oldest),
  }));
  return { ...dataset, streams, entries: countEntries(streams) };
}

export interface OutOfOrderData {
  readonly pushed: Dataset;
  /** Whether every push was answered with success. */
  readonly isTaken: boolean;
  readonly shown: Dataset | null;
}

/**
 * One stream that ends with the late entries, one that goes on after them, one that held a single entry when they came, one that held a
 * closed block, at whose times others come as well, and one whose late entries are a block by themselves and lie between others of one
 * that is closed; and the set as far as the target shows its late entries, null where it refuses or hides all of them.
 */
export const outOfOrderData: Fixture<OutOfOrderData> = fixture("logs", "out-of-order entries", async (scope) => {
  const pushes = [
    [
      block("last", "first", SHORT),
      block("between", "first", SHORT),
      block(BLOCKWISE, "first", SHORT),
      single("single"),
      halfAsMany(HEADED),
    ],
    [block(BLOCKWISE, "last")],
    [late("last"), late("between"), block(BLOCKWISE, "between"), late("single"), lateAndBeside(HEADED)],
    // What is newer closes the block that came late.
    [newest("between"), newest(BLOCKWISE)],
  ];
  const dataset = await store(scope, "late-entries", { pushes });
  const isTaken = dataset.isReduced !== true && dataset.pushes.every(isSuccess);
  return { pushed: dataset, isTaken, shown: isTaken ? await shown(scope, dataset, ({ ts }) => ts < dataset.anchor + LATE.to) : null };
});

/** Entries that were taken and that no read shows: nothing says whether they are lost, or hidden because they came late. */
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
/** The time after which a service may have put the entries away. */
const PUT_AWAY_MS = 9_000;

/** Entries every ten seconds from `from` seconds on. */
function entries(word: string, from: bigint, count: number): RelativeStream[] {
  return COLOURS.map((colour, stream) => ({
    labels: { svc_size: "late again", svc_colour: colour },
    entries: Array.from({ length: count }, (_, index) => ({
      offset: (from + BigInt(index) * 10n) * SECOND + BigInt(stream) * 11n,
      line: `${word} ${colour} ${index}`,
    })),
  }));
}

/** What was pushed early in a run; reads of it alone are not to be asked again once more has come. */
export const beforeLate: Fixture<Dataset> = fixture(
  "logs",
  "streams that get out-of-order entries, soon and minutes later",
  async (scope) => visible(scope, await store(scope, "late-again", { pushes: [entries("before", 1n, 40)] })),
);

/** Why nothing is to be seen of late entries: what of them a target takes and shows is not stated, and a push happens once only. */
export type Unseen = "not shown" | "not answered";

/** The same with the late entries that this target shows, once nothing of it was written for a while. */
export const secondOutOfOrderPush: Fixture<Dataset | Unseen> = fixture(
  "logs",
  "out-of-order entries, pushed soon after the others and minutes later",
  async (scope) => {
    if ((await scope.use(outOfOrderData)).shown === null) return "not shown";
    const before = await scope.use(beforeLate);
    await scope.untilAfterWrite(before, Math.min(PUT_AWAY_MS, scope.settle.deadlineMs));
    const dataset = await extend(scope, before, entries(AGAIN, 105n, 12));
    if (dataset === null) return "not answered";
    const seen = dataset.pushes.every(isSuccess) ? await shown(scope, dataset, ({ line }) => line.startsWith(AGAIN), 1) : null;
    return seen ?? "not shown";
  },
);

/** The same when a service may have put away the late ones as well, beside what it had put away before. */
export const secondOutOfOrderPushSettled: Fixture<Dataset | Unseen> = fixture(
  "logs",
  "out-of-order entries, also after a flush",
  async (scope) => {
    const dataset = await scope.use(secondOutOfOrderPush);
    if (typeof dataset !== "string") await scope.untilAfterWrite(dataset, scope.settle.windowMs);
    return dataset;
  },
);

/** What the lines begin with that come lateEntries. */
export const LATE_TO_CHUNK = "lateEntries to a chunk";

/** Between entries of the first chunk and of the second, far from either end. */
const lateEntries = Array.from({ length: 24 }, (_, index): RelativeEntry => ({
  offset: BigInt(130 + index * 25) * CHUNK_STEP + CHUNK_STEP / 2n,
  line: `${LATE_TO_CHUNK} ${index}`,
}));

/** Null where this target refuses or does not show entries that come lateEntries, or the one push of them was not answered. */
export const outOfOrderChunks: Fixture<Dataset | null> = fixture(
  "logs",
  "out-of-order entries of a stream of nearly three megabytes",
  async (scope) => {
    // Whether anything lateEntries is shown is known already, but where another machine has asked.
    if (scope.settings.shard === null && (await scope.use(outOfOrderData)).shown === null) return null;
    const dataset = await extend(scope, await scope.use(chunks), [{ labels: { svc_size: "chunks" }, entries: lateEntries }]);
    if (dataset === null || !dataset.pushes.every(isSuccess)) return null;
    return shown(scope, dataset, ({ line }) => line.startsWith(LATE_TO_CHUNK));
  },
);

/** Of as many entries as one answer may hold, some of the first fifth come right after the others of it; a chunk and more comes behind. */
const CLOSED_ENTRIES = 930;
const CLOSED_BYTES = 2_850;
const FIRST_FIFTH = CLOSED_ENTRIES / 5;
const isHeldBack = (index: number): boolean => index < FIRST_FIFTH && index % 9 === 4;

const closedEntries = Array.from({ length: CLOSED_ENTRIES }, (_, index): RelativeEntry => ({
  offset: BigInt(index) * CHUNK_STEP + 11n,
  line: `${isHeldBack(index) ? LATE_TO_CHUNK : "in order"} ${index} ${noise(index, CLOSED_BYTES)}`,
}));

function held({ line }: { readonly line: string }): boolean {
  return line.startsWith(LATE_TO_CHUNK);
}

/** The same stream in pushes of less than a megabyte: what came lateEntries lies in a chunk that is closed when more comes. */
export const lateClosed: Fixture<Dataset | null> = fixture(
  "logs",
  "out-of-order entries of a chunk that was closed before their push",
  async (scope) => {
    if ((await scope.use(outOfOrderData)).shown === null) return null;
    const fifths = Array.from({ length: 5 }, (_, fifth) => closedEntries.slice(fifth * FIRST_FIFTH, (fifth + 1) * FIRST_FIFTH));
    const [first = [], ...others] = fifths;
    const parts = [first.filter((entry) => !held(entry)), first.filter(held), ...others];
    const payload = { pushes: parts.map((entries) => [{ labels: { svc_size: "closed" }, entries }]) };
    const dataset = await storeAt(scope, "late-closed", payload, await placingFor(scope, "settled"));
    return dataset.pushes.every(isSuccess) ? shown(scope, dataset, held) : null;
  },
);
