/** The same limits sent in two orders of their keys. */
import { type Answered, isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { LIMIT_NAMES } from "../../contract/limits.ts";
import type { Assertion } from "../../harness/scope.ts";
import { type Difference, show } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import { sameAsRead } from "../../model/limits.ts";
import { fewLimits } from "./few-limits.ts";
import { newName, update } from "./instances.ts";
import { onLoan } from "./loans.ts";
import { bodyOf, limitsIn } from "./reading.ts";

export const keyOrder: Assertion = onLoan([fewLimits], async (scope, loan) => {
  const sent = await scope.use(fewLimits);
  if (Object.keys(sent).length < 2)
    throw new Inconclusive("precondition not met: the target does not accept two limits in one update (see admin-4.3)");
  const shown: JsonObject[] = [];
  const exchanges: Answered[] = [];
  for (const limits of [sent, Object.fromEntries(Object.entries(sent).toReversed())]) {
    if (!loan.bare) await update(scope, loan.instance, newName(scope));
    const answer = await update(scope, loan.instance, newName(scope), limits);
    loan.bare = false;
    if (!isSuccess(answer)) throw new Inconclusive(`precondition not met: adding limits was answered ${statusOf(answer)} (see admin-4.3)`);
    exchanges.unshift(answer);
    const { body } = bodyOf(answer, "admin-4.PUT");
    const found = body === null ? null : limitsIn(body, "admin-4.3").limits;
    if (found === null)
      throw new Inconclusive("precondition not met: the response to an update shows no limits (see admin-4.PUT and admin-4.3)");
    shown.push(found);
  }
  const [one = {}, other = {}] = shown;
  const differences = LIMIT_NAMES.filter((name) => !sameAsRead(name, one[name], other[name])).map((name): Difference => ({
    clause: "admin-4.3",
    path: `limits.${name}`,
    expected: `${show(one[name])}, as with the other order of limits`,
    actual: show(other[name]),
  }));
  return { clauses: ["admin-4.3"], differences, exchanges };
});
