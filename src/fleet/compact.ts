/** Writes JSON with one line per entry, so that a changed fault changes one line of the file. */

type Entry = readonly [key: string | null, value: unknown];

/** Returns the items that each get their own line, or null if the whole value is on one line. */
function entriesOf(value: unknown): readonly Entry[] | null {
  if (Array.isArray(value)) {
    const listed: readonly unknown[] = value;
    const [first] = listed;
    return typeof first === "object" && first !== null ? listed.map((item) => [null, item]) : null;
  }
  return typeof value === "object" && value !== null ? Object.entries(value) : null;
}

function printed(value: unknown, depth: number): string {
  const entries = depth === 0 ? null : entriesOf(value);
  if (entries === null) return JSON.stringify(value);
  const lines = entries
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${key === null ? "" : `${JSON.stringify(key)}:`}${printed(item, depth - 1)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.join(",\n")}\n${close}`;
}

/** Returns `value` as JSON text. In lists and records up to `depth` levels deep, each entry has its own line. */
export function compactJson(value: object, depth: number): string {
  return `${printed(value, depth)}\n`;
}
