/** `plumbline clauses`: the catalogue and what covers each clause. */
import { CLAUSES, isJudged, matchesGlob } from "../contract/catalogue.ts";
import { isConsequence } from "../blame/causes.ts";
import { contractPage, hidersBy, type ListedClause } from "../report/contract-page.ts";
import { refuse } from "../settings/error.ts";
import type { CommandFlag, ParsedFlags } from "../settings/flags.ts";
import { parseOnly } from "../settings/resolve.ts";
import { EXIT, type Command } from "./command.ts";

interface ClauseListing extends ListedClause {
  readonly judged: boolean;
}

/** What `--format` may be, and what writes it. */
const FORMATS: ReadonlyMap<string, (clauses: readonly ClauseListing[]) => string> = new Map([
  ["text", toTable],
  ["json", (clauses) => JSON.stringify(clauses, null, 2)],
  ["markdown", (clauses) => contractPage(clauses, hidersBy(isConsequence))],
]);

const FLAGS: readonly CommandFlag[] = [
  { name: "format", kind: "text", description: `How: ${[...FORMATS.keys()].join(", ")}; text when absent`, example: "markdown" },
  { name: "only", kind: "text", description: "Clause-id globs, comma-separated", example: "'admin-4.*'" },
];

async function listing(only: readonly string[]): Promise<ClauseListing[]> {
  const { CHECKS } = await import("../../specs/index.ts");
  return CLAUSES.filter((clause) => only.length === 0 || only.some((glob) => matchesGlob(glob, clause.id))).map((clause) => ({
    ...clause,
    judged: isJudged(clause),
    checks: CHECKS.filter((check) => check.clauses.some((id) => id === clause.id)).map(({ id, title, profiles }) => ({
      id,
      title,
      profiles,
    })),
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

async function run(flags: ParsedFlags): Promise<number> {
  const write = FORMATS.get(flags.command.get("format") ?? "text");
  if (write === undefined) refuse("--format", `must be one of ${[...FORMATS.keys()].join(", ")}`, "--format markdown");
  const clauses = await listing(parseOnly(flags.command.get("only") ?? null));
  process.stdout.write(`${write(clauses)}\n`);
  return EXIT.ok;
}

export const CLAUSES_COMMAND: Command = {
  name: "clauses",
  summary: "list the clauses of both documents and the checks that cover them",
  details: "A clause that is not judged says why: it is a repeat, unspecified, or not observable through these APIs.",
  takesSettings: false,
  flags: FLAGS,
  run,
};
