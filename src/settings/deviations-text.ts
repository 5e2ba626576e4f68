/** Writing entries into the file of accepted deviations without touching what stands there already. */
import { withoutComments } from "./jsonc.ts";

/** An entry as it is written. */
export interface DeviationEntry {
  readonly match: string;
  readonly target?: string;
  readonly owner: string;
  readonly reason: string;
  readonly link?: string;
  readonly expires: string;
}

/** A file without an entry. */
export const EMPTY_DEVIATIONS = `// Accepted deviations: failures that do not gate until the day they expire. Comments are allowed.
// Each entry: match (a glob of clause or check ids), owner, reason, expires (YYYY-MM-DD); target and link where they help.
{
  "deviations": []
}
`;

/** The text with these entries at the end of the list, everything else as it was. The text must be a file that was read without a refusal. */
export function withEntries(text: string, entries: readonly DeviationEntry[]): string {
  const blank = withoutComments(text);
  let depth = 0;
  let opened = 0;
  let closed = 0;
  for (const { 0: token, index } of blank.matchAll(/"(?:\\.|[^"\\\n])*"|[[\]{}]/g)) {
    if (token === "[" && depth === 1) opened = index;
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (token === "]" && depth === 1) closed = index;
  }
  const before = text.slice(0, closed).trimEnd();
  const items = blank.slice(opened + 1, closed);
  // A comma may stand already, and behind it, or behind the last entry, a comment.
  const last = opened + 1 + items.trimEnd().length;
  const comma =
    items.trim() === "" ||
    text
      .slice(last, closed)
      .replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "")
      .includes(",")
      ? ""
      : ",";
  const added = entries.map((entry) => `    ${JSON.stringify(entry)}`).join(",\n");
  return `${before.slice(0, last)}${comma}${before.slice(last)}\n${added}\n  ${text.slice(closed)}`;
}
