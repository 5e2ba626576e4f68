/** Writes YAML in block style, with a line for each item. Quotes a text that a YAML parser could take for something else. */

const INDENT = "  ";

/** Matches a text that needs no quotes: each YAML parser, old or new, reads it unchanged. */
const PLAIN = /^[A-Za-z/$][\w/$.{}-]*(?: [\w/$.{}()-]+)*$/;
const WORDS_WITH_A_MEANING = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Returns `value` as a YAML document without a start marker. */
export function yaml(value: unknown): string {
  return `${block(value, "").join("\n")}\n`;
}

function block(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => itemLines(item, indent));
  return Object.entries(value as object).flatMap(([key, item]: [string, unknown]) =>
    isNested(item) ? [`${indent}${scalar(key)}:`, ...block(item, indent + INDENT)] : [`${indent}${scalar(key)}: ${scalar(item)}`],
  );
}

/** Returns the lines of a list item. The first line of its value follows the dash. */
function itemLines(item: unknown, indent: string): string[] {
  if (!isNested(item)) return [`${indent}- ${scalar(item)}`];
  const [first = "", ...rest] = block(item, indent + INDENT);
  return [`${indent}- ${first.slice(indent.length + INDENT.length)}`, ...rest];
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function scalar(value: unknown): string {
  return typeof value === "string" && PLAIN.test(value) && !WORDS_WITH_A_MEANING.test(value) ? value : JSON.stringify(value);
}
