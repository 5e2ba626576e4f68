/** Streams and entries as the server keeps them. */

export type Labels = Readonly<Record<string, string>>;

/** A log entry; `ts` is Unix time in nanoseconds. */
export interface Entry {
  readonly ts: bigint;
  readonly line: string;
  /** When it was stored, ms since the epoch. */
  readonly storedAtMs: number;
}

/** Labels with entries; ascending by time where it is a stored stream. */
export interface LabelledEntries {
  readonly labels: Labels;
  readonly entries: readonly Entry[];
}

export type Direction = "backward" | "forward";

/** Times from `from`, inclusive, to `to`, exclusive. */
export interface Window {
  readonly from: bigint;
  readonly to: bigint;
}

/** The value of a label; an absent label is empty. */
export function labelValue(labels: Labels, name: string): string {
  return Object.hasOwn(labels, name) ? (labels[name] ?? "") : "";
}

/** Labels by name, in a fixed order. */
export function sortedLabels(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
