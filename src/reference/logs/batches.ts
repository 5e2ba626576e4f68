/** Reads entries from the store in batches of 128 over all streams, and samples in batches of 512 per stream. */
import type { Direction, Entry, LabelledEntries } from "./types.ts";

export interface Placed {
  readonly entry: Entry;
  readonly stream: number;
}

export interface BatchesBehaviour {
  /** Divides the entries of all streams of a response into batches. The entries are in the order of the direction. */
  readonly entryBatches: (sequence: readonly Placed[]) => readonly (readonly Placed[])[];
  /** Divides the entries of a stream that a metric query counts into batches, oldest first. */
  readonly sampleBatches: (entries: readonly Entry[]) => readonly (readonly Entry[])[];
}

export const ENTRY_BATCH = 128;
export const SAMPLE_BATCH = 512;

/** Returns the items in slices of `size` items. The last slice may be shorter. */
export function slices<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  if (items.length <= size) return [items];
  return Array.from({ length: Math.ceil(items.length / size) }, (_, batch) => items.slice(batch * size, (batch + 1) * size));
}

/** Returns the streams of a response. The entries of these streams are read in batches. */
export function gatherEntries(
  streams: readonly LabelledEntries[],
  direction: Direction,
  { entryBatches }: BatchesBehaviour,
): readonly LabelledEntries[] {
  const total = streams.reduce((sum, { entries }) => sum + entries.length, 0);
  if (total < ENTRY_BATCH) return streams;
  const sign = direction === "forward" ? 1 : -1;
  const sequence = streams
    .flatMap(({ entries }, stream) => entries.map((entry) => ({ entry, stream })))
    .toSorted((one, other) => (one.entry.ts === other.entry.ts ? 0 : one.entry.ts < other.entry.ts ? -sign : sign));
  const gathered = streams.map(({ labels }) => ({ labels, entries: [] as Entry[] }));
  for (const batch of entryBatches(sequence)) for (const { entry, stream } of batch) gathered[stream]?.entries.push(entry);
  return gathered;
}

/** Returns the entries that a metric query counts. The entries are read in batches. */
export function gatherSamples(entries: readonly Entry[], { sampleBatches }: BatchesBehaviour): readonly Entry[] {
  if (entries.length < SAMPLE_BATCH) return entries;
  const batches = sampleBatches(entries);
  const [only] = batches;
  return batches.length === 1 && only !== undefined ? only : batches.flat();
}

export const BATCHES_BASE: BatchesBehaviour = {
  entryBatches: (sequence) => slices(sequence, ENTRY_BATCH),
  sampleBatches: (entries) => slices(entries, SAMPLE_BATCH),
};
