/** Lists all clauses of both documents, finds clauses by id, and matches the globs of `--only`. */
import { ADMIN_CLAUSES, type AdminClauseId } from "./admin.ts";
import type { Clause, ClauseData } from "./clause.ts";
import { LOGS_CLAUSES, type LogsClauseId } from "./logs.ts";

export type { Clause } from "./clause.ts";
export type ClauseId = AdminClauseId | LogsClauseId;

function listed(document: Clause["document"], clauses: Readonly<Record<string, ClauseData>>): Clause[] {
  return Object.entries(clauses).map(([id, data]) => ({ id, document, section: id.charAt(document.length + 1), ...data }));
}

/** All clauses, in the order of the documents. */
export const CLAUSES: readonly Clause[] = [...listed("admin", ADMIN_CLAUSES), ...listed("logs", LOGS_CLAUSES)];

const byId = new Map(CLAUSES.map((clause) => [clause.id, clause]));

/** Returns the clause with the given id. Throws if the id is unknown, because only this catalogue defines ids of clauses. */
export function clauseOf(id: string): Clause {
  const clause = byId.get(id);
  if (clause === undefined) throw new Error(`no clause ${id} in the catalogue`);
  return clause;
}

/** Whether checks judge this clause: the clause is stated or implied, and does not repeat another clause. */
export function isJudged(clause: Clause): boolean {
  return clause.sameAs === undefined && (clause.level === "stated" || clause.level === "implied");
}

/** Whether `id` matches a glob. `*` stands for any characters, and all other characters are literal. */
export function matchesGlob(glob: string, id: string): boolean {
  const pattern = glob
    .split("*")
    .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
    .join(".*");
  return new RegExp(`^${pattern}$`, "s").test(id);
}
