/** The same credentials must not be refused for some requests of an operation and accepted for others. */
import type { Answered } from "../src/client/exchange.ts";
import type { Tally } from "../src/client/tally.ts";
import type { ClauseId } from "../src/contract/catalogue.ts";
import type { Difference } from "../src/model/difference.ts";

/** A difference per operation that was both accepted and refused (401 or 403) with the configured credentials. */
export function tallyDifferences(tally: Tally, clause: ClauseId): { differences: Difference[]; exchanges: Answered[] } {
  const differences: Difference[] = [];
  const exchanges: Answered[] = [];
  for (const [operation, { succeeded, denied, firstDenial, firstSuccess }] of tally.operations) {
    if (succeeded === 0 || firstDenial === null) continue;
    differences.push({
      clause,
      path: operation,
      expected: `the same credentials accepted every time, as in ${succeeded} requests`,
      actual: `status ${firstDenial.response.status} in ${denied} requests`,
    });
    exchanges.push(firstDenial, ...(firstSuccess === null ? [] : [firstSuccess]));
  }
  return { differences, exchanges };
}
