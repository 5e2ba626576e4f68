/** Finds the limits whose values a create keeps, and the limits whose own clauses are violated. */
import type { LimitName, Limits } from "../contract/limits.ts";
import type { Difference } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { sentDifferences } from "./filling.ts";

export interface CreatedLimits {
  readonly sent: Limits;
  readonly limits: JsonObject;
}

export interface KeptLimits {
  readonly differences: readonly Difference[];
  /** The limits whose own clauses are violated. */
  readonly brokenRows: ReadonlySet<LimitName>;
}

/** If at least this number of limits lose their values, the clause on creates is violated, and not the clauses of these limits. */
const MANY_ROWS = 3;

/** Diagnoses the limits of creates. `byHistories` has the results of the histories: the limits that were kept, and the violated clauses. */
export function keptLimitsOf(
  created: readonly CreatedLimits[],
  byHistories: { readonly kept: ReadonlySet<LimitName>; readonly brokenRows: ReadonlySet<LimitName> },
): KeptLimits {
  const kept = new Set(byHistories.kept);
  const lost = new Set<LimitName>();
  for (const { sent, limits } of created) {
    const own = new Set(rowsOf(sentDifferences(sent, limits, "admin-4.1")));
    for (const name of Object.keys(sent) as LimitName[]) (own.has(name) ? lost : kept).add(name);
  }
  const sometimes = [...lost].filter((name) => kept.has(name));
  const isBroken = (name: LimitName): boolean => !kept.has(name) || sometimes.length < MANY_ROWS;
  const differences = created.flatMap(({ sent, limits }) => sentDifferences(sent, limits, "admin-4.1", isBroken));
  return { differences, brokenRows: new Set([...rowsOf(differences), ...byHistories.brokenRows]) };
}

function rowsOf(differences: readonly Difference[]): LimitName[] {
  return differences.flatMap(({ clause }) =>
    clause.startsWith("admin-2.limit.") ? [clause.slice("admin-2.limit.".length) as LimitName] : [],
  );
}
