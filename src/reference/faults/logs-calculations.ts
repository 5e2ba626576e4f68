/** Faults of calculations in metric queries: two metrics, a metric and a number, offsets, and metrics without an aggregation. */
import type { Behaviour } from "../behaviour.ts";
import {
  type BinaryOperation,
  type Comparison,
  isComparison,
  mapRanges,
  type MetricQuery,
  type Operand,
  type Query,
  type RangeAggregation,
} from "../logql/ast.ts";
import { HOUR_NS } from "../logs/hours.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const METRIC = "logs-4.query";

function operands(query: Query, change: (operation: BinaryOperation) => BinaryOperation): Query {
  const changed = (one: Operand): Operand => (one.kind === "number" ? one : (operands(one, change) as MetricQuery));
  switch (query.kind) {
    case "binary":
      return change({ ...query, left: changed(query.left), right: changed(query.right) });
    case "vector":
    case "picking":
      return { ...query, inner: changed(query.inner) as MetricQuery };
    default:
      return query;
  }
}

function calculated(id: string, sentence: string, change: (operation: BinaryOperation) => BinaryOperation): Fault {
  return fault(METRIC, id, sentence, (base: Behaviour) => ({ parseQuery: (text) => operands(base.parseQuery(text), change) }));
}

/** A server that combines the samples of single streams in another way than other samples. */
function ofStreams(id: string, sentence: string, change: (combine: Behaviour["combine"]) => Behaviour["combine"]): Fault {
  return fault(METRIC, id, sentence, (base: Behaviour) => {
    let isOfStreams = false;
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        isOfStreams = query.kind === "vector" && query.inner.kind === "range";
        return query;
      },
      combine: (operator, values) => (isOfStreams ? change(base.combine) : base.combine)(operator, values),
    };
  });
}

function ranged(id: string, sentence: string, change: (range: RangeAggregation) => RangeAggregation): Fault {
  return fault(METRIC, id, sentence, (base: Behaviour) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      return query.kind === "log" ? query : mapRanges(query, change);
    },
  }));
}

function joinedAggregations(query: Query): Query {
  if (query.kind === "binary")
    return operands(query, (operation) => ({ ...operation, left: joinedOperand(operation.left), right: joinedOperand(operation.right) }));
  if (query.kind !== "vector" || query.inner.kind !== "vector") return query;
  const inner = joinedAggregations(query.inner) as MetricQuery;
  return inner.kind === "vector" && inner.operator === query.operator ? { ...query, inner: inner.inner } : { ...query, inner };
}

function joinedOperand(operand: Operand): Operand {
  return operand.kind === "number" ? operand : (joinedAggregations(operand) as MetricQuery);
}

function innermost(operand: Operand): RangeAggregation | undefined {
  return operand.kind === "vector" ? innermost(operand.inner) : operand.kind === "range" ? operand : undefined;
}

function unsigned(one: Operand): Operand {
  return one.kind === "number" ? { ...one, value: Math.abs(one.value) } : one;
}

const TURNED: Readonly<Record<Comparison, Comparison>> = { "==": "==", "!=": "!=", ">": "<", ">=": "<=", "<": ">", "<=": ">=" };

export const LOGS_CALCULATION_FAULTS: readonly Fault[] = [
  ofStreams(
    "logs-seam-least-of-no-stream",
    "min over single streams counts an empty shard as 0.",
    (combine) => (operator, values) => (operator === "min" ? 0 : combine(operator, values)),
  ),
  ofStreams(
    "logs-seam-average-of-shards",
    "avg over single streams is the average of the averages of two shards.",
    (combine) => (operator, values) =>
      operator === "avg" && values.length > 2
        ? combine("avg", [combine("avg", values.slice(0, 1)), combine("avg", values.slice(1))])
        : combine(operator, values),
  ),

  fault(METRIC, "logs-topk-least", "topk returns the smallest samples of a metric.", (base) => ({
    pickSamples: (operator, samples, count) => base.pickSamples(operator === "topk" ? "bottomk" : operator, samples, count),
  })),
  fault(METRIC, "logs-bytes-rate-of-entries", "bytes_rate returns the rate of entries.", (base) => ({
    aggregateRange: (aggregation, ...given) => base.aggregateRange(aggregation === "bytes_rate" ? "rate" : aggregation, ...given),
  })),
  fault(METRIC, "logs-bytes-rate-in-parts", "bytes_rate over more than an hour is computed from rates of entries.", (base) => ({
    aggregateRange: (aggregation, entries, seconds, ...rest) =>
      base.aggregateRange(aggregation === "bytes_rate" && seconds > 3_600 ? "rate" : aggregation, entries, seconds, ...rest),
  })),
  ranged("logs-offset-in-parts", "If a range of more than an hour is divided, the offset of the query is lost.", (range) =>
    range.rangeNs > HOUR_NS ? { ...range, offsetNs: 0n } : range,
  ),
  fault(METRIC, "logs-count-in-parts", "count of streams over more than an hour counts each stream once for every hour.", (base) => {
    let isLong = false;
    return {
      rangeBefore: (time, rangeNs) => {
        isLong = rangeNs > HOUR_NS;
        return base.rangeBefore(time, rangeNs);
      },
      combine: (operator, values) => base.combine(operator, operator === "count" && isLong ? [...values, ...values] : values),
    };
  }),

  ranged("logs-offset-ignored", "An offset is accepted and ignored.", (range) => ({ ...range, offsetNs: 0n })),
  calculated("logs-ranges-of-operands-shared", "If two operands differ in their range, both use the range of the first.", (operation) => {
    const left = innermost(operation.left);
    if (left === undefined || operation.right.kind === "number") return operation;
    return { ...operation, right: mapRanges(operation.right, (range) => ({ ...range, rangeNs: left.rangeNs })) };
  }),

  calculated("logs-comparison-turned", "A comparison with a number before the metric is evaluated the wrong way round.", (operation) =>
    operation.left.kind === "number" && isComparison(operation.operator)
      ? { ...operation, operator: TURNED[operation.operator] }
      : operation,
  ),
  ...(
    [
      ["at-most", "<=", "<"],
      ["unequal", "!=", ">"],
      ["less", "<", "<="],
    ] as const
  ).map(([id, asked, read]) =>
    calculated(`logs-comparison-${id}`, `The comparison ${asked} of samples is evaluated as ${read}.`, (operation) =>
      operation.operator === asked ? { ...operation, operator: read } : operation,
    ),
  ),
  calculated("logs-sign-of-number-lost", "The sign of numbers in a metric query is ignored.", (operation) => {
    return { ...operation, left: unsigned(operation.left), right: unsigned(operation.right) };
  }),
];
