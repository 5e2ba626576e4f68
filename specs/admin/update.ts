/** Section 4, PUT and rules 2 and 3: removing limits, adding limits, changing the other fields, and sequences of updates and reads. */
import { LIMIT_NAMES } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Assertion, Fixture } from "../../src/harness/scope.ts";
import { addedAllTogether, changedOneByOne, OF_EACH_TYPE, onlyLimits, renamed, renamedBack } from "../../src/histories/single-updates.ts";
import {
  besideEquals,
  leftOverwritten,
  leftWithLimits,
  leftWithoutLimits,
  INSTANCES,
  played,
  type Step,
} from "../../src/histories/later-reads.ts";
import { updatedConcurrently, limitedThroughout, updatedAfterRead } from "../../src/histories/concurrent-updates.ts";
import { everyKindAnswered } from "../../src/histories/update-forms.ts";
import { refusedCreate, refusedUpdates } from "../../src/histories/rejected-writes.ts";
import { adminCheck, largerCheck, probedCheck } from "./check.ts";
import fc from "fast-check";
import { limitSubset, type Writable } from "../../src/arbitraries/limits.ts";
import { list } from "../../src/arbitraries/lists.ts";
import { acceptedLimits } from "../../src/histories/accepted-limits.ts";
import { CreateRefused } from "../../src/histories/instances.ts";
import { poolSize } from "../../src/histories/instance-pool.ts";

/** Makes a check at the end of the run. By then, most other instances have been created and used. */
function leftAlone(clause: "admin-4.2" | "admin-4.3" | "admin-4.PUT-over-limits", title: string, leftSo: Fixture<Assertion>): Check {
  return largerCheck({
    slug: "left-alone",
    title,
    clauses: [clause, "admin-4.PUT"],
    phase: "ending",
    run: async (t) => t.verify(await t.use(leftSo)),
  });
}

export const LATER_READS: readonly Check[] = [
  leftAlone(
    "admin-4.2",
    "limits that were removed early in the run are still absent at the end of the run, and the display name is that of the update",
    leftWithoutLimits,
  ),
  leftAlone(
    "admin-4.3",
    "limits that were added early in the run are still present at the end of the run, and the display name is that of the update",
    leftWithLimits,
  ),
  leftAlone(
    "admin-4.PUT-over-limits",
    "limits that were overwritten early in the run have the new values at the end of the run, and the display name is that of the update",
    leftOverwritten,
  ),
];

/** The check runs near the end, because its updates change the instances that other checks read. */
export const READ_THEN_UPDATED: Check = largerCheck({
  slug: "read-just-before",
  title: "later reads show an update that was sent during a read of the instance or right after it",
  clauses: ["admin-4.PUT"],
  phase: "last",
  run: async (t) => t.verify(updatedAfterRead),
});

/** The check runs before any check removes the limits of this instance. */
export const LIMITED_THROUGHOUT: Check = largerCheck({
  slug: "while-updated",
  title: "a read during an update of the limits never shows the instance without limits",
  clauses: ["admin-4.GET"],
  phase: "waiting",
  run: async (t) => t.verify(limitedThroughout(t.pick({ smoke: 1, release: 2, nightly: 30 }))),
});

/** The check runs near the end. If the service accepts an invalid update, its effect on the instance is undocumented. */
export const REFUSED_UPDATES: Check = probedCheck({
  slug: "refused",
  title: "a refused update does not change the instance, and the next accepted update of the instance takes effect",
  clauses: ["admin-4.PUT"],
  phase: "waiting",
  probe: refusedUpdates,
  otherwise: "the target refuses none of the invalid updates; the document does not show which updates a service refuses",
});

/** The check runs near the end, because an accepted create with an existing name may replace the instance. */
export const REFUSED_CREATE: Check = probedCheck({
  slug: "refused-create",
  title: "a refused create with the name of an existing instance does not change that instance",
  clauses: ["admin-4.GET"],
  phase: "waiting",
  probe: refusedCreate,
  otherwise: "the target does not refuse a create with a name in use; the document does not show what such a create does",
});

function steps(writable: Writable): fc.Arbitrary<Step[]> {
  const on = fc.nat({ max: INSTANCES - 1 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant("limits" as const), on, limits: limitSubset(writable, 6) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("no limits" as const), on }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("read" as const), on }) },
  );
  return list(step, fc.integer({ min: 1, max: 8 }), 1);
}

export const UPDATE_CHECKS: readonly Check[] = [
  largerCheck({
    slug: "only-limits",
    title: "an update that changes only the limits takes effect",
    clauses: ["admin-4.PUT"],
    run: async (t) => t.verify(onlyLimits),
  }),
  largerCheck({
    slug: "one-by-one",
    title: "an update takes effect if it changes only one limit or the display name and sends everything else unchanged",
    clauses: ["admin-4.PUT"],
    run: async (t) => t.verify(changedOneByOne(t.pick({ smoke: [], release: OF_EACH_TYPE, nightly: LIMIT_NAMES }))),
  }),
  probedCheck({
    slug: "all-together",
    title: "if the service accepts two updates with half of the limits each, it accepts one update with all these limits",
    clauses: ["admin-4.3"],
    probe: addedAllTogether,
    otherwise:
      "the target refuses some limits in one update, even with their default values; the document does not say which combinations a service must accept",
  }),
  largerCheck({
    slug: "rivals",
    title: "after concurrent updates of one instance, reads never show the display name of one update with the limits of another update",
    clauses: ["admin-4.PUT"],
    phase: "alone",
    run: async (t) =>
      t.verifyProbed(
        updatedConcurrently(t.pick({ smoke: 1, release: 4, nightly: 30 })),
        "the target accepts only one combination of values for some limits; the document does not say which combinations a service must accept",
      ),
  }),
  largerCheck({
    slug: "beside-equals",
    title: "an instance keeps its limits when another instance with the same limits is updated",
    clauses: ["admin-4.GET"],
    run: async (t) => t.verify(besideEquals),
  }),
  adminCheck({
    slug: "display-name",
    title: "an update changes the display name, whether the update has limits or not",
    clauses: ["admin-4.PUT"],
    async run(t) {
      for (const limits of [undefined, { max_series_per_user: 9_876 }]) await t.verify(renamed(limits));
      if (t.profile !== "smoke") await t.verify(renamedBack);
    },
  }),
  // A faulty service may apply an update and answer 5xx. Reads are then right, so only the response to the update shows the defect.
  adminCheck({
    slug: "answers",
    title: "updates with limits and updates without limits succeed, whether the instance has limits or not",
    clauses: ["admin-4.PUT", "admin-4.2", "admin-4.3", "admin-4.PUT-over-limits"],
    run: async (t) => t.verify(everyKindAnswered),
  }),
  largerCheck({
    slug: "lifecycle",
    title: "random sequences of updates and reads of several instances give the documented results",
    clauses: ["admin-4.PUT"],
    async run(t) {
      const accepted = await t.use(acceptedLimits);
      const { count, missing } = await t.use(poolSize);
      // If a refused create is the reason why the pool is too small, the check does not run. If there is another reason, borrowing an
      // instance throws this reason.
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
