/** Entries that are older than what their stream holds already: which of them a service takes is not stated, what it shows of them is judged. */
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { noise } from "../../arbitraries/noise.ts";
import { isSuccess } from "../../client/exchange.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import type { AnsweredStream } from "../../model/log-answer.ts";
import { countEntries } from "../../model/logs.ts";
import { range } from "./asks.ts";
import { type Dataset, store, wholeQuery } from "./datasets.ts";

const SECOND = 1_000_000_000n;

/** The late entries lie between these, seen from the anchor of the set; everything else is newer. */
export const LATE = { from: 5n * SECOND, to: 200n * SECOND } as const;
const NEWER = 220n * SECOND;
const NEWEST = 480n * SECOND;

/** More than a block of 256 KiB, so that the late entries come to a stream of which a part is put away. */
function ascending(colour: string): RelativeStream {
  return {
    labels: { svc_size: "late", svc_colour: colour },
    entries: Array.from({ length: 250 }, (_, index) => ({
      offset: NEWER + BigInt(index) * 700_000_003n,
      line: `in time ${colour} ${index} ${noise(index, 1_100)}`,
    })),
  };
}

function late(colour: string): RelativeStream {
  return {
    labels: { svc_size: "late", svc_colour: colour },
    entries: Array.from({ length: 40 }, (_, index) => ({
      offset: LATE.from + BigInt(index) * 4_500_000_007n,
      line: `late ${colour} ${index}`,
    })),
  };
}

function newest(colour: string): RelativeStream {
  return {
    labels: { svc_size: "late", svc_colour: colour },
    entries: [0n, 1n, 2n].map((index) => ({ offset: NEWEST + index * SECOND, line: `newest ${colour} ${index}` })),
  };
}

/**
 * The set with those of its late entries that this target shows; null when it shows none. Taken and not shown is what some services do
 * with entries that are late, or that are later than they allow: these are left out, where the same oldest of both streams are missing.
 * Looked for from the oldest entry on, and by no window of their own: a window that leaves them out is a defect to be found.
 */
async function shown(scope: Scope, dataset: Dataset): Promise<Dataset | null> {
  const { start, end } = dataset;
  const lateOnes = dataset.streams.map(({ entries }) => entries.filter(({ ts }) => isLate(dataset, ts)));
  const all = lateOnes.reduce((sum, entries) => sum + entries.length, 0);
  const { value } = await scope.eventually({
    resource: dataset,
    read: async () => (await range({ query: wholeQuery(dataset), start, end, limit: 1_000, direction: "forward" })(scope)).answer,
    judge: (streams) => {
      const count = linesOf(dataset, streams ?? []).size;
      return count === all
        ? []
        : [{ clause: "logs-4.push", path: "data.result", expected: `${all} entries that came late`, actual: String(count) }];
    },
  });
  const lines = linesOf(dataset, value ?? []);
  if (lines.size === 0) return null;
  const [one, other] = lateOnes.map((entries) => entries.findIndex(({ line }) => lines.has(line)));
  const oldest = lateOnes[0]?.[one ?? 0]?.ts;
  // A single one that is missing is rather lost than too late: a limit of age hardly falls between the oldest and the next.
  if (one === undefined || one !== other || one < 2 || oldest === undefined) return dataset;
  const streams = dataset.streams.map(({ labels, entries }) => ({ labels, entries: entries.filter(({ ts }) => ts >= oldest) }));
  return { ...dataset, streams, entries: countEntries(streams) };
}

function isLate({ anchor }: Dataset, ts: bigint): boolean {
  return ts < anchor + LATE.to;
}

/** The late lines of an answer: each stands in the set once. */
function linesOf(dataset: Dataset, streams: readonly AnsweredStream[]): ReadonlySet<string> {
  return new Set(streams.flatMap(({ entries }) => entries.flatMap(({ ts, line }) => (isLate(dataset, ts) ? [line] : []))));
}

/** One stream that ends with the late entries and one that goes on after them; null where they are refused or not shown. */
export const lateSet: Fixture<Dataset | null> = fixture("logs", "entries that came late", async (scope) => {
  const pushes = [[ascending("last"), ascending("between")], [late("last"), late("between")], [newest("between")]];
  const dataset = await store(scope, "late-entries", { pushes });
  return dataset.pushes.every(isSuccess) ? shown(scope, dataset) : null;
});
