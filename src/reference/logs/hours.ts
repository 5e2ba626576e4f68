/** Reads a window in parts. A part ends at a full hour of the clock. The read stops when it has found enough entries. */
import type { DealtStream } from "./shards.ts";
import type { Entry, LabelledEntries, Reading, Window } from "./types.ts";

export interface HoursBehaviour {
  /** Returns the parts of a window in the order of reading. `span` is the time that the entries of the streams cover. */
  readonly splitWindow: (window: Window, span: Window | undefined, reading: Reading) => readonly Window[];
  /** Whether the server reads the next part of the window after it has found `found` entries. */
  readonly wantsMore: (found: number, reading: Reading) => boolean;
  readonly joinParts: (answers: readonly (readonly DealtStream[])[], reading: Reading) => readonly LabelledEntries[];
}

export const HOUR_NS = 3_600_000_000_000n;

/** The maximum number of parts: the hours of a month. A longer window is read as one part. */
const MOST_PARTS = 744n;

/** Returns the full hours inside a window. With another `period` (in ns), returns the multiples of this period. */
export function hoursWithin({ from, to }: Window, span: Window | undefined, period: bigint = HOUR_NS): bigint[] {
  if (span === undefined) return [];
  const first = (from > span.from ? from : span.from) / period + 1n;
  const last = (to - 1n < span.to ? to - 1n : span.to) / period;
  if (last - first > MOST_PARTS) return [];
  const hours: bigint[] = [];
  for (let hour = first; hour <= last; hour += 1n) hours.push(hour * period);
  return hours;
}

function splitWindow(window: Window, span: Window | undefined, { direction }: Reading): readonly Window[] {
  const hours = hoursWithin(window, span);
  const parts = [window.from, ...hours].map((from, index) => ({ from, to: hours[index] ?? window.to }));
  return direction === "forward" ? parts : parts.toReversed();
}

function joinParts(answers: readonly (readonly DealtStream[])[], { limit }: Reading): readonly LabelledEntries[] {
  const [only] = answers;
  if (answers.length === 1 && only !== undefined) return only;
  const joined = new Map<number, LabelledEntries & { readonly entries: Entry[] }>();
  for (const { labels, entries, at } of answers.flat()) {
    const known = joined.get(at);
    if (known === undefined) joined.set(at, { labels, entries: [...entries] });
    else for (const entry of entries) if (known.entries.length < limit) known.entries.push(entry);
  }
  return [...joined.values()];
}

export const HOURS_BASE: HoursBehaviour = {
  splitWindow,
  wantsMore: (found, { limit }) => found < limit,
  joinParts,
};
