/** The limits that an instance must have after an update, and the fixtures that this depends on. */
import { sentDifferences, unsentDifferences } from "../../diagnosis/filling.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import type { Limits } from "../../contract/limits.ts";
import type { Fixture, Scope } from "../../harness/scope.ts";
import { CHANGE_NEEDS, type LimitsJudge } from "./change.ts";
import { shownDefaults } from "./filled-limits.ts";
import { keptLimits } from "./kept-limits.ts";
import { limitsIn } from "./reading.ts";

/** The fixtures that `addedTo` uses. */
export const ADDING_NEEDS: readonly Fixture<unknown>[] = [...CHANGE_NEEDS, shownDefaults, keptLimits];

/** Limits after adding `sent` to an instance without limits. */
export async function addedTo(scope: Scope, sent: Limits, clause: ClauseId = "admin-4.3"): Promise<LimitsJudge> {
  const { brokenRows } = await scope.use(keptLimits);
  const effective = await scope.use(shownDefaults);
  return (body) => {
    const { limits, differences } = limitsIn(body, clause);
    if (limits === null) return differences;
    return [
      ...sentDifferences(sent, limits, clause, (name) => brokenRows.has(name)),
      ...unsentDifferences(sent, limits, (name) => (effective[name] === undefined ? [] : [effective[name]]), clause),
    ];
  };
}

/** Limits after writing `sent` over limits; what becomes of the others is not stated. */
export async function writtenOver(scope: Scope, sent: Limits, clause: ClauseId): Promise<LimitsJudge> {
  const { brokenRows } = await scope.use(keptLimits);
  return (body) => {
    const { limits, differences } = limitsIn(body, clause);
    return limits === null ? differences : sentDifferences(sent, limits, clause, (name) => brokenRows.has(name));
  };
}
