/** Some clauses are judged in each response of a run. The last check of each service reports them. */
import type { ClauseId } from "../src/contract/catalogue.ts";
import type { Service } from "../src/contract/clause.ts";
import { LIMIT_NAMES } from "../src/contract/limits.ts";
import type { CheckSpec } from "../src/harness/check.ts";
import type { CheckContext } from "../src/harness/context.ts";
import { found } from "../src/harness/finding.ts";

async function report(t: CheckContext, service: Service): Promise<void> {
  const { everyResponse, failed } = t.shared;
  t.record.cases = everyResponse.judged(service);
  const wrong = everyResponse.wrong(service, failed);
  const held = [...everyResponse.held(service)].filter(([clause]) => !wrong.some((one) => one.clause === clause) && !failed.has(clause));
  if (held.length > 0)
    await t.verify(
      found(
        held.map(([clause]) => clause),
        [],
        { exchanges: [...new Set(held.map(([, exchange]) => exchange))] },
      ),
    );
  for (const { clause, differences, exchange, responses } of wrong) {
    const input = { "responses with this difference": `${responses} of ${everyResponse.judged(service)}` };
    await t.verify(found(clause, differences, { exchanges: [exchange], input }));
  }
  t.notRun("no response of this run could show this clause");
}

const ADMIN_CLAUSES: readonly [ClauseId, ...ClauseId[]] = [
  "admin-4.GET",
  "admin-4.PUT",
  "admin-4.2",
  "admin-4.json",
  "admin-2.field.name",
  "admin-2.field.display_name",
  "admin-2.field.status",
  "admin-2.field.cluster",
  "admin-2.field.created_at",
  "admin-2.created-at-unchanged",
  "admin-2.field.limits",
  ...LIMIT_NAMES.map((name): ClauseId => `admin-2.limit.${name}`),
];

export const EVERY_ADMIN_RESPONSE: CheckSpec = {
  slug: "every-response",
  title: "every response has the documented shape and shows only values that the run wrote",
  clauses: ADMIN_CLAUSES,
  phase: "final",
  run: async (t) => report(t, "admin"),
};

export const EVERY_LOG_RESPONSE: CheckSpec = {
  slug: "every-response",
  title: "every response has the documented shape and shows only pushed entries, and every list has all pushed labels",
  clauses: [
    "logs-4.query_range",
    "logs-4.query",
    "logs-4.labels",
    "logs-4.label-values",
    "logs-2.range-result",
    "logs-2.instant-result",
    "logs-2.Stream",
    "logs-2.Entry",
    "logs-2.1",
  ],
  phase: "final",
  run: async (t) => report(t, "logs"),
};
