/** Queries of the log query language as data. */

export type MatchOperator = "=" | "!=" | "=~" | "!~";
export type FilterOperator = "|=" | "!=" | "|~" | "!~";

/** A test of one label; `regex` is compiled from `value` for the two regular expression operators. */
export interface Matcher {
  readonly name: string;
  readonly operator: MatchOperator;
  readonly value: string;
  readonly regex?: RegExp;
}

/** A test of the line; `regex` is compiled from `text` for the two regular expression operators. */
export interface LineFilter {
  readonly operator: FilterOperator;
  readonly text: string;
  readonly regex?: RegExp;
  /** Other texts of the same filter, behind it after `or`. */
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
  /** How long before the asked time the range ends. */
  readonly offsetNs: bigint;
}

export const VECTOR_OPERATORS = ["sum", "avg", "min", "max", "count"] as const;
export type VectorOperator = (typeof VECTOR_OPERATORS)[number];

export interface Grouping {
  readonly kind: "by" | "without";
  readonly labels: readonly string[];
  /** Whether it stands behind what is aggregated. */
  readonly behind: boolean;
}

/** The operators that pick some of the samples, as they are. */
export const PICKING_OPERATORS = ["topk", "bottomk"] as const;
export type PickingOperator = (typeof PICKING_OPERATORS)[number];

/** So many of the greatest or least samples of each group, with their labels. */
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
  /** Absent: all samples are one group without labels. */
  readonly grouping?: Grouping;
  readonly inner: MetricQuery;
}

export type SetOperator = "or" | "and" | "unless";
export type Comparison = "==" | "!=" | ">" | ">=" | "<" | "<=";
export type Calculation = "+" | "-" | "*" | "/" | "%" | "^";
export type BinaryOperator = SetOperator | Comparison | Calculation;

/** Which operators bind more loosely comes first. */
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

/** Two metric queries, put together sample by sample where the labels of both are the same; or one of them and a number. */
export interface BinaryOperation {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Operand;
  readonly right: Operand;
  /** A comparison is to answer 1 or 0 in the place of what it would leave or leave out. */
  readonly bool?: true;
}

export type MetricQuery = RangeAggregation | VectorAggregation | Picking | BinaryOperation;
export type Query = LogQuery | MetricQuery;

/** The log queries at the bottom of a query: one, or one for each operand. */
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

/** A metric query with the range aggregations at its bottom changed. */
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
