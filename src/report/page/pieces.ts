/** Small pieces of HTML that several sections of the verdict page share. */
import { type Html, markup, type Piece } from "./html.ts";

/** Returns an HTML table. `numbers` has the positions of the columns with numbers. */
export function table(head: readonly string[], rows: readonly (readonly Piece[])[], numbers: readonly number[] = []): Html {
  const kind = (column: number): Html | null => (numbers.includes(column) ? markup` class="number"` : null);
  return markup`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${head.map((text, column) => markup`<th${kind(column)}>${text}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            markup`<tr>
              ${row.map((cell, column) => markup`<td${kind(column)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Returns a time such as `2026-11-02 02:00 UTC`. `at` is in the format ISO 8601. */
export function minuteOf(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}

/** Returns the id of a check. The id is a link if the Allure report has the check. */
export function checkLink(id: string, anchors: ReadonlyMap<string, string>): Html {
  const anchor = anchors.get(id);
  return anchor === undefined ? markup`<code>${id}</code>` : markup`<a href="#${anchor}" data-open="${anchor}"><code>${id}</code></a>`;
}

/** Returns the id of a clause, with a link to its row in the list of all clauses. */
export function clauseLink(id: string): Html {
  return markup`<a href="#${id}"><code>${id}</code></a>`;
}
