/** Section 2 rule 2, section 4 rule 2 and section 7: requests that are answered with 400, each with a valid control request. */
import type { Check } from "../../src/harness/check.ts";
import { LEAST_ROWS } from "../../src/harness/context.ts";
import type { Scope } from "../../src/harness/scope.ts";
import { hello } from "../../src/datasets/first-push.ts";
import { stored } from "../../src/datasets/datasets.ts";
import { refused, taken } from "../../src/queries/refusals.ts";
import { logsCheck } from "./check.ts";
import { POSITION_REFUSALS } from "./invalid-positions.ts";
import { REFUSALS } from "./invalid-queries.ts";

type RefusalClause = "logs-2.2" | "logs-4.2" | "logs-4.required" | "logs-7.400";

/** Makes a check with a table of invalid queries. Each invalid query has a valid control request that differs in one part only. */
function refusalCheck(clause: RefusalClause, title: string): Check {
  return logsCheck({
    slug: "refusals",
    title,
    clauses: [clause],
    async run(t) {
      const dataset = stored(await t.use(hello));
      const rows = [...REFUSALS, ...POSITION_REFUSALS].filter(
        (row) => row.clause === clause && (t.profile !== "smoke" || row.smoke === true),
      );
      await t.verifyRows(
        rows.map((row) => ({
          clause,
          assertion: refused(dataset, row),
          unless: async (scope: Scope) =>
            row.undocumented === true && !(await taken(dataset, row)(scope)) ? `the valid query that is paired with ${row.title}` : null,
        })),
        LEAST_ROWS,
      );
    },
  });
}

export const REFUSAL_CHECKS: readonly Check[] = [
  refusalCheck("logs-2.2", "a query with an empty selector is answered with 400"),
  refusalCheck("logs-4.2", "query answers 400 to a log selector that is not inside a metric function"),
  refusalCheck("logs-4.required", "a request without a query is refused"),
  refusalCheck("logs-7.400", "an invalid query is answered with 400"),
];
