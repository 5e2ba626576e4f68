/** Updates right after a read or during reads. Reads after the update must not return a cached earlier response. */
import { type Answered, isSuccess } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import { together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { everyInstance } from "./creation-time.ts";
import { brokenFields, requireDisplayName } from "./instance-fields.ts";
import { type Instance, newName, update } from "./instances.ts";
import { onPoolInstance } from "./instance-pool.ts";
import { fieldDifference, reading, requireSuccess, shownBy } from "./reading.ts";
import { limitsToSend } from "./update-responses.ts";

interface Reads {
  readonly input: Readonly<Record<string, string>>;
  readonly write: (scope: Scope, instance: Instance, displayName: string) => Promise<Answered>;
}

/** The times of reads during an update, in ms after it was sent. A service may take some time to write. */
const READ_AFTER_MS = [1, 4];

const READ_BEFORE: Reads = {
  input: { "the instance was read": "right before the update" },
  write: async (scope, instance, displayName) => {
    await scope.admin.read(instance.name);
    return update(scope, instance, displayName);
  },
};

const READ_MEANWHILE: Reads = {
  input: { "the instance was read": "during the update, which followed another update" },
  write: async (scope, instance, displayName) => {
    // This update empties caches, so that the reads during the next update fill the caches again.
    await update(scope, instance, newName(scope));
    // The ETag is requested first, so that the update and the first read are sent at the same time.
    await scope.admin.condition(instance.name);
    const read = async (ms: number): Promise<unknown> => {
      if (ms > 0) await scope.run.pause(ms);
      return scope.admin.read(instance.name);
    };
    const [, answer] = await Promise.all([read(0), update(scope, instance, displayName), ...READ_AFTER_MS.map(read)]);
    return answer;
  },
};

/** Returns the assertion that later reads show an update. */
function shown(instance: Instance, displayName: string, answer: Answered, input: Reads["input"]): Assertion {
  return shownBy(instance, "admin-4.PUT", (body) => fieldDifference(body, "display_name", displayName, "admin-4.PUT"), {
    when: "settled",
    input: { name: instance.name, ...input },
    after: [answer],
  });
}

/** Compressed responses before and after an update. The later response must show the update. */
export const updatedAfterCompressed: Assertion = onPoolInstance([brokenFields], async (scope, { instance }) => {
  await requireDisplayName(scope, "the instance does not keep a display name");
  const before = await scope.admin.readCompressed(instance.name);
  const displayName = newName(scope);
  const answer = await update(scope, instance, displayName);
  requireSuccess(answer, "an update", "admin-4.PUT");
  const shows = (how: "read" | "readCompressed"): Assertion =>
    shownBy(instance, "admin-4.GET", (body) => fieldDifference(body, "display_name", displayName, "admin-4.GET"), {
      ask: reading(instance, how),
      input: { "the instance was read": "with a compressed response, before and after the update" },
      after: [answer, before],
    });
  const finding = await shows("readCompressed")(scope);
  if (finding.differences.length > 0 && (await shows("read")(scope)).differences.length > 0)
    throw precondition("an uncompressed response does not show the update (see admin-4.PUT)");
  return finding;
});

/**
 * Sends the same update to two instances, one directly after the other: without limits, and to two others with limits.
 * The first instance of the run is updated last, so that its update cannot reach other instances unnoticed.
 */
async function updatedAlike(scope: Scope, instances: readonly Instance[]): Promise<Map<Instance, Assertion>> {
  const assertions = new Map<Instance, Assertion>();
  for (const [pair, limits] of [
    [instances.slice(0, 2), undefined],
    [instances.slice(2, 4), await limitsToSend(scope)],
  ] as const) {
    const displayName = newName(scope);
    for (const instance of pair.toReversed()) {
      const answer = await update(scope, instance, displayName, limits);
      const input = { "the same update was sent to": "two instances" };
      if (isSuccess(answer)) assertions.set(instance, shown(instance, displayName, answer, input));
    }
  }
  return assertions;
}

/** The maximum number of instances. A violation concerns reads in general, so some instances are enough. */
const MOST_INSTANCES = 8;

/** Instances are updated one by one, so most were not read for some time. No check may read them later, because they lose their limits. */
export const updatedAfterRead: Assertion = async (scope) => {
  await requireDisplayName(scope, "the instance does not keep a display name");
  const assertions = new Map<Instance, Assertion>();
  const instances = (await scope.use(everyInstance)).slice(0, MOST_INSTANCES);
  for (const [index, instance] of instances.entries()) {
    const { input, write } = index % 3 === 1 ? READ_MEANWHILE : READ_BEFORE;
    const displayName = newName(scope);
    const answer = await write(scope, instance, displayName);
    if (isSuccess(answer)) assertions.set(instance, shown(instance, displayName, answer, input));
  }
  for (const [instance, assertion] of await updatedAlike(scope, instances)) assertions.set(instance, assertion);
  if (assertions.size === 0) throw precondition("no update succeeded (see admin-4.PUT)");
  return together(await Promise.all([...assertions.values()].map((assertion) => assertion(scope))));
};
