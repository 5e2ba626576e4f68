/**
 * Instances that are updated early and read again at the end of the run. Instances with equal limits. Random sequences of updates and reads
 * of several instances; the model predicts their results.
 */
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type LimitName, LIMITS, type Limits } from "../contract/limits.ts";
import { fieldState } from "../diagnosis/fields.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { fewLimits, shownDefaults } from "./filled-limits.ts";
import { fieldViews, brokenFields } from "./instance-fields.ts";
import { created, createInstance, type Instance, newName, sampled, update } from "./instances.ts";
import { bodyOf, fieldDifference, limitsIn, shownBy } from "./reading.ts";
import { type LimitsJudge, removedFrom, change, type Changed, stateDifferences } from "./changes.ts";
import { addedTo, writtenOver, ADDING_NEEDS } from "./single-updates.ts";
import { Inconclusive, precondition } from "../client/inconclusive.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Difference, difference, show } from "../model/difference.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { sameAsRead } from "../model/limits.ts";
import { type AcceptedLimits, acceptedLimits, emptied } from "./accepted-limits.ts";
import { keptLimits } from "./limit-findings.ts";
import { onPoolInstance, type PoolInstance, withInstances } from "./instance-pool.ts";
import { unchangedSince } from "./unchanged-instances.ts";
import { unsentDifferences } from "../diagnosis/filling.ts";

interface Left {
  readonly clause: "admin-4.2" | "admin-4.3" | "admin-4.PUT-over-limits";
  readonly suffix: string;
  readonly before: Limits | null;
  readonly sent: Limits | undefined;
  readonly judge: LimitsJudge;
}

/** A fixture that creates and updates an instance. Its value is the assertion about later reads, which fails if a request was refused. */
function leftEarly(title: string, planOf: (scope: Scope) => Promise<Left>): Fixture<Assertion> {
  return fixture("admin", title, async (scope) => left(scope, await planOf(scope)));
}

async function left(scope: Scope, { clause, suffix, before, sent, judge }: Left): Promise<Assertion> {
  const instance = await createInstance(scope, suffix, before);
  if (!isSuccess(instance.created)) return refused("the create", instance.created, "admin-4.POST");
  const displayName = newName(scope);
  const answer = await update(scope, instance, displayName, sent);
  if (!isSuccess(answer)) return refused("the update", answer, clause);
  // If reads show wrong display names even without an update, this update is not the cause.
  const isShown = fieldState((await scope.use(fieldViews)).onRead, "display_name") === "right";
  const ofName = isShown ? "admin-4.PUT" : "admin-2.field.display_name";
  const expect = (body: JsonObject): Difference[] => [...judge(body), ...fieldDifference(body, "display_name", displayName, ofName)];
  const assertion = shownBy(instance, [clause, "admin-4.PUT"], expect, { after: [answer] });
  return async (later) => ({ ...(await assertion(later)), input: { "not read since": "the update of the instance" } });
}

/** Returns an assertion that ends as inconclusive, because a request early in the run was refused. */
function refused(what: string, answer: Answered, see: ClauseId): Assertion {
  const reason = precondition(`${what} of an instance early in the run was answered ${statusOf(answer)} (see ${see})`);
  return async () => Promise.reject(reason);
}

/** An instance whose limits are removed early in the run. */
export const leftWithoutLimits = leftEarly("an instance whose limits were removed early in the run", async (scope) => {
  const { sent: before } = await scope.use(sampled);
  return { clause: "admin-4.2", suffix: "g", before, sent: undefined, judge: await removedFrom(scope) };
});

/** An instance without limits, to which limits are added early in the run. */
export const leftWithLimits = leftEarly("an instance to which limits were added early in the run", async (scope) => {
  const sent = await scope.use(fewLimits);
  return { clause: "admin-4.3", suffix: "h", before: null, sent, judge: await addedTo(scope, sent) };
});

/** An instance whose limits are overwritten early in the run. */
export const leftOverwritten = leftEarly("an instance whose limits were overwritten early in the run", async (scope) => {
  const before = await scope.use(fewLimits);
  const { together } = await scope.use(acceptedLimits);
  // Other checks judge retention periods, because they have several forms.
  const sent = Object.fromEntries(Object.entries(together).filter(([name]) => LIMITS[name as LimitName].type !== "retention")) as Limits;
  const clause = "admin-4.PUT-over-limits";
  return { clause, suffix: "i", before, sent, judge: await writtenOver(scope, sent, clause) };
});

/**
 * Concurrent creates give two instances the same limits. Later updates of the first instance must not change the second one. The test is
 * repeated with an instance of the pool. A check at the end of the run reads again, because responses may come from a cache.
 */
export const besideEquals: Assertion = onPoolInstance([acceptedLimits, keptLimits], async (scope, borrowed) => {
  const accepted = await scope.use(acceptedLimits);
  const equal = accepted.together;
  // Each name begins with the name of an instance of the pool and a dash. A service that compares only a part of a name confuses them.
  const named = async (...suffixes: string[]): Promise<Instance[]> =>
    Promise.all(suffixes.map(async (suffix) => createInstance(scope, suffix, equal)));
  const long = await named("a1-instances1", "a1-instances2");
  // The documents do not say how long a name may be.
  const both = long.some((one) => isSuccess(one.created)) ? long : await named("a1-1", "a1-2");
  const [changed, held] = both.map(created) as [Instance, Instance];
  // The second instance is not read before the update of the first instance: a service may cache the response, and so hide the fault.
  const others = othersThan(scope, accepted, "create");
  await update(scope, changed, newName(scope), others);
  const unread = await withoutThose(scope, held, equal, others);
  if (unread.differences.length > 0) return unread;
  const born = await shownAs(scope, held, held.displayName, equal);
  const sinceCreate = await besides(scope, changed, unchangedSince(held, born), othersThan(scope, accepted, "first update"));
  if (sinceCreate.differences.length > 0) return sinceCreate;
  scope.revisit(held, unchangedSince(held, born));
  // This control checks whether an instance loses its limits even without an update of the other instance.
  await emptied(scope, borrowed);
  await written(scope, changed, equal);
  const added = async (): Promise<JsonObject> => shownAs(scope, borrowed.instance, await written(scope, borrowed.instance, equal), equal);
  const before = await added();
  const isUnchanged = unchangedSince(borrowed.instance, before);
  const sinceUpdate = await besides(scope, changed, isUnchanged, othersThan(scope, accepted, "update"));
  if (sinceUpdate.differences.length > 0 && !isObject(bodyOf(await scope.admin.read(borrowed.instance.name), CLAUSE).body?.["limits"])) {
    await emptied(scope, borrowed);
    await staysByItself(scope, borrowed.instance, await added());
  }
  return together([sinceCreate, sinceUpdate]);
});

const BY_ITSELF_MS = 1_000;

/** Throws `Inconclusive` if the instance changes even without updates of the other instance. The update is then not the cause. */
async function staysByItself(scope: Scope, instance: Instance, before: JsonObject): Promise<void> {
  await scope.run.pause(BY_ITSELF_MS);
  if ((await unchangedSince(instance, before)(scope)).differences.length > 0)
    throw new Inconclusive("an instance changes after its update, even without updates of other instances (see admin-4.PUT and admin-4.3)");
}

const CLAUSE = "admin-4.GET";
const MEANWHILE = { "updated meanwhile": "another instance with the same limits" };

function othersThan(scope: Scope, { together: equal, valueOf }: AcceptedLimits, when: string): Limits {
  const names = Object.keys(equal) as LimitName[];
  return Object.fromEntries(
    names.flatMap((name) => scope.draw(valueOf(name), `equal since ${when}: ${name}`, 1).map((value) => [name, value] as const)),
  );
}

/** Resolves to the new display name of the instance. Throws `Inconclusive` if the update fails. */
async function written(scope: Scope, instance: Instance, limits: Limits | undefined): Promise<string> {
  const displayName = newName(scope);
  const answer = await update(scope, instance, displayName, limits);
  if (isSuccess(answer)) return displayName;
  throw precondition(`an update is answered ${statusOf(answer)} (see admin-4.PUT)`);
}

/**
 * Reads until an instance shows both the display name and the limits, which a service may update at different times.
 * Throws `Inconclusive` if no read shows both.
 */
async function shownAs(scope: Scope, instance: Instance, displayName: string, sent: Limits): Promise<JsonObject> {
  const { brokenRows } = await scope.use(keptLimits);
  const isThere = (body: JsonObject | null): boolean => {
    const limits = body?.["limits"];
    return (
      body?.["display_name"] === displayName &&
      isObject(limits) &&
      (Object.keys(sent) as LimitName[]).every((name) => brokenRows.has(name) || sameAsRead(name, sent[name], limits[name]))
    );
  };
  const { value, differences } = await scope.eventually({
    resource: instance,
    read: async () => bodyOf(await scope.admin.read(instance.name), "admin-4.GET").body,
    judge: (body): Difference[] => {
      const expected = `${show(displayName)} together with the limits of the same update`;
      return isThere(body) ? [] : [difference("admin-4.PUT", "instance", expected, show(body))];
    },
  });
  if (value === null || differences.length > 0)
    throw precondition("a read of an instance does not show what was written (see admin-4.PUT and admin-4.GET)");
  return value;
}

/** The first read of an instance must not show limits of the other instance. Other checks judge all other wrong values. */
async function withoutThose(scope: Scope, instance: Instance, own: Limits, others: Limits): Promise<Finding> {
  const names = Object.keys(others) as LimitName[];
  const expect = (body: JsonObject): Difference[] => {
    const { limits } = limitsIn(body, CLAUSE);
    return names
      .filter((name) => sameAsRead(name, others[name], limits?.[name]) && !sameAsRead(name, own[name], limits?.[name]))
      .map((name) => {
        const expected = `${show(own[name])}, which the create of this instance sent`;
        return difference(CLAUSE, `limits.${name}`, expected, `${show(limits?.[name])}, which the update of the other instance sent`);
      });
  };
  return shownBy(instance, CLAUSE, expect, { input: MEANWHILE, after: [instance.created] })(scope);
}

async function besides(scope: Scope, changed: Instance, isUnchanged: Assertion, limits: Limits): Promise<Finding> {
  // If the target refuses these values together, the update has no effect. So another update removes the limits, and each service accepts
  // it.
  await update(scope, changed, newName(scope), limits);
  const afterOthers = await isUnchanged(scope);
  await written(scope, changed, undefined);
  const findings = [afterOthers, await isUnchanged(scope)];
  return together(findings.map((one): Finding => ({ ...one, input: MEANWHILE })));
}

/** A step: an update with limits, an update without limits, or a read. `on` is the index of the instance. */
export type Step =
  | { readonly do: "limits"; readonly on: number; readonly limits: Limits }
  | { readonly do: "no limits"; readonly on: number }
  | { readonly do: "read"; readonly on: number };

/** The number of instances in a sequence. */
export const INSTANCES = 2;

/** The expected state of an instance. `limits` has the limits that were sent, and is null if the instance has no limits. */
interface ModelState {
  displayName: string;
  limits: Limits | null;
  /** Whether an update overwrote limits. The limits that it did not send may then have their old values or their defaults. */
  overwritten: boolean;
}

/** Returns an assertion that runs a sequence on instances without limits, judges each step, and reads all instances at the end. */
export function played(sequence: readonly Step[]): Assertion {
  return async (scope) => {
    for (const need of ADDING_NEEDS) await scope.use(need);
    return withInstances(scope, INSTANCES, (instances) => play(scope, instances, sequence));
  };
}

async function play(scope: Scope, instances: readonly PoolInstance[], sequence: readonly Step[]): Promise<Finding> {
  const states: ModelState[] = [];
  for (const borrowed of instances) {
    const displayName = newName(scope);
    await update(scope, borrowed.instance, displayName);
    states.push({ displayName, limits: null, overwritten: false });
  }
  const reread: Step[] = instances.map((_borrowed, on) => ({ do: "read", on }));
  let last: Changed | null = null;
  for (const step of [...sequence, ...reread]) {
    const [borrowed, state] = [instances[step.on], states[step.on]];
    if (borrowed === undefined || state === undefined) continue;
    last =
      step.do === "read"
        ? await readAgain(scope, borrowed, state)
        : await updated(scope, borrowed, state, step.do === "limits" ? step.limits : null);
    // If the target refused these values together, the instance does not have the state that later steps expect.
    if (last.differences.length > 0 || last.refused === true) break;
  }
  if (last === null) throw new Error("a sequence without a step");
  return { ...last, clauses: ["admin-4.PUT"], held: last.differences.length === 0 ? ["admin-4.PUT"] : [] };
}

async function updated(scope: Scope, borrowed: PoolInstance, state: ModelState, limits: Limits | null): Promise<Changed> {
  const displayName = newName(scope);
  const clause = limits === null ? "admin-4.2" : state.limits === null ? "admin-4.3" : "admin-4.PUT-over-limits";
  const overwritten = clause === "admin-4.PUT-over-limits";
  const judge =
    limits === null ? await removedFrom(scope) : overwritten ? await writtenOver(scope, limits, clause) : await addedTo(scope, limits);
  const changed = { state: { displayName, limits: judge }, limits: limits ?? undefined, clause, isRestOpen: overwritten } as const;
  const found = await change(scope, borrowed, changed);
  Object.assign(state, { displayName, limits, overwritten } satisfies ModelState);
  return found;
}

async function readAgain(scope: Scope, { instance }: PoolInstance, { displayName, limits, overwritten }: ModelState): Promise<Changed> {
  const known = await scope.use(brokenFields);
  const effective = await scope.use(shownDefaults);
  const held =
    limits === null ? await removedFrom(scope) : await writtenOver(scope, limits, overwritten ? "admin-4.PUT-over-limits" : "admin-4.PUT");
  const filled = (body: JsonObject) => {
    const shown = limitsIn(body, "admin-4.PUT").limits;
    if (limits === null || overwritten || shown === null) return [];
    return unsentDifferences(limits, shown, (name) => (effective[name] === undefined ? [] : [effective[name]]), "admin-4.PUT");
  };
  const state = { displayName, limits: (shown: JsonObject) => [...held(shown), ...filled(shown)] };
  return shownBy(instance, "admin-4.PUT", (body) => stateDifferences(instance, state, body, known))(scope);
}
