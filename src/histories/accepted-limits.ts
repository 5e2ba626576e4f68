/** Finds the limits that the target accepts, once per run. A refused request is halved until the refused limits are known. */
import fc from "fast-check";
import { everyLimit, largeValue, ordinaryValue, otherValues, smallValue, type Writable } from "../arbitraries/limits.ts";
import { type Answered, isSuccess } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { LIMIT_NAMES, type LimitName, type Limits, type LimitValue } from "../contract/limits.ts";
import { type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { newName, update } from "./instances.ts";
import { type PoolInstance, withInstance } from "./instance-pool.ts";

/** A limit of which a value was refused. */
export interface Refusal {
  readonly value: LimitValue;
  readonly exchange: Answered;
  /** Another value, not its default, that was taken; undefined when none was. */
  readonly alternative: LimitValue | undefined;
  /** Whether any value that was tried was taken, the default included. */
  readonly settable: boolean;
}

/** What this target takes: `names` are the limits that it lets be set to something other than their default. */
export interface AcceptedLimits extends Writable {
  /** As `valueOf`, of large and of small values: what is cut at a bound, without a word, is cut at one end of them. */
  readonly largeOf: (name: LimitName) => fc.Arbitrary<LimitValue>;
  readonly smallOf: (name: LimitName) => fc.Arbitrary<LimitValue>;
  /** A value of each of `names` that was taken. */
  readonly values: Limits;
  /** Those of `values` that one update takes together. */
  readonly together: Limits;
  /** The limits of which a value was refused. */
  readonly refused: ReadonlyMap<LimitName, Refusal>;
}

export const acceptedLimits: Fixture<AcceptedLimits> = fixture("admin", "which limits can be written", async (scope) =>
  withInstance(scope, async (borrowed) => {
    const [large = {}] = scope.draw(everyLimit({ names: LIMIT_NAMES, valueOf: largeValue }), "writable", 1);
    const tooLarge = await refusals(scope, borrowed, large);
    // Where not a single limit can be added it is adding that is refused, and no value.
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
    const [small = {}] =
      scope.settings.profile === "smoke" ? [] : scope.draw(everyLimit({ names: LIMIT_NAMES, valueOf: smallValue }), "writable small", 1);
    const tooSmall = await refusals(scope, borrowed, small);
    const refused = new Map<LimitName, Refusal>();
    for (const name of LIMIT_NAMES) {
      const first = tooLarge.get(name) ?? tooSmall.get(name);
      if (first === undefined) continue;
      const taken = tooLarge.has(name) ? (tooSmall.has(name) ? undefined : small[name]) : large[name];
      const other = taken === undefined ? await another(scope, borrowed, name) : { alternative: taken, settable: true };
      refused.set(name, { ...first, ...other });
    }
    const valueOf = (name: LimitName): LimitValue | undefined => (refused.has(name) ? refused.get(name)?.alternative : large[name]);
    const names = LIMIT_NAMES.filter((name) => valueOf(name) !== undefined);
    // Where the bounds of a limit are is not stated: what was taken once is sent again.
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

/** The limits of a set that are refused even by themselves, each with the value and the answer that refused it. */
export async function refusals(
  scope: Scope,
  borrowed: PoolInstance,
  limits: Limits,
): Promise<Map<LimitName, { readonly value: LimitValue; readonly exchange: Answered }>> {
  const found = new Map<LimitName, { readonly value: LimitValue; readonly exchange: Answered }>();
  const parts: Limits[] = Object.keys(limits).length === 0 ? [] : [limits];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const exchange = await update(scope, borrowed.instance, newName(scope), part);
    if (isSuccess(exchange)) {
      borrowed.bare = false;
      continue;
    }
    const entries = Object.entries(part) as [LimitName, LimitValue][];
    const [only] = entries;
    if (entries.length > 1) {
      const middle = Math.ceil(entries.length / 2);
      parts.push(Object.fromEntries(entries.slice(0, middle)), Object.fromEntries(entries.slice(middle)));
    } else if (only !== undefined) {
      found.set(only[0], { value: only[1], exchange });
    }
  }
  return found;
}

/** Takes the limits of a loaned instance away, where that can be done: whether such updates are answered is judged elsewhere. */
export async function emptied(scope: Scope, borrowed: PoolInstance): Promise<void> {
  if (borrowed.bare) return;
  try {
    borrowed.bare = isSuccess(await update(scope, borrowed.instance, newName(scope)));
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
  }
}

/**
 * As many of these limits as one update of an instance without limits takes: which values go together is not stated either, and where
 * updates merge, the limits that are there already have a say.
 */
export async function takenTogether(scope: Scope, borrowed: PoolInstance, wanted: Limits): Promise<Limits> {
  let taken: Limits = {};
  const parts: Limits[] = Object.keys(wanted).length === 0 ? [] : [wanted];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    // A smoke run has no request to spare for what hardly any target needs.
    if (scope.settings.profile !== "smoke") await emptied(scope, borrowed);
    if (isSuccess(await update(scope, borrowed.instance, newName(scope), { ...taken, ...part }))) {
      borrowed.bare = false;
      taken = { ...taken, ...part };
      continue;
    }
    const entries = Object.entries(part);
    const middle = Math.ceil(entries.length / 2);
    if (entries.length > 1) parts.push(Object.fromEntries(entries.slice(middle)), Object.fromEntries(entries.slice(0, middle)));
  }
  return taken;
}

/** Another value of a limit that is taken, of those near its default first and its default last: which values a server takes is not stated. */
async function another(scope: Scope, borrowed: PoolInstance, name: LimitName): Promise<Pick<Refusal, "alternative" | "settable">> {
  const { ordinary, usual } = otherValues(name);
  for (const value of ordinary) {
    if ((await refusals(scope, borrowed, { [name]: value })).size === 0) return { alternative: value, settable: true };
  }
  const settable = usual !== undefined && (await refusals(scope, borrowed, { [name]: usual })).size === 0;
  return { alternative: undefined, settable };
}
