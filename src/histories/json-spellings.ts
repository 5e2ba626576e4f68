/** JSON as other clients write it. Each spelling has the same meaning. */
import { needlesslyEscaped } from "../client/spelling.ts";
import type { Writing } from "./instances.ts";

interface NamedWriting {
  readonly what: string;
  readonly written: Writing;
  /** The documents do not say which forms of a whole number a service accepts. If it accepts the form, it must keep the value. */
  readonly mayBeRefused?: true;
}

/** Returns each UTF-16 unit of a text as an escape. A character outside the first Unicode plane becomes two escapes. */
function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
}

/** Writes JSON with other punctuation, another order of members, or another form of texts and numbers. */
interface Spelling {
  /** The text on each side of a punctuation character. */
  readonly space?: string;
  readonly isReversed?: boolean;
  readonly leaf: (value: unknown) => string;
}

function written({ space = "", isReversed = false, leaf }: Spelling): Writing {
  const [comma, colon] = [`${space},${space}`, `${space}:${space}`];
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${space}${value.map(write).join(comma)}${space}]`;
    if (typeof value !== "object" || value === null) return leaf(value);
    const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}${colon}${write(member)}`);
    return `{${space}${(isReversed ? members.toReversed() : members).join(comma)}${space}}`;
  };
  return write;
}

/** JSON with a space around each punctuation character, and with escapes for slashes and characters outside ASCII, as PHP writes them. */
const spaced = written({
  space: " ",
  leaf: (value) =>
    JSON.stringify(value)
      .replaceAll("/", String.raw`\/`)
      .replaceAll(/[^\p{ASCII}]+/gu, escaped),
});

/** JSON with members in reverse order, so that the limits come first, and with escapes for each character of texts. */
const escapedBackwards = written({
  isReversed: true,
  leaf: (value) =>
    typeof value === "string"
      ? `"${escaped(value)
          .toUpperCase()
          .replaceAll(String.raw`\U`, String.raw`\u`)}"`
      : JSON.stringify(value),
});

/** Returns a spelling of JSON in which `form` writes each whole number. */
function numbersAs(form: (value: number) => string): Writing {
  return written({ leaf: (value) => (typeof value === "number" && Number.isInteger(value) ? form(value) : JSON.stringify(value)) });
}

/** The spelling of the one create in another form. It combines the differences of all other spellings. */
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
