/** Defines the factors of a range query. Each level is a part of the query that the documents describe. */
import { HIGHEST_LIMIT } from "../datasets/requests.ts";
import fc from "fast-check";
import { expression, partsOfLine } from "../arbitraries/queries.ts";
import type { Asked } from "../diagnosis/range-request.ts";
import {
  countEntries,
  type Direction,
  type FilterOperator,
  type LineFilter,
  linesOf,
  type Matcher,
  matches,
  type MatchOperator,
  passes,
  select,
  within,
} from "../model/logs.ts";
import { RUN_LABEL, SET_LABEL } from "../datasets/datasets.ts";
import type { Phrasing } from "./expressions.ts";
import { othersThan } from "./metrics.ts";
import type { CaseFactor, CaseLevel, CaseSubject } from "./case-subject.ts";
import { HOUR } from "../model/times.ts";

/** The matchers and line filters of a query. Log queries and metric queries both have these parts. */
interface Selecting {
  readonly matchers: readonly Matcher[];
  readonly filters: readonly LineFilter[];
}

export interface RangeDraft extends Selecting {
  readonly ownLast: boolean;
  readonly start: bigint;
  readonly end: bigint;
  /** The limit that the query sends, or null if the query sends no limit. */
  readonly limit: number | null;
  /** The direction that the query sends, or null if the query sends no direction. */
  readonly direction: Direction | null;
}

/** The documented default of the parameter `limit`. */
const DEFAULT_LIMIT = 100;

export function neutralRange({ dataset: { start, end } }: CaseSubject): RangeDraft {
  return { matchers: [], ownLast: false, filters: [], start, end, limit: HIGHEST_LIMIT, direction: "backward" };
}

/** Makes the log query, with its window, limit and direction, from its draft. */
export function askedIn({ dataset }: CaseSubject, draft: RangeDraft): Asked {
  const { matchers, filters, start, end, limit, direction, ownLast } = draft;
  const unsent = [...(limit === null ? (["limit"] as const) : []), ...(direction === null ? (["direction"] as const) : [])];
  return {
    matchers,
    filters,
    ...(ownLast ? { ownLast } : {}),
    ...(start === dataset.start && end === dataset.end ? {} : { window: { start, end } }),
    cut: { limit: limit ?? DEFAULT_LIMIT, direction: direction ?? "backward", ...(unsent.length === 0 ? {} : { unsent }) },
  };
}

function neutral<D>(name: string): CaseLevel<D> {
  return { name, change: (draft) => draft };
}

/**
 * Returns labels with their values. With `isExpression`, it returns only plain values that no other value contains, because the documents
 * do not say whether an expression must match the whole value.
 */
function labelsFor({ dataset }: CaseSubject, isExpression: boolean): readonly (readonly [name: string, values: readonly string[]])[] {
  const { streams } = dataset;
  const names = othersThan(dataset, [RUN_LABEL, SET_LABEL]);
  return names.flatMap((name): [string, string[]][] => {
    const all = [...new Set(streams.flatMap(({ labels }) => labels[name] ?? []))];
    const isPlain = (value: string): boolean =>
      /^[\p{L}\p{N}_ ]+$/u.test(value) && all.every((other) => other === value || !other.includes(value));
    const values = isExpression ? all.filter(isPlain) : all;
    return values.length === 0 ? [] : [[name, values]];
  });
}

/** Returns a text that is equal for values that differ only in case or in spaces around them. */
function nearKey(value: string): string {
  return value.trim().toLowerCase();
}

/** Returns the values that differ from another value only in case or in spaces around them. If there are none, returns all values. */
function nearlyEqualFirst(labels: readonly (readonly [name: string, values: readonly string[]])[]): typeof labels {
  const near = labels.flatMap(([name, values]): [string, string[]][] => {
    const some = values.filter((value) => values.some((other) => other !== value && nearKey(other) === nearKey(value)));
    return some.length === 0 ? [] : [[name, some]];
  });
  return near.length === 0 ? labels : near;
}

/** Matchers that an absent label satisfies. The expression is `^$`, because a service may let an expression match a part of a value. */
const EMPTY = [
  { operator: "=", value: "" },
  { operator: "=~", value: "^(nobody|)$" },
] as const;

/** Returns the level of a matcher on a label that the stream does not have. An absent label equals the empty value. */
function absentLevel<D extends Selecting>(): CaseLevel<D> {
  return {
    name: "matchers of an absent label",
    change: (draft, subject) => {
      const absent = othersThan(subject.dataset, Object.keys(subject.labels));
      const one = subject.drawn(`absent among ${absent.join()}`, (): fc.Arbitrary<Matcher> | null =>
        absent.length === 0
          ? null
          : fc.tuple(fc.constantFrom(...absent), fc.constantFrom(...EMPTY)).map(([name, empty]) => ({ name, ...empty })),
      );
      return one === null ? null : { ...draft, matchers: [...draft.matchers, one] };
    },
  };
}

/** Returns the level of a matcher with the given operator. The stream of the entry passes this matcher, so that few responses are empty. */
function matcherLevel<D extends Selecting>(operator: MatchOperator): CaseLevel<D> {
  return {
    name: `matchers of ${operator}`,
    change: (draft, subject) => {
      const arbitrary = (): fc.Arbitrary<Matcher> | null => {
        const isExpression = operator.includes("~");
        const all = labelsFor(subject, isExpression);
        const labels = isExpression ? all : nearlyEqualFirst(all);
        if (labels.length === 0) return null;
        return fc
          .constantFrom(...labels)
          .chain(([name, values]) =>
            (isExpression
              ? fc
                  .subarray([...values], { minLength: 1, maxLength: Math.min(3, values.length) })
                  .map((some) => [...some, "nobody"].join("|"))
              : fc.constantFrom(...values)
            ).map((value) => ({ name, operator, value })),
          );
      };
      const isMatched = (matcher: Matcher): boolean => matches([...draft.matchers, matcher], subject.labels);
      const isNear = ({ name: label, value }: Matcher): boolean => nearKey(subject.labels[label] ?? "") === nearKey(value);
      const near = subject.drawn(`matcher ${operator}`, arbitrary, (matcher) => isMatched(matcher) && isNear(matcher));
      const one = near !== null && isMatched(near) ? near : subject.drawn(`matcher ${operator}`, arbitrary, isMatched);
      return one === null || !isMatched(one) ? null : { ...draft, matchers: [...draft.matchers, one] };
    },
  };
}

const ORDER = ["=", "!=", "=~", "!~"] as const;

export function matcherFactor<D extends Selecting>(name: string): CaseFactor<D> {
  return { name, isSelecting: true, levels: [neutral("none"), ...ORDER.map((operator) => matcherLevel<D>(operator)), absentLevel<D>()] };
}

const PARTS = 1_000;

/** Returns a random position in a list, as a number below `PARTS`. */
function placeFor({ drawn }: CaseSubject, id: string): number {
  return drawn(id, () => fc.nat({ max: PARTS - 1 })) ?? 0;
}

const LONG_LINE = 300;

/** Returns the text with each letter in the other letter case. */
function inOtherCase(text: string): string {
  return [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join("");
}

/** A filter text is chosen from at most this number of words, because a search for each word of a long line takes too long. */
const MOST_WORDS = 50;

/** Returns words of the line in the other letter case. The line does not contain them, but a service that ignores case finds them. */
function otherCaseOnly(line: string): string[] {
  const words = new Set([...line.matchAll(/[a-z]{2,}/gi)].map(([word]) => word));
  return [...words]
    .slice(0, MOST_WORDS)
    .map(inOtherCase)
    .filter((text) => !line.includes(text));
}

/**
 * Returns the level of a line filter that the entry passes, so that few responses are empty. With `!=`, half of the filter texts are words
 * of the line in the other letter case.
 */
function filterLevel<D extends Selecting>(operator: FilterOperator, phrased: Phrasing): CaseLevel<D> {
  return {
    name: `line filters of ${operator}`,
    change: (draft, subject) => {
      const { streams } = subject.dataset;
      const isExpression = operator.includes("~");
      const arbitrary = (): fc.Arbitrary<LineFilter> | null => {
        const lines = [...linesOf(streams)];
        const ascii = lines.filter((line) => /^[\u0020-\u007e]+$/.test(line));
        if ((isExpression ? ascii : lines.filter((line) => line.trim() !== "")).length === 0) return null;
        // If an expression begins with `.` and does not match a line, the search takes quadratic time in the length of the line.
        const isSlow = (text: string): boolean => text.startsWith(".") && lines.some((line) => line.length > LONG_LINE);
        const texts = isExpression ? expression(ascii).filter((text) => !isSlow(text)) : partsOfLine(streams).map(([part = ""]) => part);
        return texts.map((text) => ({ operator, text }));
      };
      const { line } = subject.entry;
      const words = operator === "!=" ? otherCaseOnly(line) : [];
      const word = words[Math.floor((placeFor(subject, "word") * 2 * words.length) / PARTS)];
      const isPassed = (filter: LineFilter): boolean => passes(phrased([...draft.filters, filter]), line);
      const one = word === undefined ? subject.drawn(`filter ${operator}`, arbitrary, isPassed) : { operator, text: word };
      return one === null || !isPassed(one) ? null : { ...draft, filters: [...draft.filters, ...phrased([one])] };
    },
  };
}

const FILTERS = ["|=", "!=", "|~", "!~"] as const;

export function filterFactor<D extends Selecting>(name: string, phrased: Phrasing): CaseFactor<D> {
  return { name, isSelecting: true, levels: [neutral("none"), ...FILTERS.map((operator) => filterLevel<D>(operator, phrased))] };
}

function earlier({ start }: RangeDraft, { points, entry }: CaseSubject): bigint[] {
  return points.filter((point) => point > start && point < entry.ts);
}

function later({ end }: RangeDraft, { points, entry }: CaseSubject): bigint[] {
  return points.filter((point) => point > entry.ts && point < end);
}

function drawnPoint(subject: CaseSubject, points: readonly bigint[]): bigint | undefined {
  return points[Math.floor((placeFor(subject, "place") * points.length) / PARTS)];
}

/** Returns the query with the start or the end of its window moved to `point`, or null if `point` is undefined. */
function moved(draft: RangeDraft, edge: "start" | "end", point: bigint | undefined): RangeDraft | null {
  return point === undefined ? null : { ...draft, [edge]: point };
}

const BEFORE_ALL = "before all entries";

const START: CaseFactor<RangeDraft> = {
  name: "start",
  levels: [
    neutral("the start of the dataset"),
    { name: "just before an entry", change: (draft, subject) => moved(draft, "start", earlier(draft, subject).at(-1)) },
    { name: "between earlier entries", change: (draft, subject) => moved(draft, "start", drawnPoint(subject, earlier(draft, subject))) },
    {
      name: "hours before all entries",
      change: (draft, { mayBeginEarlier, drawn }) => {
        const hours = drawn("hours", () => fc.integer({ min: 1, max: 20 })) ?? 1;
        return mayBeginEarlier ? { ...draft, start: draft.start - BigInt(hours) * HOUR } : null;
      },
    },
  ],
};

const END: CaseFactor<RangeDraft> = {
  name: "end",
  levels: [
    neutral("after all entries"),
    { name: "just after an entry", change: (draft, subject) => moved(draft, "end", later(draft, subject)[0]) },
    { name: "between later entries", change: (draft, subject) => moved(draft, "end", drawnPoint(subject, later(draft, subject))) },
    {
      name: BEFORE_ALL,
      change: (draft, { dataset, mayBeginEarlier }) =>
        mayBeginEarlier ? { ...draft, start: draft.start < dataset.start ? draft.start : dataset.start - HOUR, end: dataset.start } : null,
    },
  ],
};

/** Limits at usual sizes of batches, pages and defaults, and just below and above them. */
const SIZES = [2, 3, 7, 12, 31, 32, 33, 99, 101, 127, 128, 129, 255, 256, 257, 511, 512, 513, 999];

/** Returns a level of the limit. `limitOf` returns undefined if the level is impossible for this number of selected entries. */
function limitLevel(
  name: string,
  limitOf: (entries: number, subject: CaseSubject) => number | null | undefined,
  without: readonly string[] = [],
): CaseLevel<RangeDraft> {
  return {
    name,
    without,
    change: (draft, subject) => {
      const { start, end } = draft;
      const limit = limitOf(countEntries(select(within(subject.dataset.streams, start, end), draft)), subject);
      return limit === undefined || !subject.mayLimit || (limit ?? 1) < 1 || (limit ?? 1) > HIGHEST_LIMIT ? null : { ...draft, limit };
    },
  };
}

const LIMIT: CaseFactor<RangeDraft> = {
  name: "limit",
  levels: [
    neutral("1,000"),
    limitLevel("not sent", () => null),
    limitLevel("1", () => 1),
    limitLevel("one less than selected", (entries) => entries - 1, [BEFORE_ALL]),
    limitLevel("as many as selected", (entries) => entries, [BEFORE_ALL]),
    limitLevel("one more than selected", (entries) => entries + 1),
    limitLevel("the size of a batch", (_entries, { drawn, dataset }) => {
      const isLower = (size: number): boolean => size < dataset.entries;
      return drawn("size", () => fc.constantFrom(...SIZES), isLower) ?? 1;
    }),
    limitLevel(
      "a part of the selected",
      (entries, { drawn }) => {
        const part = drawn("part", () => fc.integer({ min: 2, max: 6 })) ?? 2;
        return entries < 2 ? undefined : Math.ceil(entries / part);
      },
      [BEFORE_ALL],
    ),
  ],
};

const DIRECTION: CaseFactor<RangeDraft> = {
  name: "direction",
  levels: [
    neutral("backward"),
    { name: "forward", change: (draft) => ({ ...draft, direction: "forward" }) },
    { name: "not sent", change: (draft) => ({ ...draft, direction: null }) },
  ],
};

const OWN: CaseFactor<RangeDraft> = {
  name: "order of matchers",
  levels: [neutral("those of the dataset first"), { name: "those of the dataset last", change: (draft) => ({ ...draft, ownLast: true }) }],
};

/** Returns the factors of range queries. The limit is last, because some of its levels depend on the number of selected entries. */
export function rangeFactors(phrased: Phrasing): readonly CaseFactor<RangeDraft>[] {
  return [
    DIRECTION,
    START,
    END,
    matcherFactor("first matcher"),
    matcherFactor("second matcher"),
    OWN,
    filterFactor("first line filter", phrased),
    filterFactor("second line filter", phrased),
    filterFactor("third line filter", phrased),
    LIMIT,
  ];
}
