/** Defines queries of the log query language as data. */

export type MatchOperator = "=" | "!=" | "=~" | "!~";
export type FilterOperator = "|=" | "!=" | "|~" | "!~";

/** A matcher, which tests the value of a label. For the two operators with regular expressions, `regex` is compiled from `value`. */
export interface Matcher {
  readonly name: string;
  readonly operator: MatchOperator;
  readonly value: string;
  readonly regex?: RegExp;
}

/** A line filter, which tests a line. For the two operators with regular expressions, `regex` is compiled from `text`. */
export interface LineFilter {
  readonly operator: FilterOperator;
  readonly text: string;
  readonly regex?: RegExp;
  /** The further texts of the same line filter, which follow after `or`. */
  readonly others?: readonly LineFilter[];
}

export interface LogQuery {
  readonly kind: "log";
  readonly matchers: readonly Matcher[];
  readonly filters: readonly LineFilter[];
}

export const RANGE_FUNCTIONS = ["rate", "count_over_time", "bytes_over_time", "bytes_rate"] as const;
export type RangeFunction = (typeof RANGE_FUNCTIONS)[number];

export interface RangeAggregation {
  readonly kind: "range";
  readonly function: RangeFunction;
  readonly query: LogQuery;
  readonly rangeNs: bigint;
  /** The time between the end of the range and the time of the query, in nanoseconds. */
  readonly offsetNs: bigint;
}

export const VECTOR_OPERATORS = ["sum", "avg", "min", "max", "count"] as const;
export type VectorOperator = (typeof VECTOR_OPERATORS)[number];

export interface Grouping {
  readonly kind: "by" | "without";
  readonly labels: readonly string[];
  /** Whether the grouping, such as `by (app)`, follows the operand. Otherwise it precedes the operand. */
  readonly behind: boolean;
}

/** The operators that select some of the samples and keep their values. */
export const PICKING_OPERATORS = ["topk", "bottomk"] as const;
export type PickingOperator = (typeof PICKING_OPERATORS)[number];

/** An aggregation with topk or bottomk: it selects the given number of greatest or least samples of each group. */
export interface Picking {
  readonly kind: "picking";
  readonly operator: PickingOperator;
  readonly count: number;
  readonly grouping?: Grouping;
  readonly inner: MetricQuery;
}

export interface VectorAggregation {
  readonly kind: "vector";
  readonly operator: VectorOperator;
  /** The grouping of the aggregation. Without `grouping`, all samples form a single group without labels. */
  readonly grouping?: Grouping;
  readonly inner: MetricQuery;
}

export type SetOperator = "or" | "and" | "unless";
export type Comparison = "==" | "!=" | ">" | ">=" | "<" | "<=";
export type Calculation = "+" | "-" | "*" | "/" | "%" | "^";
export type BinaryOperator = SetOperator | Comparison | Calculation;

/** The binary operators by precedence. Operators with a lower precedence come first. */
export const BINARY_LEVELS: readonly (readonly BinaryOperator[])[] = [
  ["or"],
  ["and", "unless"],
  ["==", "!=", ">", ">=", "<", "<="],
  ["+", "-"],
  ["*", "/", "%"],
  ["^"],
];

export function isSetOperator(operator: BinaryOperator): operator is SetOperator {
  return ["or", "and", "unless"].includes(operator);
}

export function isComparison(operator: BinaryOperator): operator is Comparison {
  return ["==", "!=", ">", ">=", "<", "<="].includes(operator);
}

export interface NumberLiteral {
  readonly kind: "number";
  readonly value: number;
}

export type Operand = MetricQuery | NumberLiteral;

/** A calculation with two metric queries (samples with equal labels are combined), or with a metric query and a number. */
export interface BinaryOperation {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Operand;
  readonly right: Operand;
  /** True if the comparison has `bool`: it then returns 1 or 0, and does not select samples. */
  readonly bool?: true;
}

export type MetricQuery = RangeAggregation | VectorAggregation | Picking | BinaryOperation;
export type Query = LogQuery | MetricQuery;

/** Returns the log queries inside a query, one for each operand. */
export function logQueriesOf(query: Query | NumberLiteral): readonly LogQuery[] {
  switch (query.kind) {
    case "number":
      return [];
    case "log":
      return [query];
    case "range":
      return [query.query];
    case "vector":
    case "picking":
      return logQueriesOf(query.inner);
    case "binary":
      return [...logQueriesOf(query.left), ...logQueriesOf(query.right)];
  }
}

export function mapRanges(query: MetricQuery, change: (range: RangeAggregation) => RangeAggregation): MetricQuery {
  switch (query.kind) {
    case "range":
      return change(query);
    case "vector":
    case "picking":
      return { ...query, inner: mapRanges(query.inner, change) };
    case "binary": {
      const mapped = (operand: Operand): Operand => (operand.kind === "number" ? operand : mapRanges(operand, change));
      return { ...query, left: mapped(query.left), right: mapped(query.right) };
    }
  }
}
