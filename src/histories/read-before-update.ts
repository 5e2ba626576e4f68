/** Updates right after a read or during reads. Reads after the update must not return a cached earlier response. */
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Ask, expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { showApart } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { everyInstance } from "./creation-time.ts";
import { brokenFields } from "./instance-fields.ts";
import { type Instance, newName, update } from "./instances.ts";
import { onPoolInstance } from "./instance-pool.ts";
import { reading, readingCompressed } from "./reading.ts";
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

/** Reads and updates an instance, and resolves to the assertion about later reads. Resolves to null if the update was not accepted. */
async function readAndUpdated(scope: Scope, instance: Instance, { input, write }: Reads): Promise<Assertion | null> {
  const displayName = newName(scope);
  const answer = await write(scope, instance, displayName);
  return isSuccess(answer) ? shown(instance, displayName, answer, input) : null;
}

function shown(instance: Instance, displayName: string, answer: Answered, input: Reads["input"]): Assertion {
  return async (later) => {
    const finding = await expecting({
      clauses: "admin-4.PUT",
      of: instance,
      when: "settled",
      ask: reading(instance),
      expect: (body) =>
        body["display_name"] === displayName
          ? []
          : [{ clause: "admin-4.PUT", path: "display_name", ...showApart(displayName, body["display_name"]) }],
      input: { name: instance.name, ...input },
    })(later);
    return { ...finding, exchanges: [...finding.exchanges, answer] };
  };
}

/** Compressed responses before and after an update. The later response must show the update. */
export const updatedAfterCompressed: Assertion = onPoolInstance([brokenFields], async (scope, { instance }) => {
  if ((await scope.use(brokenFields)).has("display_name"))
    throw new Inconclusive("precondition not met: the instance does not keep a display name (see admin-2.field.display_name)");
  const before = await scope.admin.readCompressed(instance.name);
  const displayName = newName(scope);
  const answer = await update(scope, instance, displayName);
  if (!isSuccess(answer)) throw new Inconclusive(`precondition not met: an update was answered ${statusOf(answer)} (see admin-4.PUT)`);
  const shows = (ask: Ask<JsonObject>): Assertion =>
    expecting({
      clauses: "admin-4.GET",
      of: instance,
      ask,
      expect: (body) =>
        body["display_name"] === displayName
          ? []
          : [{ clause: "admin-4.GET", path: "display_name", ...showApart(displayName, body["display_name"]) }],
      input: { "the instance was read": "with a compressed response, before and after the update" },
    });
  const finding = await shows(readingCompressed(instance))(scope);
  if (finding.differences.length > 0 && (await shows(reading(instance))(scope)).differences.length > 0)
    throw new Inconclusive("precondition not met: an uncompressed response does not show the update (see admin-4.PUT)");
  return { ...finding, exchanges: [...finding.exchanges, answer, before] };
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
  if ((await scope.use(brokenFields)).has("display_name"))
    throw new Inconclusive("precondition not met: the instance does not keep a display name (see admin-2.field.display_name)");
  const assertions = new Map<Instance, Assertion>();
  const instances = (await scope.use(everyInstance)).slice(0, MOST_INSTANCES);
  for (const [index, instance] of instances.entries()) {
    const assertion = await readAndUpdated(scope, instance, index % 3 === 1 ? READ_MEANWHILE : READ_BEFORE);
    if (assertion !== null) assertions.set(instance, assertion);
  }
  for (const [instance, assertion] of await updatedAlike(scope, instances)) assertions.set(instance, assertion);
  if (assertions.size === 0) throw new Inconclusive("precondition not met: no update succeeded (see admin-4.PUT)");
  const findings: Finding[] = await Promise.all([...assertions.values()].map((assertion) => assertion(scope)));
  return together(findings);
};
