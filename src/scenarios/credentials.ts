/** A service must not accept the configured credentials for some requests and refuse the same credentials for others. */
import { type Exchange, isSuccess, jsonOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Assertion } from "../harness/scope.ts";
import type { Difference } from "../model/difference.ts";
import { isObject } from "../model/json.ts";

/**
 * No operation that was accepted with the configured credentials was refused with them at another time: 401 is such a refusal, 403
 * only where the very read was accepted before, as it may be for what was asked (a quota, a rule of a gateway). Throws
 * `Inconclusive` when no request succeeded: which credentials may do what is not shown.
 */
export function credentialsTaken(clause: ClauseId): Assertion {
  return async ({ tally }) => {
    const differences: Difference[] = [];
    const exchanges: Exchange[] = [];
    for (const [operation, { succeeded, denied, firstDenial, firstForbidden, firstSuccess }] of tally.operations) {
      if (firstSuccess !== null) exchanges.push(firstSuccess);
      const refusal = firstDenial ?? firstForbidden;
      // With a token an operation may be denied for good: which token may do what is not shown. Without any nothing may be.
      if (succeeded === 0 && clause === "logs-5.1" && refusal !== null) {
        const actual = `status ${refusal.response.status}`;
        differences.push({ clause, path: operation, expected: "no authentication needed, as for the other operations", actual });
        exchanges.unshift(refusal);
      }
      if (succeeded === 0 || firstDenial === null) continue;
      differences.push({
        clause,
        path: operation,
        expected: `the same credentials accepted every time, as in ${succeeded} requests`,
        actual: `status ${firstDenial.response.status} in ${denied} requests`,
      });
      exchanges.unshift(firstDenial);
    }
    // A page that everybody gets says nothing of credentials.
    if (!exchanges.some((exchange) => isSuccess(exchange) && isObject(jsonOf(exchange))))
      throw new Inconclusive("no request with the documented credentials was answered as documented");
    return { clauses: [clause], differences, exchanges };
  };
}
