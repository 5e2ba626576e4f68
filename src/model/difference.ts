/** One way in which an answer departs from what the documents predict, with the one clause it breaks. */
import type { ClauseId } from "../contract/catalogue.ts";

export interface Difference {
  readonly clause: ClauseId;
  /** Where in the answer, e.g. `limits.ingestion_rate` or `data.result[0].values[3]`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  /** How a limit's value is wrong, where that decides which clause is to blame. */
  readonly nature?: "missing" | "type" | "value";
}

/** The clauses that `differences` name, each once, in order of first appearance. */
export function blamed(differences: readonly Difference[]): ClauseId[] {
  return [...new Set(differences.map((difference) => difference.clause))];
}

const SHOWN_LENGTH = 200;
/** How much of a long value stands before the place where it departs from the other. */
const SHOWN_BEFORE = 80;

/** A value as a person reads it in a message: JSON, cut when long; `absent` for undefined. */
export function show(value: unknown): string {
  return abridged(jsonText(value), SHOWN_LENGTH);
}

/** Two values that are to be compared: where they are long and alike at first, what is shown is around the first difference. */
export function showApart(expected: unknown, actual: unknown): { readonly expected: string; readonly actual: string } {
  const texts = { expected: jsonText(expected), actual: jsonText(actual) };
  const from = firstDifference(texts.expected, texts.actual) - SHOWN_BEFORE;
  if (from + SHOWN_BEFORE + 1 < SHOWN_LENGTH) return { expected: show(expected), actual: show(actual) };
  return { expected: excerpt(texts.expected, from), actual: excerpt(texts.actual, from) };
}

/** `text`, or when it is longer than `most` characters its beginning and how long it is; a character is never cut in two. */
export function abridged(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(HALF_AT_END, "")}… (${text.length} characters)`;
}

/** A character beyond the first 65,536 is two UTF-16 code units. */
const HALF_AT_END = /[\uD800-\uDBFF]$/;
const HALF_AT_START = /^[\uDC00-\uDFFF]/;

function excerpt(text: string, from: number): string {
  const piece = text
    .slice(from, from + SHOWN_LENGTH)
    .replace(HALF_AT_START, "")
    .replace(HALF_AT_END, "");
  return `…${piece}${from + SHOWN_LENGTH < text.length ? "…" : ""} (from character ${from + 1} of ${text.length})`;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function jsonText(value: unknown): string {
  if (value === undefined) return "absent";
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item)) ?? "not JSON";
}
