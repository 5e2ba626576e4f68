/**
 * Cuts long texts. A text is cut only when it is shown, after redaction. Otherwise redaction could miss a part of a secret. Until then,
 * marks in the text say which part will be shown.
 */

/** The marks. Unicode reserves these characters for use within a program, so no exchanged text contains a mark. */
const [OPEN, BODY, CLOSE] = ["\uFDD0", "\uFDD1", "\uFDD2"];

/** The number of characters before and after the shown part that are kept for redaction. Each credential in a header is shorter. */
const KEPT = 65_536;

/** Matches a marked text. Its closing mark may be missing, if only the first line of a message is shown. */
const MARKED = new RegExp(
  `${OPEN}(\\d+),(\\d+),(\\d+),(\\d+),(\\d+),(\\d+)${BODY}([^${OPEN}${BODY}${CLOSE}]*)(?:${CLOSE}|(?=${OPEN})|$)`,
  "g",
);
const HEAD = new RegExp(`${OPEN}[\\d,]+${BODY}`, "g");
const STRAY = new RegExp(`[${OPEN}${BODY}${CLOSE}]`, "g");

/**
 * Marks a text, so that `cutWith` shows only `most` of its characters from the position `from`. A short text stays unchanged. Beside the
 * shown part, its position and the length of the text are written. `counted` replaces these two numbers.
 */
export function toBeCut(text: string, most: number, from = 0, counted?: Pick<Mark, "from" | "length">): string {
  const plain = text.replaceAll(HEAD, "").replaceAll(CLOSE, "").replaceAll(STRAY, "\uFFFD");
  if (from === 0 && plain.length <= most) return plain;
  const skipped = Math.max(0, from - KEPT);
  const written = counted ?? { from, length: plain.length };
  return `${OPEN}${[from, most, skipped, plain.length, written.from, written.length].join()}${BODY}${plain.slice(skipped, from + most + KEPT)}${CLOSE}`;
}

/** A function that returns the redacted characters between two positions. It may return more, so that half of a secret is not shown. */
type Part = (text: string, from: number, to: number) => string;

/** Returns a text as it is shown: marked parts are cut, and `part` is applied to each shown piece and to all other text. */
export function cutWith(part: Part, text: string): string {
  if (!text.includes(OPEN)) return part(text, 0, text.length);
  // No secret crosses a mark, because the program sets marks only between two complete texts.
  const outside = (from: number, to: number): string => part(text.slice(from, to), 0, to - from);
  let shown = "";
  let last = 0;
  for (const found of text.matchAll(MARKED)) {
    const [whole, ...numbers] = found;
    const body = numbers.pop() ?? "";
    const [from = 0, most = 0, skipped = 0, length = 0, writtenFrom = 0, writtenLength = 0] = numbers.map(Number);
    shown += outside(last, found.index);
    shown += excerpt(part, body, { from, most, skipped, length, written: { from: writtenFrom, length: writtenLength } });
    last = found.index + whole.length;
  }
  return shown + outside(last, text.length);
}

interface Mark {
  readonly from: number;
  readonly most: number;
  readonly skipped: number;
  readonly length: number;
  readonly written: { readonly from: number; readonly length: number };
}

/** A character with a code point above 65,535 has two UTF-16 code units, and a cut must not separate the two. */
const HALF_AT_END = /[\uD800-\uDBFF]/;
const HALF_AT_START = /[\uDC00-\uDFFF]/;

function excerpt(part: Part, body: string, { from, most, skipped, length, written }: Mark): string {
  const [first, end] = [from - skipped, Math.min(from - skipped + most, body.length)];
  const start = first > 0 && HALF_AT_START.test(body[first] ?? "") ? first + 1 : first;
  const cut = from + most < length;
  const stop = cut && HALF_AT_END.test(body[end - 1] ?? "") ? end - 1 : end;
  const shown = part(body, start, stop);
  return from === 0
    ? `${shown}… (${written.length} characters)`
    : `…${shown}${cut ? "…" : ""} (from character ${written.from + 1} of ${written.length})`;
}
