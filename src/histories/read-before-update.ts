/** Updates right after a read or during reads. A cached read must not outlive the update. */
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

/** How an instance is read when it is updated. */
interface Reads {
  readonly input: Readonly<Record<string, string>>;
  /** Resolves to the answer to the update. */
  readonly write: (scope: Scope, instance: Instance, displayName: string) => Promise<Answered>;
}

/** When an instance is read besides while an update of it goes on, ms after that was sent: a service may take a while to write. */
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
    // What is kept of a read is gone after an update: what is read then is gathered while the next one goes on.
    await update(scope, instance, newName(scope));
    // What the update needs to know is asked before the reads, of which the first goes out at the same time as it does.
    await scope.admin.condition(instance.name);
    const read = async (ms: number): Promise<unknown> => {
      if (ms > 0) await scope.run.pause(ms);
      return scope.admin.read(instance.name);
    };
    const [, answer] = await Promise.all([read(0), update(scope, instance, displayName), ...READ_AFTER_MS.map(read)]);
    return answer;
  },
};

/** Reads and updates an instance, and resolves to the assertion of what later reads show; null where the update was not accepted. */
async function readAndUpdated(scope: Scope, instance: Instance, { input, write }: Reads): Promise<Assertion | null> {
  const displayName = newName(scope);
  const answer = await write(scope, instance, displayName);
  return isSuccess(answer) ? shown(instance, displayName, answer, input) : null;
}

/** Reads show the display name of an update that was answered with success. */
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

/** Answers that may come compressed, before an update and after it: the later one shows the update. */
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
 * The same body to two instances, the one right after the other: each is an update of its own. The first instance of the run comes last,
 * when all others have been written: nothing of it reaches them.
 */
async function updatedAlike(scope: Scope, instances: readonly Instance[]): Promise<Map<Instance, Assertion>> {
  const assertions = new Map<Instance, Assertion>();
  const displayName = newName(scope);
  for (const instance of instances.slice(0, 2).toReversed()) {
    const answer = await update(scope, instance, displayName);
    if (isSuccess(answer))
      assertions.set(instance, shown(instance, displayName, answer, { "the same update was sent to": "two instances" }));
  }
  return assertions;
}

/** What is wrong here is of reads, not of one instance or another: some are enough. */
const MOST_INSTANCES = 8;

/** One instance after the other, so that most were not read for a while. They lose their limits, so nothing may look at them afterwards. */
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
