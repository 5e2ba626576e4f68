/** Builds HTML from templates. Each value is escaped unless it is an `Html` object. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The values that a template accepts. `null` produces no text. */
export type Piece = string | number | null | Html | readonly Piece[];

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function textOf(piece: Piece): string {
  if (piece === null) return "";
  if (piece instanceof Html) return piece.text;
  if (typeof piece === "string" || typeof piece === "number") return escaped(String(piece));
  return piece.map(textOf).join("");
}

/** The tag function that turns a template into HTML. */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.map((text, index) => text + textOf(pieces[index] ?? null)).join(""));
}
