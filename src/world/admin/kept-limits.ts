/** Which limits this target keeps as they were sent, by creates and by updates together. */
import { type KeptLimits, keptLimitsOf } from "../../diagnosis/stored-limits.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { filledLimits } from "./filled-limits.ts";
import { singleLimits } from "./single-limits.ts";

export const keptLimits: Fixture<KeptLimits> = fixture("admin", "which limits are kept", async (scope) => {
  const { views } = await scope.use(filledLimits);
  const single = await scope.use(singleLimits);
  return keptLimitsOf(
    views.flatMap(({ sent, limits }) => (limits === undefined ? [] : [{ sent, limits }])),
    single,
  );
});
