/** Assertions about single updates: of the display name, of one limit, of limits only, or of all limits together. */
import { sentDifferences, unsentDifferences } from "../diagnosis/filling.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type LimitName, type Limits, LIMITS, type LimitValue } from "../contract/limits.ts";
import type { Assertion, Fixture, Scope } from "../harness/scope.ts";
import { change, CHANGE_NEEDS, type Changed, type LimitsJudge, removedFrom } from "./changes.ts";
import { shownDefaults } from "./filled-limits.ts";
import { keptLimits } from "./limit-findings.ts";
import { bodyOf, limitsIn, limitsJudgedBy, refusal, shownBy } from "./reading.ts";
import { type Answered, type Exchange, isAnswered, isSuccess, statusOf } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Difference, showApart } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { fieldState } from "../diagnosis/fields.ts";
import { fieldViews } from "./instance-fields.ts";
import { type Instance, LEAST_ROUNDS, newName, rest, update, updateOnce } from "./instances.ts";
import { type PoolInstance, onPoolInstance, withInstance } from "./instance-pool.ts";
import { otherValues } from "../arbitraries/limits.ts";
import { hasLimitType, sameAsRead } from "../model/limits.ts";
import { acceptedLimits, emptied, halves } from "./accepted-limits.ts";
import { settableDefaults } from "./similar-instances.ts";

const UPDATE_CLAUSE = "admin-4.PUT";

/** Returns the finding, in which each difference now violates the clause of updates. */
function ofUpdates<F extends Finding>(finding: F): F {
  return { ...finding, differences: finding.differences.map((one): Difference => ({ ...one, clause: UPDATE_CLAUSE })) };
}

export const ADDING_NEEDS: readonly Fixture<unknown>[] = [...CHANGE_NEEDS, shownDefaults, keptLimits];

/** Resolves to a function that judges the limits after `sent` was added to an instance without limits. */
export async function addedTo(scope: Scope, sent: Limits, clause: ClauseId = "admin-4.3"): Promise<LimitsJudge> {
  const { brokenRows } = await scope.use(keptLimits);
  const effective = await scope.use(shownDefaults);
  return (body) =>
    limitsJudgedBy(body, clause, (limits) => [
      ...sentDifferences(sent, limits, clause, (name) => brokenRows.has(name)),
      ...unsentDifferences(sent, limits, (name) => (effective[name] === undefined ? [] : [effective[name]]), clause),
    ]);
}

/** Judges the limits after `sent` overwrote other limits. The documents do not say what happens to limits that are not sent. */
export async function writtenOver(scope: Scope, sent: Limits, clause: ClauseId): Promise<LimitsJudge> {
  const { brokenRows } = await scope.use(keptLimits);
  return (body) => limitsJudgedBy(body, clause, (limits) => sentDifferences(sent, limits, clause, (name) => brokenRows.has(name)));
}

/** Adds limits to an instance without limits, or removes them. A difference violates the clause of updates. */
async function addedOrRemoved(scope: Scope, borrowed: PoolInstance, displayName: string, limits: Limits | undefined): Promise<Changed> {
  const judge = limits === undefined ? await removedFrom(scope) : await addedTo(scope, limits);
  return change(scope, borrowed, { state: { displayName, limits: judge }, limits, clause: UPDATE_CLAUSE });
}

/** An update must change the display name, whether the update has limits or not. */
export function renamed(limits: Limits | undefined): Assertion {
  return onPoolInstance(limits === undefined ? CHANGE_NEEDS : ADDING_NEEDS, async (scope, borrowed) => {
    if (!borrowed.bare) await update(scope, borrowed.instance, newName(scope));
    return addedOrRemoved(scope, borrowed, newName(scope), limits);
  });
}

/** An update back to the display name of the create must change the display name too. A service may compare with an old copy. */
export const renamedBack: Assertion = onPoolInstance(CHANGE_NEEDS, async (scope, borrowed) => {
  const { instance } = borrowed;
  await update(scope, instance, newName(scope));
  return addedOrRemoved(scope, borrowed, instance.displayName, undefined);
});

const SENT: Limits = { max_series_per_user: 4_567 };

/** An update that changes only the limits must take effect. The limits are added and removed under the same display name. */
export const onlyLimits: Assertion = onPoolInstance(ADDING_NEEDS, async (scope, borrowed) => {
  const same = newName(scope);
  // First, limits are added and removed together with a new display name. If this works, updates of only the limits cause a later
  // difference.
  for (const [displayName, limits] of [
    [newName(scope), undefined],
    [newName(scope), SENT],
    [same, undefined],
  ] as const) {
    const { differences } = await addedOrRemoved(scope, borrowed, displayName, limits);
    if (differences.length > 0)
      throw precondition("an update with a new display name does not add or remove limits (see admin-4.2 and admin-4.3)");
  }
  const findings = [];
  for (const limits of [SENT, undefined]) {
    findings.push(ofUpdates(await addedOrRemoved(scope, borrowed, same, limits)));
  }
  return together(findings);
});

/**
 * Tests whether updates to this display name always get 5xx although they take effect, and updates to a plain name succeed. Resolves to
 * null if updates to both names behave in the same way.
 */
async function unansweredAlways(scope: Scope, instance: Instance, displayName: string): Promise<Finding | null> {
  const exchanges: Exchange[] = [];
  for (let round = 0; round < LEAST_ROUNDS; round += 1) {
    if (round > 0) await rest(scope, round);
    const [plain, failed] = [await updateOnce(scope, instance, newName(scope)), await updateOnce(scope, instance, displayName)];
    if (!isAnswered(failed) || statusOf(failed) < 500 || !isAnswered(plain) || !isSuccess(plain)) return null;
    exchanges.push(failed, plain);
  }
  const [first] = exchanges;
  const clause = "admin-4.PUT";
  const expected =
    "success (2xx) with the modified instance object: reads show that this update took effect, and an update to a plain display name succeeds";
  const actual = `status ${statusOf(first as Exchange)}, ${LEAST_ROUNDS} times`;
  return {
    clauses: [clause],
    differences: [{ clause, path: "status", expected, actual }],
    exchanges: exchanges.slice(0, 2),
    input: { display_name: displayName },
  };
}

/** Judges the display name in the response to an update and in a later read. A service may compose its letters (NFC). */
async function shown(
  scope: Scope,
  instance: Instance,
  displayName: string,
  clause: "admin-2.field.display_name" | "admin-4.PUT",
  composed: Set<string> = new Set(),
) {
  const answer = await update(scope, instance, displayName);
  if (!isSuccess(answer)) return null;
  // If an update got no response, the client returns a read that shows the requested state instead.
  if (answer.operation === "read instance") {
    const always = await unansweredAlways(scope, instance, displayName);
    if (always !== null) return always;
  }
  const judge = (body: JsonObject, path: string): Difference[] => {
    const name = body["display_name"];
    if (name !== displayName && name !== displayName.normalize("NFC")) return [{ clause, path, ...showApart(displayName, name) }];
    if (name !== displayName) composed.add(displayName);
    return [];
  };
  const answered = bodyOf(answer, clause);
  const onAnswer = answered.body === null ? answered.differences : judge(answered.body, "display_name (in the response)");
  const input = { display_name: displayName };
  if (onAnswer.length > 0) return { clauses: [clause], differences: onAnswer, exchanges: [answer], input };
  return { ...(await shownBy(instance, clause, (body) => judge(body, "display_name"), { after: [answer] })(scope)), input };
}

/** Throws `Inconclusive` if reads do not show an update of an ordinary instance either. */
export async function requireRenaming(scope: Scope): Promise<void> {
  const plain = await withInstance(scope, async ({ instance }) => shown(scope, instance, newName(scope), "admin-4.PUT"));
  if (plain === null || plain.differences.length > 0)
    throw precondition("reads do not show an update of an ordinary instance (see admin-4.PUT)");
}

/**
 * Asserts that accepted display names are kept, or resolves to null if all of `names` are refused. Throws `Inconclusive` if a plain name is
 * not kept either. Names that reads show with composed letters are added to `composed`.
 */
export function displayNamesKept(
  names: readonly ((unique: number, name: string) => string)[],
  composed: Set<string>,
): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const { onRead } = await scope.use(fieldViews);
    if (fieldState(onRead, "display_name") !== "right")
      throw precondition("the instance does not keep a plain display name (see admin-2.field.display_name)");
    let taken = 0;
    const finding = await onPoolInstance([], async (inner, { instance }) => {
      const control = await shown(inner, instance, newName(inner), "admin-4.PUT");
      if (control === null || control.differences.length > 0)
        throw precondition("an update to a plain display name has no effect (see admin-4.PUT)");
      const findings = [];
      for (const unusual of names) {
        const sent = async () => shown(inner, instance, unusual(inner.unique(), instance.name), "admin-2.field.display_name", composed);
        const first = await sent();
        if (first === null) continue;
        // If a second update with such a name is right, the text is not the cause: the first update was lost.
        const one = first.differences.length > 0 && (await sent())?.differences.length === 0 ? ofUpdates(first) : first;
        taken += 1;
        const [deciding] = one.exchanges as readonly Answered[];
        if (deciding?.operation === "read instance" && bodyOf(deciding, "admin-4.GET").body === null)
          throw precondition("the instance cannot be read (see admin-4.GET)");
        findings.push(one);
      }
      return together(findings.length > 0 ? findings : [control]);
    })(scope);
    return taken === 0 ? null : async () => finding;
  };
}

interface Single {
  readonly name: LimitName;
  readonly before: LimitValue;
  readonly after: LimitValue;
}

/** Limits of each type that do not depend on each other. */
export const OF_EACH_TYPE: readonly LimitName[] = [
  "cardinality_limit",
  "accept_ha_samples",
  "ha_cluster_label",
  "drop_labels",
  "compactor_blocks_retention_period",
];

/**
 * Changes all limits together, then each limit alone, and then the display name alone. If the first change works, the update of a single
 * limit causes a later difference.
 */
export function changedOneByOne(names: readonly LimitName[]): Assertion {
  return onPoolInstance([...ADDING_NEEDS, acceptedLimits], async (scope, borrowed) => {
    const singles = await takenOf(scope, borrowed, await singlesOf(scope, names));
    const [before, after] = [valuesOf(singles, "before"), valuesOf(singles, "after")];
    if (singles.length === 0) throw precondition("no limit can be changed to another value (see admin-4.PUT-over-limits)");
    const same = newName(scope);
    for (const [displayName, limits] of [
      [newName(scope), before],
      [newName(scope), after],
      [same, before],
    ] as const) {
      const all = await written(scope, borrowed, displayName, limits);
      const answer = all.exchanges.at(-1) as Answered | undefined;
      if (all.refused === true && answer !== undefined)
        throw precondition(`an update of ${Object.keys(limits).join(", ")} over limits is answered ${statusOf(answer)}`);
      if (all.differences.length > 0)
        throw precondition("an update with a new display name does not change limits (see admin-4.PUT-over-limits)");
    }
    const findings: Finding[] = [];
    let limits = before;
    for (const { name, after: value } of singles) {
      limits = { ...limits, [name]: value };
      const finding = await written(scope, borrowed, same, limits, name);
      findings.push(finding);
      if (finding.refused === true || finding.differences.length > 0) return together(findings);
    }
    return together([...findings, await written(scope, borrowed, newName(scope), limits, "display_name")]);
  });
}

/** Resolves to the limits whose new values this target accepts: all in one update, or else each that it accepts in its own update. */
async function takenOf(scope: Scope, borrowed: PoolInstance, singles: readonly Single[]): Promise<readonly Single[]> {
  const { instance } = borrowed;
  const before = valuesOf(singles, "before");
  if (isSuccess(await update(scope, instance, newName(scope), valuesOf(singles, "after")))) return singles;
  // The instance first gets the earlier values, because a target may accept a value only for an instance without limits.
  await emptied(scope, borrowed);
  await update(scope, instance, newName(scope), before);
  const taken: Single[] = [];
  for (const single of singles) {
    const limits = { ...before, ...valuesOf([...taken, single], "after") };
    if (isSuccess(await update(scope, instance, newName(scope), limits))) taken.push(single);
  }
  return taken;
}

/** Resolves to limits that this target keeps, each with two values. */
async function singlesOf(scope: Scope, names: readonly LimitName[]): Promise<Single[]> {
  const accepted = await scope.use(acceptedLimits);
  const { brokenRows } = await scope.use(keptLimits);
  return names.flatMap((name) => {
    const before = accepted.together[name];
    if (before === undefined || brokenRows.has(name)) return [];
    const others = [...scope.draw(accepted.valueOf(name), `alone: ${name}`, 3), otherValues(name).usual];
    const after = others.find((value) => value !== undefined && !sameAsRead(name, value, before));
    return after === undefined ? [] : [{ name, before, after }];
  });
}

function valuesOf(singles: readonly Single[], when: "before" | "after"): Limits {
  return Object.fromEntries(singles.map((single) => [single.name, single[when]]));
}

async function written(scope: Scope, borrowed: PoolInstance, displayName: string, limits: Limits, alone?: string): Promise<Changed> {
  const found = await change(scope, borrowed, {
    state: { displayName, limits: await writtenOver(scope, limits, UPDATE_CLAUSE) },
    limits,
    clause: UPDATE_CLAUSE,
    input:
      alone === undefined
        ? undefined
        : { "the only change": alone, "sent, besides status and cluster": { display_name: displayName, limits } },
  });
  return ofUpdates(found);
}

const ADDING_CLAUSE = "admin-4.3";

/** Resolves to the other settable limits, each with its default on this target. A retention period has an accepted value instead. */
async function withoutDefault(
  scope: Scope,
  effective: Readonly<Partial<Record<LimitName, unknown>>>,
  defaults: readonly (readonly [LimitName, LimitValue])[],
): Promise<[LimitName, LimitValue][]> {
  const { together } = await scope.use(acceptedLimits);
  const left = (Object.entries(together) as [LimitName, LimitValue][]).filter(([name]) => !defaults.some(([known]) => known === name));
  // A faulty target may show a default of another type. The documents do not allow such a value in a request.
  const isSettable = (name: LimitName): boolean => LIMITS[name].type === "integer" && hasLimitType(name, effective[name]);
  return left.map(([name, taken]) => [name, isSettable(name) ? (effective[name] as LimitValue) : taken]);
}

/**
 * Adds all limits at their global defaults in one update. If it is refused but each half of the limits is accepted, the number of limits is
 * the cause. Resolves to null if there are fewer than two limits, or if a half is refused, which the documents allow.
 */
export async function addedAllTogether(scope: Scope): Promise<Assertion | null> {
  const effective = await scope.use(shownDefaults);
  const settable = Object.entries(await settableDefaults(scope)) as [LimitName, LimitValue][];
  const defaults = settable.filter(([name, value]) => sameAsRead(name, effective[name], value));
  if (defaults.length < 2) return null;
  const others = await withoutDefault(scope, effective, defaults);
  const finding = await withInstance(scope, async (borrowed): Promise<Finding | null> => {
    // If a value is the reason for the refusal, the target also refuses the half with this value.
    const add = async (some: typeof defaults): Promise<Answered> => {
      await emptied(scope, borrowed);
      return update(scope, borrowed.instance, newName(scope), Object.fromEntries([...some, ...others]));
    };
    const first = await add(defaults);
    // Only a read shows whether the update took effect.
    if (isSuccess(first))
      return shownBy(borrowed.instance, ADDING_CLAUSE, (body) => limitsIn(body, ADDING_CLAUSE).differences, { after: [first] })(scope);
    for (let group = defaults; group.length > 1;) {
      const parts = halves(group);
      const answers: Answered[] = [];
      for (const part of parts) answers.push(await add(part));
      const refused = parts[answers.findIndex((answer) => !isSuccess(answer))];
      if (refused === undefined) return tooMany(group.length + others.length, await add(group), answers);
      group = refused;
    }
    return null;
  });
  return finding === null ? null : async () => finding;
}

/** Returns a finding if an update with many limits is refused, and two updates with half of these limits each were accepted. */
function tooMany(count: number, refused: Answered, accepted: readonly Answered[]): Finding | null {
  // A different status may mean that the body is too large.
  if (![400, 422].includes(statusOf(refused))) return null;
  const expected = `success (2xx) for one update with ${count} limits, because two updates with half of these limits each were accepted`;
  return { clauses: [ADDING_CLAUSE], differences: [refusal(ADDING_CLAUSE, expected, refused)], exchanges: [refused, ...accepted] };
}
