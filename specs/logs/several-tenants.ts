/** docs/2 section 5 rule 2: a request that names several tenants reads all of them. */
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { type Blame, departures, READ_BACK } from "../../src/model/log-answer.ts";
import { countEntries, select } from "../../src/model/logs.ts";
import { sumText } from "../../src/model/query-text.ts";
import { listOf, samplesOf, streamsOf } from "./answers.ts";
import { logsCheck } from "./check.ts";
import { wholeRange } from "./reading.ts";
import { nameOf, type TwoTenants, twoTenants } from "./two-tenants.ts";

const both = logsCheck({
  slug: "union",
  title: "a query that lists two tenants reads both, in either order",
  clauses: ["logs-5.2b"],
  unless: ({ logs }) => (logs?.multiTenantQueries === true ? null : "LOGS_MULTI_TENANT_QUERIES is not set"),
  async run(t) {
    const { first, second } = await t.use(twoTenants);
    const { tenantId, tenantId2 } = t.logsTarget;
    const all = [...first.streams, ...second.streams];
    for (const tenant of [`${tenantId ?? ""}|${tenantId2 ?? ""}`, `${tenantId2 ?? ""}|${tenantId ?? ""}`]) {
      for (const asked of [first, second]) {
        const { differences, sightings } = await t.eventually({
          resource: first.lastWriteAt > second.lastWriteAt ? first : second,
          read: () => t.logs.queryRange({ ...wholeRange(asked), limit: 100 }, { tenant }),
          judge: (exchange) => {
            const { streams, differences: malformed } = streamsOf(exchange, "logs-5.2b");
            return streams === null ? malformed : departures(select(all, { matchers: asked.matchers, filters: [] }), streams, UNION);
          },
        });
        t.judge("logs-5.2b", differences, { sightings });
      }
      if (t.settings.profile !== "smoke") await judgeOtherReads(t, { first, second }, tenant);
    }
  },
});

/** What range queries read of several tenants, metric queries count and the label endpoints list. */
async function judgeOtherReads(t: CheckContext, { first, second }: TwoTenants, tenant: string): Promise<void> {
  const resource = first.lastWriteAt > second.lastWriteAt ? first : second;
  const all = [...first.streams, ...second.streams];
  for (const asked of [first, second]) {
    const expected = countEntries(select(all, { matchers: asked.matchers, filters: [] }));
    const { differences, sightings } = await t.eventually({
      resource,
      read: () =>
        t.logs.query(sumText("count_over_time", { matchers: asked.matchers, filters: [] }, 600), asked.anchor + 300n * 1_000_000_000n, {
          tenant,
        }),
      judge: (exchange): Difference[] => {
        const { samples, differences: malformed } = samplesOf(exchange, "logs-5.2b");
        if (samples === null) return malformed;
        const total = samples.reduce((sum, { value }) => sum + value, 0);
        return total === expected
          ? []
          : [{ clause: "logs-5.2b", path: "data.result", expected: `${expected} entries of both tenants counted`, actual: String(total) }];
      },
    });
    t.judge("logs-5.2b", differences, { sightings });
  }
  const { tenantId, tenantId2 } = t.logsTarget;
  const names = [tenantId, tenantId2].map(nameOf);
  const listing = await t.eventually({
    resource,
    read: () => t.logs.labels({ tenant }),
    judge: (exchange): Difference[] => {
      const { list, differences: malformed } = listOf(exchange, "logs-4.labels");
      if (list === null) return malformed;
      return names
        .filter((name) => !list.includes(name))
        .map((name) => ({ clause: "logs-5.2b", path: "data (label names)", expected: `${name} among the names`, actual: show(list) }));
    },
  });
  t.judge("logs-5.2b", listing.differences, { sightings: listing.sightings });
  const wanted = ["first", "second"].map((owner) => `${owner}-${t.run.runId}`);
  const { differences, sightings } = await t.eventually({
    resource,
    read: () => t.logs.labelValues("svc_size", { tenant }),
    judge: (exchange): Difference[] => {
      const { list, differences: malformed } = listOf(exchange, "logs-4.label-values");
      if (list === null) return malformed;
      return wanted
        .filter((value) => !list.includes(value))
        .map((value) => ({
          clause: "logs-5.2b",
          path: "data (values of svc_size)",
          expected: `${show(value)} among the values`,
          actual: show(list),
        }));
    },
  });
  t.judge("logs-5.2b", differences, { sightings });
}

const UNION: Blame = {
  ...READ_BACK,
  lost: "logs-5.2b",
  extra: "logs-5.2b",
  labels: "logs-5.2b",
  misplaced: "logs-5.2b",
  repeated: "logs-5.2b",
};

export const SEVERAL_TENANT_CHECKS: readonly Check[] = [both];
