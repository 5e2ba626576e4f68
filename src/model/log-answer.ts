/**
 * Compares the response to a range query with the expected entries. The kind of a difference decides the violated clause:
 * an entry with a wrong timestamp is an altered entry and not a lost entry.
 */
import type { ClauseId } from "../contract/catalogue.ts";
import { assigned, entryKey, labelsInCommon, showLabelsApart } from "./assigned.ts";
import { type Difference, show, showApart, difference } from "./difference.ts";
import {
  compare,
  entriesOf,
  type Direction,
  type Entry,
  labelKey,
  type Labels,
  type LimitedAnswer,
  mergeStreams,
  type PlacedEntry,
  type Stream,
} from "./logs.ts";
import { missingText, placedKey, showEntries, showEntry, SHOWN_LABELS } from "./missing-entries.ts";
import type { DifferenceKind } from "./kinds.ts";
import { Rest } from "./rest.ts";

/** An object of `data.result`, with its entries in the order of the response. */
export type AnsweredStream = Stream;

type KindOfDifference = Extract<
  DifferenceKind,
  "lost" | "extra" | "repeated" | "timestamp" | "line" | "misplaced" | "labels" | "order" | "too-many" | "too-few" | "wrong-choice"
>;

/** For each kind of difference, the clause that such a difference violates. A check can choose other clauses. */
export type ClauseByKind = Readonly<Record<KindOfDifference, ClauseId>>;

function ofKind(clauses: ClauseByKind, kind: KindOfDifference, expected: string, actual: string, path = "data.result"): Difference {
  return difference(clauses[kind], path, expected, actual, kind);
}

export const READ_BACK: ClauseByKind = {
  lost: "logs-4.push",
  extra: "logs-4.query_range",
  repeated: "logs-4.push",
  timestamp: "logs-2.1",
  line: "logs-2.Entry",
  misplaced: "logs-1.1",
  labels: "logs-2.Stream",
  order: "logs-4.1",
  "too-many": "logs-4.query_range",
  "too-few": "logs-4.query_range",
  "wrong-choice": "logs-4.1",
};

/** The clauses that can be shown to be held by a read of all pushed entries. */
export const READ_BACK_CLAUSES = [
  "logs-4.push",
  "logs-1.1",
  "logs-2.Stream",
  "logs-2.Entry",
  "logs-2.1",
  "logs-2.range-result",
] as const satisfies readonly ClauseId[];

/** An altered entry looks like a lost entry together with an added entry. So if entries were altered, only the alterations are reported. */
export function nearestCause(differences: readonly Difference[]): readonly Difference[] {
  const altered: readonly ClauseId[] = [READ_BACK.timestamp, READ_BACK.line, READ_BACK.misplaced, READ_BACK.labels];
  const causes = differences.filter(({ clause }) => altered.includes(clause));
  return causes.length > 0 ? causes : differences;
}

/** Whether a response has at least one pushed entry. If a response has no difference, all its entries are pushed entries. */
function showsAny(expected: readonly Stream[], answer: readonly AnsweredStream[], differences: readonly Difference[]): boolean {
  if (differences.length === 0) return answer.some(({ entries }) => entries.length > 0);
  const wanted = new Set(expected.flatMap(({ entries }) => entries.map(entryKey)));
  return answer.some(({ entries }) => entries.some((entry) => wanted.has(entryKey(entry))));
}

/** Returns the clauses of `READ_BACK_CLAUSES` that a complete read showed to be held. A read without entries shows no clause to be held. */
export function shownKept(
  expected: readonly Stream[],
  answer: readonly AnsweredStream[],
  differences: readonly Difference[],
): readonly ClauseId[] {
  if (!showsAny(expected, answer, differences))
    return answer.length > 0 && differences.every(({ clause }) => clause !== "logs-2.range-result") ? ["logs-2.range-result"] : [];
  const wrong = new Set(differences.map(({ clause }) => clause));
  const whole = differences.every(({ clause }) => clause === READ_BACK.order);
  return READ_BACK_CLAUSES.filter((clause) => !wrong.has(clause) && (clause !== READ_BACK.lost || whole));
}

/** Whether two lists have the same entries, in the same order or reversed. */
function sameInOrder(one: readonly Entry[], other: readonly Entry[]): boolean {
  if (one.length !== other.length) return false;
  const last = one.length - 1;
  const isSame = (entry: Entry, at: number): boolean => other[at]?.ts === entry.ts && other[at].line === entry.line;
  return one.every((entry, index) => isSame(entry, index)) || one.every((entry, index) => isSame(entry, last - index));
}

/** Whether a response has each stream once, with its exact labels and in order. Most right responses do, so this comes first. */
function isExactly(expected: readonly Stream[], answer: readonly AnsweredStream[]): boolean {
  if (answer.length !== expected.length || new Set(expected.map(({ labels }) => labelKey(labels))).size !== expected.length) return false;
  const came = new Map(answer.map(({ labels, entries }) => [labelKey(labels), entries]));
  return came.size === expected.length && expected.every(({ labels, entries }) => sameInOrder(entries, came.get(labelKey(labels)) ?? []));
}

function placedTogether(entries: readonly PlacedEntry[]): Stream[] {
  const byLabels = new Map<Labels, PlacedEntry[]>();
  for (const entry of entries) {
    const own = byLabels.get(entry.labels);
    if (own === undefined) byLabels.set(entry.labels, [entry]);
    else own.push(entry);
  }
  return [...byLabels].map(([labels, own]) => ({ labels, entries: own }));
}

/** Returns the differences to a prediction of exactly `expected`. `known` has all streams that a query could wrongly select. */
export function entryDifferences(
  expected: readonly Stream[],
  answer: readonly AnsweredStream[],
  clauseByKind: ClauseByKind = READ_BACK,
  known: readonly Stream[] = expected,
): Difference[] {
  if (isExactly(expected, answer)) return [];
  const wanted = new Map(mergeStreams(expected).map(({ labels, entries }) => [labelKey(labels), entries]));
  const all = mergeStreams(known);
  const { homes, differences } = assign(all, answer, clauseByKind);
  const lost: PlacedEntry[] = [];
  const extra: PlacedEntry[] = [];
  const unselected: PlacedEntry[] = [];
  for (const { labels, entries } of all) {
    const key = labelKey(labels);
    const own = wanted.get(key) ?? [];
    const left = compareEntries(labels, own, homes.get(key) ?? [], clauseByKind, differences);
    const real = new Set(entries.map(entryKey));
    lost.push(...left.lost);
    for (const entry of left.extra) (real.has(entryKey(entry)) ? unselected : extra).push(entry);
  }
  if (unselected.length > 0) {
    const actual = `unexpected: ${showEntries(unselected)} in ${show(unselected[0]?.labels, SHOWN_LABELS)}`;
    differences.push({ ...ofKind(clauseByKind, "extra", "only the entries the query selects", actual), ...entryOf(unselected) });
  }
  const whole = (): PlacedEntry[] => expected.flatMap(({ labels, entries }) => entries.map((entry) => ({ ...entry, labels })));
  return [...differences, ...explainRest({ lost, extra, whole }, clauseByKind)];
}

function entryOf([entry]: readonly Entry[]): Pick<Difference, "entry"> {
  return entry === undefined ? {} : { entry };
}

/** Returns a number of entries in words. */
export function sized(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}

/** Returns the differences of a response that must have the right number of the newest or the oldest entries. */
export function limitDifferences(
  expected: LimitedAnswer,
  everything: readonly Stream[],
  answer: readonly AnsweredStream[],
  clauseByKind: ClauseByKind = READ_BACK,
): Difference[] {
  if (expected.tied.length === 0 && isExactly(placedTogether(expected.must), answer)) return [];
  const known = mergeStreams(everything);
  const { homes, differences } = assign(known, answer, clauseByKind);
  const allowed = new Set([...expected.must, ...expected.tied].map(placedKey));
  const got = new Set<string>();
  let count = 0;
  const beyond: PlacedEntry[] = [];
  const strange: PlacedEntry[] = [];
  for (const { labels, entries } of known) {
    const came = homes.get(labelKey(labels)) ?? [];
    if (came.length === 0) continue;
    const real = new Set(entries.map(entryKey));
    for (const entry of came) {
      count += 1;
      const placed = { ...entry, labels };
      const key = placedKey(placed);
      if (got.has(key)) differences.push(ofKind(clauseByKind, "repeated", "each entry once", `more than once: ${showEntry(placed)}`));
      got.add(key);
      if (!real.has(entryKey(entry))) strange.push(placed);
      else if (!allowed.has(key)) beyond.push(placed);
    }
  }
  const homeOf =
    strange.length === 0 ? null : new Map(known.flatMap(({ labels, entries }) => entries.map((entry) => [entryKey(entry), labels])));
  for (const entry of strange) differences.push(strangeDeparture(entry, homeOf?.get(entryKey(entry)), known, got, clauseByKind));
  const size = sized(expected.count);
  const missing = expected.must.filter((entry) => !got.has(placedKey(entry)));
  const most = Math.max(...answer.map(({ entries }) => entries.length));
  const each = answer.length > 1 && most <= expected.count ? `, at most ${most} of each of ${answer.length} streams` : "";
  if (count > expected.count) differences.push(ofKind(clauseByKind, "too-many", size, `${sized(count)}${each}`));
  else if (count < expected.count) {
    const absent = missing.length === 0 ? "" : `; ${missingText(missing, expected.must)}`;
    differences.push(ofKind(clauseByKind, "too-few", size, `${sized(count)}${absent}`));
  } else if (strange.length === 0 && (beyond.length > 0 || missing.length > 0)) {
    const [which, others] = expected.direction === "forward" ? ["oldest", "newer"] : ["newest", "older"];
    const instead =
      beyond.length > 0
        ? `${whichOf(beyond, everything, others, missing)}: ${showEntries(beyond)}`
        : "other entries with the last timestamp";
    const actual = missing.length > 0 ? `${instead}, in place of ${showEntries(missing)}` : instead;
    const chosen = expected.count === 1 ? "selected entry" : `${expected.count} selected entries`;
    differences.push(ofKind(clauseByKind, "wrong-choice", `the ${which} ${chosen}`, actual));
  }
  return differences;
}

/** Describes entries that a limited response has in place of others: the other end of all entries, or entries at almost the same time. */
function whichOf(shown: readonly PlacedEntry[], all: readonly Stream[], others: string, missing: readonly PlacedEntry[]): string {
  const sign = others === "older" ? 1 : -1;
  const times = entriesOf(all)
    .map(({ ts }) => ts)
    .toSorted((one, other) => sign * compare(one, other));
  const last = times[shown.length - 1] ?? 0n;
  if (shown.every(({ ts }) => sign * compare(ts, last) <= 0)) return `the ${others === "older" ? "oldest" : "newest"} entries`;
  const apart = Number((missing[0]?.ts ?? 0n) - (shown[0]?.ts ?? 0n)) * sign;
  return missing.length > 0 && apart > 0 && apart < NEAR_NS ? `entries that are ${apart} ns ${others}` : `${others} entries`;
}

/** If two entries are closer together than this number of ns, a message says so. */
const NEAR_NS = 1_000_000;

function misplacedDifference(clauseByKind: ClauseByKind, entry: Entry, home: Labels, labels: Labels): Difference {
  const shown = showLabelsApart(home, labels);
  const expected = `${showEntry(entry)} in the stream with ${shown.expected}`;
  return ofKind(clauseByKind, "misplaced", expected, `in the stream with ${shown.actual}`);
}

/** Returns the difference for an unexpected entry of a stream: it belongs to another stream, has a wrong timestamp, or was never pushed. */
function strangeDeparture(
  entry: PlacedEntry,
  home: Labels | undefined,
  known: readonly Stream[],
  got: ReadonlySet<string>,
  clauseByKind: ClauseByKind,
): Difference {
  if (home !== undefined) return misplacedDifference(clauseByKind, entry, home, entry.labels);
  const own = known.find(({ labels }) => labelKey(labels) === labelKey(entry.labels))?.entries ?? [];
  const [altered, ...others] = own.filter(({ ts }) => ts === entry.ts);
  if (altered !== undefined && others.length === 0 && !got.has(placedKey({ ...altered, labels: entry.labels }))) {
    const shown = showApart(altered.line, entry.line);
    return ofKind(clauseByKind, "line", `the line ${shown.expected}`, shown.actual);
  }
  const shifted = own.find(({ line }) => line === entry.line);
  if (shifted !== undefined && !own.some(({ ts }) => ts === entry.ts)) {
    const actual = `timestamp ${entry.ts} for the line ${show(entry.line, SHOWN_LABELS)}`;
    return ofKind(clauseByKind, "timestamp", `timestamp ${shifted.ts}`, actual);
  }
  const actual = `unexpected: ${showEntry(entry)}`;
  return {
    ...ofKind(clauseByKind, "extra", "only entries that were pushed to the streams of the query", actual),
    clause: clauseByKind.line,
    entry,
  };
}

/** Returns the pushed entries of a response that the query does not select. */
export function unselected(
  pushed: readonly Stream[],
  expected: readonly Stream[],
  streams: readonly AnsweredStream[],
  clause: ClauseId,
): Difference[] {
  const came = streams.flatMap(({ entries }) => entries);
  // A response has only a few entries of a large dataset, so only pushed entries with the timestamps of the response are compared.
  const times = new Set(came.map(({ ts }) => ts));
  const keysOf = (some: readonly Stream[]): Set<string> =>
    new Set(some.flatMap(({ entries }) => entries.filter(({ ts }) => times.has(ts)).map(entryKey)));
  const [known, wanted] = [keysOf(pushed), keysOf(expected)];
  const extra = came.filter((entry) => known.has(entryKey(entry)) && !wanted.has(entryKey(entry)));
  const [first] = extra;
  if (first === undefined) return [];
  const actual = `unexpected: ${sized(extra.length)} that the query does not select; the first is ${showEntry(first)}`;
  return [{ ...difference(clause, "data.result", "only entries that the query selects", actual, "extra"), entry: first }];
}

/** Returns a difference for each object in the wrong order (logs-4.1), judged before objects of one stream are merged. */
export function orderDifferences(
  answer: readonly AnsweredStream[],
  direction: Direction,
  clauseByKind: ClauseByKind = READ_BACK,
): Difference[] {
  const wrong = direction === "forward" ? 1 : -1;
  return answer.flatMap(({ entries }, object) => {
    const at = entries.findIndex((entry, index) => {
      const next = entries[index + 1];
      return next !== undefined && compare(entry.ts, next.ts) === wrong;
    });
    if (at === -1) return [];
    const words = direction === "forward" ? "the oldest entry first" : "the newest entry first";
    const pair = entries
      .slice(at, at + 2)
      .map(showEntry)
      .join(" before ");
    const isReversed =
      entries.length > 2 && entries.every(({ ts }, index) => index === 0 || compare(entries[index - 1]?.ts ?? ts, ts) !== -wrong);
    const all = isReversed ? `all ${entries.length} entries are in the opposite order, such as ` : "";
    const path = `data.result[${object}].values[${at}]`;
    return [ofKind(clauseByKind, "order", `direction ${direction}: ${words}`, `wrong order: ${all}${pair}`, path)];
  });
}

/** Assigns the returned entries to pushed streams, and returns the differences of their labels. */
function assign(
  wanted: readonly Stream[],
  answer: readonly AnsweredStream[],
  clauseByKind: ClauseByKind,
): { homes: ReadonlyMap<string, readonly Entry[]>; differences: Difference[] } {
  const { homes, strangers } = assigned(wanted, answer);
  const differences = strangers.map(({ index, labels, home }) => {
    const path = `data.result[${index}].stream`;
    if (home === null) return difference(clauseByKind.extra, path, "only streams that the query selects", show(labels), "foreign");
    const shown = showLabelsApart(home, labels);
    return ofKind(clauseByKind, "labels", `the pushed labels ${shown.expected}`, shown.actual, path);
  });
  return { homes, differences };
}

/** A service may merge exact duplicates, so the expected entries are a set. A response must have each expected entry exactly once. */
function compareEntries(
  labels: Labels,
  wanted: readonly Entry[],
  came: readonly Entry[],
  clauseByKind: ClauseByKind,
  differences: Difference[],
): { lost: PlacedEntry[]; extra: PlacedEntry[] } {
  const multiplicity = new Map<string, number>();
  for (const entry of wanted) multiplicity.set(entryKey(entry), (multiplicity.get(entryKey(entry)) ?? 0) + 1);
  const seen = new Map<string, number>();
  const extra: PlacedEntry[] = [];
  for (const entry of came) {
    const key = entryKey(entry);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    const most = multiplicity.get(key);
    if (most === undefined) extra.push({ ...entry, labels });
    else if (times === most + 1) {
      const actual = `more than once, in the stream ${show(labels, SHOWN_LABELS)}`;
      differences.push(ofKind(clauseByKind, "repeated", `the entry ${showEntry(entry)} once`, actual));
    }
  }
  const lost = wanted.filter((entry) => !seen.has(entryKey(entry))).map((entry) => ({ ...entry, labels }));
  return { lost, extra };
}

interface Unmatched {
  readonly lost: readonly PlacedEntry[];
  readonly extra: readonly PlacedEntry[];
  /** Returns all entries that the right response has. */
  readonly whole: () => readonly PlacedEntry[];
}

/** Pairs lost and unexpected entries that are probably the same entry, so that one difference says how it was altered. */
function explainRest({ lost, extra, whole }: Unmatched, clauseByKind: ClauseByKind): Difference[] {
  if (lost.length === 0 && extra.length === 0) return [];
  const rest = new Rest(extra);
  const misplaced: { readonly entry: PlacedEntry; readonly moved: PlacedEntry }[] = [];
  const gone: PlacedEntry[] = [];
  // Entries in a wrong stream are found first, because they would otherwise look like altered entries.
  const unmoved = lost.filter((entry) => {
    const moved = rest.take("entry", entry);
    if (moved !== undefined) misplaced.push({ entry, moved });
    return moved === undefined;
  });
  // The streams with the least similar labels come first: confused streams often have similar labels only by coincidence.
  const likeness = new Map(misplaced.map((one) => [one, labelsInCommon(one.entry.labels, one.moved.labels)]));
  const differences = misplaced
    .toSorted((one, other) => (likeness.get(one) ?? 0) - (likeness.get(other) ?? 0))
    .map(({ entry, moved }) => misplacedDifference(clauseByKind, entry, entry.labels, moved.labels));
  for (const entry of unmoved) {
    const shifted = rest.take("line", entry);
    if (shifted !== undefined) {
      differences.push(
        ofKind(
          clauseByKind,
          "timestamp",
          `timestamp ${entry.ts}`,
          `timestamp ${shifted.ts} for the line ${show(entry.line, SHOWN_LABELS)}`,
        ),
      );
      continue;
    }
    const altered = rest.take("time", entry);
    if (altered !== undefined) {
      const shown = showApart(entry.line, altered.line);
      differences.push(ofKind(clauseByKind, "line", `the line ${shown.expected}`, shown.actual));
    } else gone.push(entry);
  }
  if (gone.length > 0) {
    const missing = { gone, wanted: whole() };
    differences.push({ ...ofKind(clauseByKind, "lost", "every entry that the query selects", missingText(gone, missing.wanted)), missing });
  }
  const { left } = rest;
  if (left.length > 0)
    differences.push({
      ...ofKind(clauseByKind, "extra", "only the entries the query selects", `unexpected: ${showEntries(left)}`),
      ...entryOf(left),
    });
  return differences;
}
