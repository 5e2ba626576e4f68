/** Section 2, created_at: an RFC 3339 timestamp with nanosecond precision, set by the service. */
import type { Check } from "../../src/harness/check.ts";
import {
  isNearCreate,
  isPrecise,
  isRfc3339,
  minutesFromCreate,
  movesOn,
  unchangedByAny,
  unchangedByEach,
  unchangedByReads,
  unchangedByUpdate,
} from "../../src/histories/creation-time.ts";
import { stampsSeen } from "../../src/histories/changes.ts";
import { adminCheck } from "./check.ts";

const CLAUSE = "admin-2.field.created_at";

/** The check runs after all other judged checks, because its updates change the instances that the other checks read. */
export const LAST_UPDATES: Check = adminCheck({
  slug: "each-instance",
  title: "reads of each instance show the created_at that its update returned",
  clauses: ["admin-2.created-at-unchanged"],
  phase: "last",
  profiles: ["release", "nightly"],
  run: async (t) => t.verify(unchangedByEach),
});

export const CREATED_AT_CHECKS: readonly Check[] = [
  adminCheck({
    slug: "rfc3339",
    title: "created_at is an RFC 3339 timestamp with more than microsecond precision",
    clauses: [CLAUSE],
    async run(t) {
      await t.verifyRows([isRfc3339, isPrecise].map((assertion) => ({ clause: CLAUSE, assertion })));
    },
  }),
  adminCheck({
    slug: "near-the-create",
    title: "created_at is within one day of the create, by the clock of the service",
    clauses: ["admin-2.created-at-time"],
    async run(t) {
      await t.verify(isNearCreate);
      const minutes = await t.use(minutesFromCreate);
      t.observe("admin-4.4", "created-at-minutes", "minutes between the create and created_at", { seen: minutes, exchanges: [] });
    },
  }),
  adminCheck({
    slug: "moves-on",
    title: "instances that were created at different times have different values of created_at",
    clauses: ["admin-2.created-at-time"],
    phase: "alone",
    profiles: ["release", "nightly"],
    run: async (t) => t.verify(movesOn),
  }),
  adminCheck({
    slug: "updates",
    title: "an update returns created_at unchanged",
    clauses: ["admin-2.created-at-unchanged", CLAUSE],
    async run(t) {
      const rates = { ingestion_rate: 77_777 };
      const updates = [undefined, rates, { ingestion_rate: 66_666 }];
      for (const limits of t.pick({ smoke: [rates], release: updates, nightly: updates })) await t.verify(unchangedByUpdate(limits));
    },
  }),
  adminCheck({
    slug: "every-update",
    title: "all updates of an instance return the same created_at",
    clauses: ["admin-2.created-at-unchanged"],
    phase: "closing",
    profiles: ["release", "nightly"],
    async run(t) {
      if ((await t.use(stampsSeen)).length === 0) return t.notRun("no other check of this run updated an instance");
      await t.verify(unchangedByAny);
    },
  }),
  adminCheck({
    slug: "every-read",
    title: "created_at of each instance stays the same when all instances are read repeatedly",
    clauses: ["admin-2.created-at-unchanged"],
    // No other check may write during these reads.
    phase: "alone",
    profiles: ["release", "nightly"],
    run: async (t) => t.verify(unchangedByReads),
  }),
];
