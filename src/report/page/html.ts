/** HTML by template: every value is escaped unless it is HTML already. */

/** A piece of HTML, safe to put into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes; `null` leaves nothing behind. */
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

/** The tag of HTML templates. */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.map((text, index) => text + textOf(pieces[index] ?? null)).join(""));
}
