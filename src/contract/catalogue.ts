/** The whole contract: every clause of both documents by id, and the glob matching that `--only` uses. */
import { ADMIN_CLAUSES, type AdminClauseId } from "./admin.ts";
import type { Clause, ClauseData } from "./clause.ts";
import { LOGS_CLAUSES, type LogsClauseId } from "./logs.ts";

export type { Clause } from "./clause.ts";
export type ClauseId = AdminClauseId | LogsClauseId;

function listed(document: Clause["document"], clauses: Readonly<Record<string, ClauseData>>): Clause[] {
  return Object.entries(clauses).map(([id, data]) => ({ id, document, ...data }));
}

/** Every clause, in the order of the documents. */
export const CLAUSES: readonly Clause[] = [...listed("admin", ADMIN_CLAUSES), ...listed("logs", LOGS_CLAUSES)];

const byId = new Map(CLAUSES.map((clause) => [clause.id, clause]));

/** The clause with this id. Throws on an unknown id: only the catalogue makes ids. */
export function clauseOf(id: string): Clause {
  const clause = byId.get(id);
  if (clause === undefined) throw new Error(`no clause ${id} in the catalogue`);
  return clause;
}

/** Whether a check can and must judge this clause itself: stated or implied, and not a repeat of another. */
export function isJudged(clause: Clause): boolean {
  return clause.sameAs === undefined && (clause.level === "stated" || clause.level === "implied");
}

/** Whether `id` matches a glob in which `*` stands for any characters; everything else is literal. */
export function matchesGlob(glob: string, id: string): boolean {
  const pattern = glob
    .split("*")
    .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
    .join(".*");
  return new RegExp(`^${pattern}$`, "s").test(id);
}
