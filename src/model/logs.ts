/** Predicts the responses of the log service as the document describes it. */

export type Labels = Readonly<Record<string, string>>;

/** A log entry. `ts` is the timestamp as Unix time in nanoseconds. */
export interface Entry {
  readonly ts: bigint;
  readonly line: string;
}

export interface Stream {
  readonly labels: Labels;
  readonly entries: readonly Entry[];
}

export type MatchOperator = "=" | "!=" | "=~" | "!~";
export type FilterOperator = "|=" | "!=" | "|~" | "!~";
export type Direction = "backward" | "forward";

export interface Matcher {
  readonly name: string;
  readonly operator: MatchOperator;
  readonly value: string;
}

export interface LineFilter {
  readonly operator: FilterOperator;
  readonly text: string;
}

export function matcher(name: string, operator: MatchOperator, value: string): Matcher {
  return { name, operator, value };
}

/** Returns matchers that select exactly these labels. */
export function exactly(labels: Labels): Matcher[] {
  return Object.entries(labels).map(([name, value]) => matcher(name, "=", value));
}

export function containing(text: string): LineFilter {
  return { operator: "|=", text };
}

export function lacking(text: string): LineFilter {
  return { operator: "!=", text };
}

export function matching(text: string): LineFilter {
  return { operator: "|~", text };
}

export function notMatching(text: string): LineFilter {
  return { operator: "!~", text };
}

export interface LogQuery {
  readonly matchers: readonly Matcher[];
  readonly filters: readonly LineFilter[];
}

/** A cache of label keys. For each entry of each response, the same few label sets are compared. */
const LABEL_KEYS = new WeakMap<Labels, string>();

/** Returns a label set as a text. Equal label sets give equal texts, because the order of the labels does not matter (logs-1.1). */
export function labelKey(labels: Labels): string {
  let key = LABEL_KEYS.get(labels);
  if (key === undefined) {
    key = JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    LABEL_KEYS.set(labels, key);
  }
  return key;
}

/** Joins the entries of streams with the same label set (logs-1.1). */
export function mergeStreams(streams: readonly Stream[]): Stream[] {
  const merged = new Map<string, { labels: Labels; entries: Entry[] }>();
  for (const { labels, entries } of streams) {
    const key = labelKey(labels);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { labels, entries: [...entries] });
    else known.entries.push(...entries);
  }
  return [...merged.values()];
}

/** Whether a selector matches a label set. An absent label counts as empty, and a regular expression must match the whole value. */
export function matches(matchers: readonly Matcher[], labels: Labels): boolean {
  return matchers.every(({ name, operator, value }) => MATCHES[operator](value, labels[name] ?? ""));
}

const MATCHES: Readonly<Record<MatchOperator, (value: string, actual: string) => boolean>> = {
  "=": (value, actual) => actual === value,
  "!=": (value, actual) => actual !== value,
  "=~": wholly,
  "!~": (value, actual) => !wholly(value, actual),
};

function wholly(pattern: string, text: string): boolean {
  return expression(`^(?:${pattern})$`, "su").test(text);
}

/**
 * Matches `.*` at the ends of an unanchored expression. It has no effect there and is removed. With it, the JavaScript engine would start a
 * search at each character of a line that does not match.
 */
const ANY_ENDS = /^(?:\(\?i\))?\.\*(?!\?)|(?<!\\)\.\*$/gu;

function partly(pattern: string, text: string): boolean {
  const any = pattern.includes(ANY_CASE) ? ANY_CASE : "";
  return expression(`${any}${pattern.replaceAll(ANY_ENDS, "")}`, "u").test(text);
}

const EXPRESSIONS = new Map<string, RegExp>();

/** The flag for case-insensitive expressions. The documents do not show this flag, so it is used only if the target supports it. */
export const ANY_CASE = "(?i)";

/** Returns a compiled expression. Few patterns are tried on many lines, so there is a cache. `(?i)` applies to the whole pattern. */
function expression(pattern: string, flags: string): RegExp {
  const key = `${flags} ${pattern}`;
  const known = EXPRESSIONS.get(key) ?? new RegExp(pattern.replaceAll(ANY_CASE, ""), pattern.includes(ANY_CASE) ? `${flags}i` : flags);
  EXPRESSIONS.set(key, known);
  return known;
}

/** Whether a line passes all line filters of a query. */
export function passes(filters: readonly LineFilter[], line: string): boolean {
  return filters.every(({ operator, text }) => PASSES[operator](text, line));
}

const PASSES: Readonly<Record<FilterOperator, (text: string, line: string) => boolean>> = {
  "|=": (text, line) => line.includes(text),
  "!=": (text, line) => !line.includes(text),
  "|~": partly,
  "!~": (text, line) => !partly(text, line),
};

/** Returns the streams with only the entries for which `isKept` is true. A stream without such entries is left out. */
export function withEntries(streams: readonly Stream[], isKept: (entry: Entry) => boolean): Stream[] {
  return streams.map(({ labels, entries }) => ({ labels, entries: entries.filter(isKept) })).filter(({ entries }) => entries.length > 0);
}

/** Returns the entries of all streams. */
export function entriesOf(streams: readonly Pick<Stream, "entries">[]): Entry[] {
  return streams.flatMap(({ entries }) => entries);
}

/** Returns the different lines of all streams. */
export function linesOf(streams: readonly Pick<Stream, "entries">[]): Set<string> {
  return new Set(entriesOf(streams).map(({ line }) => line));
}

/** Returns the streams with the entries that a log query selects. A stream without a selected entry is left out. */
export function select(streams: readonly Stream[], { matchers, filters }: LogQuery): Stream[] {
  return withEntries(
    streams.filter(({ labels }) => matches(matchers, labels)),
    ({ line }) => passes(filters, line),
  );
}

/** Returns the entries between `start` and `end` (ns). Throws if an entry is exactly at an edge, because the documents are silent then. */
export function within(streams: readonly Stream[], start: bigint, end: bigint): Stream[] {
  if (entriesOf(streams).some(({ ts }) => ts === start || ts === end)) throw new Error("an entry lies on a window edge");
  return withEntries(streams, ({ ts }) => ts > start && ts < end);
}

export interface PlacedEntry extends Entry {
  readonly labels: Labels;
}

/** The right responses to a limited query: all entries of `must`, and any `ties` entries of `tied`, which have one timestamp. */
export interface LimitedAnswer {
  readonly direction: Direction;
  readonly count: number;
  readonly must: readonly PlacedEntry[];
  readonly tied: readonly PlacedEntry[];
}

/** Returns the newest (backward) or oldest (forward) `limit` entries of all streams together (logs-4.1, logs-4.query_range). */
export function limited(streams: readonly Stream[], limit: number, direction: Direction): LimitedAnswer {
  const sign = direction === "forward" ? 1 : -1;
  const all = streams
    .flatMap(({ labels, entries }) => entries.map((entry): PlacedEntry => ({ ...entry, labels })))
    .toSorted((one, other) => sign * compare(one.ts, other.ts));
  const count = Math.min(limit, all.length);
  const last = all[count - 1];
  if (last === undefined || count === all.length) return { direction, count, must: all.slice(0, count), tied: [] };
  const tied = all.filter(({ ts }) => ts === last.ts);
  const taken = all.slice(0, count).filter(({ ts }) => ts === last.ts).length;
  if (taken === tied.length) return { direction, count, must: all.slice(0, count), tied: [] };
  return { direction, count, must: all.slice(0, count).filter(({ ts }) => ts !== last.ts), tied };
}

export function compare(one: bigint, other: bigint): -1 | 0 | 1 {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Returns the number of entries of all streams together. */
export function countEntries(streams: readonly Stream[]): number {
  return streams.reduce((sum, { entries }) => sum + entries.length, 0);
}

export type MetricFunction = "count_over_time" | "rate" | "bytes_over_time";

/** Returns the value of a metric function over the entries of a range of `seconds` seconds. */
export function sample(metric: MetricFunction, entries: readonly Entry[], seconds: number): number {
  switch (metric) {
    case "count_over_time":
      return entries.length;
    case "rate":
      return entries.length / seconds;
    case "bytes_over_time":
      return entries.reduce((sum, { line }) => sum + Buffer.byteLength(line, "utf8"), 0);
  }
}

/** Returns a sum for each combination of values of the labels in `by` (logs-4.query). Without labels, returns one sum with the empty key. */
export function summed(
  metric: MetricFunction,
  streams: readonly Stream[],
  seconds: number,
  by: readonly string[],
): Map<string, { labels: Labels; value: number }> {
  const groups = new Map<string, { labels: Labels; value: number }>();
  for (const { labels, entries } of streams) {
    const held = Object.fromEntries(by.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));
    const key = labelKey(held);
    const group = groups.get(key) ?? { labels: held, value: 0 };
    groups.set(key, { labels: held, value: group.value + sample(metric, entries, seconds) });
  }
  return groups;
}

/** Returns the sample of each stream, with the labels of the stream (logs-4.query). */
export function perStream(
  metric: MetricFunction,
  streams: readonly Stream[],
  seconds: number,
): Map<string, { labels: Labels; value: number }> {
  return new Map(streams.map(({ labels, entries }) => [labelKey(labels), { labels, value: sample(metric, entries, seconds) }]));
}
