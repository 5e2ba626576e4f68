/** An instance keeps its limits when another one that has the same limits is updated: they are limits of one instance each. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { LimitName, Limits } from "../../contract/limits.ts";
import { type Finding, together, type Trial } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { type AcceptedLimits, acceptedLimits } from "./accepted-limits.ts";
import { created, createInstance, type Instance, newName, update } from "./instances.ts";
import { onLoan } from "./loans.ts";
import { bodyOf, readSettled } from "./reading.ts";
import { unchangedSince } from "./untouched.ts";

/**
 * Two instances get the same limits by their creates, then one of them and a third one by updates; each time one is given others, and
 * the second reads as before. The one that nobody updates is read again when everything has settled: answers may come from a cache.
 */
export const besideEquals: Trial = onLoan([acceptedLimits], async (scope, loan) => {
  const accepted = await scope.use(acceptedLimits);
  const equal = accepted.together;
  // Names that go on, after a dash, where the name of an instance on loan ends: a service that looks for beginnings mistakes them.
  const [changed, kept] = [
    created(await createInstance(scope, "a1-equal1", equal)),
    created(await createInstance(scope, "a1-equal2", equal)),
  ] as const;
  const sinceCreate = await besides(scope, changed, kept, othersThan(scope, accepted, "create"));
  if (sinceCreate.differences.length > 0) return sinceCreate;
  const { body } = bodyOf(await readSettled(scope, kept), "admin-4.GET");
  if (body !== null) scope.revisit(kept, unchangedSince(kept, body));
  loan.bare = false;
  for (const instance of [changed, loan.instance]) await written(scope, instance, equal);
  return together([sinceCreate, await besides(scope, changed, loan.instance, othersThan(scope, accepted, "update"))]);
});

/** Other values of the same limits. */
function othersThan(scope: Scope, { together: equal, valueOf }: AcceptedLimits, when: string): Limits {
  const names = Object.keys(equal) as LimitName[];
  return Object.fromEntries(
    names.flatMap((name) => scope.draw(valueOf(name), `equal since ${when}: ${name}`, 1).map((value) => [name, value] as const)),
  );
}

async function written(scope: Scope, instance: Instance, limits: Limits | undefined): Promise<void> {
  const answer = await update(scope, instance, newName(scope), limits);
  if (!isSuccess(answer)) throw new Inconclusive(`precondition: an update is answered ${statusOf(answer)} (see admin-4.PUT)`);
}

/** Updates of one instance, after which the other one reads as before. */
async function besides(scope: Scope, changed: Instance, kept: Instance, limits: Limits): Promise<Finding> {
  const { body } = bodyOf(await readSettled(scope, kept), "admin-4.GET");
  if (body === null) throw new Inconclusive("precondition: an instance cannot be read (see admin-4.GET)");
  // Values that do not go together are refused as a whole, which leaves nothing to see; removal is an update that every service takes.
  await update(scope, changed, newName(scope), limits);
  const afterOthers = await unchangedSince(kept, body)(scope);
  await written(scope, changed, undefined);
  const findings = [afterOthers, await unchangedSince(kept, body)(scope)];
  return together(findings.map((one): Finding => ({ ...one, input: { "updated meanwhile": "another instance with the same limits" } })));
}
