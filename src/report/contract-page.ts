/** Writes the page of the contract: each clause with its statement, its checks, and the clauses that can hide the clause. */
import { SERVICES } from "../contract/clause.ts";
import { type Clause, CLAUSES, isJudged } from "../contract/catalogue.ts";
import { DOCUMENTS, SECTIONS } from "../contract/sections.ts";

export interface CoveringCheck {
  readonly id: string;
  readonly title: string;
  readonly profiles: readonly string[];
}

export interface ListedClause extends Clause {
  readonly checks: readonly CoveringCheck[];
}

/** Returns the ids of the clauses whose violation can make it impossible to judge the given clause. */
export type Hiders = (clause: string) => readonly string[];

const INTRODUCTION = `# The contract, clause by clause

This page lists what Plumbline judges. Each statement of the two documents is a clause with an id, in the words of Plumbline. The page is
generated from the catalogue of clauses by \`npm run contract\`.

- **stated** means that the document says it. **implied** means that a reader must conclude it. Both are judged.
- **unspecified** means that the document says "not shown". The behaviour is recorded as an observation and never judged.
- **unobservable** means that these APIs do not show whether the statement holds.

If the violation of one clause can hide another clause, correct the first one and run the suite again.`;

/** Matches characters that are markup in Markdown. An underscore within a word is not markup. */
const MARKUP = /[\\*<>[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;

/** Returns the text with all Markdown markup escaped, except code in backquotes. */
function escaped(text: string): string {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(MARKUP, String.raw`\$&`)))
    .join("`");
}

function linked(ids: readonly string[]): string {
  return ids.map((id) => `[${id}](#${id})`).join(", ");
}

/** Matches the clause of a single limit. Violations of these clauses hide the same other clauses, so the page names the limits together. */
const ROW = /^admin-2\.limit\./;

function hiddenBy(ids: readonly string[]): string {
  const rows = ids.filter((id) => ROW.test(id));
  if (rows.length < 2) return linked(ids);
  const others = ids.filter((id) => !ROW.test(id));
  return [...(others.length === 0 ? [] : [linked(others)]), "the clause of any limit"].join(", ");
}

function notes(clause: ListedClause, hiders: Hiders): string[] {
  if (clause.sameAs !== undefined) return [`the same statement is judged as ${linked(clause.sameAs)}`];
  const observed = isJudged(clause) ? "checked" : "observed";
  const checks = clause.checks.map(({ id, title, profiles }) => `${observed} by \`${id}\` (${profiles.join(", ")}): ${escaped(title)}`);
  if (!isJudged(clause)) return [`not judged: ${escaped(clause.reason ?? "no reason given")}`, ...checks];
  const hidden = hiders(clause.id);
  return [...checks, ...(hidden.length === 0 ? [] : [`not evaluated if one of these is violated: ${hiddenBy(hidden)}`])];
}

function clausePart(clause: ListedClause, hiders: Hiders): string[] {
  return [
    // The page has explicit anchors, because the anchors that GitHub makes from headings lack the dots of a clause id.
    `<a id="${clause.id}"></a>`,
    "",
    `#### ${clause.id}`,
    "",
    `${escaped(clause.statement)} *(${clause.level})*`,
    "",
    ...notes(clause, hiders).map((note) => `- ${note}`),
    "",
  ];
}

/** Returns the page of the contract as Markdown. Documents and sections without a clause in `clauses` are left out. */
export function contractPage(clauses: readonly ListedClause[], hiders: Hiders): string {
  const lines = [INTRODUCTION, ""];
  for (const document of SERVICES) {
    const own = clauses.filter((clause) => clause.document === document);
    if (own.length === 0) continue;
    lines.push(`## ${DOCUMENTS[document].name}: ${DOCUMENTS[document].title}`, "");
    for (const { number, title } of SECTIONS.filter((section) => section.document === document)) {
      const inSection = own.filter(({ section }) => section === number);
      if (inSection.length === 0) continue;
      lines.push(`### ${number}. ${title}`, "", ...inSection.flatMap((clause) => clausePart(clause, hiders)));
    }
  }
  return lines.join("\n");
}

/** Returns `Hiders`. `follows` says whether a violation of `cause` can cause a violation of `clause`. */
export function hidersBy(follows: (clause: string, cause: string) => boolean): Hiders {
  return (clause) => CLAUSES.map(({ id }) => id).filter((cause) => cause !== clause && follows(clause, cause));
}
