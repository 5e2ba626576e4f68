/** Instances that are created with limits, and diagnoses of how creates fill and keep limits. */
import { everyLimit, threeHands } from "../arbitraries/limits.ts";
import { fixture, type Scope } from "../harness/scope.ts";
import { createInstance, type Instance, newName, SAMPLE, sampled, update } from "./instances.ts";
import { acceptedLimits, emptied, takenTogether } from "./accepted-limits.ts";
import { diagnoseFilling, type FillingDiagnosis, type FillingReading } from "../diagnosis/filling.ts";
import { type Answered, isSuccess } from "../client/exchange.ts";
import { type LimitName, LIMITS, type Limits, type LimitValue } from "../contract/limits.ts";
import type { Attempt } from "../harness/settle.ts";
import type { Difference } from "../model/difference.ts";
import { underExactNames } from "../model/limit-names.ts";
import { isObject, type JsonObject, member } from "../model/json.ts";
import { filledLimits as expectedLimits, globalDefaults, limitFindings } from "../model/limits.ts";
import { type PoolInstance, withInstance } from "./instance-pool.ts";
import { bodyOf, limitsIn, limitsJudgedBy, readUntil } from "./reading.ts";

/**
 * An instance that was created with each accepted limit at a large value that is not its default. No check updates this instance. A smoke
 * run omits the limits of `sampled`. So each limit is sent by one create, and filled in by another.
 */
export const full = fixture<Instance>("admin", "an instance with all limits", async (scope) => {
  const { names, largeOf } = await scope.use(acceptedLimits);
  const sent = scope.settings.profile === "smoke" ? names.filter((name) => !SAMPLED.has(name)) : names;
  const [limits] = scope.draw(everyLimit({ names: sent, valueOf: largeOf }), "full", 1);
  return createInstance(scope, "f", limits ?? {});
});

const SAMPLED: ReadonlySet<string> = new Set(Object.keys(SAMPLE));

/**
 * Three instances, each with a third of the accepted limits at small values. No check updates these instances. A smoke run does not create
 * these instances. It may create few instances, and keeps some for repeated creates.
 */
const thirds = fixture<readonly Instance[]>("admin", "instances with disjoint subsets of the limits", async (scope) => {
  if (scope.settings.profile === "smoke") return [];
  const { names, smallOf } = await scope.use(acceptedLimits);
  const [hands = []] = scope.draw(threeHands({ names, valueOf: smallOf }), "hands", 1);
  return Promise.all(hands.map((hand, index) => createInstance(scope, index === 0 ? "t" : `t${index}`, hand)));
});

/** An instance that was created with limits, as a read shows it after the create has settled. */
export interface LimitsView extends FillingReading {
  readonly instance: Instance;
  readonly exchange: Answered;
  readonly attempts: readonly Attempt[];
  /** The differences because of which the response is no instance object. */
  readonly problems: readonly Difference[];
}

export interface FilledLimits {
  readonly views: readonly LimitsView[];
  /** Creates that the target refused both with global defaults and with limits that it accepted in an update. */
  readonly refused: readonly Instance[];
  readonly filling: FillingDiagnosis;
  /** True if no read shows limits, neither after a create with limits nor after an update that added limits. */
  readonly readsHideLimits: boolean;
}

export function overridesOf(scope: Scope): Limits {
  return scope.adminTarget.expectedDefaults.limits;
}

export const filledLimits = fixture<FilledLimits>("admin", "what creates with limits show", async (scope) => {
  const instances = [await scope.use(sampled), await scope.use(full), ...(await scope.use(thirds))];
  const made = await Promise.all(
    instances.map(async (instance) => (isSuccess(instance.created) ? instance : withDefaults(scope, instance))),
  );
  const views = await Promise.all(made.filter(({ created }) => isSuccess(created)).map((instance) => view(scope, instance)));
  const readable = views.filter(({ problems }) => problems.length === 0);
  const nothingShown = readable.length > 0 && readable.every(({ limits }) => limits === undefined);
  return {
    views,
    refused: made.filter(({ created }) => !isSuccess(created)),
    filling: diagnoseFilling(readable, overridesOf(scope), "admin-4.1"),
    readsHideLimits: nothingShown && (await readsHideLimits(scope)),
  };
});

/**
 * Repeats a refused create with plainer values, because a service may refuse some values together. A service must accept all global
 * defaults together, because each instance that it fills has them.
 */
async function withDefaults(scope: Scope, refused: Instance): Promise<Instance> {
  const { sent, name } = refused;
  const suffix = name.split("-").at(-1) ?? "";
  const tried: Instance[] = [];
  for (const [index, limits] of (await plainer(scope, sent ?? {})).entries()) {
    const instance = await createInstance(scope, `${index === 0 ? "d" : "e"}${suffix}`, limits);
    if (isSuccess(instance.created)) return instance;
    tried.push(instance);
  }
  const fewer = await withInstance(scope, async (borrowed) => fewerTogether(scope, borrowed, sent ?? {}));
  const last = fewer === null ? undefined : await createInstance(scope, `f${suffix}`, fewer);
  return last !== undefined && isSuccess(last.created) ? last : (tried[0] ?? refused);
}

/**
 * Resolves to the limits of `sent` that the target accepts in one update, or to null if it accepts all or none. In a create, the limits
 * that are not sent get their defaults. So a target may accept a set of values but refuse a part of it.
 */
async function fewerTogether(scope: Scope, borrowed: PoolInstance, sent: Limits): Promise<Limits | null> {
  const { together } = await scope.use(acceptedLimits);
  const wanted = Object.fromEntries(Object.entries(together).filter(([name]) => name in sent));
  const fewer = await takenTogether(scope, borrowed, wanted);
  const count = Object.keys(fewer).length;
  return count === 0 || count === Object.keys(wanted).length ? null : fewer;
}

/**
 * Resolves to sets of values that a target may accept together. The first set has the global defaults, and a plain value for each limit
 * whose default cannot be sent, such as a retention period. The last set has values that the target accepted in an update.
 */
async function plainer(scope: Scope, sent: Limits): Promise<readonly Limits[]> {
  const { together } = await scope.use(acceptedLimits);
  const defaults = globalDefaults(overridesOf(scope));
  const names = Object.keys(sent) as LimitName[];
  const pick = (valueOf: (name: LimitName) => LimitValue | undefined): Limits =>
    Object.fromEntries(names.flatMap((name) => (valueOf(name) === undefined ? [] : [[name, valueOf(name)]])));
  const usual = (name: LimitName): LimitValue | undefined =>
    LIMITS[name].type === "retention" ? undefined : defaults[name] === undefined ? 100_000 : defaults[name];
  return [pick(usual), pick((name) => together[name])].filter((limits) => Object.keys(limits).length > 0);
}

export async function updatePlainly(
  scope: Scope,
  borrowed: PoolInstance,
  limits: Limits,
): Promise<{ readonly taken: Answered | null; readonly refused: Answered | null }> {
  let refused: Answered | null = null;
  for (const plain of await plainer(scope, limits)) {
    const answer = await update(scope, borrowed.instance, newName(scope), plain);
    if (isSuccess(answer)) return { taken: answer, refused };
    refused ??= answer;
  }
  const fewer = await fewerTogether(scope, borrowed, limits);
  if (fewer === null) return { taken: null, refused };
  const answer = await update(scope, borrowed.instance, newName(scope), fewer);
  return { taken: isSuccess(answer) ? answer : null, refused };
}

/** Updates an instance, with plainer values if the target refuses these limits. Resolves to the success, or to the first refusal. */
export async function updatedOrPlainly(scope: Scope, borrowed: PoolInstance, limits: Limits | undefined): Promise<Answered> {
  const first = await update(scope, borrowed.instance, newName(scope), limits);
  if (isSuccess(first) || limits === undefined) return first;
  return (await updatePlainly(scope, borrowed, limits)).taken ?? first;
}

async function view(scope: Scope, instance: Instance): Promise<LimitsView> {
  const sent = instance.sent ?? {};
  const expected = expectedLimits(sent, overridesOf(scope));
  const { value, attempts } = await readUntil(scope, instance, (body) =>
    limitsJudgedBy(body, "admin-4.1", (limits) => limitFindings(expected, limits).map(({ difference }) => difference)),
  );
  const { body, differences } = bodyOf(value, "admin-4.GET");
  return {
    instance,
    label: `created with ${Object.keys(sent).length} limits`,
    sent,
    limits: limitsObject(body),
    exchange: value,
    attempts,
    problems: differences,
  };
}

function limitsObject(body: JsonObject | null): JsonObject | undefined {
  const limits = body === null ? undefined : member(body, "limits");
  return isObject(limits) ? underExactNames(limits) : undefined;
}

async function readsHideLimits(scope: Scope): Promise<boolean> {
  return withInstance(scope, async (borrowed) => {
    const answer = await updatedOrPlainly(scope, borrowed, { ingestion_rate: 4_321 });
    if (limitsObject(bodyOf(answer, "admin-4.PUT").body) === undefined) return false;
    const { value } = await readUntil(scope, borrowed.instance, (body) => limitsIn(body, "admin-4.GET").differences);
    return limitsObject(bodyOf(value, "admin-4.GET").body) === undefined;
  });
}

/** For each limit, the default that reads of created instances show on this target, if all of them show the same default. */
export const shownDefaults = fixture<FillingDiagnosis["effective"]>(
  "admin",
  "the defaults that creates show",
  async (scope) => (await scope.use(filledLimits)).filling.effective,
);

const FEW = 3;
const MOST_ATTEMPTS = 5;

/**
 * At most three limits that this target accepts in an update of an instance without limits. Groups of limits are tried, because a target
 * may accept a limit only together with another limit. A smoke run tries no groups.
 */
export const fewLimits = fixture<Limits>("admin", "a few limits that can be added", async (scope) => {
  const { together } = await scope.use(acceptedLimits);
  const entries = Object.entries(together);
  const usual: Limits = Object.fromEntries(entries.slice(0, FEW));
  if (scope.settings.profile === "smoke") return usual;
  return withInstance(scope, async (borrowed) => {
    for (let attempt = 0; attempt < MOST_ATTEMPTS && attempt * FEW < entries.length; attempt += 1) {
      await emptied(scope, borrowed);
      const sent: Limits = Object.fromEntries(entries.slice(attempt * FEW, (attempt + 1) * FEW));
      if (isSuccess(await update(scope, borrowed.instance, newName(scope), sent))) return sent;
    }
    return usual;
  });
});

/** The number of attempts to find second values for all limits. */
const MOST_DRAWS = 3;

/** Other values of the limits in `fewLimits`, which the target accepts in a later update, or null. Defaults are tried first. */
export const fewOthers = fixture<Limits | null>("admin", "other values of a few limits", async (scope) => {
  const few = await scope.use(fewLimits);
  const { valueOf } = await scope.use(acceptedLimits);
  const [usual = {}] = await plainer(scope, few);
  const drawn = Array.from({ length: MOST_DRAWS }, (_, draw): Limits =>
    Object.fromEntries(
      (Object.keys(few) as LimitName[]).flatMap((name) =>
        scope.draw(valueOf(name), `others ${draw} ${name}`, 1).map((value): [LimitName, LimitValue] => [name, value]),
      ),
    ),
  );
  return withInstance(scope, async (borrowed) => {
    await emptied(scope, borrowed);
    for (const others of [usual, ...drawn]) {
      if (!isSuccess(await update(scope, borrowed.instance, newName(scope), few))) return null;
      if (isSuccess(await update(scope, borrowed.instance, newName(scope), others))) return others;
    }
    return null;
  });
});
