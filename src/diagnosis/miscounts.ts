/** Finds out how a faulty service seems to have counted the entries of a metric query. */
import { entryKey } from "../model/assigned.ts";
import { type Entry, labelKey, type Labels, type MetricFunction, type Stream } from "../model/logs.ts";
import type { Sample } from "../model/samples.ts";
import { HOUR } from "../model/times.ts";

/** If all streams have equally many entries, returns words about the number of streams whose entries a sum counts. */
export function shareText(streams: readonly Stream[], [sum, ...more]: readonly Sample[]): string | undefined {
  const [size = 0, ...others] = new Set(streams.map(({ entries }) => entries.length));
  const counted = (sum?.value ?? 0) / size;
  // If each stream has one entry, a small number of entries is a small number of streams by coincidence.
  if (size < 2 || others.length > 0 || more.length > 0 || !Number.isInteger(counted) || counted < 1 || counted > streams.length)
    return undefined;
  return `this is the number of entries in ${counted} of the ${streams.length} streams`;
}

type Miscount = readonly [words: string, counted: (streams: readonly Stream[]) => readonly Stream[]];

/** Other lengths of lines that a service may count in place of their bytes. */
const LENGTHS: readonly (readonly [words: string, lengthOf: (line: string) => number])[] = [
  ["each line counted as one byte", () => 1],
  ["each character counted as one byte", (line) => [...line].length],
  ["each UTF-16 code unit counted as one byte", (line) => line.length],
  ["each UTF-16 code unit counted as two bytes", (line) => 2 * line.length],
  ["each line had one more byte", (line) => Buffer.byteLength(line) + 1],
  ["a newline at the end of a line did not count", (line) => Buffer.byteLength(line.replace(/\n$/u, ""))],
  ["each line had one byte less", (line) => Buffer.byteLength(line) - 1],
  ["whitespace at both ends of a line did not count", (line) => Buffer.byteLength(line.trim())],
];

const MISLENGTHS = LENGTHS.map(([words, lengthOf]): Miscount => [
  words,
  (streams) =>
    streams.map(({ labels, entries }) => ({
      labels,
      entries: entries.map((entry) => ({ ...entry, line: "x".repeat(Math.max(0, lengthOf(entry.line))) })),
    })),
]);

/** Keeps the first of all entries with the same key. */
function firstOfEach(keyOf: (entry: Entry, labels: Labels) => string): Miscount[1] {
  return (streams) => {
    const known = new Set<string>();
    return streams.map(({ labels, entries }) => ({
      labels,
      entries: entries.filter((entry) => known.size < known.add(keyOf(entry, labels)).size),
    }));
  };
}

/** Keeps the entries at each time of the first stream that has an entry at this time. */
function ofFirstStream(streams: readonly Stream[]): Stream[] {
  const owners = new Map<bigint, Stream>();
  for (const stream of streams) for (const { ts } of stream.entries) if (!owners.has(ts)) owners.set(ts, stream);
  return streams.map((stream) => ({ ...stream, entries: stream.entries.filter(({ ts }) => owners.get(ts) === stream) }));
}

/** Other numbers of entries that a service may count. */
const MISCOUNTS: readonly Miscount[] = [
  ["equal lines of a stream counted once", firstOfEach(({ line }, labels) => `${labelKey(labels)} ${line}`)],
  ["entries of a stream at the same time counted once", firstOfEach(({ ts }, labels) => `${labelKey(labels)} ${ts}`)],
  ["equal entries of different streams counted once", firstOfEach(entryKey)],
  ["entries of different streams at the same time counted once", firstOfEach(({ ts }) => ts.toString())],
  ["entries at the time of an entry of another stream did not count", ofFirstStream],
  [
    "entries exactly at a full hour counted twice",
    (streams) =>
      streams.map(({ labels, entries }) => ({ labels, entries: entries.flatMap((one) => (one.ts % HOUR === 0n ? [one, one] : [one])) })),
  ],
  ["only the stream with the most entries counted", (streams) => streams.toSorted((one, other) => sizeOf(other) - sizeOf(one)).slice(0, 1)],
  [
    "one of several streams with equally many entries counted",
    (streams) => [...new Map(streams.map((one) => [sizeOf(one), one])).values()],
  ],
];

function sizeOf({ entries }: Stream): number {
  return entries.length;
}

/** Returns words about another way to count that has exactly the result of a response, or undefined. */
export function miscountText(
  metric: MetricFunction,
  streams: readonly Stream[],
  explains: (streams: readonly Stream[]) => boolean,
): string | undefined {
  const [words] = (metric === "bytes_over_time" ? MISLENGTHS : MISCOUNTS).find(([, counted]) => explains(counted(streams))) ?? [];
  return words === undefined ? undefined : `this is exactly the result if ${words}`;
}
