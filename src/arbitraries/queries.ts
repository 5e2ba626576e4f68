/** Generated ranges, selectors, filters and metric queries over a known data set. */
import fc from "fast-check";
import {
  type Direction,
  type FilterOperator,
  type LineFilter,
  type Matcher,
  type MatchOperator,
  type MetricFunction,
  passes,
  type Stream,
} from "../model/logs.ts";
import { list } from "./lists.ts";

/** A window between two of the gaps of a data set, or hours before it. */
export interface RelativeWindow {
  /** Index of the gap where the window starts; taken modulo the number of gaps. */
  readonly from: number;
  /** How many gaps further it ends, at least 1. */
  readonly length: number;
  /** Hours before the data in which an empty window lies; 0: a window over the data. */
  readonly hoursBefore: number;
  /** How many hours earlier than the gap a window over the data starts: it holds the same entries as from before the first. */
  readonly hoursLonger: number;
  readonly direction: Direction;
  /** Often far above the number of entries, now and then below it. */
  readonly limit: number;
}

export const direction: fc.Arbitrary<Direction> = fc.constantFrom("backward" as const, "forward" as const);

export const window: fc.Arbitrary<RelativeWindow> = fc.record({
  from: fc.nat({ max: 60 }),
  length: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 60 })),
  hoursBefore: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }) }),
  hoursLonger: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 23 }) }),
  direction,
  limit: fc.oneof({ weight: 3, arbitrary: fc.constant(1_000) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 12 }) }),
});

/** Values that no other value contains: whether a pattern must match a whole value is not stated. */
const plainWords = (values: readonly string[]): readonly string[] =>
  values.filter((value) => /^\w+$/.test(value) && values.every((other) => other === value || !other.includes(value)));

/** A matcher on `name` whose value is one of `values`, a part of one, or none of them. */
export function matcher(name: string, values: readonly string[]): fc.Arbitrary<Matcher> {
  const value = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...values) },
    { weight: 1, arbitrary: fc.constantFrom(...values).map((text) => text.toUpperCase()) },
  );
  const words = plainWords(values);
  const exact = fc.record({ name: fc.constant(name), operator: fc.constantFrom<MatchOperator>("=", "!="), value });
  if (words.length < 2) return exact;
  const alternatives = fc.subarray([...words], { minLength: 1, maxLength: Math.min(3, words.length) }).map((chosen) => chosen.join("|"));
  const regular = (text: fc.Arbitrary<string>): fc.Arbitrary<Matcher> =>
    fc.record({ name: fc.constant(name), operator: fc.constantFrom<MatchOperator>("=~", "!~"), value: text });
  // Whether an expression must match the whole value or a part of it is not stated: this one does both. None holds where there is no value.
  const parts = expression(values)
    .map((inner) => `.*(${inner}).*`)
    .filter((text) => !new RegExp(`^${text}$`).test(""));
  return fc.oneof(
    { weight: 2, arbitrary: exact },
    { weight: 1, arbitrary: regular(alternatives) },
    { weight: 1, arbitrary: regular(parts) },
  );
}

/** One line filter; regular expressions are kept to what every engine reads alike. */
export function lineFilter(words: readonly string[], awkward: readonly string[]): fc.Arbitrary<LineFilter> {
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.constantFrom(...words).map((word) => word.toUpperCase()) },
    { weight: 2, arbitrary: fc.constantFrom(...awkward) },
  );
  const pattern = fc
    .oneof(
      fc.constantFrom(...words),
      fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map(([one, other]) => `(${one}|${other})`),
      fc.constantFrom(...words).map((word) => `${word.slice(0, 1)}[${word.slice(1, 2)}x]${word.slice(2)}`),
    )
    // Whether a pattern must match the whole line or a part of it is not stated: this one does both.
    .map((inner) => `.*${inner}.*`);
  return fc.oneof(
    fc.record({ operator: fc.constantFrom<FilterOperator>("|=", "!="), text }),
    fc.record({ operator: fc.constantFrom<FilterOperator>("|~", "!~"), text: pattern }),
  );
}

/** A chain of `least` to four line filters over words, of different kinds more often than not. */
export function wordChain(words: readonly string[], least = 1): fc.Arbitrary<LineFilter[]> {
  return filterChain(fc.constantFrom(...words), least);
}

/** The same over any texts. */
export function filterChain(text: fc.Arbitrary<string>, least = 1): fc.Arbitrary<LineFilter[]> {
  const operator = fc.constantFrom<FilterOperator>("|=", "!=", "|~", "!~");
  return list(fc.record({ operator, text }), fc.integer({ min: least, max: 4 }), 1);
}

/** Writes a few characters of a text as a piece of an expression that matches them. */
type Form = (text: string) => string;

const FORMS: readonly Form[] = [
  plain,
  (text) => `[${characterOf(text, "x")}y-z]${plain(text.slice(1))}`,
  (text) => `[^0-9]${plain(text.slice(1))}`,
  (text) => `[${characterOf(text, "")}a-e]+`,
  (text) => `${plain(text)}+`,
  (text) => `${plain(text)}q?`,
  (text) => `${plain(text)}q*`,
  (text) => `(${plain(text)}){1,2}`,
  (text) => `(${plain(text)})?`,
];
const GAPS: readonly Form[] = [() => ".*", () => ".+"];
const ALTERNATIVES: readonly Form[] = [(text) => `(${plain(text)}|nobody)`, (text) => `(nobody|${plain(text)})`];

/** Letters, digits and blanks as they are, and a dot for anything else: escapes are no matter of expressions. */
function plain(text: string): string {
  return text.replace(/[^\w ]/g, ".");
}

/** The first of these characters if it means nothing in a class, else another one. */
function characterOf(text: string, otherwise: string): string {
  return /^[\w ]/.exec(text)?.[0] ?? otherwise;
}

/**
 * An expression that a part of one of `texts` matches, or all of it between its ends: some characters as they are, others as a class, as
 * what is repeated or left out, with gaps or alternatives once. What both together mean is not asked: the documents do not say, and real
 * services of the current generation lose the gap, or all alternatives behind others.
 */
export function expression(texts: readonly string[]): fc.Arbitrary<string> {
  const some = (least: number): fc.Arbitrary<Piece[]> => list(piece(...FORMS), fc.integer({ min: least, max: 2 }), least);
  const pieces = fc.oneof(
    { weight: 2, arbitrary: list(piece(...FORMS, ...GAPS), fc.integer({ min: 1, max: 4 }), 1) },
    { weight: 1, arbitrary: fc.tuple(some(0), piece(...ALTERNATIVES), some(0)).map(([before, one, after]) => [...before, one, ...after]) },
  );
  const ends = fc.oneof(
    { weight: 5, arbitrary: fc.constant<End>("") },
    { weight: 1, arbitrary: fc.constantFrom<End>("^", "$") },
    { weight: 2, arbitrary: fc.constantFrom<End>("before", "behind") },
  );
  // Of ASCII, where every engine counts the same characters.
  const cut = texts.filter((text) => /^[\x20-\x7e]+$/.test(text));
  return fc.record({ text: fc.constantFrom(...cut), from: fc.nat({ max: 6 }), pieces, ends }).map(written);
}

/** How an expression ends: anywhere, at an end of the text, or with what no text holds, which must not be lost beside the rest. */
type End = "" | "^" | "$" | "before" | "behind";

/** Stands in no text that is pushed. */
const IN_NO_TEXT = "qz";

interface Piece {
  /** How many characters it stands for, at most. */
  readonly length: number;
  readonly form: Form;
}

function piece(...forms: readonly Form[]): fc.Arbitrary<Piece> {
  return fc.record({ length: fc.integer({ min: 1, max: 4 }), form: fc.constantFrom(...forms) });
}

function written({ text, from, pieces, ends }: { text: string; from: number; pieces: readonly Piece[]; ends: End }): string {
  let at = ends === "^" ? 0 : Math.min(from, text.length - 1);
  const parts = pieces.flatMap(({ length, form }) => {
    const taken = text.slice(at, at + length);
    at += length;
    return taken === "" ? [] : [form(taken)];
  });
  const rest = ends === "$" ? plain(text.slice(at)) : "";
  const beginning = ends === "^" ? "^" : ends === "before" ? IN_NO_TEXT : "";
  const end = ends === "$" ? "$" : ends === "behind" ? IN_NO_TEXT : "";
  return `${beginning}${parts.join("")}${rest}${end}`;
}

/** Characters of a part of a line that a query holds. */
const LONGEST_PART = 300;

/** One or two parts of some line of `streams`, often cut within words, now and then all of the line; two of them may overlap. */
export function partsOfLine(streams: readonly Stream[]): fc.Arbitrary<string[]> {
  const lines = streams.flatMap(({ entries }) => entries.map(({ line }) => line)).filter((line) => line.trim() !== "");
  const length = fc.oneof(fc.integer({ min: 4, max: 14 }), fc.integer({ min: 14, max: 60 }), fc.constant(LONGEST_PART));
  const place = fc.record({ from: fc.nat({ max: 1_000 }), most: length });
  return fc.tuple(fc.constantFrom(...lines), list(place, fc.integer({ min: 1, max: 2 }), 1)).map(([line, places]) =>
    places.map(({ from, most }) => {
      const characters = Array.from(line);
      const first = Math.floor((from * Math.max(0, characters.length - most)) / 1_000);
      const part = characters.slice(first, first + most).join("");
      return part.trim() === "" ? characters.slice(0, LONGEST_PART).join("") : part;
    }),
  );
}

const OPPOSITE: Readonly<Record<FilterOperator, FilterOperator>> = { "|=": "!=", "!=": "|=", "|~": "!~", "!~": "|~" };

/**
 * `chain` where some line of `streams` passes every filter of it, four times in five: most chains drawn at random contradict themselves,
 * and a server that answers nothing to them is right.
 */
export function passable(chain: fc.Arbitrary<LineFilter[]>, streams: readonly Stream[]): fc.Arbitrary<LineFilter[]> {
  const line = fc.noShrink(fc.constantFrom(...streams.flatMap(({ entries }) => entries.map((entry) => entry.line))));
  const asDrawn = fc.noShrink(fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }));
  return fc
    .tuple(chain, line, asDrawn)
    .map(([drawn, passed, as]) =>
      as ? drawn : drawn.map((one) => (passes([one], passed) ? one : { ...one, operator: OPPOSITE[one.operator] })),
    );
}

/** A metric query relative to a data set whose entries lie on a grid of ten seconds. */
export interface RelativeMetric {
  readonly metric: MetricFunction;
  /** The range, in grid steps. */
  readonly steps: number;
  /** The asked time, in grid steps after the anchor plus half a step. */
  readonly at: number;
  readonly by: readonly string[];
  readonly aggregated: boolean;
  readonly matchers: readonly Matcher[];
  readonly filters: readonly LineFilter[];
}

export function metricQuery(
  groupings: readonly string[],
  matching: fc.Arbitrary<Matcher>,
  filters: fc.Arbitrary<LineFilter[]>,
  most: number,
): fc.Arbitrary<RelativeMetric> {
  return fc.record({
    metric: fc.constantFrom<MetricFunction>("count_over_time", "rate", "bytes_over_time"),
    steps: fc.integer({ min: 1, max: most }),
    at: fc.integer({ min: 0, max: most }),
    by: fc.subarray([...groupings]),
    aggregated: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    matchers: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: matching.map((one) => [one]) }),
    filters,
  });
}
