/** Lists the violated clauses of a run, in the order in which a person should correct the violations. */
import { orderedByCause } from "../diagnosis/causes.ts";
import type { ClauseSummary } from "./model.ts";

/** Returns the failed clauses, nearest to the cause first. `followsFrom` names the violated clause that may be the cause. */
export function violated(clauses: readonly ClauseSummary[]): ClauseSummary[] {
  const failed = new Map(clauses.filter(({ verdict }) => verdict === "fail").map((clause) => [clause.id, clause]));
  const counted = [...failed.values()].map(({ id, checks }) => {
    const failing = checks.filter(({ verdict }) => verdict === "fail");
    return { clause: id, checks: failing.length, kinds: failing.map(({ kind }) => kind) };
  });
  return orderedByCause(counted).flatMap(({ clause, followsFrom }) => {
    const summary = failed.get(clause);
    return summary === undefined ? [] : [followsFrom === undefined ? summary : { ...summary, followsFrom }];
  });
}
