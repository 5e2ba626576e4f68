/** Finds the pushed stream for each object of a response. A service may add labels to a stream, and split the stream by these labels. */
import { commonEnd, commonLength, showApart } from "./difference.ts";
import { type Entry, labelKey, type Labels, type Stream } from "./logs.ts";

/** An object of a response with labels that no pushed stream has. */
interface Stranger {
  readonly index: number;
  readonly labels: Labels;
  /** The labels of the pushed stream that has the entries of this object, or null if no pushed stream has these entries. */
  readonly home: Labels | null;
}

/**
 * How well an object fits a pushed stream. `open`: the number of entries that no other object has. `common`: the number of common labels.
 */
interface Claim {
  readonly stream: Stream;
  readonly open: number;
  readonly common: number;
}

export function entryKey({ ts, line }: Entry): string {
  return `${ts} ${line}`;
}

/**
 * Assigns the entries of each object to a pushed stream. The best choice is a stream with exactly the labels of the object. The next best
 * is a stream with some of these labels. If the target changed the labels, a stream is identified by its entries.
 */
export function assigned(
  pushed: readonly Stream[],
  answer: readonly Stream[],
): { homes: ReadonlyMap<string, readonly Entry[]>; strangers: readonly Stranger[] } {
  const homes = new Map<string, Entry[]>();
  const exact = new Map(pushed.map((stream) => [labelKey(stream.labels), stream]));
  const give = ({ labels }: Stream, { entries }: Stream): void => {
    const key = labelKey(labels);
    homes.set(key, [...(homes.get(key) ?? []), ...entries]);
  };
  const claims = (streams: readonly Stream[], object: Stream): Claim[] =>
    streams.map((stream) => ({
      stream,
      open: openEntries(stream, object, homes.get(labelKey(stream.labels)) ?? []),
      common: commonLabels(stream, object),
    }));
  const others: { readonly index: number; readonly object: Stream }[] = [];
  for (const [index, object] of answer.entries()) {
    const home = exact.get(labelKey(object.labels));
    if (home !== undefined) give(home, object);
    // A stream without entries cannot have a wrong entry, so it is ignored.
    else if (object.entries.length > 0) others.push({ index, object });
  }
  const strange = others.filter(({ object }) => {
    const carried = pushed.filter(({ labels }) => isSubset(labels, object.labels));
    const [home] = claims(carried, object).toSorted((one, other) => other.open - one.open || other.common - one.common);
    if (home === undefined || home.open === 0) return true;
    give(home.stream, object);
    return false;
  });
  const strangers: Stranger[] = [];
  for (const { index, object } of strange) {
    const { labels } = object;
    const [carried] = pushed.filter((stream) => isSubset(stream.labels, labels));
    const [holder] = claims(pushed, object)
      .filter(({ open }) => open > 0)
      .toSorted((one, other) => other.common - one.common || other.open - one.open);
    if (holder !== undefined) {
      strangers.push({ index, labels, home: holder.stream.labels });
      give(holder.stream, object);
    } else if (carried !== undefined) give(carried, object);
    else strangers.push({ index, labels, home: null });
  }
  return { homes, strangers };
}

function openEntries({ entries }: Stream, object: Stream, came: readonly Entry[]): number {
  const lacking = new Set(entries.map(entryKey));
  for (const entry of came) lacking.delete(entryKey(entry));
  return object.entries.filter((entry) => lacking.has(entryKey(entry))).length;
}

/** Returns the number of labels that have the same value in both. */
export function commonLabels({ labels }: Pick<Stream, "labels">, object: Pick<Stream, "labels">): number {
  return Object.entries(labels).filter(([name, value]) => Object.hasOwn(object.labels, name) && object.labels[name] === value).length;
}

/** Whether the label set `of` has all labels of `labels`. It may have more. */
export function isSubset(labels: Labels, of: Labels): boolean {
  return Object.entries(labels).every(([name, value]) => Object.hasOwn(of, name) && of[name] === value);
}

/** Returns those labels of `own` that `other` lacks, or that have another value in `other`. */
function apart(own: Labels, other: Labels): Labels {
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => other[name] !== value));
}

/** Returns how two label sets differ: the labels that differ, and of two texts the part that differs. */
export function showLabelsApart(pushed: Labels, came: Labels): { readonly expected: string; readonly actual: string } {
  const [wanted, got] = [apart(pushed, came), apart(came, pushed)];
  const [name, ...others] = Object.keys(wanted);
  // If only one label has a wrong value, the difference shows only the two values of this label.
  if (name === undefined || others.length > 0 || Object.keys(got).join() !== name) return showApart(wanted, got);
  const shown = showApart(wanted[name], got[name]);
  return { expected: `${name}: ${shown.expected}`, actual: `${name}: ${shown.actual}` };
}

/** Returns the share of two label sets that is equal at the beginning and at the end of their text, from 0 to 1. */
export function labelsInCommon(one: Labels, other: Labels): number {
  const [left, right] = [labelKey(one), labelKey(other)];
  const begin = commonLength(left, right);
  return (begin + commonEnd(left.slice(begin), right.slice(begin))) / Math.max(left.length, right.length);
}
