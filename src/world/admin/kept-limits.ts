/** What the instance histories showed of limits, and the rows of the table that are violated by themselves. */
import { brokenRows, keptNames } from "../../diagnosis/limit-outcomes.ts";
import { type KeptLimits, keptLimitsOf } from "../../diagnosis/stored-limits.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { filledLimits } from "./filled-limits.ts";
import { type Histories, runHistories } from "./limit-histories.ts";
import { LIMIT_PLAN } from "./limit-levels.ts";

export const histories: Fixture<Histories> = fixture("admin", "the histories of limits", (scope) => runHistories(scope, LIMIT_PLAN));

export const keptLimits: Fixture<KeptLimits> = fixture("admin", "which limits are kept", async (scope) => {
  const { views } = await scope.use(filledLimits);
  const { outcomes } = await scope.use(histories);
  const created = views.flatMap(({ sent, limits }) => (limits === undefined ? [] : [{ sent, limits }]));
  return keptLimitsOf(created, { kept: keptNames(outcomes), brokenRows: brokenRows(outcomes, isTelling) });
});

/** Whether a server must keep values of this level, and whether they differ from the default. */
export function isTelling(level: string): boolean {
  return ["ordinary", "zero or empty"].includes(level) || level.startsWith("alternative ");
}
