/** Updates that come right after a read: what a service keeps of the read must not outlive the update. */
import { isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together, type Trial } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { showApart } from "../../model/difference.ts";
import { everyInstance } from "./creation-time.ts";
import { brokenFields } from "./fields.ts";
import { type Instance, newName, update } from "./instances.ts";
import { reading } from "./reading.ts";

/** Reads an instance, updates it at once, and resolves to the trial of what later reads show; null where the update was not accepted. */
async function readThenUpdated(scope: Scope, instance: Instance): Promise<Trial | null> {
  const displayName = newName(scope);
  await scope.admin.read(instance.name);
  const answer = await update(scope, instance, displayName);
  if (!isSuccess(answer)) return null;
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
      input: { "the instance was read right before the update": instance.name },
    })(later);
    return { ...finding, exchanges: [...finding.exchanges, answer] };
  };
}

/** One instance after the other, so that most were not read for a while. They lose their limits, so nothing may look at them afterwards. */
export const updatedAfterRead: Trial = async (scope) => {
  if ((await scope.use(brokenFields)).has("display_name"))
    throw new Inconclusive("precondition: a display name is not kept (see admin-2.field.display_name)");
  const trials: Trial[] = [];
  for (const instance of await scope.use(everyInstance)) {
    const trial = await readThenUpdated(scope, instance);
    if (trial !== null) trials.push(trial);
  }
  if (trials.length === 0) throw new Inconclusive("precondition: no update was answered with success (see admin-4.PUT)");
  const findings: Finding[] = await Promise.all(trials.map((trial) => trial(scope)));
  return together(findings);
};
