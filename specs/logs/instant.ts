/** Section 4, query: metric queries evaluated at one point in time. */
import fc from "fast-check";
import { list } from "../../src/arbitraries/lists.ts";
import { lineFilter, matcher, metricQuery, passable, type RelativeMetric } from "../../src/arbitraries/queries.ts";
import type { Check } from "../../src/harness/check.ts";
import type { MetricFunction } from "../../src/model/logs.ts";
import type { Dataset } from "../../src/world/logs/datasets.ts";
import { type MetricAsked, metricText, metricTrial } from "../../src/world/logs/metrics.ts";
import { sampleShape } from "../../src/world/logs/shapes.ts";
import { grid, GRID_SECONDS, GRID_STEPS } from "../../src/world/logs/sets.ts";
import { logsCheck } from "./check.ts";

const STEP = BigInt(GRID_SECONDS) * 1_000_000_000n;

/** The asked time lies half a step after a grid point, so that no entry is near an edge of the range. */
function onGrid(dataset: Dataset, { metric, at, steps, by, aggregated, matchers, filters }: RelativeMetric): MetricAsked {
  const end = dataset.anchor + BigInt(at) * STEP + STEP / 2n;
  return { metric, window: { start: end - BigInt(steps) * STEP, end }, by: aggregated ? by : null, matchers, filters };
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
        passable(list(lineFilter(["error", "größe"], ["日本", "xx"]), fc.nat({ max: 2 }), 0), dataset.streams),
        GRID_STEPS,
      ),
      cases: t.pick({ smoke: 3, release: 12, nightly: 400 }),
      minimum: t.pick({ smoke: 3, release: 12, nightly: 18 }),
      overlap: 4,
      trial: (input) => metricTrial(dataset, onGrid(dataset, input)),
      print: (input) => ({ query: metricText(dataset, onGrid(dataset, input)), time: onGrid(dataset, input).window.end }),
    });
  },
});

const BASE = { steps: 6, by: [], matchers: [], filters: [], aggregated: true } as const;

const EACH: readonly Omit<RelativeMetric, "metric">[] = [
  { ...BASE, at: 20 },
  { ...BASE, at: 12 },
  { ...BASE, at: 20, by: ["svc_colour"] },
  { ...BASE, at: 20, steps: 15, filters: [{ operator: "|=", text: "error" }] },
  { ...BASE, at: 15, aggregated: false },
  { ...BASE, at: 20, matchers: [{ name: "svc_colour", operator: "=~", value: "red|blue" }] },
  { ...BASE, at: 20, matchers: [{ name: "svc_colour", operator: "!=", value: "dense" }] },
  // All of the set, from longer ago than ten minutes.
  { ...BASE, at: 46, steps: 90 },
];

function functionCheck(metric: MetricFunction): Check {
  return logsCheck({
    slug: metric,
    title: `${metric} is evaluated at the asked time, plain, summed and grouped`,
    clauses: ["logs-4.query"],
    async run(t) {
      const dataset = await t.use(grid);
      for (const asked of t.profile === "smoke" ? EACH.slice(0, 1) : EACH)
        await t.verify(metricTrial(dataset, onGrid(dataset, { metric, ...asked })));
    },
  });
}

const shape = logsCheck({
  slug: "shape",
  title: "an instant result is a list of objects with metric and a pair of timestamp and sample string",
  clauses: ["logs-2.instant-result"],
  async run(t) {
    const dataset = await t.use(grid);
    for (const by of t.profile === "smoke" ? [[]] : [[], ["svc_colour"]]) await t.verify(sampleShape(dataset, by));
  },
});

export const INSTANT_CHECKS: readonly Check[] = [
  functionCheck("count_over_time"),
  functionCheck("rate"),
  functionCheck("bytes_over_time"),
  values,
  shape,
];
