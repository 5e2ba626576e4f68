/** Checks of section 4 as a state machine over several instances. */
import fc from "fast-check";
import { limitSubset, type Writable } from "../../src/arbitraries/limits.ts";
import { list } from "../../src/arbitraries/lists.ts";
import type { Check } from "../../src/harness/check.ts";
import { acceptedLimits } from "../../src/histories/accepted-limits.ts";
import { INSTANCES, played, type Step } from "../../src/histories/lifecycle.ts";
import { CreateRefused } from "../../src/histories/instances.ts";
import { poolSize } from "../../src/histories/instance-pool.ts";
import { adminCheck } from "./check.ts";

function steps(writable: Writable): fc.Arbitrary<Step[]> {
  const on = fc.nat({ max: INSTANCES - 1 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant("limits" as const), on, limits: limitSubset(writable, 6) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("no limits" as const), on }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("read" as const), on }) },
  );
  return list(step, fc.integer({ min: 1, max: 8 }), 1);
}

export const LIFECYCLE_CHECKS: readonly Check[] = [
  adminCheck({
    slug: "lifecycle",
    title: "random sequences of updates and reads of several instances give the documented results",
    clauses: ["admin-4.PUT"],
    profiles: ["release", "nightly"],
    async run(t) {
      const accepted = await t.use(acceptedLimits);
      const { count, missing } = await t.use(poolSize);
      // If the pool is too small because a create was refused, the check does not run. If the pool is too small for another reason, borrowing
      // an instance throws this reason.
      if (count < INSTANCES && missing instanceof CreateRefused)
        return t.notRun("the target accepts too few instances; the document does not say how many instances a service must accept");
      await t.property({
        arbitrary: steps(accepted),
        cases: t.pick({ smoke: 1, release: 4, nightly: 100 }),
        minimum: 4,
        overlap: Math.max(1, Math.floor(count / INSTANCES)),
        assertion: played,
      });
    },
  }),
];
