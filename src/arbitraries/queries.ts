/** Generates windows, selectors, filters and metric queries over a known dataset. */
import fc from "fast-check";
import { type FilterOperator, type LineFilter, passes, type Stream } from "../model/logs.ts";
import { list } from "./lists.ts";

/** Generates a chain of at least `least` and at most four line filters for the given texts. The filters are usually of different kinds. */
export function filterChain(text: fc.Arbitrary<string>, least = 1): fc.Arbitrary<LineFilter[]> {
  const operator = fc.constantFrom<FilterOperator>("|=", "!=", "|~", "!~");
  return list(fc.record({ operator, text }), fc.integer({ min: least, max: 4 }), 1);
}

/** A function that makes a part of a regular expression from a few characters. The part matches these characters. */
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

/** Replaces all characters except letters, digits and blanks by a dot. The result needs no escapes in an expression. */
function plain(text: string): string {
  return text.replace(/[^\w ]/g, ".");
}

/** Returns the first character of the text. If this character has a special meaning in a character class, returns `otherwise` instead. */
function characterOf(text: string, otherwise: string): string {
  return /^[\w ]/.exec(text)?.[0] ?? otherwise;
}

/**
 * Generates an expression that matches a part of one of `texts`, perhaps with its start or end. No expression has both gaps and
 * alternatives: the documents do not define this, and some services ignore one of the two.
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
  // Only ASCII texts are used: all regular expression engines count their characters in the same way.
  const cut = texts.filter((text) => /^[\x20-\x7e]+$/.test(text));
  return fc.record({ text: fc.constantFrom(...cut), from: fc.nat({ max: 6 }), pieces, ends }).map(written);
}

/** The end of an expression: nothing, `^`, `$`, or a text that no line has, at its start or end. A server must not ignore this text. */
type End = "" | "^" | "$" | "before" | "behind";

/** Two characters that are never next to each other in a pushed text. */
const IN_NO_TEXT = "qz";

interface Piece {
  /** The maximum number of characters that this piece of an expression matches. */
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

/** A query contains at most this number of characters of a line. */
const LONGEST_PART = 300;

/** Generates one or two parts of a line, which may overlap. A part often begins or ends within a word, or is the whole line. */
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

/** Generates a chain of filters. Four of five chains are changed so that some line passes, because most chains contradict themselves. */
export function passable(chain: fc.Arbitrary<LineFilter[]>, streams: readonly Stream[]): fc.Arbitrary<LineFilter[]> {
  const line = fc.noShrink(fc.constantFrom(...streams.flatMap(({ entries }) => entries.map((entry) => entry.line))));
  const asDrawn = fc.noShrink(fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }));
  return fc
    .tuple(chain, line, asDrawn)
    .map(([drawn, passed, as]) =>
      as ? drawn : drawn.map((one) => (passes([one], passed) ? one : { ...one, operator: OPPOSITE[one.operator] })),
    );
}
