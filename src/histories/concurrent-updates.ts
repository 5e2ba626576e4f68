/** Sends concurrent updates of one instance. Afterwards, the instance must show exactly one of these updates. */
import { isSuccess, statusOf } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { brokenFields, requireDisplayName } from "./instance-fields.ts";
import { type Instance, newName, update } from "./instances.ts";
import { onPoolInstance } from "./instance-pool.ts";
import { limitsJudgedBy, shownBy } from "./reading.ts";
import type { LimitName, Limits } from "../contract/limits.ts";
import type { JsonObject } from "../model/json.ts";
import { sameAsRead } from "../model/limits.ts";
import { fewLimits, fewOthers } from "./filled-limits.ts";
import { keptLimits } from "./limit-findings.ts";

const CLAUSE = "admin-4.PUT";

interface ConcurrentUpdate {
  readonly displayName: string;
  readonly limits: Limits;
}

/** Concurrent updates in several rounds, as requests overlap only for ms. Resolves to null if two sets of values are not accepted. */
export function updatedConcurrently(rounds: number): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const others = await scope.use(fewOthers);
    return others === null ? null : concurrentRounds(rounds, await scope.use(fewLimits), others);
  };
}

function concurrentRounds(rounds: number, taken: Limits, others: Limits): Assertion {
  return onPoolInstance([keptLimits, brokenFields], async (scope, borrowed) => {
    await requireDisplayName(scope, "a single update does not change the display name");
    // The existing limits are removed first, because a service that merges updates would mix them into the result.
    if (!borrowed.bare) await update(scope, borrowed.instance, newName(scope));
    const findings: Finding[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const updates = [taken, others, taken, others].map((limits) => ({ displayName: newName(scope), limits }));
      const finding = await atOnce(scope, borrowed.instance, updates);
      findings.push(finding);
      if (finding.differences.length === 0) continue;
      await requireTurns(scope, borrowed.instance, [taken, others]);
      break;
    }
    return together(findings);
  });
}

/** Throws `Inconclusive` if even consecutive updates have no effect. These updates add limits, and then overwrite them. */
async function requireTurns(scope: Scope, instance: Instance, turns: readonly Limits[]): Promise<void> {
  const { brokenRows } = await scope.use(keptLimits);
  await update(scope, instance, newName(scope));
  for (const limits of turns) {
    const alone: ConcurrentUpdate = { displayName: newName(scope), limits };
    await update(scope, instance, alone.displayName, limits);
    const { differences } = await shownBy(instance, CLAUSE, (body) => mixtures(body, [alone], brokenRows))(scope);
    if (differences.length > 0) throw precondition("consecutive updates have no effect (see admin-4.3 and admin-4.PUT-over-limits)");
  }
}

async function atOnce(scope: Scope, instance: Instance, updates: readonly ConcurrentUpdate[]): Promise<Finding> {
  const { brokenRows } = await scope.use(keptLimits);
  // The ETag is requested first, so that all updates are sent at the same time.
  await scope.admin.condition(instance.name);
  const answers = await Promise.all(updates.map(({ displayName, limits }) => update(scope, instance, displayName, limits)));
  // A service may refuse concurrent updates, and the documents do not say how. The accepted updates show what happened.
  const refused = answers.find((answer) => !isSuccess(answer));
  if (refused !== undefined && (statusOf(refused) >= 500 || answers.every((answer) => !isSuccess(answer))))
    throw precondition(`an update was answered ${statusOf(refused)} (see ${CLAUSE})`);
  return shownBy(instance, CLAUSE, (body) => mixtures(body, updates, brokenRows), {
    input: { "concurrent updates": updates },
    after: answers,
  })(scope);
}

/** Returns the differences between an instance and the update that sent its display name. */
function mixtures(body: JsonObject, updates: readonly ConcurrentUpdate[], brokenRows: ReadonlySet<LimitName>): Difference[] {
  const shown = body["display_name"];
  const winner = updates.find(({ displayName }) => displayName === shown);
  if (winner === undefined) {
    const expected = `one of ${show(updates.map(({ displayName }) => displayName))}`;
    return [{ clause: CLAUSE, path: "display_name", expected, actual: show(shown) }];
  }
  return limitsJudgedBy(body, CLAUSE, (limits) =>
    (Object.keys(winner.limits) as LimitName[])
      .filter((name) => !brokenRows.has(name) && !sameAsRead(name, winner.limits[name], limits[name]))
      .map((name): Difference => {
        const expected = `${show(winner.limits[name])}, which was sent by the update that set this display name`;
        return { clause: CLAUSE, path: `limits.${name}`, expected, actual: show(limits[name]) };
      }),
  );
}
