/** Judges whether a service accepts the configured credentials consistently, and not only for some requests. */
import { type Exchange, isSuccess, jsonOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Assertion } from "../harness/scope.ts";
import { type Difference, difference } from "../model/difference.ts";
import { isObject } from "../model/json.ts";

/**
 * Each operation must accept the credentials always or never. Status 401 is a refusal of the credentials. Status 403 is one only if
 * the same read was accepted before, because a quota or a gateway may forbid a request. Throws `Inconclusive` without any success.
 */
export function credentialsTaken(clause: ClauseId): Assertion {
  return async ({ tally }) => {
    const differences: Difference[] = [];
    const exchanges: Exchange[] = [];
    for (const [operation, { succeeded, denied, firstDenial, firstForbidden, firstSuccess }] of tally.operations) {
      if (firstSuccess !== null) exchanges.push(firstSuccess);
      const refusal = firstDenial ?? firstForbidden;
      // With a token, an operation may always be denied, because the documents do not define token permissions. Without authentication, no
      // operation may be denied.
      if (succeeded === 0 && clause === "logs-5.1" && refusal !== null) {
        const actual = `status ${refusal.response.status}`;
        differences.push(difference(clause, operation, "no authentication needed, as for the other operations", actual));
        exchanges.unshift(refusal);
      }
      if (succeeded === 0 || firstDenial === null) continue;
      differences.push({
        clause,
        path: "status",
        expected: `the same credentials accepted every time, as in ${succeeded} other requests`,
        actual: `status ${firstDenial.response.status} in ${denied === 1 ? "one request" : `${denied} requests`}`,
      });
      exchanges.unshift(firstDenial);
    }
    // A page that a server sends to everyone proves nothing about credentials.
    if (!exchanges.some((exchange) => isSuccess(exchange) && isObject(jsonOf(exchange))))
      throw new Inconclusive("no request with the documented credentials was answered as documented");
    return { clauses: [clause], differences, exchanges };
  };
}
