/** JSON as other clients write it: every form means the same to whoever reads JSON. */
import type { Writing } from "./instances.ts";

interface NamedWriting {
  readonly what: string;
  readonly written: Writing;
}

/** Every character of a text as one escape, or as two where it lies beyond the first plane. */
function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
}

/** With a blank after each comma and colon, and everything but ASCII in escapes: as Python writes it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`)
      .join(", ")}}`;
  return JSON.stringify(value).replaceAll(/[^\p{ASCII}]+/gu, escaped);
}

/** Members in reverse, so that the limits come first, and every text in escapes. */
function escapedBackwards(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(escapedBackwards).join(",")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .toReversed()
      .map(([name, member]) => `${JSON.stringify(name)}:${escapedBackwards(member)}`)
      .join(",")}}`;
  return typeof value === "string" ? `"${escaped(value)}"` : JSON.stringify(value);
}

export const WRITINGS: readonly NamedWriting[] = [
  { what: "blanks between members, escapes for other letters than those of ASCII", written: spaced },
  { what: "several lines", written: (payload) => `\n${JSON.stringify(payload, null, "\t")}\n` },
  { what: "members in reverse order, limits first, and every letter of a text as an escape", written: escapedBackwards },
];
