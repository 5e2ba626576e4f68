/** docs/2 section 5 rule 2: a request that names several tenants reads all of them. */
import type { Answered } from "../../src/client/exchange.ts";
import type { LogsOverride } from "../../src/client/logs.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { type Blame, departures, READ_BACK } from "../../src/model/log-answer.ts";
import { countEntries, select, type Stream } from "../../src/model/logs.ts";
import { sumText } from "../../src/model/query-text.ts";
import { listOf, samplesOf, streamsOf } from "./answers.ts";
import { logsCheck } from "./check.ts";
import type { Dataset } from "./datasets.ts";
import { wholeRange } from "./reading.ts";
import { nameOf, type TwoTenants, twoTenants } from "./two-tenants.ts";

/** What the tenants of a request have pushed. */
interface Owned {
  readonly streams: readonly Stream[];
  /** Label names that only they have. */
  readonly names: readonly string[];
  /** Values of `svc_size` that only they have. */
  readonly sizes: readonly string[];
}

/** A read, and what is wrong with its answer to whoever owns what; `clause` is blamed for what is missing. */
interface Read {
  readonly read: (override: LogsOverride) => Promise<Answered>;
  readonly judge: (exchange: Answered, owned: Owned, clause: ClauseId | undefined) => readonly Difference[];
}

const both = logsCheck({
  slug: "union",
  title: "a query that lists two tenants reads both, in either order",
  clauses: ["logs-5.2b"],
  unless: ({ logs }) => (logs?.multiTenantQueries === true ? null : "LOGS_MULTI_TENANT_QUERIES is not set"),
  async run(t) {
    const { first, second } = await t.use(twoTenants);
    const { tenantId, tenantId2 } = t.logsTarget;
    const ranges = [first, second].map((asked) => rangeOf(t, asked));
    const others = [...[first, second].map((asked) => countOf(t, asked)), namesOf(t), sizesOf(t)];
    const wrongAlone: Difference[] = [];
    for (const tenant of [`${tenantId ?? ""}|${tenantId2 ?? ""}`, `${tenantId2 ?? ""}|${tenantId ?? ""}`]) {
      for (const read of t.settings.profile === "smoke" ? ranges : [...ranges, ...others]) {
        wrongAlone.push(...(await judgeRead(t, { first, second }, read, tenant)));
      }
    }
    const [wrong] = wrongAlone;
    if (wrong !== undefined)
      return t.inconclusive(
        `precondition: a tenant by itself is answered wrongly already (see ${wrong.clause}): expected ${wrong.expected}, got ${wrong.actual}`,
      );
  },
});

/**
 * Judges what a read shows of both tenants. What it does not show of a tenant by itself is no matter of naming both: that is
 * judged by its own clause and returned.
 */
async function judgeRead(
  t: CheckContext,
  { first, second }: TwoTenants,
  { read, judge }: Read,
  tenant: string,
): Promise<readonly Difference[]> {
  const { tenantId, tenantId2 } = t.logsTarget;
  const owned = [owner(t, first, "first", tenantId), owner(t, second, "second", tenantId2)] as const;
  const together: Owned = {
    streams: owned.flatMap(({ streams }) => streams),
    names: owned.flatMap(({ names }) => names),
    sizes: owned.flatMap(({ sizes }) => sizes),
  };
  const { differences, sightings } = await t.eventually({
    resource: first.lastWriteAt > second.lastWriteAt ? first : second,
    read: () => read({ tenant }),
    judge: (exchange) => judge(exchange, together, "logs-5.2b"),
  });
  if (differences.length > 0) {
    for (const [index, override] of [{}, { tenant: tenantId2 }].entries()) {
      const alone = judge(await read(override), owned[index] ?? together, undefined);
      if (alone.length > 0) {
        t.judge([], alone);
        return alone;
      }
    }
  }
  t.judge("logs-5.2b", differences, { sightings });
  return [];
}

function owner(t: CheckContext, { streams }: Dataset, name: string, tenant: string | null): Owned {
  return { streams, names: [nameOf(tenant)], sizes: [`${name}-${t.run.runId}`] };
}

function rangeOf(t: CheckContext, asked: Dataset): Read {
  return {
    read: (override) => t.logs.queryRange({ ...wholeRange(asked), limit: 100 }, override),
    judge: (exchange, { streams: own }, clause) => {
      const { streams, differences } = streamsOf(exchange, clause);
      const blame: Blame =
        clause === undefined
          ? READ_BACK
          : { ...READ_BACK, lost: clause, extra: clause, labels: clause, misplaced: clause, repeated: clause };
      return streams === null ? differences : departures(select(own, { matchers: asked.matchers, filters: [] }), streams, blame);
    },
  };
}

function countOf(t: CheckContext, { matchers, anchor }: Dataset): Read {
  const query = { matchers, filters: [] };
  return {
    read: (override) => t.logs.query(sumText("count_over_time", query, 600), anchor + 300n * 1_000_000_000n, override),
    judge: (exchange, { streams }, clause) => {
      const { samples, differences } = samplesOf(exchange, clause);
      if (samples === null) return differences;
      const expected = countEntries(select(streams, query));
      const total = samples.reduce((sum, { value }) => sum + value, 0);
      return total === expected
        ? []
        : [{ clause: clause ?? "logs-4.query", path: "data.result", expected: `${expected} entries counted`, actual: String(total) }];
    },
  };
}

function namesOf(t: CheckContext): Read {
  return {
    read: (override) => t.logs.labels(override),
    judge: (exchange, { names }, clause) => judgeList(exchange, "logs-4.labels", names, clause),
  };
}

function sizesOf(t: CheckContext): Read {
  return {
    read: (override) => t.logs.labelValues("svc_size", override),
    judge: (exchange, { sizes }, clause) => judgeList(exchange, "logs-4.label-values", sizes, clause),
  };
}

function judgeList(
  exchange: Answered,
  listed: "logs-4.labels" | "logs-4.label-values",
  wanted: readonly string[],
  clause: ClauseId | undefined,
): Difference[] {
  const { list, differences } = listOf(exchange, listed);
  if (list === null) return differences.map((one) => (one.path === "status" && clause !== undefined ? { ...one, clause } : one));
  return wanted
    .filter((one) => !list.includes(one))
    .map((one) => ({
      clause: clause ?? listed,
      path: listed === "logs-4.labels" ? "data (label names)" : "data (values of svc_size)",
      expected: `${show(one)} in the list`,
      actual: show(list),
    }));
}

export const SEVERAL_TENANT_CHECKS: readonly Check[] = [both];
