/** Faults of calculations in metric queries: two metrics, a metric and a number, offsets, and metrics without an aggregation. */
import type { Behaviour } from "../behaviour.ts";
import { type BinaryOperation, mapRanges, type MetricQuery, type Operand, type Query, type RangeAggregation } from "../logql/ast.ts";
import { HOUR_NS } from "../logs/hours.ts";
import { broken, faultsOf, type Row, wrongResult } from "./define.ts";
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

function calculated(sentence: string, change: (operation: BinaryOperation) => BinaryOperation): Row {
  return broken({ clause: METRIC, sentence }, (base: Behaviour) => ({ parseQuery: (text) => operands(base.parseQuery(text), change) }));
}

function ranged(sentence: string, change: (range: RangeAggregation) => RangeAggregation): Row {
  return wrongResult("parseQuery", { clause: METRIC, sentence }, (query) => (query.kind === "log" ? query : mapRanges(query, change)));
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

export const LOGS_CALCULATION_FAULTS: readonly Fault[] = faultsOf("logs-4.query", {
  "logs-offset-in-parts": ranged("If a range of more than an hour is divided, the offset of the query is lost.", (range) =>
    range.rangeNs > HOUR_NS ? { ...range, offsetNs: 0n } : range,
  ),
  "logs-offset-ignored": ranged("An offset is accepted and ignored.", (range) => ({ ...range, offsetNs: 0n })),
  "logs-ranges-of-operands-shared": calculated("If two operands differ in their range, both use the range of the first.", (operation) => {
    const left = innermost(operation.left);
    if (left === undefined || operation.right.kind === "number") return operation;
    return { ...operation, right: mapRanges(operation.right, (range) => ({ ...range, rangeNs: left.rangeNs })) };
  }),
  "logs-comparison-at-most": calculated("The comparison <= of samples is evaluated as <.", (operation) =>
    operation.operator === "<=" ? { ...operation, operator: "<" } : operation,
  ),
  "logs-quotient-turned": calculated("The quotient of two metrics is evaluated the wrong way round.", (operation) =>
    operation.operator === "/" && operation.left.kind !== "number" && operation.right.kind !== "number"
      ? { ...operation, left: operation.right, right: operation.left }
      : operation,
  ),
});
