/** Parses string literals: in double quotes with the escapes of Go, or raw in backquotes. */
import { QueryError } from "./error.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
};

const BYTE = /(?:x([0-9a-fA-F]{2})|([0-3][0-7]{2}))/y;
const CODE_POINT = /(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;

export interface Literal {
  readonly value: string;
  /** The position in the query after the closing quote of the literal. */
  readonly end: number;
}

/** Returns the string literal that starts at the quote at `start`. Throws QueryError if there is no valid literal. */
export function readString(source: string, start: number): Literal {
  return source[start] === "`" ? readRaw(source, start) : readQuoted(source, start);
}

function readRaw(source: string, start: number): Literal {
  const close = source.indexOf("`", start + 1);
  if (close === -1) throw new QueryError("a raw string is not closed", start);
  return { value: source.slice(start + 1, close).replaceAll("\r", ""), end: close + 1 };
}

function readQuoted(source: string, start: number): Literal {
  // The text is built from bytes, because an escape may be a single byte of a character.
  const parts: Buffer[] = [];
  let position = start + 1;
  for (;;) {
    const character = source[position];
    if (character === undefined || character === "\n") throw new QueryError("a string is not closed", start);
    if (character === '"') return { value: Buffer.concat(parts).toString("utf8"), end: position + 1 };
    if (character === "\\") {
      const escape = readEscape(source, position + 1);
      parts.push(escape.bytes);
      position = escape.end;
    } else {
      const plain = /[^"\\\n]+/y;
      plain.lastIndex = position;
      const run = plain.exec(source)?.[0] ?? character;
      parts.push(Buffer.from(run, "utf8"));
      position += run.length;
    }
  }
}

function readEscape(source: string, position: number): { readonly bytes: Buffer; readonly end: number } {
  const simple = SIMPLE[source[position] ?? ""];
  if (simple !== undefined) return { bytes: Buffer.from(simple, "utf8"), end: position + 1 };
  BYTE.lastIndex = position;
  const byte = BYTE.exec(source);
  if (byte !== null) {
    const [text, hexadecimal, octal = ""] = byte;
    const value = hexadecimal === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hexadecimal, 16);
    return { bytes: Buffer.from([value]), end: position + text.length };
  }
  CODE_POINT.lastIndex = position;
  const point = CODE_POINT.exec(source);
  if (point !== null) {
    const [text, short, long = ""] = point;
    const value = Number.parseInt(short ?? long, 16);
    const surrogate = value >= 0xd800 && value <= 0xdfff;
    if (value <= 0x10_ffff && !surrogate) return { bytes: Buffer.from(String.fromCodePoint(value), "utf8"), end: position + text.length };
  }
  throw new QueryError("unknown escape sequence", position - 1);
}
