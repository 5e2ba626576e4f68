/** Updates of one instance at the same time: afterwards it is what one of them says, and not a bit of each. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { LimitName, Limits } from "../../contract/limits.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { type Difference, show } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import { sameAsRead } from "../../model/limits.ts";
import { brokenFields } from "./fields.ts";
import { fewLimits, fewOthers } from "./few-limits.ts";
import { type Instance, newName, update } from "./instances.ts";
import { keptLimits } from "./kept-limits.ts";
import { onLoan } from "./loans.ts";
import { limitsIn, reading } from "./reading.ts";

const CLAUSE = "admin-4.PUT";

/** What one of the updates says. */
interface Rival {
  readonly displayName: string;
  readonly limits: Limits;
}

/**
 * Rounds of updates that all send the same limits, by turns with one value and another. Whether requests really overlap is a matter
 * of milliseconds. Null where no two sets of values are seen to be taken one over the other.
 */
export function updatedByRivals(rounds: number): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const others = await scope.use(fewOthers);
    return others === null ? null : inRounds(rounds, await scope.use(fewLimits), others);
  };
}

function inRounds(rounds: number, taken: Limits, others: Limits): Assertion {
  return onLoan([keptLimits, brokenFields], async (scope, loan) => {
    if ((await scope.use(brokenFields)).has("display_name"))
      throw new Inconclusive("precondition not met: a single update does not change the display name (see admin-2.field.display_name)");
    // Where updates merge, limits that are there already have a say.
    if (!loan.bare) await update(scope, loan.instance, newName(scope));
    loan.bare = false;
    const findings: Finding[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const rivals = [taken, others, taken, others].map((limits) => ({ displayName: newName(scope), limits }));
      const finding = await atOnce(scope, loan.instance, rivals);
      findings.push(finding);
      if (finding.differences.length === 0) continue;
      await requireTurns(scope, loan.instance, [taken, others]);
      break;
    }
    return together(findings);
  });
}

/** Throws `Inconclusive` where updates that come one after the other are not carried out either, limits added and written over. */
async function requireTurns(scope: Scope, instance: Instance, turns: readonly Limits[]): Promise<void> {
  const { brokenRows } = await scope.use(keptLimits);
  await update(scope, instance, newName(scope));
  for (const limits of turns) {
    const alone: Rival = { displayName: newName(scope), limits };
    await update(scope, instance, alone.displayName, limits);
    const { differences } = await expecting({
      clauses: CLAUSE,
      of: instance,
      ask: reading(instance),
      expect: (body) => mixtures(body, [alone], brokenRows),
    })(scope);
    if (differences.length > 0)
      throw new Inconclusive("precondition not met: consecutive updates have no effect (see admin-4.3 and admin-4.PUT-over-limits)");
  }
}

async function atOnce(scope: Scope, instance: Instance, rivals: readonly Rival[]): Promise<Finding> {
  const { brokenRows } = await scope.use(keptLimits);
  // What they need to know is asked before, so that they go out together.
  await scope.admin.condition(instance.name);
  const answers = await Promise.all(rivals.map(({ displayName, limits }) => update(scope, instance, displayName, limits)));
  // A rival that meets another may be refused, and how that is answered is not shown; the one that is not shows what became of it.
  const refused = answers.find((answer) => !isSuccess(answer));
  if (refused !== undefined && (statusOf(refused) >= 500 || answers.every((answer) => !isSuccess(answer))))
    throw new Inconclusive(`precondition not met: an update was answered ${statusOf(refused)} (see ${CLAUSE})`);
  const finding = await expecting({
    clauses: CLAUSE,
    of: instance,
    ask: reading(instance),
    expect: (body) => mixtures(body, rivals, brokenRows),
    input: { "concurrent updates": rivals },
  })(scope);
  return { ...finding, exchanges: [...finding.exchanges, ...answers] };
}

/** What of an instance is not what the update says whose display name it has. */
function mixtures(body: JsonObject, rivals: readonly Rival[], brokenRows: ReadonlySet<LimitName>): Difference[] {
  const shown = body["display_name"];
  const winner = rivals.find(({ displayName }) => displayName === shown);
  if (winner === undefined) {
    const expected = `one of ${show(rivals.map(({ displayName }) => displayName))}`;
    return [{ clause: CLAUSE, path: "display_name", expected, actual: show(shown) }];
  }
  const { limits, differences } = limitsIn(body, CLAUSE);
  if (limits === null) return differences;
  return (Object.keys(winner.limits) as LimitName[])
    .filter((name) => !brokenRows.has(name) && !sameAsRead(name, winner.limits[name], limits[name]))
    .map((name): Difference => ({
      clause: CLAUSE,
      path: `limits.${name}`,
      expected: `${show(winner.limits[name])}, which was sent by the update that set this display name`,
      actual: show(limits[name]),
    }));
}
