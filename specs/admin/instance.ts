/** Section 2, Instance, and the create and read rows of section 4: the instance object, and its created_at. */
import { mistakableName, UNUSUAL_NAMES } from "../../src/arbitraries/names.ts";
import type { Field } from "../../src/diagnosis/fields.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { aroundAnother, longestName, unknownNames, amongMany, eachIsThere } from "../../src/histories/unusual-names.ts";
import {
  createInAnotherForm,
  similarInstancesDistinguished,
  distinguished,
  distinguishedLater,
  unusualOnCreate,
} from "../../src/histories/creates-with-limits.ts";
import { createAccepted, bodiesAreJson, fieldKept, neverAnyLimits, readAnswers, updateAnswers } from "../../src/histories/creates.ts";
import { bare, sampled } from "../../src/histories/instances.ts";
import { similarInstances } from "../../src/histories/similar-instances.ts";
import { displayNamesKept } from "../../src/histories/single-updates.ts";
import { oftenRead, untouched } from "../../src/histories/unchanged-instances.ts";
import { again } from "../../src/harness/rereads.ts";
import type { Scope } from "../../src/harness/scope.ts";
import { adminCheck, largerCheck, probedCheck } from "./check.ts";
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
import { updatedAfterCompressed } from "../../src/histories/concurrent-updates.ts";
import { updatesInOtherForms } from "../../src/histories/update-forms.ts";

/** This check runs in a phase in which all other checks wait. So no other check writes to the instances that it reads. */
export const AMONG_MANY: Check = probedCheck({
  slug: "among-many",
  title: "each of more than 32 instances can be read, and each read shows the requested instance",
  clauses: ["admin-4.GET", "admin-4.POST"],
  phase: "waiting",
  probe: amongMany,
  otherwise:
    "MAX_INSTANCES is too low for this check, or the target accepts no more instances; the document does not say how many instances a service must accept",
});

const FIELDS: readonly Field[] = ["name", "display_name", "status", "cluster"];

/** The number of reads of each settled instance. A wrong read is a violation, even if a later read is right. */
const READS = { smoke: 1, release: 2, nightly: 6 };
/** The number of further reads of the instance that is read often. */
const OFTEN = { smoke: 1, release: 6, nightly: 64 };

/**
 * Instances are read again after this share of the period in which a service refreshes its cache. Most of the period has passed when the
 * check starts. A nightly run waits for the whole period.
 */
const LATER_PART = { smoke: 1 / 8, release: 1 / 8, nightly: 1 };

/** The maximum wait. Another check of the same phase waits twice for W, so a wait of this length does not make the run longer. */
const LATER = {
  afterMs: (scope: Scope): number => scope.run.refreshMs * scope.pick(LATER_PART),
  mostWaitMs: (scope: Scope): number => scope.pick({ smoke: 0, release: 2 * scope.settle.windowMs, nightly: Infinity }),
} as const;

/** Ends the check as inconclusive if no instance without updates could be read. */
async function requireUntouched(t: CheckContext): Promise<void> {
  if ((await t.use(untouched)) === 0)
    t.inconclusive("precondition not met: no instance could be read earlier in the run (see admin-4.GET)");
}

/** The check runs before the last updates, because they change the fields that it compares. */
export const MUCH_LATER: Check = largerCheck({
  slug: "much-later",
  title: "an instance that is not updated shows the same fields some seconds later, and in a nightly run also after a minute",
  clauses: ["admin-4.GET"],
  phase: "waiting",
  async run(t) {
    await requireUntouched(t);
    await t.verify(again("admin-4.GET", 1, LATER));
  },
});

const CREATED_AT = "admin-2.field.created_at";

/** The check runs after all other judged checks, because its updates change the instances that the other checks read. */
export const LAST_UPDATES: Check = largerCheck({
  slug: "each-instance",
  title: "reads of each instance show the created_at that its update returned",
  clauses: ["admin-2.created-at-unchanged"],
  phase: "last",
  run: async (t) => t.verify(unchangedByEach),
});

export const INSTANCE_CHECKS: readonly Check[] = [
  adminCheck({
    slug: "accepted",
    title: "creates with and without limits are accepted, and the created instances can be read",
    clauses: ["admin-4.POST"],
    async run(t) {
      await t.verifyRows([bare, sampled].map((which) => ({ clause: "admin-4.POST", assertion: createAccepted(which) })));
    },
  }),
  probedCheck({
    slug: "each-is-there",
    profiles: ["smoke", "release", "nightly"],
    title: "every created instance can be read",
    clauses: ["admin-4.POST"],
    // All checks that borrow instances have run before this phase.
    phase: "closing",
    probe: eachIsThere,
    otherwise: "no check of this run updates an instance",
  }),
  // The document shows only the status `active`, and no change of a status. So the check judges only the type of a status.
  adminCheck({
    slug: "object",
    title: "a read returns the instance as a JSON object, in which status is a string and each other field has the value that was sent",
    clauses: ["admin-4.GET", "admin-4.json", ...FIELDS.map((field) => `admin-2.field.${field}` as const)],
    async run(t) {
      await t.verifyRows([
        { clause: "admin-4.GET", assertion: readAnswers },
        { clause: "admin-4.json", assertion: bodiesAreJson },
        ...FIELDS.map((field) => ({ clause: `admin-2.field.${field}`, assertion: fieldKept(field) }) as const),
      ]);
    },
  }),
  // This is a separate check, because the shards of a smoke run need checks that create only one instance.
  adminCheck({
    slug: "object",
    title: "the response to an update is the instance object with the documented fields",
    clauses: ["admin-4.PUT"],
    run: async (t) => t.verify(updateAnswers),
  }),
  largerCheck({
    slug: "other-forms",
    title: "a create or an update with JSON escapes, whitespace or another order of members has the same effect as the usual JSON",
    clauses: ["admin-4.json"],
    async run(t) {
      await t.verifyRows([createInAnotherForm, updatesInOtherForms].map((assertion) => ({ clause: "admin-4.json", assertion })));
    },
  }),
  largerCheck({
    slug: "similar-names",
    title: "the service distinguishes instances whose long names differ only in one character or one dash",
    clauses: ["admin-2.field.name"],
    async run(t) {
      await t.verify(distinguished);
      const { seen: assertion } = await t.probe(similarInstancesDistinguished);
      if (assertion !== null) await t.verify(assertion);
      const seen = (await t.use(similarInstances)).map((group) => group.map(({ end }) => end).join(", "));
      const what = "groups of similar names with capitals, dots and underscores that the target accepted";
      t.observe("admin-2.field.name", "look-alikes", what, { seen, exchanges: [] });
    },
  }),
  largerCheck({
    slug: "similar-names-later",
    title: "an instance still shows its own fields after instances with similar names were created",
    clauses: ["admin-2.field.name", "admin-4.GET"],
    run: async (t) => t.verify(distinguishedLater),
  }),
  probedCheck({
    slug: "name-around-another",
    title: "if the name of one instance begins or ends with the name of a second instance, reads and updates do not confuse them",
    clauses: ["admin-2.field.name"],
    probe: aroundAnother,
    otherwise: "the target refuses a name that begins or ends with another name; the document does not show the rules for names",
  }),
  probedCheck({
    slug: "longest",
    title: "an instance can be read and updated if its name has 40 characters, two adjacent dashes and a dash at the end",
    clauses: ["admin-2.field.name"],
    probe: longestName,
    otherwise: "the target refuses a name of 40 characters with a dash at the end; the document does not show the rules for names",
  }),
  largerCheck({
    slug: "nobodys",
    // In this phase, all instances of the pool exist. The check uses the instance with the longest name.
    phase: "waiting",
    title: "a read of an unknown name does not return an instance whose name has the same beginning",
    clauses: ["admin-2.field.name"],
    run: async (t) => t.verify(unknownNames),
  }),
  largerCheck({
    slug: "any-text",
    title: "after an accepted update, reads show exactly the display name that was sent, even with control characters, symbols or escapes",
    clauses: ["admin-2.field.display_name"],
    async run(t) {
      const composed = new Set<string>();
      const generated = t.draw(mistakableName, "display names", t.pick({ smoke: 0, release: 0, nightly: 24 }));
      await t.verifyProbed(
        displayNamesKept([...UNUSUAL_NAMES, ...generated.map((text) => () => text)], composed),
        "the target refuses display names with control characters, symbols and escapes; the document does not say which display names a service must accept",
      );
      const what = "whether reads show a letter and its accent as one character (NFC)";
      t.observe("admin-2.field.display_name", "composed", what, { seen: composed.size > 0, exchanges: [] });
    },
  }),
  probedCheck({
    slug: "any-text-on-create",
    title:
      "after an accepted create, reads show exactly the display name that was sent, even if it has quotes or another instance has it too",
    clauses: ["admin-2.field.display_name"],
    probe: unusualOnCreate,
    otherwise:
      "the target refuses creates with quotes, symbols or other alphabets in the display name; the document does not say which display names a service must accept",
  }),
  adminCheck({
    slug: "absent",
    title: "an instance that never had limits shows no limits, even if instances with limits were created before it",
    clauses: ["admin-2.field.limits"],
    // Before this phase, instances without limits have been created after instances with limits.
    phase: "closing",
    run: async (t) => t.verify(neverAnyLimits),
  }),
  adminCheck({
    slug: "settled",
    title: "after the last write to an instance has become visible, reads still show the same fields",
    clauses: ["admin-4.GET"],
    phase: "closing",
    async run(t) {
      await requireUntouched(t);
      await t.verify(again("admin-4.GET", t.pick(READS)));
      await t.verify(oftenRead(t.pick(OFTEN)));
    },
  }),
  largerCheck({
    slug: "compressed",
    title: "if an instance is updated between two reads that accept compression, the second read shows the update",
    clauses: ["admin-4.GET"],
    run: async (t) => t.verify(updatedAfterCompressed),
  }),
  adminCheck({
    slug: "rfc3339",
    title: "created_at is an RFC 3339 timestamp with more than microsecond precision",
    clauses: [CREATED_AT],
    async run(t) {
      await t.verifyRows([isRfc3339, isPrecise].map((assertion) => ({ clause: CREATED_AT, assertion })));
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
  largerCheck({
    slug: "moves-on",
    title: "instances that were created at different times have different values of created_at",
    clauses: ["admin-2.created-at-time"],
    phase: "alone",
    run: async (t) => t.verify(movesOn),
  }),
  adminCheck({
    slug: "updates",
    title: "an update returns created_at unchanged",
    clauses: ["admin-2.created-at-unchanged", CREATED_AT],
    async run(t) {
      const rates = { ingestion_rate: 77_777 };
      const updates = [undefined, rates, { ingestion_rate: 66_666 }];
      for (const limits of t.pick({ smoke: [rates], release: updates, nightly: updates })) await t.verify(unchangedByUpdate(limits));
    },
  }),
  largerCheck({
    slug: "every-update",
    title: "all updates of an instance return the same created_at",
    clauses: ["admin-2.created-at-unchanged"],
    phase: "closing",
    async run(t) {
      if ((await t.use(stampsSeen)).length === 0) return t.notRun("no other check of this run updated an instance");
      await t.verify(unchangedByAny);
    },
  }),
  largerCheck({
    slug: "every-read",
    title: "created_at of each instance stays the same when all instances are read repeatedly",
    clauses: ["admin-2.created-at-unchanged"],
    // No other check may write during these reads.
    phase: "alone",
    run: async (t) => t.verify(unchangedByReads),
  }),
];
