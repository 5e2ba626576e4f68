/** docs/1 as a state machine: any sequence of updates and reads over several instances behaves as the model says. */
import fc from "fast-check";
import { limitSubset } from "../../src/arbitraries/limits.ts";
import { isSuccess } from "../../src/client/exchange.ts";
import type { LimitName, Limits } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Scope } from "../../src/harness/context.ts";
import type { CaseFinding } from "../../src/harness/property.ts";
import type { Difference } from "../../src/model/difference.ts";
import { sentDifferences, unsentDifferences } from "../../src/model/filling.ts";
import type { Sighting } from "../../src/harness/settle.ts";
import { type Bench, benchCount } from "./benches.ts";
import { adminCheck } from "./check.ts";
import { shownDefaults } from "./facts.ts";
import { keepingFacts, onBench } from "./keeping.ts";
import { knownBroken } from "./fields.ts";
import { update } from "./instances.ts";
import { limitsIn, readUntil } from "./reading.ts";
import { addedTo, newName, removedFrom, stateDifferences, updateAndJudge } from "./update.ts";
import { writable } from "./writable.ts";

/** One step: update with limits, update without, or read again. `on` picks the instance. */
export type Step =
  | { readonly do: "limits"; readonly on: number; readonly limits: Limits }
  | { readonly do: "no limits"; readonly on: number }
  | { readonly do: "read"; readonly on: number };

const INSTANCES = 2;

function steps(names: readonly LimitName[]): fc.Arbitrary<Step[]> {
  const on = fc.nat({ max: INSTANCES - 1 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant("limits" as const), on, limits: limitSubset(names, 6) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("no limits" as const), on }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("read" as const), on }) },
  );
  return fc.array(step, { minLength: 1, maxLength: 8 });
}

/** What the model knows of an instance: null without limits, else the sent limits since it last had none. */
interface ModelState {
  displayName: string;
  limits: Limits | null;
  /** Whether limits were written over limits: then those not sent may be what they were or their default. */
  overwritten: boolean;
}

const lifecycle = adminCheck({
  slug: "lifecycle",
  title: "any sequence of updates and reads over several instances behaves as documented",
  clauses: ["admin-4.PUT"],
  profiles: ["release", "nightly"],
  async run(t) {
    const { names } = await t.use(writable);
    const lanes = Math.max(1, Math.floor((await benchCount(t)) / INSTANCES));
    await t.property({
      arbitrary: steps(names),
      clauses: ["admin-4.PUT"],
      cases: t.pick({ smoke: 1, release: 10, nightly: 100 }),
      minimum: 4,
      overlap: lanes,
      run: (sequence, scope) => onBench(scope, (one) => onBench(scope, (other) => play(scope, [one, other], sequence))),
    });
  },
});

/** Plays a sequence from instances without limits, judging every step, and re-reads all of them at the end. */
async function play(scope: Scope, benches: readonly Bench[], sequence: readonly Step[]): Promise<CaseFinding> {
  const states: ModelState[] = [];
  for (const bench of benches) {
    const displayName = newName(scope);
    bench.bare = isSuccess(await update(scope, bench.instance, displayName));
    states.push({ displayName, limits: null, overwritten: false });
  }
  const differences: Difference[] = [];
  const sightings: Sighting[] = [];
  const reread: Step[] = benches.map((_bench, on) => ({ do: "read", on }));
  for (const step of [...sequence, ...reread]) {
    const [bench, state] = [benches[step.on], states[step.on]];
    if (bench === undefined || state === undefined) continue;
    const found: CaseFinding & { readonly refused?: true } =
      step.do === "read"
        ? await judgeRead(scope, bench, state)
        : await judgeUpdate(scope, bench, state, step.do === "limits" ? step.limits : null);
    differences.push(...found.differences);
    sightings.push(...(found.sightings ?? []));
    // Values that do not go together were replaced by others, so the rest of the sequence is about another instance.
    if (differences.length > 0 || found.refused === true) break;
  }
  return { differences, sightings };
}

async function judgeUpdate(
  scope: Scope,
  bench: Bench,
  state: ModelState,
  limits: Limits | null,
): Promise<CaseFinding & { readonly refused?: true }> {
  const displayName = newName(scope);
  const adds = limits !== null && state.limits === null;
  const expectation = limits === null ? await removedFrom(scope) : adds ? await addedTo(scope, limits) : await overwritten(scope, limits);
  const clause = limits === null ? "admin-4.2" : adds ? "admin-4.3" : "admin-4.PUT";
  const found = await updateAndJudge(scope, bench, { displayName, limits: expectation }, limits ?? undefined, clause);
  Object.assign(state, { displayName, limits, overwritten: limits !== null && !adds } satisfies ModelState);
  return found;
}

async function overwritten(scope: Scope, sent: Limits): Promise<(body: Parameters<typeof limitsIn>[0]) => Difference[]> {
  const { brokenRows } = await scope.use(keepingFacts);
  return (body) => {
    const { limits, differences } = limitsIn(body, "admin-4.PUT");
    return limits === null ? differences : sentDifferences(sent, limits, "admin-4.PUT", (name) => brokenRows.has(name));
  };
}

async function judgeRead(scope: Scope, bench: Bench, state: ModelState): Promise<CaseFinding> {
  const known = await knownBroken(scope);
  const { displayName, limits } = state;
  const { brokenRows } = await scope.use(keepingFacts);
  const effective = await shownDefaults(scope);
  const gone = await removedFrom(scope);
  const judgeLimits = (body: Parameters<typeof limitsIn>[0]): Difference[] => {
    if (limits === null) return [...gone(body)];
    const { limits: shown, differences } = limitsIn(body, "admin-4.PUT");
    if (shown === null) return differences;
    const kept = sentDifferences(limits, shown, "admin-4.PUT", (name) => brokenRows.has(name));
    const filled = state.overwritten
      ? []
      : unsentDifferences(limits, shown, (name) => (effective[name] === undefined ? [] : [effective[name]]), "admin-4.PUT");
    return [...kept, ...filled];
  };
  const { differences, sightings } = await readUntil(scope, bench.instance, (body) =>
    stateDifferences(bench, { displayName, limits: judgeLimits }, body, known),
  );
  return { differences, sightings };
}

export const LIFECYCLE_CHECKS: readonly Check[] = [lifecycle];
