/** Section 2, Limits object, and section 4 rules 1 and 3: default filling, the rows of the table, and instance histories. */
import { LIMIT_NAMES } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import { allAtDefaults, fewAtDefaults } from "../../src/histories/creates-with-limits.ts";
import { extraDefaultsFilled, filledOnCreate, filledWithDefault, keptOnCreate, createdAfterRefusal } from "../../src/histories/creates.ts";
import { inexactNames, namesExact, namesExactOnUpdate, periodsKept } from "../../src/histories/limit-forms.ts";
import { poolSize } from "../../src/histories/instance-pool.ts";
import { adminCheck, largerCheck, probedCheck } from "./check.ts";
import {
  findingsAlone,
  histories,
  keptLimits,
  limitFindings,
  refusedRows,
  unshownRows,
  untriedUpdates,
} from "../../src/histories/limit-findings.ts";
import { acceptedLimits } from "../../src/histories/accepted-limits.ts";
import { leftOverwritten, leftWithLimits, leftWithoutLimits } from "../../src/histories/later-reads.ts";

const RETENTION = {
  smoke: ["1d", "1y", "3650d"],
  release: ["1d", "17d", "365d", "3650d", "1y", "13y", "280y"],
  // The longest period has more nanoseconds than 63 bits can hold, so a service may refuse it.
  nightly: ["1d", "17d", "30d", "365d", "400d", "3650d", "1y", "2y", "13y", "100y", "280y", "300y"],
};

export const LIMIT_CHECKS: readonly Check[] = [
  adminCheck({
    slug: "filled",
    title: "if a create sends some limits, every other limit of the instance has the documented global default",
    clauses: ["admin-4.1", ...LIMIT_NAMES.map((name) => `admin-2.limit.${name}` as const)],
    async run(t) {
      const rows = LIMIT_NAMES.map((name) => ({ clause: `admin-2.limit.${name}`, assertion: filledWithDefault(name) }) as const);
      await t.verifyRows([{ clause: "admin-4.1", assertion: filledOnCreate }, ...rows]);
    },
  }),
  adminCheck({
    slug: "kept",
    title: "an instance keeps the limits that its create sent",
    clauses: ["admin-4.1"],
    run: async (t) => t.verify(keptOnCreate),
  }),
  adminCheck({
    slug: "all-at-defaults",
    title: "if a create sends limits with their default values, the instance has these limits",
    clauses: ["admin-4.1"],
    run: async (t) => t.verify(allAtDefaults),
  }),
  // A service may mix values of a refused create into the next create, so no other check may create an instance in between.
  probedCheck({
    slug: "after-refusal",
    title: "limits of a refused create do not appear in the instances that are created next, with or without limits",
    clauses: ["admin-4.1", "admin-2.field.limits"],
    phase: "alone",
    probe: createdAfterRefusal,
    otherwise: "the target accepts a create without display_name; the document does not say whether a service must refuse it",
  }),
  largerCheck({
    slug: "one-at-default",
    title:
      "if a create sends one default value or only limits of type string, the instance has all limits, and no value of another instance",
    clauses: ["admin-4.1"],
    run: async (t) => t.verify(fewAtDefaults),
  }),
  adminCheck({
    slug: "exact",
    title: "reads and responses to updates show limit names exactly as they are written in the table",
    clauses: ["admin-2.3a"],
    async run(t) {
      const assertions = t.pick({
        smoke: [namesExact],
        release: [namesExact, namesExactOnUpdate],
        nightly: [namesExact, namesExactOnUpdate],
      });
      await t.verifyRows(assertions.map((assertion) => ({ clause: "admin-2.3a", assertion })));
    },
  }),
  largerCheck({
    slug: "inexact",
    title: "a value that is sent under a misspelled name of a limit does not become the value of the limit",
    clauses: ["admin-2.3a"],
    async run(t) {
      // The histories wait until all instances are free at the same time. This check holds one for two seconds, so it begins after that.
      await t.use(poolSize);
      await t.verify(inexactNames);
    },
  }),
  adminCheck({
    slug: "extra-defaults",
    title: "a create with limits sets the limits outside the documented table to the values in METRICS_EXPECTED_DEFAULTS",
    clauses: ["admin-4.1"],
    unless: ({ admin }) =>
      Object.keys(admin?.expectedDefaults.extra ?? {}).length === 0
        ? "METRICS_EXPECTED_DEFAULTS names no limit outside the documented table"
        : null,
    run: async (t) => t.verify(extraDefaultsFilled),
  }),
  // Sends all levels of all limits in creates, in updates that add limits and in updates that overwrite them.
  adminCheck({
    slug: "histories",
    title: "limits have the values that a create or an update sent, and limits that were not sent have their global defaults",
    clauses: [
      "admin-4.3",
      "admin-4.1",
      "admin-4.2",
      "admin-4.PUT-over-limits",
      ...LIMIT_NAMES.map((name) => `admin-2.limit.${name}` as const),
    ],
    async run(t) {
      // These instances are created early. Most other instances are then created and updated after them.
      if (t.profile !== "smoke") await t.use(leftWithoutLimits);
      const run = await t.use(histories);
      if (t.profile !== "smoke") for (const one of [leftWithLimits, leftOverwritten]) await t.use(one);
      const { brokenRows } = await t.use(keptLimits);
      const { refused } = await t.use(acceptedLimits);
      // One removal with a wrong response shows the violation, so the others are not verified.
      const wrong = run.removals.find(({ differences }) => differences.length > 0);
      const removals = wrong === undefined ? run.removals : [wrong];
      for (const finding of [...refusedRows(refused), ...findingsAlone(run), ...removals, ...limitFindings(run, brokenRows)])
        await t.verify(async () => finding);
      await t.verifyRows([...unshownRows(run, refused), ...untriedUpdates(run)]);
      for (const masked of run.refused) await t.verify(() => Promise.reject(masked));
      const seen = { seen: [...run.overLimits].toSorted(), exchanges: run.outcomes.flatMap(({ exchanges }) => exchanges).slice(-1) };
      t.observe("admin-4.4", "put-over-limits", "what happens to the limits that an update with limits does not send", seen);
      if (run.stopped !== null) t.inconclusive(`not all combinations of limit values could be judged: ${run.stopped}`);
    },
  }),
  adminCheck({
    slug: "read-back",
    title: "a retention period in days or years is accepted, and reads show a period of the same length",
    clauses: ["admin-2.retention-format"],
    run: async (t) => t.verify(periodsKept(t.pick(RETENTION))),
  }),
];
