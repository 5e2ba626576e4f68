/** Finds, once per run, the limits that the target accepts. A refused set of limits is halved until the refused limits are known. */
import fc from "fast-check";
import { everyLimit, largeValue, ordinaryValue, otherValues, smallValue, type Writable } from "../arbitraries/limits.ts";
import { type Answered, isAnswered, isSuccess } from "../client/exchange.ts";
import { Inconclusive, Masked } from "../client/inconclusive.ts";
import { LIMIT_NAMES, type LimitName, LIMITS, type Limits, type LimitValue } from "../contract/limits.ts";
import { globalDefaults } from "../model/limits.ts";
import { LONGEST_LATE_MS } from "../model/possible-values.ts";
import { fixture, type Scope } from "../harness/scope.ts";
import { newName, update } from "./instances.ts";
import { type PoolInstance, withInstance } from "./instance-pool.ts";
import { grouped } from "../model/grouped.ts";

interface Refusal {
  readonly value: LimitValue;
  readonly exchange: Answered;
  /** An accepted value that is not the default. The value is undefined if the target accepted no such value. */
  readonly alternative: LimitValue | undefined;
  /** Whether the target accepts some value of the limit. If it refused the other value of a boolean limit, only the default is left. */
  readonly settable: boolean;
}

/** The limits that this target accepts. `names` has each limit that can be set to a value other than its default. */
export interface AcceptedLimits extends Writable {
  /** Generates large values. `smallOf` generates small values. A server that silently clamps values changes large or small values. */
  readonly largeOf: (name: LimitName) => fc.Arbitrary<LimitValue>;
  readonly smallOf: (name: LimitName) => fc.Arbitrary<LimitValue>;
  /** An accepted value of each of `names`. */
  readonly values: Limits;
  /** The subset of `values` that the target accepts together in one update. */
  readonly together: Limits;
  /** The limits for which the target refused a value. */
  readonly refused: ReadonlyMap<LimitName, Refusal>;
}

export const acceptedLimits = fixture<AcceptedLimits>("admin", "which limits can be written", async (scope) =>
  withInstance(scope, async (borrowed) => {
    const [large = {}] = scope.draw(everyLimit({ names: LIMIT_NAMES, valueOf: largeValue }), "writable", 1);
    const tooLarge = await refusals(scope, borrowed, large).catch(async (error: unknown) => {
      if (!(error instanceof Inconclusive)) throw error;
      // The token may be allowed to update instances, but not to set each limit. After a plain update succeeds, a 403 is about the limits.
      await update(scope, borrowed.instance, newName(scope));
      return refusals(scope, borrowed, large);
    });
    // If the target refuses each limit, it refuses updates in general, and not the values.
    if (tooLarge.size === LIMIT_NAMES.length)
      return {
        values: large,
        together: large,
        names: LIMIT_NAMES,
        valueOf: ordinaryValue,
        largeOf: largeValue,
        smallOf: smallValue,
        refused: new Map(),
      };
    const [drawn = {}] =
      scope.settings.profile === "smoke" ? [] : scope.draw(everyLimit({ names: LIMIT_NAMES, valueOf: smallValue }), "writable small", 1);
    const defaults = globalDefaults(scope.adminTarget.expectedDefaults.limits);
    const small: Limits = Object.fromEntries(
      Object.entries(drawn).map(([name, value]) => [name, isBoolean(name) ? (defaults[name as LimitName] ?? value) : value]),
    );
    const tooSmall = await refusals(scope, borrowed, small);
    const takenOf = (name: LimitName): LimitValue | undefined =>
      tooLarge.has(name) ? (tooSmall.has(name) || isBoolean(name) ? undefined : small[name]) : large[name];
    const first = new Map([...tooSmall, ...tooLarge]);
    // The target may have refused the default of a boolean limit because of other limits in the same update. So the default is sent again.
    const others = await alternatives(
      scope,
      borrowed,
      [...first.keys()].filter((name) => takenOf(name) === undefined || isBoolean(name)),
    );
    const refused = new Map<LimitName, Refusal>();
    for (const [name, refusal] of first)
      refused.set(name, { ...refusal, settable: others.get(name) !== null, alternative: takenOf(name) ?? others.get(name) ?? undefined });
    const valueOf = (name: LimitName): LimitValue | undefined => (refused.has(name) ? refused.get(name)?.alternative : large[name]);
    const names = LIMIT_NAMES.filter((name) => valueOf(name) !== undefined);
    // The documents do not give the bounds of limits. So the run only uses values that the target has accepted before.
    const orTaken =
      (drawn: Writable["valueOf"]): Writable["valueOf"] =>
      (name) => {
        const alternative = refused.get(name)?.alternative;
        return alternative === undefined ? drawn(name) : fc.constant(alternative);
      };
    const values: Limits = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
    return {
      values,
      together: await takenTogether(scope, borrowed, values),
      names,
      valueOf: orTaken(ordinaryValue),
      largeOf: orTaken(largeValue),
      smallOf: orTaken(smallValue),
      refused,
    };
  }),
);

function isBoolean(name: string): boolean {
  return LIMITS[name as LimitName].type === "boolean";
}

/** After this number of refused updates, a refused set is not halved again: all its limits count as refused. */
const MOST_REFUSED = 16;

/**
 * Resolves to the limits that the target refuses even if they are sent alone. Limits of one type are tried together, because a target often
 * refuses all values of a type. After MOST_REFUSED refusals, the result can also have limits that the target would accept alone.
 */
async function refusals(
  scope: Scope,
  borrowed: PoolInstance,
  limits: Limits,
): Promise<Map<LimitName, { readonly value: LimitValue; readonly exchange: Answered }>> {
  const found = new Map<LimitName, { readonly value: LimitValue; readonly exchange: Answered }>();
  const all = Object.keys(limits) as LimitName[];
  const parts = all.length === 0 ? [] : [all];
  let refused = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const sent = Object.fromEntries(part.map((name) => [name, limits[name] as LimitValue]));
    const exchange = await triedOnEmpty(scope, borrowed, sent);
    if (isSuccess(exchange)) continue;
    refused += 1;
    if (part.length === 1 || refused > MOST_REFUSED)
      for (const name of part) found.set(name, { value: sent[name] as LimitValue, exchange });
    else parts.push(...divided(part));
  }
  return found;
}

/** Sends an update with limits. If it is refused, the limits of the instance are removed, and the update is sent again. */
async function triedOnEmpty(scope: Scope, borrowed: PoolInstance, limits: Limits): Promise<Answered> {
  const exchange = await tried(scope, borrowed, limits);
  if (isSuccess(exchange) || borrowed.bare) return exchange;
  // The target may refuse updates over existing limits, whatever the values are. A separate check judges such updates.
  await emptied(scope, borrowed);
  return borrowed.bare ? tried(scope, borrowed, limits) : exchange;
}

/** Sends an update with limits. Resolves to the response, which can be a 403: a target may answer 403 to some limits only. */
async function tried(scope: Scope, { instance }: PoolInstance, limits: Limits): Promise<Answered> {
  try {
    return await update(scope, instance, newName(scope), limits);
  } catch (error) {
    if (error instanceof Masked && isAnswered(error.refusal)) return error.refusal;
    throw error;
  }
}

/** Removes the limits of a borrowed instance, if the target accepts the update. Other checks judge whether the target must accept it. */
export async function emptied(scope: Scope, borrowed: PoolInstance): Promise<void> {
  if (borrowed.bare) return;
  try {
    // An update that failed may still be carried out later. Until that is impossible, the instance does not count as bare (without limits).
    if (isSuccess(await update(scope, borrowed.instance, newName(scope))) && !borrowed.bare) {
      await scope.run.pause(LONGEST_LATE_MS);
      await update(scope, borrowed.instance, newName(scope));
    }
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
  }
}

/** After this number of refusals, a refused part is left out as a whole. */
const MOST_REFUSED_PARTS = { smoke: 8, release: Infinity, nightly: Infinity };

/**
 * Finds a subset of these limits that the target accepts in one update of an instance without limits. Outside of smoke runs, no
 * limit can be added to it.
 */
export async function takenTogether(scope: Scope, borrowed: PoolInstance, wanted: Limits): Promise<Limits> {
  let taken: Limits = {};
  let refused = 0;
  const parts: Limits[] = Object.keys(wanted).length === 0 ? [] : [wanted];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    // A smoke run does not send this request, because few targets need it.
    if (scope.settings.profile !== "smoke") await emptied(scope, borrowed);
    if (isSuccess(await tried(scope, borrowed, { ...taken, ...part }))) {
      taken = { ...taken, ...part };
      continue;
    }
    refused += 1;
    const entries = Object.entries(part);
    const middle = Math.ceil(entries.length / 2);
    if (entries.length > 1 && refused <= scope.pick(MOST_REFUSED_PARTS))
      parts.push(Object.fromEntries(entries.slice(middle)), Object.fromEntries(entries.slice(0, middle)));
  }
  return taken;
}

/**
 * Finds other accepted values of limits. Limits of one type are tried together, and are halved if the target accepts none of the sets of
 * values. The result has undefined for a limit if the target accepts only its default, and null if it accepts no value. The documents do
 * not say which values a server accepts.
 */
async function alternatives(
  scope: Scope,
  borrowed: PoolInstance,
  names: readonly LimitName[],
): Promise<ReadonlyMap<LimitName, LimitValue | undefined | null>> {
  const found = new Map<LimitName, LimitValue | undefined | null>();
  const isAccepted = async (limits: Limits): Promise<boolean> => isSuccess(await triedOnEmpty(scope, borrowed, limits));
  const groups: LimitName[][] = [...grouped(names, kindOf).values()];
  for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
    const sets = setsOf(group);
    let accepted: Limits | undefined;
    for (let set = sets.shift(); set !== undefined && accepted === undefined; set = sets.shift()) if (await isAccepted(set)) accepted = set;
    if (accepted !== undefined) for (const name of group) found.set(name, accepted[name]);
    else if (group.length > 1) groups.push(...halves(group));
    else
      for (const name of group) {
        const { usual } = otherValues(name);
        found.set(name, usual !== undefined && (await isAccepted({ [name]: usual })) ? undefined : null);
      }
  }
  return found;
}

/** Returns sets of values of these limits, none of them a default. A boolean limit has no other value to try. */
function setsOf(names: readonly LimitName[]): Limits[] {
  const values = names.map((name) => [name, otherValues(name).ordinary] as const);
  const count = Math.max(...values.map(([, ordinary]) => ordinary.length));
  return Array.from(
    { length: count },
    (_, set) => Object.fromEntries(values.map(([name, all]) => [name, all[set] ?? all.at(-1)])) as Limits,
  );
}

function kindOf(name: LimitName): string {
  return `${LIMITS[name].type} ${LIMITS[name].time}`;
}

/** Divides limits by type, because a service usually refuses all limits of a type or none. If all limits have one type, halves them. */
export function divided(names: readonly LimitName[]): LimitName[][] {
  const kinds = grouped(names, kindOf);
  return kinds.size > 1 ? [...kinds.values()] : halves(names);
}

export function halves<T>(list: readonly T[]): T[][] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}
