/** Creates more instances than a small table can store. Each instance must be readable, and earlier instances must stay unchanged. */
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import { CROWD } from "../harness/costs.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import type { Difference } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { everyInstance } from "./creation-time.ts";
import { brokenFields } from "./instance-fields.ts";
import { createInstance, type Instance } from "./instances.ts";
import { firstReads, instancePool } from "./instance-pool.ts";
import { bodyOf, fieldDifference, readSettled, shownBy } from "./reading.ts";
import { unchangedSince } from "./unchanged-instances.ts";

/** Early instances that are read again. A server with a table of 32 places may have lost an early instance after CROWD creates. */
const FIRST = 4;
/** The number of concurrent creates. */
const AT_ONCE = 4;

/** Creates instances until there are enough, or until a create is refused. The documents do not say how many instances a target accepts. */
async function filledUp(scope: Scope): Promise<readonly Instance[]> {
  const made: Instance[] = [];
  while (scope.run.instances().created < CROWD) {
    const wanted = Math.min(AT_ONCE, CROWD - scope.run.instances().created);
    const batch = await Promise.all(Array.from({ length: wanted }, (_, index) => createInstance(scope, `n${made.length + index}`, null)));
    made.push(...batch.filter(({ created }) => isSuccess(created)));
    if (batch.some(({ created }) => !isSuccess(created))) break;
  }
  return made;
}

/** Resolves to null if the run may not create so many instances, or one is refused. No other check may write meanwhile. */
export async function amongMany(scope: Scope): Promise<Assertion | null> {
  const { created, left } = scope.run.instances();
  if (created + left < CROWD) return null;
  const earlier = (await scope.use(everyInstance)).slice(0, FIRST);
  const before = await Promise.all(
    earlier.map(async (instance) => {
      const read = await readSettled(scope, instance);
      const { body } = bodyOf(read, "admin-4.GET");
      return body === null ? [] : [{ instance, body, read }];
    }),
  );
  const readable = before.flat();
  if (readable.length === 0) throw precondition("no instance can be read (see admin-4.GET)");
  const made = await filledUp(scope);
  if (scope.run.instances().created < CROWD) return null;
  const isNameKept = !(await scope.use(brokenFields)).has("display_name");
  // Repeated creates may have made enough instances. In this case, the last known instances are read instead of new instances.
  const newest = made.length > 0 ? made : (await scope.use(everyInstance)).slice(-AT_ONCE);
  return async (later) => {
    const old = readable.map(async ({ instance, body, read }): Promise<Finding> => {
      const finding = await unchangedSince(instance, body)(later);
      return { ...finding, exchanges: [...finding.exchanges, read] };
    });
    const fresh = newest.map(async (instance) => isThere(later, instance, isNameKept && made.length > 0));
    return { input: { "instances of this run": CROWD }, ...together(await Promise.all([...old, ...fresh])) };
  };
}

/** Verifies that an instance can be read after its accepted create, and that the read shows this instance. */
async function isThere(scope: Scope, instance: Instance, isNameKept: boolean): Promise<Finding> {
  const expect = (body: JsonObject): Difference[] =>
    isNameKept ? fieldDifference(body, "display_name", instance.displayName, "admin-4.GET") : [];
  return notCreated(await shownBy(instance, ["admin-4.GET", "admin-4.POST"], expect, { after: [instance.created] })(scope));
}

/** If the read failed, blames the create and not the read, because other instances can be read. */
export function notCreated(finding: Finding): Finding {
  const [deciding] = finding.exchanges as readonly Answered[];
  if (finding.differences.length === 0 || deciding === undefined || isSuccess(deciding)) return finding;
  const expected = "the created instance can be read, like other instances";
  const difference: Difference = { clause: "admin-4.POST", path: "status", expected, actual: `status ${statusOf(deciding)}` };
  return { ...finding, clauses: ["admin-4.POST"], differences: [difference] };
}

/** Resolves to an assertion that each created instance of the pool can be read. Resolves to null if no instance of the pool was created. */
export async function eachIsThere(scope: Scope): Promise<Assertion | null> {
  const { lost } = await scope.use(instancePool);
  const first = await scope.use(firstReads);
  if (lost.length > 0) return async (later) => together(await Promise.all(lost.map(async (instance) => isThere(later, instance, false))));
  if (first.length === 0) return null;
  const seen = first.filter((read) => bodyOf(read, "admin-4.GET").body !== null);
  if (seen.length === 0) throw precondition("no instance of the instance pool can be read (see admin-4.GET)");
  return async () => ({ clauses: ["admin-4.POST"], differences: [], exchanges: seen });
}
