/** Which limits this target takes, found out once: a refused set is halved until the refusing limits are known. */
import { everyLimit, isPlain, ordinaryValue } from "../../src/arbitraries/limits.ts";
import { type Answered, isSuccess } from "../../src/client/exchange.ts";
import { LIMIT_NAMES, type LimitName, type Limits, type LimitValue } from "../../src/contract/limits.ts";
import { type Fixture, fixture, type Scope } from "../../src/harness/context.ts";
import { type Bench, withBench } from "./benches.ts";
import { update } from "./instances.ts";

export interface Refusal {
  readonly value: LimitValue;
  /** Whether the documents plainly allow the value. */
  readonly plain: boolean;
  readonly exchange: Answered;
  /** Another ordinary value that was taken. */
  readonly alternative: LimitValue | undefined;
}

export interface Writable {
  /** A value of each limit that was sent; those of `names` were taken. */
  readonly values: Limits;
  /** The limits whose ordinary values are all taken. */
  readonly names: readonly LimitName[];
  /** The limits of which a value was refused. */
  readonly refused: ReadonlyMap<LimitName, Refusal>;
}

const ALTERNATIVES = 2;

export const writable: Fixture<Writable> = fixture("admin", "which limits can be written", async (scope) =>
  withBench(scope, async (bench) => {
    const [limits = {}] = scope.draw(everyLimit(), "writable", 1);
    const refused = new Map<LimitName, Refusal>();
    const found = await refusals(scope, bench, limits);
    // Where not a single limit can be added it is adding that is refused, and no value.
    if (found.size === LIMIT_NAMES.length) return { values: limits, names: LIMIT_NAMES, refused };
    for (const [name, refusal] of found) {
      refused.set(name, { ...refusal, alternative: refusal.plain ? undefined : await alternativeTo(scope, bench, name) });
    }
    return { values: limits, names: LIMIT_NAMES.filter((name) => !refused.has(name)), refused };
  }),
);

/** The limits of a set that are refused even by themselves, each with the answer that refused it. */
export async function refusals(scope: Scope, bench: Bench, limits: Limits): Promise<Map<LimitName, Refusal>> {
  const found = new Map<LimitName, Refusal>();
  const halves: Limits[] = [limits];
  for (let part = halves.pop(); part !== undefined; part = halves.pop()) {
    const exchange = await update(scope, bench.instance, `Plumbline ${scope.run.unique()}`, part);
    if (isSuccess(exchange)) {
      bench.bare = false;
      continue;
    }
    const entries = Object.entries(part) as [LimitName, LimitValue][];
    const [only] = entries;
    if (entries.length > 1) {
      const middle = Math.ceil(entries.length / 2);
      halves.push(Object.fromEntries(entries.slice(0, middle)), Object.fromEntries(entries.slice(middle)));
    } else if (only !== undefined) {
      found.set(only[0], { value: only[1], plain: isPlain(...only), exchange, alternative: undefined });
    }
  }
  return found;
}

/** Another ordinary value, of a limit whose first one was refused, that is taken; undefined when there is none. */
async function alternativeTo(scope: Scope, bench: Bench, name: LimitName): Promise<LimitValue | undefined> {
  for (const value of scope.draw(ordinaryValue(name), `another ${name}`, ALTERNATIVES)) {
    if ((await refusals(scope, bench, { [name]: value })).size === 0) return value;
  }
  return undefined;
}
