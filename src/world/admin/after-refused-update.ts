/** An update after a refused one: what was refused does not stand in the way of what is right. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { Finding } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { show } from "../../model/difference.ts";
import { bare, created, newName, payloadOf, update } from "./instances.ts";
import { bodyOf } from "./reading.ts";

const CLAUSE = "admin-4.PUT";

/** Bodies that a service may refuse: a limit of a wrong type, and no display name. */
const WRONG: readonly ((right: object) => object)[] = [
  (right) => ({ ...right, limits: { ingestion_rate: "many" } }),
  (right) => ({ ...right, display_name: undefined }),
];

/**
 * The update of an instance is taken, a wrong one is refused, and the first is taken again, when what may pass has had its time. Null
 * where none of the wrong ones is refused. What a refused update leaves of the instance is a matter of its own.
 */
export async function updatedAfterRefusal(scope: Scope): Promise<Assertion | null> {
  const instance = created(await scope.use(bare));
  const findings: Finding[] = [];
  for (const wrong of WRONG) {
    const before = await update(scope, instance, newName(scope));
    if (bodyOf(before, CLAUSE).body === null)
      throw new Inconclusive(
        `precondition not met: the response to an update is not the instance object: status ${statusOf(before)} (see ${CLAUSE})`,
      );
    const body = wrong(payloadOf(instance, newName(scope)));
    const condition = await scope.admin.condition(instance.name);
    const refused = await scope.admin.probe("update instance (invalid)", "PUT", instance.name, body, { kind: "configured" }, condition);
    instance.lastWriteAt = refused.endedAt;
    await scope.admin.read(instance.name);
    if (![400, 422].includes(statusOf(refused))) continue;
    const after = await update(scope, instance, newName(scope));
    const expected = "success (2xx), as for the same update before a refused update";
    findings.push({
      clauses: [CLAUSE],
      differences: isSuccess(after)
        ? []
        : [{ clause: CLAUSE, path: "status", expected, actual: `status ${statusOf(after)}: ${show(after.response.body)}` }],
      exchanges: [after, refused, before],
      input: { "refused update before this update": body },
    });
    if (!isSuccess(after)) break;
  }
  const last = findings.at(-1);
  return last === undefined ? null : async () => last;
}
