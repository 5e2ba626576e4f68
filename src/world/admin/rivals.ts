/** Updates of one instance at the same time: afterwards it is what one of them says, and not a bit of each. */
import fc from "fast-check";
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { type LimitName, LIMITS, type Limits } from "../../contract/limits.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together, type Trial } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { type Difference, show } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import { sameAsRead } from "../../model/limits.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { brokenFields } from "./fields.ts";
import { type Instance, newName, update } from "./instances.ts";
import { keptLimits } from "./kept-limits.ts";
import { onLoan } from "./loans.ts";
import { limitsIn, reading } from "./reading.ts";

const CLAUSE = "admin-4.PUT";

/** So many updates at once, of so many limits each. */
const RIVALS = 3;
const CHANGED = 3;

/** What one of the updates says. */
interface Rival {
  readonly displayName: string;
  readonly limits: Limits;
}

/** Rounds of updates that all send the same limits with values of their own. Whether requests really overlap is a matter of milliseconds. */
export function updatedByRivals(rounds: number): Trial {
  return onLoan([acceptedLimits, keptLimits, brokenFields], async (scope, loan) => {
    const { names, refused } = await scope.use(acceptedLimits);
    const { brokenRows } = await scope.use(keptLimits);
    if ((await scope.use(brokenFields)).has("display_name"))
      throw new Inconclusive("precondition: a display name is not kept by an update alone (see admin-2.field.display_name)");
    const chosen = names.filter((name) => LIMITS[name].type === "integer" && !refused.has(name) && !brokenRows.has(name)).slice(0, CHANGED);
    if (chosen.length === 0) throw new Inconclusive("precondition: no integer limit is kept as it was sent (see admin-4.3)");
    loan.bare = false;
    const findings: Finding[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const finding = await atOnce(scope, loan.instance, rivalsOf(scope, chosen, round));
      findings.push(finding);
      if (finding.differences.length > 0) break;
    }
    return together(findings);
  });
}

function rivalsOf(scope: Scope, names: readonly LimitName[], round: number): Rival[] {
  const values = fc.uniqueArray(fc.integer({ min: 1_001, max: 99_999 }), { minLength: RIVALS, maxLength: RIVALS });
  const [drawn = []] = scope.draw(values, `rivals ${round}`, 1);
  return drawn.map((value) => ({ displayName: newName(scope), limits: Object.fromEntries(names.map((name) => [name, value])) }));
}

async function atOnce(scope: Scope, instance: Instance, rivals: readonly Rival[]): Promise<Finding> {
  // What they need to know is asked before, so that they go out together.
  await scope.admin.condition(instance.name);
  const answers = await Promise.all(rivals.map(({ displayName, limits }) => update(scope, instance, displayName, limits)));
  const refused = answers.find((answer) => !isSuccess(answer));
  if (refused !== undefined) throw new Inconclusive(`precondition: an update was answered ${statusOf(refused)} (see ${CLAUSE})`);
  const finding = await expecting({
    clauses: CLAUSE,
    of: instance,
    ask: reading(instance),
    expect: (body) => mixtures(body, rivals),
    input: { "updates at the same time": rivals },
  })(scope);
  return { ...finding, exchanges: [...finding.exchanges, ...answers] };
}

/** What of an instance is not what the update says whose display name it has. */
function mixtures(body: JsonObject, rivals: readonly Rival[]): Difference[] {
  const shown = body["display_name"];
  const winner = rivals.find(({ displayName }) => displayName === shown);
  if (winner === undefined) {
    const expected = `one of ${show(rivals.map(({ displayName }) => displayName))}`;
    return [{ clause: CLAUSE, path: "display_name", expected, actual: show(shown) }];
  }
  const { limits, differences } = limitsIn(body, CLAUSE);
  if (limits === null) return differences;
  return (Object.keys(winner.limits) as LimitName[])
    .filter((name) => !sameAsRead(name, winner.limits[name], limits[name]))
    .map((name): Difference => ({
      clause: CLAUSE,
      path: `limits.${name}`,
      expected: `${show(winner.limits[name])}, which the update sent that set this display name`,
      actual: show(limits[name]),
    }));
}
