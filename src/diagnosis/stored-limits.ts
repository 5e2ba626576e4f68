/** Which limits a target keeps as they were sent, by creates and by updates together: a lost value is the row's, the create's or the update's. */
import type { LimitName, Limits } from "../contract/limits.ts";
import type { Difference } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { sentDifferences } from "./filling.ts";

/** One limit that was added by itself to an instance without limits. */
export interface SingleLimit {
  readonly name: LimitName;
  /** Whether the value was refused, so that nothing is known of how it is kept. */
  readonly refused: boolean;
  readonly differences: readonly Difference[];
}

/** What one instance was created with and what a read showed of it. */
export interface CreatedLimits {
  readonly sent: Limits;
  readonly limits: JsonObject;
}

export interface KeptLimits {
  /** What creates did not keep. */
  readonly differences: readonly Difference[];
  /** Rows whose sent value is not kept, whoever sends it. */
  readonly brokenRows: ReadonlySet<LimitName>;
  /** The limits that some create sent and some read showed limits after. */
  readonly sentNames: ReadonlySet<LimitName>;
}

/** From this many limits on, losing their values is a matter of the request that sent them. */
const MANY_ROWS = 3;

export function keptLimitsOf(created: readonly CreatedLimits[], single: readonly SingleLimit[]): KeptLimits {
  const sentNames = new Set<LimitName>();
  const held = new Set(
    single
      .filter(
        ({ name, refused, differences }) =>
          !refused && differences.every(({ path }) => path.startsWith("limits.") && path !== `limits.${name}`),
      )
      .map(({ name }) => name),
  );
  for (const { sent, limits } of created) {
    const lost = new Set(sentDifferences(sent, limits, "admin-4.1").map(({ path }) => path));
    for (const name of Object.keys(sent) as LimitName[]) {
      sentNames.add(name);
      if (!lost.has(`limits.${name}`)) held.add(name);
    }
  }
  // Few limits that are lost here and there are lost for their values; many are lost by the create.
  const lostByCreate = new Set(created.flatMap(({ sent, limits }) => rowsOf(sentDifferences(sent, limits, "admin-4.1"))));
  const sometimes = [...lostByCreate].filter((name) => held.has(name));
  const isBroken = (name: LimitName): boolean => !held.has(name) || sometimes.length < MANY_ROWS;
  const differences = created.flatMap(({ sent, limits }) => sentDifferences(sent, limits, "admin-4.1", isBroken));
  const alone = new Set(
    single.filter(({ name, differences: own }) => !lostByCreate.has(name) && rowsOf(own).includes(name)).map(({ name }) => name),
  );
  return { differences, brokenRows: new Set([...rowsOf(differences), ...(alone.size < MANY_ROWS ? alone : [])]), sentNames };
}

/** The limits whose rows the differences blame for a value. */
function rowsOf(differences: readonly Difference[]): LimitName[] {
  return differences.flatMap(({ clause, path }) =>
    clause.startsWith("admin-2.limit.") && path !== "status" ? [clause.slice("admin-2.limit.".length) as LimitName] : [],
  );
}

/** Whether the value came back as another JSON type, which is the row's own fault however many rows have it. */
export function isTypeDifference({ nature }: Difference): boolean {
  return nature === "type";
}

/** What adding one limit by itself lost that is a matter of adding: a limit that a create keeps and an update does not. */
export function lostByAdding({ name, differences }: SingleLimit, brokenRows: ReadonlySet<LimitName>): Difference[] {
  return differences
    .filter(
      (difference) =>
        difference.clause === "admin-4.3" ||
        (difference.clause === `admin-2.limit.${name}` && !isTypeDifference(difference) && !brokenRows.has(name)),
    )
    .map((difference): Difference => ({ ...difference, clause: "admin-4.3" }));
}
