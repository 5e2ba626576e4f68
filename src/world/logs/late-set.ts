/** Entries that are older than what their stream holds already: which of them a service takes is not stated, what it shows of them is judged. */
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { noise } from "../../arbitraries/noise.ts";
import { isSuccess } from "../../client/exchange.ts";
import { found } from "../../harness/finding.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import type { AnsweredStream } from "../../model/log-answer.ts";
import { countEntries, type Entry } from "../../model/logs.ts";
import { range } from "./asks.ts";
import { type Dataset, store, wholeQuery } from "./datasets.ts";

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

export interface LateSet {
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
export const lateSet: Fixture<LateSet> = fixture("logs", "out-of-order entries", async (scope) => {
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
export function takenAndHidden({ pushed, isTaken, shown: seen }: LateSet): Assertion | null {
  if (!isTaken || seen !== null) return null;
  return found("logs-4.push", [], {
    held: [],
    notEvaluated:
      "a push of out-of-order entries was answered with success, and no read showed these entries; the documents do not say whether a service may hide them",
    exchanges: pushed.pushes,
  });
}
