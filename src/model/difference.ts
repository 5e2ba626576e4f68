/** One way in which an answer departs from what the documents predict, with the one clause it breaks. */
import type { ClauseId } from "../contract/catalogue.ts";
import { toBeCut } from "./cut.ts";

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

/** With what stands around it, a value in a headline stays below two hundred characters. */
const SHOWN_LENGTH = 150;
/** How much of a long value stands before the place where it departs from the other. */
const SHOWN_BEFORE = 60;

/** A value as a person reads it in a message: JSON, to be cut when longer than `most`; `absent` for undefined. */
export function show(value: unknown, most = SHOWN_LENGTH): string {
  return abridged(jsonText(value), most);
}

/** Two values that are to be compared: where they are long and alike at first, what is shown is around the first difference. */
export function showApart(expected: unknown, actual: unknown): { readonly expected: string; readonly actual: string } {
  const texts = { expected: jsonText(expected), actual: jsonText(actual) };
  const from = firstDifference(texts.expected, texts.actual) - SHOWN_BEFORE;
  if (from + SHOWN_BEFORE + 1 < SHOWN_LENGTH) return { expected: show(expected), actual: show(actual) };
  return { expected: toBeCut(texts.expected, SHOWN_LENGTH, from), actual: toBeCut(texts.actual, SHOWN_LENGTH, from) };
}

/** `text`, to be shown as its beginning and how long it is when it is longer than `most` characters: see `cut.ts`. */
export function abridged(text: string, most: number): string {
  return toBeCut(text, most);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** Characters that a reader does not see, or takes for a blank. */
const UNSEEN = /[\u007f-\u009f]|\p{Cf}|\p{Zl}|\p{Zp}|[\ufe00-\ufe0f]|(?! )\p{Zs}/gu;

/** The text with an escape for each character that could not be seen. */
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
    // What a parser takes may be nested more deeply than can be written out again.
    if (error instanceof RangeError) return "JSON that is nested too deeply to show";
    throw error;
  }
}
