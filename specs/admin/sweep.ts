/** Each limit added by itself through an update to an instance without limits: facts that several checks judge. */
import { ordinaryValue } from "../../src/arbitraries/limits.ts";
import { type Answered, isSuccess, statusOf } from "../../src/client/exchange.ts";
import { LIMIT_NAMES, LIMITS, type LimitName, type Limits, type LimitValue } from "../../src/contract/limits.ts";
import { type Fixture, fixture, type Scope } from "../../src/harness/context.ts";
import type { Sighting } from "../../src/harness/settle.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { sentDifferences, unsentDifferences } from "../../src/model/filling.ts";
import { withBench } from "./benches.ts";
import { atDefaults, shownDefaults } from "./facts.ts";
import { update } from "./instances.ts";
import { limitsIn, readUntil } from "./reading.ts";
import { writable } from "./writable.ts";

export interface Sweep {
  readonly name: LimitName;
  readonly sent: Limits;
  /** Whether the value was refused, so that nothing is known of how it is kept. */
  readonly refused: boolean;
  readonly differences: readonly Difference[];
  readonly sightings: readonly Sighting[];
  readonly exchange: Answered;
}

/** Each limit by itself, added by an update to an instance without limits. In a smoke run none. */
export const sweep: Fixture<readonly Sweep[]> = fixture("admin", "each limit by itself", async (scope) => {
  const { values: taken, names, refused } = await scope.use(writable);
  const effective = await shownDefaults(scope);
  const defaultOf = (name: LimitName): readonly unknown[] => (effective[name] === undefined ? [] : [effective[name]]);
  if (scope.settings.profile === "smoke") return [];
  const values = LIMIT_NAMES.flatMap((name): [LimitName, LimitValue][] => {
    const alternative = refused.get(name)?.alternative;
    if (!names.includes(name)) return alternative === undefined ? [] : [[name, alternative]];
    const [value] = scope.draw(ordinaryValue(name), `sweep ${name}`, 1);
    return value === undefined ? [] : [[name, value]];
  });
  // The least that a limit must be taken with: its default; for a retention period, whose range is not stated, what was taken before.
  const least = (name: LimitName): Limits =>
    LIMITS[name].type !== "retention" ? atDefaults({ [name]: taken[name] }) : names.includes(name) ? { [name]: taken[name] } : {};
  return Promise.all(values.map(([name, value]) => addAlone(scope, name, value, least(name), defaultOf)));
});

async function addAlone(
  scope: Scope,
  name: LimitName,
  value: LimitValue,
  least: Limits,
  defaultOf: (name: LimitName) => readonly unknown[],
): Promise<Sweep> {
  return withBench(scope, async (bench) => {
    if (!bench.bare) await update(scope, bench.instance, `Plumbline ${scope.run.unique()}`);
    const sent: Limits = { [name]: value };
    const answer = await update(scope, bench.instance, `Plumbline ${scope.run.unique()}`, sent);
    bench.bare = false;
    if (!isSuccess(answer)) {
      // Alone, this value may not go with the defaults of other limits.
      const other =
        Object.keys(least).length === 0 ? answer : await update(scope, bench.instance, `Plumbline ${scope.run.unique()}`, least);
      if (isSuccess(other)) return { name, sent, refused: true, differences: [], sightings: [], exchange: answer };
      const refusal = {
        clause: `admin-2.limit.${name}`,
        path: "status",
        expected: `success (2xx) when ${name} is set to ${show(value)}`,
        actual: `status ${statusOf(answer)}`,
      } as const;
      return { name, sent, refused: true, differences: [refusal], sightings: [], exchange: answer };
    }
    const {
      value: read,
      differences,
      sightings,
    } = await readUntil(scope, bench.instance, (body) => {
      const { limits, differences: none } = limitsIn(body, "admin-4.3");
      if (limits === null) return none;
      return [...sentDifferences(sent, limits, "admin-4.3"), ...unsentDifferences(sent, limits, defaultOf, "admin-4.3")];
    });
    return { name, sent, refused: false, differences, sightings, exchange: read };
  });
}
