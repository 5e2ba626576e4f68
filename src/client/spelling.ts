/** Writes a JSON value with other bytes and the same meaning, as other clients do. A server that parses JSON accepts each spelling. */

export interface Spelling {
  readonly what: string;
  readonly write: (value: unknown) => string;
}

/** Returns JSON with escapes for all characters outside ASCII, as Python's `json.dumps` writes it. */
function escaped(text: string, digits: (text: string) => string = (plain) => plain): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (character) => `\\u${digits(character.charCodeAt(0).toString(16).padStart(4, "0"))}`);
}

/** Returns the value with the members of each object in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, turned(item)]),
  );
}

/** Returns JSON with a blank on both sides of each punctuation character. */
function blanked(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map((item: unknown) => blanked(item)).join(" , ")} ]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]: [string, unknown]) => `${JSON.stringify(key)} : ${blanked(item)}`);
  return `{ ${members.join(" , ")} }`;
}

/** Returns JSON with an escape for the first letter of each name and each string, which is legal but unusual. */
export function needlesslyEscaped(value: unknown): string {
  return JSON.stringify(value).replaceAll(/(?<=[{[,:])"[a-z]/g, (begun) => `"\\u00${begun.charCodeAt(1).toString(16)}`);
}

export const otherSpellings: readonly Spelling[] = [
  { what: "whitespace around each punctuation character", write: blanked },
  { what: "JSON escapes for plain letters, also in names", write: needlesslyEscaped },
  { what: "line breaks and indentation", write: (value) => `${JSON.stringify(value, null, 2)}\n` },
  { what: "the members in the other order", write: (value) => JSON.stringify(turned(value)) },
  { what: "JSON escapes for each character outside ASCII", write: (value) => escaped(JSON.stringify(value)) },
  {
    what: "escaped slashes, and capital hexadecimal digits in escapes",
    write: (value) => escaped(JSON.stringify(value), (digits) => digits.toUpperCase()).replaceAll("/", String.raw`\/`),
  },
];
