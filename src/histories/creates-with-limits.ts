/** Assertions about instances that are created with unusual limits or similar names. */
import { sentDifferences } from "../diagnosis/filling.ts";
import { type Answered, isSuccess } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { LIMIT_NAMES } from "../contract/limits.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { sameAsRead } from "../model/limits.ts";
import { brokenFields, readView, requireDisplayName } from "./instance-fields.ts";
import { filledLimits, full } from "./filled-limits.ts";
import { keptLimits } from "./limit-findings.ts";
import type { Instance } from "./instances.ts";
import { fieldDifference, limitsIn, limitsJudgedBy, refusal, shownBy } from "./reading.ts";
import { addedTo } from "./single-updates.ts";
import {
  readBeforeCreate,
  type BornLimited,
  changedFields,
  everyDefault,
  type SimilarInstance,
  similarInstances,
  sameDisplayName,
  similarBorn,
  similarLater,
  writtenOtherwise,
} from "./similar-instances.ts";
import { notCreated } from "./unusual-names.ts";

function findingOf({ exchanges, attempts, sent }: BornLimited, clause: ClauseId, differences: readonly Difference[]): Finding {
  return { clauses: [clause], differences, exchanges, attempts, input: { created: { limits: sent } } };
}

/** Returns null if a read shows the instance, or else the finding: the create was refused, or no read shows the instance. */
function unborn(one: BornLimited, clause: ClauseId, what: string): Finding | null {
  const { created } = one.instance;
  if (isSuccess(created)) return one.body === null ? findingOf(one, clause, one.problems) : null;
  return findingOf(one, clause, [refusal(clause, `success (2xx) for ${what}`, created)]);
}

/** Judges a create by the limits of its instance. `what` describes the create in messages. */
async function filledWith(scope: Scope, one: BornLimited, what: string): Promise<Finding> {
  const missing = unborn(one, "admin-4.1", what);
  if (missing !== null || one.body === null) return missing ?? findingOf(one, "admin-4.1", []);
  return findingOf(one, "admin-4.1", (await addedTo(scope, one.sent, "admin-4.1"))(one.body));
}

/** A create that sends each limit at its default must set the limits. A faulty service treats it as a create without limits. */
export const allAtDefaults: Assertion = async (scope) => {
  const one = await scope.use(everyDefault);
  return filledWith(scope, one, `a create with ${Object.keys(one.sent).length} limits at their global defaults`);
};

/**
 * A create may send one limit with its default value, or only limits that are strings. The service must still fill all other limits. If a
 * read shows the limits of another instance with the same display name, the clause about reads is violated.
 */
export const fewAtDefaults: Assertion = async (scope) => {
  const findings: Finding[] = [];
  for (const made of [sameDisplayName, readBeforeCreate]) {
    const one = await scope.use(made);
    const finding = await filledWith(scope, one, "a create with one or two limits at their global defaults");
    const isMixedUp = one.body !== null && finding.differences.length > 0 && (await isAnothers(scope, one.body));
    findings.push(isMixedUp ? { ...finding, differences: mixedUp(finding.differences) } : finding);
  }
  return together(findings);
};

function mixedUp(wrong: readonly Difference[]): Difference[] {
  return wrong.map((one): Difference => ({
    ...one,
    clause: "admin-4.GET",
    actual: `${one.actual}, which is the value of the instance with the same display name`,
  }));
}

async function isAnothers(scope: Scope, body: JsonObject): Promise<boolean> {
  const { limits } = limitsIn(body, "admin-4.1");
  const other = await scope.use(full);
  const theirs = (await scope.use(filledLimits)).views.find(({ instance }) => instance === other)?.limits;
  return limits !== null && theirs !== undefined && LIMIT_NAMES.every((name) => sameAsRead(name, limits[name], theirs[name]));
}

/** Accepted creates must keep unusual or repeated display names. Resolves to null if the target refuses all these names. */
export async function unusualOnCreate(scope: Scope): Promise<Assertion | null> {
  const clause = "admin-2.field.display_name";
  const all = await Promise.all([everyDefault, readBeforeCreate, sameDisplayName].map((one) => scope.use(one)));
  const taken = all.filter(({ refused, instance }) => refused === null && isSuccess(instance.created));
  if (taken.length === 0) return null;
  await requireDisplayName(scope, "the instance does not keep a plain display name");
  const findings = taken.flatMap((one): Finding[] => {
    if (one.body === null || mistakenFor(one, all).length > 0) return [];
    const { displayName } = one.instance;
    const wrong = fieldDifference(one.body, "display_name", displayName, clause);
    return [{ ...findingOf(one, clause, wrong), input: { created: { display_name: displayName } } }];
  });
  if (findings.length === 0) throw precondition("the instances cannot be read (see admin-4.GET and admin-2.field.name)");
  return async () => together(findings);
}

/** A read of an instance with a similar name must show this instance and no other instance. */
export const distinguished: Assertion = async (scope) => {
  const clause = "admin-2.field.name";
  const all = await similarBorn(scope);
  const readable = all.filter(({ body }) => body !== null);
  if (readable.length < 2) throw precondition("fewer than two instances with similar names can be read (see admin-4.POST)");
  const differences = readable.flatMap((one): Difference[] =>
    mistakenFor(one, all).map((other) => ({
      clause,
      path: "display_name",
      expected: `the text of ${one.instance.name}, ${show(one.instance.displayName)}`,
      actual: `the text of ${other.instance.name}, ${show(other.instance.displayName)}`,
    })),
  );
  const telling = readable.toSorted((one, other) => mistakenFor(other, all).length - mistakenFor(one, all).length);
  return { clauses: [clause], differences, exchanges: telling.flatMap(({ exchanges }): readonly Answered[] => exchanges) };
};

/**
 * Each instance with a similar name must show its own name and display name, and no limit of another such instance. Resolves to null if
 * there are no such instances, or if instances with plain names do not show their names either.
 */
export async function similarInstancesDistinguished(scope: Scope): Promise<Assertion | null> {
  const all = (await scope.use(similarInstances)).flat();
  const broken = await scope.use(brokenFields);
  if (all.length === 0 || (await scope.use(readView)).body === null || broken.has("name") || broken.has("display_name")) return null;
  return async (later) => together(await Promise.all(all.map(async ({ instance }) => showsItself(later, instance, all))));
}

async function showsItself(scope: Scope, instance: Instance, all: readonly SimilarInstance[]): Promise<Finding> {
  const clause = "admin-2.field.name";
  const own = instance.sent?.[TOLD_BY];
  const expect = (body: JsonObject): Difference[] => {
    const limit = limitsIn(body, clause).limits?.[TOLD_BY];
    const other = all.find(({ instance: { sent } }) => sent !== null && sent[TOLD_BY] !== own && sameAsRead(TOLD_BY, sent[TOLD_BY], limit));
    const actual = `${show(limit)}, as in ${other?.instance.name ?? ""}`;
    return [
      ...fieldDifference(body, "name", instance.name, clause),
      ...fieldDifference(body, "display_name", instance.displayName, clause),
      ...(other === undefined ? [] : [{ clause, path: `limits.${TOLD_BY}`, expected: `${show(own)}, which was sent`, actual } as const]),
    ];
  };
  const input = { name: instance.name, "other names": all.flatMap((one) => (one.instance === instance ? [] : [one.instance.name])) };
  return notCreated(await shownBy(instance, clause, expect, { input, after: [instance.created] })(scope));
}

/** Each similar instance has its own value of this limit. */
const TOLD_BY = "max_series_per_user";

/** Creates of similar names must not change other instances. If a read shows another instance, the clause of names is violated. */
export const distinguishedLater: Assertion = async (scope) => {
  const clause = "admin-2.field.name";
  const seen = (await scope.use(similarLater)).filter(({ body }) => body !== null);
  if (seen.length < 2) throw precondition("fewer than two instances with similar names can be read (see admin-4.POST)");
  const findings = seen.map(({ one, body, exchange, attempts }): Finding => {
    const changed = changedFields(one.body ?? {}, body ?? {});
    const isOthers = changed.length > 0 && seen.some((other) => other.one !== one && isShownAs(body ?? {}, other.one.body ?? {}));
    const differences = changed.map((difference): Difference => ({ ...difference, clause: isOthers ? clause : difference.clause }));
    return {
      clauses: [clause, "admin-4.GET"],
      differences,
      exchanges: [exchange, ...one.exchanges],
      attempts,
      input: { "created after the first read": "instances with similar names" },
    };
  });
  return together(findings);
};

/** Whether a read shows the display name or all limits of another instance. */
function isShownAs(body: JsonObject, other: JsonObject): boolean {
  const [shown, theirs] = [body, other].map((one) => limitsIn(one, "admin-4.GET").limits ?? {});
  return body["display_name"] === other["display_name"] || LIMIT_NAMES.every((name) => sameAsRead(name, shown?.[name], theirs?.[name]));
}

/** Returns the instances whose display name a read of this instance shows by mistake. */
function mistakenFor({ instance, body }: BornLimited, all: readonly BornLimited[]): BornLimited[] {
  const shown = body?.["display_name"];
  return all.filter((other) => shown !== instance.displayName && other.instance !== instance && shown === other.instance.displayName);
}

/** A create in another JSON form must be accepted and have the same effect as a create in the usual form. */
export const createInAnotherForm: Assertion = async (scope) => {
  const one = await scope.use(writtenOtherwise);
  const { created, displayName } = one.instance;
  const clause = "admin-4.json";
  if (!isSuccess(created)) throw precondition("the same create in the usual spelling is refused (see admin-4.1)");
  if (one.refused !== null) {
    const difference = refusal(clause, "success (2xx), as for the same payload in the usual JSON form", one.refused);
    return { ...findingOf(one, clause, [difference]), exchanges: [one.refused, created] };
  }
  const all = await similarBorn(scope);
  if (one.body === null || mistakenFor(one, all).length > 0)
    throw precondition("a read does not show the instance that was created (see admin-4.GET and admin-2.field.name)");
  const known = await scope.use(brokenFields);
  const { brokenRows, differences: notKept } = await scope.use(keptLimits);
  const { filling } = await scope.use(filledLimits);
  if ([...notKept, ...filling.rule].some((difference) => difference.clause === "admin-4.1"))
    throw precondition("limits that are sent in the usual form are not kept or not filled (see admin-4.1)");
  return findingOf(one, clause, [
    ...(known.has("display_name") ? [] : fieldDifference(one.body, "display_name", displayName, clause)),
    ...limitsJudgedBy(one.body, clause, (limits) => sentDifferences(one.sent, limits, clause, (row) => brokenRows.has(row))),
  ]);
};
