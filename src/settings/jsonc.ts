/** Reads JSON with comments. Comments are replaced by spaces, so that all positions in the text stay the same. */

/** Returns the text with spaces in place of comments and of commas before a closing bracket. Line ends are not replaced. */
export function withoutComments(text: string): string {
  return text
    .replaceAll(/"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
      found.startsWith('"') ? found : found.replaceAll(/[^\n]/g, " "),
    )
    .replaceAll(/"(?:\\.|[^"\\\n])*"|,(?=\s*[\]}])/g, (found) => (found === "," ? " " : found));
}

/** Returns the first and last line, from 1, of each object in the list of the outermost object. */
export function linesOfItems(text: string): { readonly first: number; readonly last: number }[] {
  const items: { first: number; last: number }[] = [];
  let depth = 0;
  let line = 1;
  let first = 0;
  for (const [token] of withoutComments(text).matchAll(/"(?:\\.|[^"\\\n])*"|[[\]{}\n]/g)) {
    if (token === "\n") line += 1;
    if (token === "{" || token === "[") {
      depth += 1;
      if (token === "{" && depth === 3) first = line;
    }
    if (token === "}" || token === "]") {
      if (token === "}" && depth === 3) items.push({ first, last: line });
      depth -= 1;
    }
  }
  return items;
}
