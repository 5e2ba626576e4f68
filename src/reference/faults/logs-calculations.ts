/** Faults of calculations in metric queries, and of less usual parts of the query language: `or` in line filters, and comments. */
import { type BinaryOperation, mapRanges, type MetricQuery, type Operand, type Query, type RangeAggregation } from "../logql/ast.ts";
import { HOUR_NS } from "../logs/hours.ts";
import { faultsOf, type Row, wrongInput, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

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
  return wrongResult("parseQuery", sentence, (query) => operands(query, change));
}

function ranged(sentence: string, change: (range: RangeAggregation) => RangeAggregation): Row {
  return wrongResult("parseQuery", sentence, (query) => (query.kind === "log" ? query : mapRanges(query, change)));
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

export const LOGS_FORM_FAULTS: readonly Fault[] = faultsOf("logs-4.3", {
  "logs-filter-or-first": wrongInput(
    "filterLine",
    "If a line filter has several texts, only the first is applied.",
    ({ others: _others, ...filter }, line, index) => [filter, line, index],
  ),
  "logs-comment-to-the-end": wrongInput("parseQuery", "A comment reaches to the end of the query.", (text) => [
    text.replace(/ # [\s\S]*$/u, ""),
  ]),
});
