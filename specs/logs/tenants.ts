/** docs/2 section 5 rule 2: each tenant sees its own data only. */
import type { LogsOverride } from "../../src/client/logs.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { type AnsweredStream, type Blame, departures, READ_BACK } from "../../src/model/log-answer.ts";
import { type MetricFunction, sample, select } from "../../src/model/logs.ts";
import { durationText, logQueryText, sumText } from "../../src/model/query-text.ts";
import type { Settings } from "../../src/settings/types.ts";
import { listOf, samplesOf, streamsOf } from "./answers.ts";
import { hello, logsCheck } from "./check.ts";
import { type Dataset, stored } from "./datasets.ts";
import { visible, wholeRange } from "./reading.ts";
import { nameOf, twoTenants } from "./two-tenants.ts";

const secondTenant = ({ logs }: Settings): string | null =>
  logs === null || logs.tenantId2 === null ? "LOGS_TENANT_ID_2 is not set" : null;

function other(t: CheckContext): LogsOverride {
  return { tenant: t.logsTarget.tenantId2 };
}

const isolation = logsCheck({
  slug: "isolated-queries",
  title: "a range query of one tenant never shows another's entries",
  clauses: ["logs-5.2a"],
  unless: secondTenant,
  async run(t) {
    const { first, second } = await t.use(twoTenants);
    for (const [mine, override, theirs] of [
      [first, {}, second],
      [second, other(t), first],
    ] as const) {
      const foreign = new Set(theirs.streams.flatMap(({ entries }) => entries.map(({ line }) => line)));
      // Both sets may have one name or two: the tenant asks for its own and for the other's.
      for (const asked of t.pick({ smoke: [theirs], release: [mine, theirs], nightly: [mine, theirs] })) {
        const expected = select(mine.streams, { matchers: asked.matchers, filters: [] });
        const { value } = await t.eventually({
          resource: mine,
          read: () => t.logs.queryRange(wholeRange(asked), override),
          judge: (exchange) => departures(expected, streamsOf(exchange).streams ?? [], ISOLATION),
        });
        const { streams, differences } = streamsOf(value);
        if (streams === null) {
          t.judge([], differences);
          return t.inconclusive("precondition: a range query is not answered as documented");
        }
        t.judge("logs-5.2a", leaks(streams, foreign), { exchanges: t.exchanges.slice(-1) });
      }
      if (t.settings.profile !== "smoke") await judgeNarrowReads(t, theirs, override, foreign);
    }
  },
});

/** Reads that a server may answer in another way than a plain one: with a line filter, and with a limit of one. */
async function judgeNarrowReads(t: CheckContext, theirs: Dataset, override: LogsOverride, foreign: ReadonlySet<string>): Promise<void> {
  const owner = theirs.streams[0]?.entries[0]?.line.split(" ")[0] ?? "";
  const query = logQueryText({ matchers: theirs.matchers, filters: [{ operator: "|=", text: owner }] });
  for (const changed of [{ query }, { limit: 1, direction: "forward" }, { limit: 1, direction: "backward" }] as const) {
    const exchange = await t.logs.queryRange({ ...wholeRange(theirs), ...changed }, override);
    t.judge("logs-5.2a", leaks(streamsOf(exchange).streams ?? [], foreign), { exchanges: [exchange] });
  }
}

/** The entries of an answer whose lines only the other tenant pushed. */
function leaks(streams: readonly AnsweredStream[], foreign: ReadonlySet<string>): Difference[] {
  const leaked = streams.flatMap(({ entries }) => entries.filter(({ line }) => foreign.has(line)));
  return leaked.length === 0
    ? []
    : [
        {
          clause: "logs-5.2a",
          path: "data.result",
          expected: "only the tenant's own entries",
          actual: `also ${leaked.length} of the other tenant, first ${show(leaked[0]?.line)}`,
        },
      ];
}

const ISOLATION: Blame = { ...READ_BACK, lost: "logs-5.2a", extra: "logs-5.2a", labels: "logs-5.2a" };

const TENANT_SECONDS = 600;
/** Samples are sums of doubles: a relative error of this size is rounding. */
const ROUNDING = 1e-6;

/** Metric functions, summed over all streams or not. */
const METRICS = [
  ["count_over_time", true],
  ["count_over_time", false],
  ["rate", true],
  ["bytes_over_time", true],
] as const satisfies readonly (readonly [MetricFunction, boolean])[];

type MetricKind = (typeof METRICS)[number];

/** What a metric function comes to over all entries of a set. */
function amount(metric: MetricFunction, { streams }: Dataset): number {
  return streams.reduce((sum, { entries }) => sum + sample(metric, entries, TENANT_SECONDS), 0);
}

/** A metric query over all of a set, as the tenant of `override`: its samples added up, or what is wrong with their form. */
async function total(
  t: CheckContext,
  { matchers, anchor }: Dataset,
  [metric, summed]: MetricKind,
  override: LogsOverride,
): Promise<{ total: number | null; malformed: readonly Difference[] }> {
  const query = { matchers, filters: [] };
  const text = summed ? sumText(metric, query, TENANT_SECONDS) : `${metric}(${logQueryText(query)}[${durationText(TENANT_SECONDS)}])`;
  const { samples, differences } = samplesOf(await t.logs.query(text, anchor + 300n * 1_000_000_000n, override));
  return { total: samples === null ? null : samples.reduce((sum, { value }) => sum + value, 0), malformed: differences };
}

/** What is wrong with a metric function over a set that only one tenant has: then it is not another tenant that is counted. */
async function wrongFunction(t: CheckContext, kind: MetricKind): Promise<readonly Difference[]> {
  const control = await visible(t, stored(await t.use(hello)));
  const expected = amount(kind[0], control);
  const { differences } = await t.eventually({
    resource: control,
    read: () => total(t, control, kind, {}),
    judge: ({ total: all, malformed }): readonly Difference[] =>
      all === null || Math.abs(all - expected) <= expected * ROUNDING
        ? malformed
        : [{ clause: "logs-4.query", path: "data.result", expected: `${expected}, the ${kind[0]} of a set`, actual: String(all) }],
  });
  return differences;
}

const isolatedMetrics = logsCheck({
  slug: "isolated-metrics",
  title: "a metric query of one tenant never counts another's entries",
  clauses: ["logs-5.2a"],
  profiles: ["release", "nightly"],
  unless: secondTenant,
  async run(t) {
    const { first, second } = await t.use(twoTenants);
    for (const kind of METRICS) {
      for (const [mine, override, theirs] of [
        [first, {}, second],
        [second, other(t), first],
      ] as const) {
        const own = amount(kind[0], mine);
        const { differences, sightings } = await t.eventually({
          resource: mine,
          read: () => total(t, theirs, kind, override),
          judge: ({ total: all, malformed }): readonly Difference[] =>
            all === null || all <= own * (1 + ROUNDING)
              ? malformed
              : [
                  {
                    clause: "logs-5.2a",
                    path: "data.result",
                    expected: `at most ${own}, the ${kind[0]} of the tenant's own ${mine.entries} entries`,
                    actual: String(all),
                  },
                ],
        });
        const wrong = differences.length === 0 ? [] : await wrongFunction(t, kind);
        if (wrong.length > 0) {
          t.judge([], wrong);
          return t.inconclusive(`precondition: ${kind[0]} is answered wrongly for a set that only one tenant has (see logs-4.query)`);
        }
        t.judge("logs-5.2a", differences, { sightings });
      }
    }
  },
});

const isolatedLabels = logsCheck({
  slug: "isolated-labels",
  title: "label names and values of one tenant never show another's",
  clauses: ["logs-5.2a"],
  profiles: ["release", "nightly"],
  unless: secondTenant,
  async run(t) {
    await t.use(twoTenants);
    const { runId } = t.run;
    for (const [override, foreign] of [
      [{}, "second"],
      [other(t), "first"],
    ] as const) {
      const values = listOf(await t.logs.labelValues("svc_size", override), "logs-4.label-values");
      t.judge("logs-5.2a", [...values.differences, ...leakedFrom(values.list, `${foreign}-${runId}`, "values of svc_size")]);
    }
    // Label names are for ever, so a name tells tenants apart only where one tenant never used it.
    const firstNames = listOf(await t.logs.labels(), "logs-4.labels");
    const secondNames = listOf(await t.logs.labels(other(t)), "logs-4.labels");
    const { tenantId, tenantId2 } = t.logsTarget;
    t.judge("logs-5.2a", [
      ...leakedFrom(firstNames.list, nameOf(tenantId2), "label names"),
      ...leakedFrom(secondNames.list, nameOf(tenantId), "label names"),
    ]);
  },
});

function leakedFrom(list: readonly string[] | null, foreign: string, where: string): Difference[] {
  return list?.includes(foreign) === true
    ? [
        {
          clause: "logs-5.2a",
          path: `data (${where})`,
          expected: "only what the tenant itself pushed",
          actual: `${show(foreign)} of the other tenant`,
        },
      ]
    : [];
}

export const TENANT_CHECKS: readonly Check[] = [isolation, isolatedMetrics, isolatedLabels];
