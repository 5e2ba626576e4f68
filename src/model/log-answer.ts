/**
 * Holding a range query's answer against the entries it must have. Every departure is sorted into a kind, so that the
 * clause nearest the cause is blamed: an entry under a wrong timestamp is not a lost one.
 */
import type { ClauseId } from "../contract/catalogue.ts";
import { assigned, entryKey } from "./assigned.ts";
import { type Difference, show, showApart } from "./difference.ts";
import {
  compare,
  type Direction,
  type Entry,
  labelKey,
  type Labels,
  type LimitedAnswer,
  mergeStreams,
  type PlacedEntry,
  type Stream,
} from "./logs.ts";

/** One object of `data.result`, entries in the order they came. */
export type AnsweredStream = Stream;

export type DepartureKind =
  | "lost"
  | "extra"
  | "repeated"
  | "timestamp"
  | "line"
  | "misplaced"
  | "labels"
  | "order"
  | "too-many"
  | "too-few"
  | "wrong-choice"
  | "wrong-end";

/** The clause each kind of departure breaks; a check overrides what its own clause is about. */
export type Blame = Readonly<Record<DepartureKind, ClauseId>>;

export const READ_BACK: Blame = {
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
  "wrong-choice": "logs-4.query_range",
  "wrong-end": "logs-4.1",
};

const SHOWN = 3;

/**
 * Everything about `answer` that is not as predicted: exactly the entries of `expected`, each under its own labels. `known` are
 * all streams that the query could have selected, so that one that it should not select is known for what it is.
 */
export function departures(
  expected: readonly Stream[],
  answer: readonly AnsweredStream[],
  blame: Blame = READ_BACK,
  known: readonly Stream[] = expected,
): Difference[] {
  const wanted = new Map(mergeStreams(expected).map(({ labels, entries }) => [labelKey(labels), entries]));
  const all = mergeStreams(known);
  const { homes, differences } = assign(all, answer, blame);
  const lost: PlacedEntry[] = [];
  const extra: PlacedEntry[] = [];
  const unselected: PlacedEntry[] = [];
  for (const { labels, entries } of all) {
    const key = labelKey(labels);
    const own = wanted.get(key) ?? [];
    const left = compareEntries(labels, own, homes.get(key) ?? [], blame, differences);
    const real = new Set(entries.map(entryKey));
    lost.push(...left.lost);
    for (const entry of left.extra) (real.has(entryKey(entry)) ? unselected : extra).push(entry);
  }
  if (unselected.length > 0)
    differences.push(
      difference(
        blame.extra,
        "data.result",
        "only the entries the query selects",
        `also ${showEntries(unselected)} in ${show(unselected[0]?.labels)}`,
      ),
    );
  return [...differences, ...explainRest(lost, extra, blame)];
}

/** The same for a limited answer: the right number of entries, from the right end. */
export function limitDepartures(
  expected: LimitedAnswer,
  everything: readonly Stream[],
  answer: readonly AnsweredStream[],
  blame: Blame = READ_BACK,
): Difference[] {
  const known = mergeStreams(everything);
  const { homes, differences } = assign(known, answer, blame);
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
      if (got.has(key)) differences.push(difference(blame.repeated, "data.result", "each entry once", `twice: ${showEntry(placed)}`));
      got.add(key);
      if (!real.has(entryKey(entry))) strange.push(placed);
      else if (!allowed.has(key)) beyond.push(placed);
    }
  }
  if (strange.length > 0) {
    differences.push(difference(blame.line, "data.result", "only entries that were pushed", `also ${showEntries(strange)}`));
  }
  const size = `${expected.count} entries`;
  if (count > expected.count) differences.push(difference(blame["too-many"], "data.result", size, `${count} entries`));
  else if (count < expected.count) differences.push(difference(blame["too-few"], "data.result", size, `${count} entries`));
  else if (beyond.length > 0) {
    const missing = expected.must.filter((entry) => !got.has(placedKey(entry)));
    // Where every stream's part is from the right end, the direction is right and only the choice among streams is wrong.
    const kind = known.every((stream) => isFromEnd(stream, got, expected)) ? "wrong-choice" : "wrong-end";
    differences.push(difference(blame[kind], "data.result", `among others ${showEntries(missing)}`, `instead ${showEntries(beyond)}`));
  }
  return differences;
}

/** Whether the entries of one stream that were answered are its newest or oldest ones, as asked. */
function isFromEnd({ labels, entries }: Stream, got: ReadonlySet<string>, { direction }: LimitedAnswer): boolean {
  const sign = direction === "forward" ? 1 : -1;
  const sorted = entries.toSorted((one, other) => sign * compare(one.ts, other.ts));
  const answered = sorted.map((entry) => got.has(placedKey({ ...entry, labels })));
  const last = answered.lastIndexOf(true);
  return last === -1 || sorted.slice(0, last).every((entry, index) => answered[index] === true || entry.ts === sorted[last]?.ts);
}

/** Entries out of order inside a returned object, before any merging (logs-4.1). */
export function orderDepartures(answer: readonly AnsweredStream[], direction: Direction, blame: Blame = READ_BACK): Difference[] {
  const wrong = direction === "forward" ? 1 : -1;
  return answer.flatMap(({ entries }, object) => {
    const at = entries.findIndex((entry, index) => {
      const next = entries[index + 1];
      return next !== undefined && compare(entry.ts, next.ts) === wrong;
    });
    if (at === -1) return [];
    const words = direction === "forward" ? "the oldest entry first" : "the most recent entry first";
    const pair = entries
      .slice(at, at + 2)
      .map(showEntry)
      .join(" before ");
    return [difference(blame.order, `data.result[${object}].values[${at}]`, `direction ${direction}: ${words}`, pair)];
  });
}

/** Entries by the stream they belong to, and what is wrong with the labels they came under. */
function assign(
  wanted: readonly Stream[],
  answer: readonly AnsweredStream[],
  blame: Blame,
): { homes: ReadonlyMap<string, readonly Entry[]>; differences: Difference[] } {
  const { homes, strangers } = assigned(wanted, answer);
  const differences = strangers.map(({ index, labels, home }) => {
    const path = `data.result[${index}].stream`;
    if (home === null) return difference(blame.extra, path, "only streams that the query selects", show(labels));
    const shown = showApart(home, labels);
    return difference(blame.labels, path, `the pushed labels ${shown.expected}`, shown.actual);
  });
  return { homes, differences };
}

/** Exact duplicates may collapse, so the wanted entries are a set; what came must be that set, each once. */
function compareEntries(
  labels: Labels,
  wanted: readonly Entry[],
  came: readonly Entry[],
  blame: Blame,
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
      differences.push(difference(blame.repeated, "data.result", `once: ${showEntry(entry)}`, `more than once, in ${show(labels)}`));
    }
  }
  const lost = wanted.filter((entry) => !seen.has(entryKey(entry))).map((entry) => ({ ...entry, labels }));
  return { lost, extra };
}

/** Pairs what is lost with what came instead, so that each defect is named for what it is. */
function explainRest(lost: readonly PlacedEntry[], extra: readonly PlacedEntry[], blame: Blame): Difference[] {
  const remaining = [...extra];
  const differences: Difference[] = [];
  const gone: PlacedEntry[] = [];
  const take = (test: (entry: PlacedEntry) => boolean): PlacedEntry | undefined => {
    const at = remaining.findIndex(test);
    return at === -1 ? undefined : remaining.splice(at, 1)[0];
  };
  for (const entry of lost) {
    const home = labelKey(entry.labels);
    const moved = take((came) => entryKey(came) === entryKey(entry));
    if (moved !== undefined) {
      differences.push(
        difference(blame.misplaced, "data.result", `${showEntry(entry)} in ${show(entry.labels)}`, `in ${show(moved.labels)}`),
      );
      continue;
    }
    const shifted = take((came) => labelKey(came.labels) === home && came.line === entry.line);
    if (shifted !== undefined) {
      differences.push(
        difference(blame.timestamp, "data.result", `timestamp ${entry.ts}`, `timestamp ${shifted.ts} for the line ${show(entry.line)}`),
      );
      continue;
    }
    const altered = take((came) => labelKey(came.labels) === home && came.ts === entry.ts);
    if (altered !== undefined) {
      const shown = showApart(entry.line, altered.line);
      differences.push(difference(blame.line, "data.result", `line ${shown.expected}`, `line ${shown.actual}`));
    } else gone.push(entry);
  }
  if (gone.length > 0) differences.push(difference(blame.lost, "data.result", `also ${showEntries(gone)}`, "not in the answer"));
  if (remaining.length > 0)
    differences.push(difference(blame.extra, "data.result", "only the entries the query selects", `also ${showEntries(remaining)}`));
  return differences;
}

function placedKey(entry: PlacedEntry): string {
  return `${labelKey(entry.labels)} ${entryKey(entry)}`;
}

function showEntry({ ts, line }: Entry): string {
  return show([ts.toString(), line]);
}

function showEntries(entries: readonly Entry[]): string {
  const shown = entries.slice(0, SHOWN).map(showEntry).join(", ");
  return entries.length > SHOWN ? `${shown} and ${entries.length - SHOWN} more` : shown;
}

function difference(clause: ClauseId, path: string, expected: string, actual: string): Difference {
  return { clause, path, expected, actual };
}
