/** Defines a difference between a response and its prediction. A difference violates exactly one clause. */
import type { ClauseId } from "../contract/catalogue.ts";
import { toBeCut } from "./cut.ts";
import { type DifferenceKind, KINDS } from "./kinds.ts";
import type { Entry, PlacedEntry } from "./logs.ts";

export interface Difference {
  readonly clause: ClauseId;
  /** The place of the wrong value in the response, such as `limits.ingestion_rate` or `data.result[0].values[3]`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  /** In which way the response is wrong. Without a kind, the value at the path is absent or another value. */
  readonly kind?: DifferenceKind;
  /** An entry of the response that must not be there. */
  readonly entry?: Entry;
  /** The missing entries (`gone`), and all entries that the right response has. */
  readonly missing?: { readonly gone: readonly PlacedEntry[]; readonly wanted: readonly PlacedEntry[] };
  /** Words that say which similar request got a right response, for example "a plain query is right". */
  readonly contrast?: string;
}

export function difference(clause: ClauseId, path: string, expected: string, actual: string, kind?: DifferenceKind): Difference {
  return { clause, path, expected, actual, ...(kind === undefined ? {} : { kind }) };
}

/** Returns the difference of a response with a wrong HTTP status. `actual` begins with `status` and the number. */
export function wrongStatus(clause: ClauseId, expected: string, actual: string): Difference {
  return difference(clause, "status", expected, actual, "status");
}

/** Returns the clauses that `differences` violate. Each clause is listed once, in the order of first appearance. */
export function blamed(differences: readonly Difference[]): ClauseId[] {
  return [...new Set(differences.map(({ clause }) => clause))];
}

/** Returns the kind of a difference. An own check of a user need not name the kind. */
export function kindOf({ kind, path, actual }: Pick<Difference, "kind" | "path" | "actual">): DifferenceKind {
  if (kind !== undefined) return kind;
  if (actual.startsWith(show(undefined))) return "absent";
  return path === "status" && (actual.startsWith("status ") || Number(actual) >= 100) ? "status" : "value";
}

/** Whether no late push can explain the difference. A valid log query does not become valid late, so a 400 to it is never late. */
export function isNeverLate(one: Difference): boolean {
  const isBadRequest = one.clause.startsWith("logs-") && kindOf(one) === "status" && one.actual.startsWith("status 400");
  return isBadRequest || KINDS[kindOf(one)].neverLate === true;
}

/** Whether a text of a message has only plain ASCII characters. If plain data shows a violation too, unusual data is not its cause. */
export function isOrdinary(text: string): boolean {
  return !/[^\u0020-\u007e…]|\\/.test(text);
}

/** Returns a text such as `expected 3, got 4`. */
export function differenceText(one: Difference): string {
  return `expected ${one.expected}${KINDS[kindOf(one)].says === true ? "; " : ", got "}${one.actual}`;
}

/** The maximum length of a value in a headline, in characters. */
const SHOWN_LENGTH = 150;
/** The number of characters that are shown before the first difference between two long values. */
const SHOWN_BEFORE = 60;

/** Returns a value as a message shows it: JSON, cut if it is longer than `most` characters. The value undefined is shown as `absent`. */
export function show(value: unknown, most = SHOWN_LENGTH): string {
  return cutValue(value, most);
}

/** Marks a value as JSON. If the value is a text, the message counts the characters of the text, without quotes and escapes. */
function cutValue(value: unknown, most: number, from = 0): string {
  const counted = typeof value === "string" ? { from: positionIn(value, from), length: value.length } : undefined;
  return toBeCut(jsonText(value), most, from, counted);
}

/** Returns the position in a text that has the position `from` in the JSON of the text. */
function positionIn(value: string, from: number): number {
  let [shown, at] = [1, 0];
  for (const character of value) {
    if (shown >= from) break;
    shown += visible(JSON.stringify(character)).length - 2;
    at += character.length;
  }
  return at;
}

/** If a response shows only the beginning of the expected text, and at least this many characters, the message says how many. */
const LONG_CUT = 16;

/** Matches the quotation at the end of a parser's message. Redaction would not recognise a secret that this quotation cuts off. */
const QUOTATION = /, (?:\.\.\.)?".*$/s;

/** Returns a text that should be JSON as it is shown, with the problem that the parser found. */
export function showInvalid(text: string): string {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ""));
    return show(text);
  } catch (error) {
    return `${show(text)} (${error instanceof SyntaxError ? error.message.replace(QUOTATION, "") : "no JSON"})`;
  }
}

/**
 * Returns two values for comparison: around the first difference if both are long and begin alike.
 * If the actual text is only the beginning of the expected text, its length is shown.
 */
export function showApart(expected: unknown, actual: unknown): { readonly expected: string; readonly actual: string } {
  if (typeof expected === "string" && typeof actual === "string" && actual.length >= LONG_CUT && expected.startsWith(actual))
    return {
      expected: show(expected),
      actual: `only its first ${actual.length} of ${expected.length} characters, without ${show(expected.slice(actual.length))}`,
    };
  const texts = { expected: jsonText(expected), actual: jsonText(actual) };
  const from = commonLength(texts.expected, texts.actual) - SHOWN_BEFORE;
  if (from + SHOWN_BEFORE + 1 < SHOWN_LENGTH) return { expected: show(expected), actual: show(actual) };
  return { expected: cutValue(expected, SHOWN_LENGTH, from), actual: cutValue(actual, SHOWN_LENGTH, from) };
}

/** Returns a text about the value that a response shows. If both values are lists, the text names missing items. */
export function shownFor(expected: unknown, actual: unknown): string {
  if (!Array.isArray(expected) || !Array.isArray(actual)) return show(actual);
  const missing = expected.filter((item) => !actual.includes(item));
  if (missing.length === 0 || actual.length === 0 || actual.some((item) => !expected.includes(item))) return show(actual);
  if (missing.length === expected.length - actual.length && actual.every((item, at) => item === expected[at]))
    return `only the first ${actual.length} of ${expected.length} items`;
  return `a list without ${missing.length} of ${expected.length} items: ${show(missing)}`;
}

/** Marks a text of more than `most` characters, so that each output shows only its beginning and its length (see `cut.ts`). */
export function abridged(text: string, most: number): string {
  return toBeCut(text, most);
}

/** Returns the number of characters with which both texts begin. */
export function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** Returns the number of characters that two texts have in common at their end. */
export function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}

/** Matches invisible characters, combining marks, and characters that look like a blank. */
const UNSEEN = /[\u007f-\u009f]|\p{Mn}|\p{Cf}|\p{Zl}|\p{Zp}|[\ufe00-\ufe0f]|(?! )\p{Zs}/gu;

/** Returns the text with an escape for each character that is invisible or easily confused. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}

function jsonText(value: unknown): string {
  if (value === undefined) return "absent";
  try {
    const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item));
    return text === undefined ? "not JSON" : visible(text);
  } catch (error) {
    // A response may be nested too deeply for `JSON.stringify`, because a JSON parser accepts deeper nesting.
    if (error instanceof RangeError) return "JSON that is nested too deeply to show";
    throw error;
  }
}
