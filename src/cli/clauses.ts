/** `plumbline clauses`: prints all clauses with the checks of each clause. */
import { CLAUSES, isJudged, matchesGlob } from "../contract/catalogue.ts";
import { isConsequence } from "../diagnosis/causes.ts";
import { contractPage, hidersBy, type ListedClause } from "../report/contract-page.ts";
import { DOCUMENT_NAMES, type DocumentName } from "../schemas/bundle.ts";
import { openapiText } from "../schemas/generated.ts";
import { refuse } from "../settings/error.ts";
import { type ParsedFlags, textFlag } from "../settings/flags.ts";
import { parseOnly } from "../settings/run-flags.ts";
import { EXIT, type Command } from "./command.ts";

interface ClauseListing extends ListedClause {
  readonly judged: boolean;
}

const LISTINGS: ReadonlyMap<string, (clauses: readonly ClauseListing[]) => string> = new Map([
  ["text", toTable],
  ["json", (clauses) => JSON.stringify(clauses, null, 2)],
  ["markdown", (clauses) => contractPage(clauses, hidersBy(isConsequence))],
]);

/** The value of `--format` that prints OpenAPI descriptions of the operations instead of clauses. */
const OPENAPI = "openapi";

const FORMATS = [...LISTINGS.keys(), OPENAPI].join(", ");

const FLAGS = [
  textFlag("format", `Output format: ${FORMATS}; the default is text`, "markdown"),
  textFlag(
    "document",
    `List only one document: ${DOCUMENT_NAMES.join(" or ")}; the default is both, with openapi as two YAML documents`,
    "admin",
  ),
  textFlag("only", "Patterns of clause ids (globs), separated by commas; not with openapi", "'admin-4.*'"),
];

async function listing(documents: readonly DocumentName[], only: readonly string[]): Promise<ClauseListing[]> {
  const { CHECKS } = await import("../../specs/index.ts");
  const inDocuments = CLAUSES.filter(({ document }) => documents.includes(document));
  const listed = inDocuments.filter(({ id }) => only.length === 0 || only.some((glob) => matchesGlob(glob, id)));
  if (listed.length === 0)
    refuse("--only", "matches no clause of the document that --document selects", "--only 'admin-4.*' --document admin");
  return listed.map((clause) => ({
    ...clause,
    judged: isJudged(clause),
    checks: CHECKS.flatMap(({ id, title, profiles, clauses }) =>
      clauses.some((one) => one === clause.id) ? [{ id, title, profiles }] : [],
    ),
  }));
}

function coverage(clause: ClauseListing): string[] {
  if (clause.sameAs !== undefined) return [`judged as ${clause.sameAs.join(", ")}`];
  const lines = clause.checks.map((check) => `${check.id} (${check.profiles.join(", ")})`);
  if (!clause.judged) lines.unshift(`not judged: ${clause.reason ?? "no reason given"}`);
  return lines.length === 0 ? ["no check"] : lines;
}

function toTable(clauses: readonly ClauseListing[]): string {
  const width = Math.max(...clauses.map((clause) => clause.id.length));
  const lines = clauses.flatMap((clause) => [
    `${clause.id.padEnd(width)}  ${clause.level.padEnd(12)}  ${clause.statement}`,
    ...coverage(clause).map((line) => `${" ".repeat(width + 2)}${" ".repeat(14)}- ${line}`),
  ]);
  const judged = clauses.filter((clause) => clause.judged);
  const checks = new Set(clauses.flatMap((clause) => clause.checks.map((check) => check.id)));
  lines.push("", `${clauses.length} clauses, ${judged.length} of them judged by ${checks.size} checks`);
  return lines.join("\n");
}

function documentsOf(named: string | undefined): readonly DocumentName[] {
  const documents = DOCUMENT_NAMES.filter((document) => named === undefined || document === named);
  if (documents.length === 0) refuse("--document", `must be one of ${DOCUMENT_NAMES.join(", ")}`, "--document admin");
  return documents;
}

async function run(flags: ParsedFlags): Promise<number> {
  const format = flags.command.get("format") ?? "text";
  const documents = documentsOf(flags.command.get("document"));
  const only = flags.command.get("only");
  if (format === OPENAPI) {
    if (only !== undefined) refuse("--only", "has no effect with --format openapi, which describes whole documents", "--document admin");
    process.stdout.write(documents.map((document) => openapiText(document)).join("---\n"));
    return EXIT.ok;
  }
  const write = LISTINGS.get(format);
  if (write === undefined) refuse("--format", `must be one of ${FORMATS}`, "--format markdown");
  process.stdout.write(`${write(await listing(documents, parseOnly(only ?? null)))}\n`);
  return EXIT.ok;
}

export const CLAUSES_COMMAND: Command = {
  name: "clauses",
  summary: "list the clauses of both documents and the checks that cover them",
  details: [
    "For each clause that is not judged, the list says why: it is a repeat, unspecified, or not observable through these APIs.",
    "With --format openapi, the command prints the operations of the documents as OpenAPI 3.1, as in schemas/openapi/.",
  ].join("\n"),
  settings: [],
  flags: FLAGS,
  run,
};
