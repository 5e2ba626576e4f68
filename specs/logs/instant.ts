/** docs/2 section 4, query: metric queries evaluated at one point in time. */
import { lineFilter, matcher, metricQuery, type RelativeMetric } from "../../src/arbitraries/queries.ts";
import type { Answered } from "../../src/client/exchange.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Scope } from "../../src/harness/context.ts";
import type { CaseFinding } from "../../src/harness/property.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import {
  labelKey,
  type Labels,
  type LogQuery,
  type MetricFunction,
  sample,
  select,
  type Stream,
  summed,
  within,
} from "../../src/model/logs.ts";
import { durationText, logQueryText, sumText } from "../../src/model/query-text.ts";
import { type Sample, samplesOf } from "./answers.ts";
import { logsCheck } from "./check.ts";
import type { Dataset } from "./datasets.ts";
import { type Asked, lesser, nearer } from "./asking.ts";
import { grid, GRID_SECONDS, GRID_STEPS } from "./sets.ts";

const SECOND = 1_000_000_000n;
const STEP = BigInt(GRID_SECONDS) * SECOND;

/** The asked time: half a step after a grid point, so that no entry is near an edge of the range. */
function timeOf(dataset: Dataset, at: number): bigint {
  return dataset.anchor + BigInt(at) * STEP + STEP / 2n;
}

/** The streams with the entries in the range that ends at the asked time. */
function inRange(dataset: Dataset, query: LogQuery, { at, steps }: RelativeMetric): Stream[] {
  const time = timeOf(dataset, at);
  return within(select(dataset.streams, query), time - BigInt(steps) * STEP, time);
}

/** Samples are sums of doubles: a relative error of this size is rounding. */
const ROUNDING = 1e-6;

function same(one: number, other: number): boolean {
  return Math.abs(one - other) <= ROUNDING * Math.max(1, Math.abs(one), Math.abs(other));
}

/** Groups by the labels of the set: which labels of its own a service adds to a sample is not stated. */
function judgeSamples(
  samples: readonly Sample[],
  expected: ReadonlyMap<string, { labels: Labels; value: number }>,
  { streams }: Dataset,
): Difference[] {
  const pushed = new Set(streams.flatMap(({ labels }) => Object.keys(labels)));
  const differences: Difference[] = [];
  const seen = new Set<string>();
  for (const [index, { metric, value }] of samples.entries()) {
    const key = labelKey(Object.fromEntries(Object.entries(metric).filter(([name]) => pushed.has(name))));
    const wanted = expected.get(key);
    if (wanted === undefined) {
      // A sum over nothing may be answered with 0.
      if (value !== 0)
        differences.push({
          clause: "logs-4.query",
          path: `data.result[${index}].metric`,
          expected: `one of the groups ${groupsText(expected)}`,
          actual: show(metric),
        });
    } else if (!same(wanted.value, value)) {
      differences.push({
        clause: "logs-4.query",
        path: `data.result[${index}].value[1]`,
        expected: `${wanted.value} for ${show(metric)}`,
        actual: show(value),
      });
    }
    if (seen.has(key))
      differences.push({ clause: "logs-4.query", path: `data.result[${index}].metric`, expected: "each group once", actual: show(metric) });
    seen.add(key);
  }
  for (const [key, { labels, value }] of expected) {
    if (!seen.has(key) && value !== 0)
      differences.push({
        clause: "logs-4.query",
        path: "data.result",
        expected: `a sample ${value} for ${show(labels)}`,
        actual: "no such sample",
      });
  }
  return differences;
}

function groupsText(expected: ReadonlyMap<string, { labels: Labels }>): string {
  return expected.size === 0 ? "none" : [...expected.values()].map(({ labels }) => show(labels)).join(", ");
}

/** Un-aggregated results may come split, so only their sum is compared. */
function judgeTotal(samples: readonly Sample[], expected: number): Difference[] {
  const total = samples.reduce((sum, { value }) => sum + value, 0);
  return same(total, expected)
    ? []
    : [
        {
          clause: "logs-4.query",
          path: "data.result",
          expected: `samples that add up to ${expected}`,
          actual: `${total} in ${samples.length} samples`,
        },
      ];
}

const UNITS_NS: readonly number[] = [1e9, 1e6, 1e3, 1];

/** The unit of the returned timestamp is not stated, so it must stand for the asked time in one of them. */
function stands(timestamp: number, time: bigint): boolean {
  return UNITS_NS.some((unit) => Math.abs(timestamp * unit - Number(time)) <= 1e9);
}

function judgeTimestamp(samples: readonly Sample[], time: bigint): Difference[] {
  return samples.flatMap(({ timestamp }, index) => {
    return stands(Number(timestamp), time)
      ? []
      : [
          {
            clause: "logs-4.query",
            path: `data.result[${index}].value[0]`,
            expected: `the asked time ${time} in some unit`,
            actual: show(timestamp),
          } satisfies Difference,
        ];
  });
}

/** The pair the other way round: what stands first is the sample, what stands second is the asked time. */
function judgeSwapped(samples: readonly Sample[], time: bigint): Difference[] {
  const swapped = samples.filter(({ timestamp, value }) => stands(value, time) && !stands(Number(timestamp), time));
  return swapped.map(({ timestamp, value }) => ({
    clause: "logs-2.instant-result",
    path: "data.result[].value",
    expected: "a pair of the timestamp and the sample value",
    actual: `the sample first: ${show([timestamp, value])}`,
  }));
}

function metricText(dataset: Dataset, input: RelativeMetric): string {
  const query = { matchers: [...dataset.matchers, ...input.matchers], filters: input.filters };
  const seconds = input.steps * GRID_SECONDS;
  return input.aggregated
    ? sumText(input.metric, query, seconds, input.by)
    : `${input.metric}(${logQueryText(query)}[${durationText(seconds)}])`;
}

async function evaluate(scope: Scope, dataset: Dataset, input: RelativeMetric): Promise<CaseFinding> {
  const seconds = input.steps * GRID_SECONDS;
  const streams = inRange(dataset, input, input);
  const total = streams.reduce((sum, { entries }) => sum + sample(input.metric, entries, seconds), 0);
  const groups = summed(input.metric, streams, seconds, input.by);
  const time = timeOf(dataset, input.at);
  const { differences, sightings } = await scope.eventually({
    resource: dataset,
    read: () => scope.logs.query(metricText(dataset, input), time),
    judge: (exchange) => {
      const { samples, differences: malformed } = samplesOf(exchange);
      if (samples === null) return malformed;
      const swapped = judgeSwapped(samples, time);
      if (swapped.length > 0) return swapped;
      return [
        ...(input.aggregated ? judgeSamples(samples, groups, dataset) : judgeTotal(samples, total)),
        ...judgeTimestamp(samples, time),
      ];
    },
  });
  const asked: Asked = {
    matchers: input.matchers,
    filters: input.filters,
    window: { start: time - BigInt(input.steps) * STEP, end: time },
  };
  // Where a range query over the same window is answered wrongly, the metric query follows from it.
  return nearer(scope, dataset, [...lesser(dataset, asked), asked], { differences, sightings });
}

const values = logsCheck({
  slug: "values",
  title: "count_over_time, rate and bytes_over_time have the value of the entries in their range",
  clauses: ["logs-4.query"],
  async run(t) {
    const dataset = await t.use(grid);
    await t.property({
      arbitrary: metricQuery(
        ["svc_colour", "svc_size"],
        matcher("svc_colour", ["red", "blue", "dense"]),
        lineFilter(["error", "größe"], ["日本", "xx"]),
        GRID_STEPS,
      ),
      clauses: ["logs-4.query"],
      cases: t.pick({ smoke: 3, release: 40, nightly: 400 }),
      minimum: t.pick({ smoke: 3, release: 40, nightly: 40 }),
      overlap: 4,
      run: (input, scope) => evaluate(scope, dataset, input),
      print: (input) => ({ query: metricText(dataset, input), time: timeOf(dataset, input.at) }),
    });
  },
});

function functionCheck(metric: MetricFunction): Check {
  return logsCheck({
    slug: metric,
    title: `${metric} is evaluated at the asked time, plain, summed and grouped`,
    clauses: ["logs-4.query"],
    async run(t) {
      const dataset = await t.use(grid);
      const base = { metric, steps: 6, by: [], matchers: [], filters: [], aggregated: true } as const;
      const inputs: readonly RelativeMetric[] = [
        { ...base, at: 12 },
        { ...base, at: 20 },
        { ...base, at: 20, by: ["svc_colour"] },
        { ...base, at: 20, steps: 15, filters: [{ operator: "|=", text: "error" }] },
        { ...base, at: 15, aggregated: false },
        { ...base, at: 20, matchers: [{ name: "svc_colour", operator: "=~", value: "red|blue" }] },
        { ...base, at: 20, matchers: [{ name: "svc_colour", operator: "!=", value: "dense" }] },
        // All of the set, from longer ago than ten minutes.
        { ...base, at: 86, steps: 87 },
      ];
      for (const input of t.settings.profile === "smoke" ? inputs.slice(1, 2) : inputs) {
        const { differences, sightings } = await evaluate(t, dataset, input);
        t.judge("logs-4.query", differences, {
          sightings: sightings ?? [],
          input: { value: { query: metricText(dataset, input), time: timeOf(dataset, input.at) }, note: "metric query" },
        });
      }
    },
  });
}

const shape = logsCheck({
  slug: "shape",
  title: "an instant result is a list of objects with metric and a pair of timestamp and sample string",
  clauses: ["logs-2.instant-result"],
  async run(t) {
    const dataset = await t.use(grid);
    const answers: Answered[] = [];
    const by = t.settings.profile === "smoke" ? [[]] : [[], ["svc_colour"]];
    const found: Difference[] = [];
    for (const grouping of by) {
      const exchange = await t.logs.query(
        sumText("count_over_time", { matchers: dataset.matchers, filters: [] }, 100, grouping),
        timeOf(dataset, 15),
      );
      answers.push(exchange);
      found.push(...samplesOf(exchange).differences);
    }
    t.judge("logs-2.instant-result", found, { exchanges: answers });
  },
});

export const INSTANT_CHECKS: readonly Check[] = [
  functionCheck("count_over_time"),
  functionCheck("rate"),
  functionCheck("bytes_over_time"),
  values,
  shape,
];
