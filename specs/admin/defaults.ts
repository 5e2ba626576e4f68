/** Section 2, Limits object, and section 4 rule 1: the limits that a create fills, and the rows of the table. */
import { LIMIT_NAMES } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import { createdAfterRefusal } from "../../src/histories/rejected-creates.ts";
import { allAtDefaults, fewAtDefaults } from "../../src/histories/creates-with-limits.ts";
import { extraDefaultsFilled, filledOnCreate, filledWithDefault, keptOnCreate } from "../../src/histories/creates.ts";
import { inexactNames, namesExact, namesExactOnUpdate } from "../../src/histories/limit-names.ts";
import { adminCheck, probedCheck } from "./check.ts";

export const DEFAULT_CHECKS: readonly Check[] = [
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
    title:
      "after a refused create, the next create with limits gives only these limits and the defaults, and the next create without limits gives none",
    clauses: ["admin-4.1", "admin-2.field.limits"],
    phase: "alone",
    profiles: ["release", "nightly"],
    probe: createdAfterRefusal,
    otherwise: "the target accepts a create without display_name; the document does not say whether a service must refuse it",
  }),
  adminCheck({
    slug: "one-at-default",
    title:
      "if a create sends one default value, or only limits of type string, the instance has all limits and no value of another instance",
    clauses: ["admin-4.1"],
    profiles: ["release", "nightly"],
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
  adminCheck({
    slug: "inexact",
    title: "a value that is sent under a misspelled name of a limit does not become the value of the limit",
    clauses: ["admin-2.3a"],
    profiles: ["release", "nightly"],
    run: async (t) => t.verify(inexactNames),
  }),
  adminCheck({
    slug: "extra-defaults",
    title: "limits outside the documented table are filled with the values in METRICS_EXPECTED_DEFAULTS",
    clauses: ["admin-4.1"],
    unless: ({ admin }) =>
      Object.keys(admin?.expectedDefaults.extra ?? {}).length === 0
        ? "METRICS_EXPECTED_DEFAULTS names no limit outside the documented table"
        : null,
    run: async (t) => t.verify(extraDefaultsFilled),
  }),
];
