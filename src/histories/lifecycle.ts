/** An instance as a state machine: the model predicts each sequence of updates and reads of several instances. */
import { unsentDifferences } from "../diagnosis/filling.ts";
import type { Limits } from "../contract/limits.ts";
import type { Finding } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import type { JsonObject } from "../model/json.ts";
import { brokenFields } from "./instance-fields.ts";
import { shownDefaults } from "./filled-limits.ts";
import { newName, update } from "./instances.ts";
import { type PoolInstance, withInstances } from "./instance-pool.ts";
import { limitsIn, shownBy } from "./reading.ts";
import { change, type Changed, removedFrom, stateDifferences } from "./changes.ts";
import { addedTo, ADDING_NEEDS, writtenOver } from "./single-updates.ts";

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
  /** Whether limits were overwritten. The limits that this update did not send may then have their old values or their defaults. */
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
    // If the target does not accept the values together, other values were sent. The instance then does not have the state that the rest of
    // the sequence expects.
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
