/** Generates nested metric queries: sums, aggregations of sums, calculations with a number, and calculations with two nested queries. */
import fc from "fast-check";
import type { Matcher, MetricFunction } from "../model/logs.ts";
import type { Aggregate, Operator } from "../model/samples.ts";

export interface SumTree {
  readonly kind: "sum";
  readonly metric: MetricFunction;
  /** The length of the range of the metric query, in steps of the dataset. */
  readonly steps: number;
  readonly by: readonly string[];
  readonly matchers: readonly Matcher[];
}

export type MetricTree =
  | SumTree
  | { readonly kind: "aggregate"; readonly aggregate: Aggregate; readonly by: readonly string[]; readonly of: MetricTree }
  | {
      readonly kind: "number";
      readonly operator: Operator;
      readonly number: number;
      /** True if the number is the left operand. */
      readonly before: boolean;
      readonly of: MetricTree;
    }
  /** A calculation with two queries, `left` and `right`, whose samples have the same labels. */
  | { readonly kind: "pair"; readonly operator: Operator; readonly left: MetricTree; readonly right: MetricTree };

/** A nested query and its time, in steps of the dataset. */
export interface AskedTree {
  readonly at: number;
  readonly tree: MetricTree;
}

/** The dataset of the query. Each stream has entries in each period of `least` steps. */
interface Ground {
  readonly labels: readonly string[];
  readonly matching: fc.Arbitrary<readonly Matcher[]>;
  readonly least: number;
  readonly most: number;
}

function sumTree({ matching, least, most }: Ground, by: readonly string[]): fc.Arbitrary<MetricTree> {
  return fc.record({
    kind: fc.constant("sum" as const),
    metric: fc.constantFrom<MetricFunction>("count_over_time", "rate", "bytes_over_time"),
    steps: fc.integer({ min: least, max: most }),
    by: fc.constant(by),
    matchers: matching,
  });
}

/** Generates a nested metric query that groups by the labels in `by`. The query never divides by a value that can be zero. */
function treeBy(ground: Ground, by: readonly string[], depth: number): fc.Arbitrary<MetricTree> {
  const sum = sumTree(ground, by);
  if (depth === 0) return sum;
  const inner = treeBy(ground, by, depth - 1);
  const finer = fc.subarray(ground.labels.filter((name) => !by.includes(name))).map((more) => [...by, ...more]);
  const aggregate = fc.record({
    kind: fc.constant("aggregate" as const),
    aggregate: fc.constantFrom<Aggregate>("sum", "min", "max", "avg", "count"),
    by: fc.constant(by),
    of: finer.chain((labels) => treeBy(ground, labels, depth - 1)),
  });
  const number = fc.record({
    kind: fc.constant("number" as const),
    number: fc.constantFrom(2, 3, 7, 10, 0.5, 100),
    of: inner,
    operator: fc.constantFrom<Operator>("+", "-", "*"),
    before: fc.boolean(),
  });
  const divided = number.map((one) => ({ ...one, operator: "/" as const, before: false }));
  const pair = fc.oneof(
    fc.record({ kind: fc.constant("pair" as const), operator: fc.constantFrom<Operator>("+", "-", "*"), left: inner, right: inner }),
    fc.record({ kind: fc.constant("pair" as const), operator: fc.constant("/" as const), left: inner, right: sum }),
  );
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: sum },
    { weight: 4, arbitrary: aggregate },
    { weight: 1, arbitrary: number },
    { weight: 1, arbitrary: divided },
    { weight: 4, arbitrary: pair },
  );
}

/** Generates metric queries that are nested at most `depth` deep. */
export function metricTree(ground: Ground, depth: number): fc.Arbitrary<AskedTree> {
  return fc.record({
    at: fc.integer({ min: ground.least, max: ground.most }),
    tree: fc.subarray([...ground.labels]).chain((by) => treeBy(ground, by, depth)),
  });
}
