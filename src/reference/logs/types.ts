/** Defines the types of streams and entries that the reference server stores and reads. */

export type Labels = Readonly<Record<string, string>>;

/** A log entry; `ts` is Unix time in nanoseconds. */
export interface Entry {
  readonly ts: bigint;
  readonly line: string;
  /** The time at which the entry was stored, in milliseconds since 1970. */
  readonly storedAtMs: number;
}

/** Labels with entries. A stored stream has its entries in ascending order of time. */
export interface LabelledEntries {
  readonly labels: Labels;
  readonly entries: readonly Entry[];
}

export type Direction = "backward" | "forward";

/** The times from `from` (inclusive) to `to` (exclusive), in nanoseconds. */
export interface Window {
  readonly from: bigint;
  readonly to: bigint;
}

/** The purpose of a read, and how much it reads. */
export interface Reading {
  /** The purpose of the read: `range` for entries of a range query, and `instant` for entries that a metric query counts. */
  readonly path: "range" | "instant";
  /** The read of a stream may stop after this number of entries. */
  readonly limit: number;
  /** The direction of the read. With `forward`, the read begins with the oldest entries, and with `backward` with the newest. */
  readonly direction: Direction;
}

/** Returns the value of a label. An absent label counts as an empty value. */
export function labelValue(labels: Labels, name: string): string {
  return Object.hasOwn(labels, name) ? (labels[name] ?? "") : "";
}

export function sortedLabels(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
