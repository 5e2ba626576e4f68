/** Adds entries to the deviations file, without changing the existing text of the file. */
import { withoutComments } from "./jsonc.ts";

/** An entry of the deviations file, as the program writes it. */
export interface DeviationEntry {
  readonly match: string;
  readonly target?: string;
  readonly owner: string;
  readonly reason: string;
  readonly link?: string;
  readonly expires: string;
}

/** The text of a new deviations file, which has no entries. */
export const EMPTY_DEVIATIONS = `// Accepted deviations: failures that do not fail the run until the day they expire. Comments are allowed.
// Each entry: match (a glob of clause or check ids), owner, reason, expires (YYYY-MM-DD). The fields target and link are optional.
{
  "deviations": []
}
`;

/** Returns the text with the entries added at the end of its list. `readDeviations` must have accepted the text. */
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
  // The list may end with a comma. A comment may follow this comma or the last entry.
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
