/** Computes aggregations and calculations of metric queries. */

export const AGGREGATES = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  avg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  count: (values) => values.length,
} satisfies Readonly<Record<string, (values: readonly number[]) => number>>;

export type Aggregate = keyof typeof AGGREGATES;

/** Subtraction and division depend on the order of the operands. */
export const CALCULATIONS = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
} satisfies Readonly<Record<string, (left: number, right: number) => number>>;

export type Operator = keyof typeof CALCULATIONS;
