/** Section 4, query: metric queries evaluated at one point in time. */
import fc from "fast-check";
import { type AskedTree, metricTree, type SumTree } from "../../src/arbitraries/metric-trees.ts";
import type { Check } from "../../src/harness/check.ts";
import type { LineFilter, Matcher, MetricFunction } from "../../src/model/logs.ts";
import { type Combined, timeOf } from "../../src/queries/metric-expressions.ts";
import { type Dataset, colour } from "../../src/datasets/datasets.ts";
import { type MetricAsked, sampleShape } from "../../src/queries/metrics.ts";
import { treeForm, whereTaken } from "../../src/queries/metric-self-consistency.ts";
import { grid, GRID_SECONDS, GRID_STEPS } from "../../src/datasets/shared-datasets.ts";
import { logsCheck } from "./check.ts";

const STEP = BigInt(GRID_SECONDS) * 1_000_000_000n;

interface RelativeMetric {
  readonly metric: MetricFunction;
  /** The length of the range, in steps of the grid. */
  readonly steps: number;
  /** The time of the query after the anchor, in steps of the grid. Half a step is added to this time. */
  readonly at: number;
  readonly by: readonly string[];
  readonly aggregated: boolean;
  readonly matchers: readonly Matcher[];
  readonly filters: readonly LineFilter[];
}

/** Returns a metric query whose time is half a step after a grid point, so that no entry is near an edge of the range. */
function onGrid(dataset: Dataset, { metric, at, steps, by, aggregated, matchers, filters }: RelativeMetric): MetricAsked {
  const end = dataset.anchor + BigInt(at) * STEP + STEP / 2n;
  return { metric, window: { start: end - BigInt(steps) * STEP, end }, by: aggregated ? by : null, matchers, filters };
}

/** The number of grid steps in which each stream has entries. */
const LEAST_STEPS = 4;

/** The tree subtracts the count of the newest part from the count of the whole range. */
const LESS_THE_NEWEST: AskedTree = { at: 40, tree: { kind: "pair", operator: "-", left: countOver(30), right: countOver(6) } };

function countOver(steps: number): SumTree {
  return { kind: "sum", metric: "count_over_time", steps, by: ["svc_colour"], matchers: [] };
}

const trees = logsCheck({
  slug: "trees",
  title: "if a nested metric query is accepted, its samples equal the samples that are computed from its inner sums",
  clauses: ["logs-4.query"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(grid);
    const formOf = ({ at, tree }: AskedTree): Combined =>
      treeForm(dataset, tree, (sum) => onGrid(dataset, { ...sum, at, aggregated: true, filters: [] }));
    await t.verify(whereTaken(dataset, formOf(LESS_THE_NEWEST)));
    const colours = fc.constantFrom<readonly Matcher[]>([], [], [colour("!=", "dense")]);
    await t.property({
      arbitrary: metricTree({ labels: ["svc_colour", "svc_size"], matching: colours, least: LEAST_STEPS, most: GRID_STEPS }, 2),
      cases: t.pick({ smoke: 0, release: 10, nightly: 200 }),
      minimum: 8,
      overlap: 4,
      assertion: (input) => whereTaken(dataset, formOf(input)),
      print: (input) => ({ query: formOf(input).text, time: timeOf(formOf(input)) }),
    });
  },
});

const shape = logsCheck({
  slug: "shape",
  title: "the result of an instant query is a list of objects with metric and value, and value is a pair of timestamp and sample string",
  clauses: ["logs-2.instant-result"],
  async run(t) {
    const dataset = await t.use(grid);
    for (const by of t.profile === "smoke" ? [[]] : [[], ["svc_colour"]]) await t.verify(sampleShape(dataset, by));
  },
});

export const INSTANT_CHECKS: readonly Check[] = [trees, shape];
