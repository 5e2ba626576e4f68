/** JSON as other clients write it. Each spelling has the same meaning. */
import { needlesslyEscaped } from "../client/spelling.ts";
import type { Writing } from "./instances.ts";

interface NamedWriting {
  readonly what: string;
  readonly written: Writing;
  /** The documents do not say which forms of a whole number a service accepts. If accepted, the value must be the same. */
  readonly mayBeRefused?: true;
}

/** Returns each UTF-16 unit of a text as an escape, so a character outside the first plane becomes two escapes. */
function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
}

/** JSON with a space around each punctuation character, and with escapes for slashes and characters outside ASCII, as PHP writes them. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(spaced).join(" , ")} ]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)} : ${spaced(member)}`)
      .join(" , ")} }`;
  return JSON.stringify(value)
    .replaceAll("/", String.raw`\/`)
    .replaceAll(/[^\p{ASCII}]+/gu, escaped);
}

/** JSON with members in reverse order, so that the limits come first, and with escapes for each character of texts. */
function escapedBackwards(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(escapedBackwards).join(",")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .toReversed()
      .map(([name, member]) => `${JSON.stringify(name)}:${escapedBackwards(member)}`)
      .join(",")}}`;
  return typeof value === "string"
    ? `"${escaped(value)
        .toUpperCase()
        .replaceAll(String.raw`\U`, String.raw`\u`)}"`
    : JSON.stringify(value);
}

/** JSON with another form of each whole number. */
function numbersAs(form: (value: number) => string): Writing {
  const written = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
    if (typeof value === "object" && value !== null)
      return `{${Object.entries(value)
        .map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`)
        .join(",")}}`;
    return typeof value === "number" && Number.isInteger(value) ? form(value) : JSON.stringify(value);
  };
  return written;
}

/** The spelling of a create, which combines the differences of all other spellings. */
export const BACKWARDS: NamedWriting = {
  what: "members in reverse order, limits first, and every letter of a text as an escape with capital digits",
  written: escapedBackwards,
};

export const WRITINGS: readonly NamedWriting[] = [
  { what: "whitespace around each punctuation character, escapes for slashes and for letters outside ASCII", written: spaced },
  { what: "several lines", written: (payload) => `\n${JSON.stringify(payload, null, "\t")}\n` },
  BACKWARDS,
  { what: "JSON escapes for plain letters, also in names", written: needlesslyEscaped },
  { what: "whole numbers with an exponent", written: numbersAs((value) => `${value}0e-1`), mayBeRefused: true },
  { what: "whole numbers with a point and a zero", written: numbersAs((value) => value.toFixed(1)), mayBeRefused: true },
];
