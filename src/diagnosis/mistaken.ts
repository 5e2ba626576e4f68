/** Finds out which part of a query a faulty service seems to have read wrongly: the query without this part has the wrong result. */
import { show } from "../model/difference.ts";
import {
  countEntries,
  entriesOf,
  type Entry,
  labelKey,
  type Labels,
  type LineFilter,
  limited,
  type Matcher,
  matches,
  passes,
  type Stream,
  withEntries,
} from "../model/logs.ts";
import { HOUR, MINUTE, SECOND } from "../model/times.ts";
import { type Asked, type Cut, filterText, matcherText, type Window } from "./range-request.ts";

/**
 * A query that a service may have answered: words after "this is exactly what the query would select", and the selected entries.
 * `isOfPeriod` means that the query has a shorter or longer window.
 */
type Guess = readonly [words: string, streams: () => readonly Stream[], isOfPeriod?: true];

/** Matches an expression that is a list of plain texts. */
const ALTERNATIVES = /^[^\\()[\]{}*+?|]*(?:\|[^\\()[\]{}*+?|]*)+$/;

/** Matches the plain text before the first special character of an expression. */
const PLAIN_BEGINNING = /^[^\\()[\]{}*+?|^$.]{2,}(?=.)/;

type Parts<P> = readonly (readonly [words: string, parts: readonly P[]])[];

/** Returns the lists of parts with one other operator, with fewer alternatives in one part, with only one part, and without one part. */
function changed<P extends { readonly operator: string }>(
  parts: readonly P[],
  operators: readonly P["operator"][],
  wordsOf: (part: P) => string,
  textOf: (part: P) => string,
  withText: (part: P, text: string) => P,
): Parts<P> {
  const others = parts.flatMap((part, at) =>
    operators
      .filter((operator) => operator !== part.operator && (!operator.includes("~") || isExpression(textOf(part))))
      .map(
        (operator) =>
          [`with ${wordsOf({ ...part, operator })} in place of ${part.operator}`, parts.with(at, { ...part, operator })] as const,
      ),
  );
  const alternatives = parts.flatMap((part, at) => {
    const all = ALTERNATIVES.test(textOf(part)) ? textOf(part).split("|") : [];
    const single = all.map((one) => [`the alternative ${show(one)}`, one] as const);
    const several = all.slice(2).map((_, index) => {
      return [`the first ${index + 2} of ${all.length} alternatives`, all.slice(0, index + 2).join("|")] as const;
    });
    // An alternative may select nothing, so the most alternatives that explain a response are the most probable.
    return [...several.toReversed(), ...single].map(
      ([words, left]) => [`with only ${words}`, parts.with(at, withText(part, left))] as const,
    );
  });
  const beginnings = parts.flatMap((part, at) => {
    const [begin] = (part.operator.includes("~") ? PLAIN_BEGINNING.exec(textOf(part)) : null) ?? [];
    return begin === undefined
      ? []
      : [[`with only the beginning ${show(begin)} of its expression`, parts.with(at, withText(part, begin))] as const];
  });
  const only = parts.length < 2 ? [] : parts.map((part) => [`with only ${wordsOf(part)}`, [part]] as const);
  const without = parts.map((part, at) => [`without ${wordsOf(part)}`, parts.toSpliced(at, 1)] as const);
  return [...alternatives, ...beginnings, ...only, ...without, ...others];
}

/** Whether the model can read a text as a regular expression. */
function isExpression(text: string): boolean {
  try {
    return new RegExp(text, "u").source !== "";
  } catch {
    return false;
  }
}

/** Periods that a service may leave out at an edge of a window. */
const PERIODS = [
  ["second", SECOND],
  ["minute", MINUTE],
  ["hour", HOUR],
] as const;

/** Lengths that a service may give to the range of a metric query, which ends at the end of the window. */
const LENGTHS = [
  ["twice", (ns: bigint) => 2n * ns],
  ["half", (ns: bigint) => ns / 2n],
  ["60 times", (ns: bigint) => 60n * ns],
  ["1000 times", (ns: bigint) => 1_000n * ns],
] as const;

const UNITS = [
  ["microseconds", 1_000n],
  ["milliseconds", 1_000_000n],
  ["seconds", 1_000_000_000n],
] as const;

/** The distances of the first and of the last entry in a window from its edges, in ns. */
const EDGES = [
  [0n, 0n],
  [1n, 0n],
  [0n, 1n],
  [1n, 1n],
] as const;

/** Entries count as near an edge up to this distance in ns. Of the distances, only the smallest few are tried. */
const NEAR_NS = 1_000n;
const MOST_NEAR = 3;
const WITHOUT_ENTRIES = "without the entries";
/** The number of guesses that a message names if several explain a response. */
const MOST_TOLD = 2;

const FILTER_OPERATORS = ["|=", "!=", "|~", "!~"] as const;
const MATCH_OPERATORS = ["=", "!=", "=~", "!~"] as const;

const lower = (text: string): string => text.toLowerCase();
const trimmed = (text: string): string => text.trim();

/** Returns the labels with all values in lower case. */
function lowered(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, lower(value)]));
}

/** Whether a matcher selects labels if `=` and `!=` compare only the first characters of a value. */
function matchesBeginning({ name, operator, value }: Matcher, labels: Labels): boolean {
  const begins = labels[name]?.startsWith(value) === true;
  if (operator === "=") return begins;
  return operator === "!=" ? !begins : matches([{ name, operator, value }], labels);
}

/** Whether a matcher selects labels if an expression matches a part of a value. */
function matchesPart({ name, operator, value }: Matcher, labels: Labels): boolean {
  if (operator !== "=~" && operator !== "!~") return matches([{ name, operator, value }], labels);
  return passes([{ operator: operator === "=~" ? "|~" : "!~", text: value }], labels[name] ?? "");
}

/** Whether a line passes a filter for a text if the filter looks only at the beginning of the line. */
function passesAtStart({ operator, text }: LineFilter, line: string): boolean {
  if (operator === "|=") return line.startsWith(text);
  return operator === "!=" ? !line.startsWith(text) : passes([{ operator, text }], line);
}

const selects =
  (matchers: readonly Matcher[]) =>
  (labels: Labels): boolean =>
    matches(matchers, labels);

/** Returns the sent query, and other queries that a service may have answered in its place. */
function guessesOf(
  all: readonly Stream[],
  { matchers = [], filters = [] }: Asked,
  { start, end }: Window,
): [right: Guess, ...guesses: Guess[]] {
  const chosen =
    (isKept: (line: string, ts: bigint) => boolean, isSelected = selects(matchers), from = start, to = end) =>
    (): Stream[] =>
      withEntries(
        all.filter(({ labels }) => isSelected(labels)),
        ({ ts, line }) => ts >= from && ts <= to && isKept(line, ts),
      );
  const passesAll = (line: string): boolean => passes(filters, line);
  const read = (change: (text: string) => string) => (line: string) =>
    passes(
      filters.map((one) => ({ ...one, text: change(one.text) })),
      change === lower ? lower(line) : line,
    );
  const otherFilters = changed<LineFilter>(
    filters,
    FILTER_OPERATORS,
    (one) => `the line filter ${filterText(one)}`,
    ({ text }) => text,
    (one, text) => ({ ...one, text }),
  );
  const otherMatchers = changed<Matcher>(
    matchers,
    MATCH_OPERATORS,
    (one) => `the matcher ${matcherText(one)}`,
    ({ value }) => value,
    (one, value) => ({ ...one, value }),
  );
  const lowerMatchers = matchers.map((one) => ({ ...one, value: lower(one.value) }));
  return [
    ["as it is", chosen(passesAll)],
    ...otherFilters.map(([words, some]): Guess => [words, chosen((line) => passes(some, line))]),
    ["without its line filters", chosen(() => true)],
    ["if one of its line filters were enough", chosen((line) => filters.some((one) => passes([one], line)))],
    ["if its line filters ignored letter case", chosen(read(lower))],
    ["if its line filters were trimmed", chosen(read(trimmed))],
    ["if its line filters matched only the beginning of a line", chosen((line) => filters.every((one) => passesAtStart(one, line)))],
    ...otherMatchers.map(([words, some]): Guess => [words, chosen(passesAll, selects(some))]),
    ["if its matchers ignored letter case", chosen(passesAll, (labels) => selects(lowerMatchers)(lowered(labels)))],
    [
      "if = and != compared only the beginning of a value",
      chosen(passesAll, (labels) => matchers.every((one) => matchesBeginning(one, labels))),
    ],
    ["if an expression matched a part of a value", chosen(passesAll, (labels) => matchers.every((one) => matchesPart(one, labels)))],
    ...nearEdges(all, { start, end }).map(([words, from, to]): Guess => [words, chosen(passesAll, undefined, from, to)]),
    ...PERIODS.filter(([, ns]) => ns < end - start).flatMap(([period, ns]): Guess[] => [
      [`without the first ${period} of its window`, chosen(passesAll, undefined, start + ns), true],
      [`without the last ${period} of its window`, chosen(passesAll, undefined, start, end - ns), true],
      [`in the last ${period} of its window only`, chosen(passesAll, undefined, end - ns), true],
    ]),
    ...(end % HOUR < end - start
      ? [["since the last full hour in its window only", chosen(passesAll, undefined, end - (end % HOUR)), true] satisfies Guess]
      : []),
    ["without its window, or with a longer one", chosen(passesAll, undefined, 0n, 2n ** 63n)],
    ...LENGTHS.map(([words, times]): Guess => [
      `if its window were ${words} as long`,
      chosen(passesAll, undefined, end - times(end - start)),
      true,
    ]),
    [
      `${WITHOUT_ENTRIES} at a whole number of hours after its start`,
      chosen((line, ts) => passesAll(line) && (ts === start || (ts - start) % HOUR !== 0n)),
    ],
    // The documents do not say whether an entry at an edge of a window is in the window.
    ...UNITS.flatMap(([unit, ns]) =>
      EDGES.map(([first, last]): Guess => {
        const [from, to] = [(start / ns) * ns + first, (end / ns) * ns - last];
        return [`with its times cut to whole ${unit}`, chosen(passesAll, undefined, from, to)];
      }),
    ),
  ];
}

function nearest(distances: readonly bigint[]): bigint[] {
  return [...new Set(distances.filter((ns) => ns > 0n && ns <= NEAR_NS))].toSorted((one, other) => Number(one - other)).slice(0, MOST_NEAR);
}

/** Returns the windows that leave out a few entries near an edge of a window, in words and numbers. */
function nearEdges(all: readonly Stream[], { start, end }: Window): (readonly [words: string, from: bigint, to: bigint])[] {
  const times = entriesOf(all).map(({ ts }) => ts);
  return [
    ...nearest(times.map((ts) => ts - start)).map(
      (ns) => [`${WITHOUT_ENTRIES} ${atMost(ns)} after its start`, start + ns + 1n, end] as const,
    ),
    ...nearest(times.map((ts) => end - ts)).map((ns) => [`${WITHOUT_ENTRIES} ${atMost(ns)} before its end`, start, end - ns - 1n] as const),
  ];
}

function atMost(ns: bigint): string {
  return ns === 1n ? "1 ns" : `1 to ${ns} ns`;
}

function keyOf(entries: readonly Entry[]): string {
  return entries
    .map(({ ts, line }) => `${ts} ${line}`)
    .toSorted()
    .join("\n");
}

/** With fewer returned entries than this, a period that explains a response may be a coincidence. */
const TELLING_ENTRIES = 3;

/** Whether a response to the guessed query has several entries, and has only some entries of a stream, or additional ones. */
function isTelling(right: readonly Stream[], guessed: readonly Stream[], { limit = Infinity }: Partial<Cut> = {}): boolean {
  const sizes = new Map(right.map(({ labels, entries }) => [labelKey(labels), entries.length]));
  const isDivided = guessed.some(({ labels, entries }) => entries.length !== sizes.get(labelKey(labels)));
  return isDivided && Math.min(limit, countEntries(guessed)) >= TELLING_ENTRIES;
}

/** Returns words such as `this is exactly what the query would select without its line filters`, or undefined if no guess `explains` it. */
export function mistakenText(
  all: readonly Stream[],
  asked: Asked,
  window: Window,
  explains: (selected: readonly Stream[]) => boolean,
): string | undefined {
  const [[, select], ...guesses] = guessesOf(all, asked, window);
  const right = select();
  // If the right entries are in a wrong order, guesses about the selection of entries explain nothing.
  if (explains(right)) return undefined;
  const told: string[] = [];
  for (const [words, streams, isOfPeriod] of guesses) {
    // A window without its last entries can have several causes. Other guesses that select the same entries often mean the same.
    if (told.some((one) => !one.startsWith(WITHOUT_ENTRIES)) || told.length === MOST_TOLD) break;
    const guessed = streams();
    if (explains(guessed) && (isOfPeriod !== true || isTelling(right, guessed, asked.cut))) told.push(words);
  }
  return told.length === 0 ? undefined : `this is exactly what the query would select ${told.join(", or ")}`;
}

/** Returns a function that says whether a response has exactly the selected entries, up to the limit of the query. */
export function hasEntries(answer: readonly Stream[], { limit = Infinity, direction = "forward" }: Partial<Cut> = {}) {
  const came = keyOf(entriesOf(answer));
  const count = countEntries(answer);
  return (selected: readonly Stream[]): boolean => {
    // Most guesses differ in the number of entries, and counting is fast.
    if (Math.min(limit, countEntries(selected)) !== count) return false;
    const { must, tied } = limited(selected, limit, direction);
    return came !== "" && tied.length === 0 && keyOf(must) === came;
  };
}
