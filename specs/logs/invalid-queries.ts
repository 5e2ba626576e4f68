/** Requests that must be answered with 400. Each row has a valid control request that differs in one part. */
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Invalid } from "../../src/queries/refusals.ts";

export interface Refusal extends Invalid {
  readonly title: string;
  /** True if a smoke run also has this row. */
  readonly smoke?: true;
  /** True if the documents do not mention the valid query. A service may then refuse the valid query too. */
  readonly undocumented?: true;
}

/** A defect in a few words, the endpoint, the valid and the invalid query for a selector, and the other properties of the row. */
export type RefusalRow = readonly [
  title: string,
  endpoint: Invalid["endpoint"],
  valid: Invalid["valid"],
  invalid: Invalid["invalid"],
  others?: Partial<Refusal>,
];

export function refusals(clause: ClauseId, rows: readonly RefusalRow[]): Refusal[] {
  return rows.map(([title, endpoint, valid, invalid, others]) => ({ title, clause, endpoint, valid, invalid, ...others }));
}

export const whole = (selector: string): string => selector;
export const filtered = (selector: string): string => `${selector} |= "first"`;
export const metric = (inner: string): string => `count_over_time(${inner}[5m])`;
const sum = (inner: string): string => `sum(${metric(inner)})`;
const chopped = (selector: string): string => selector.slice(0, -1);

export const REFUSALS: readonly Refusal[] = [
  ...refusals("logs-4.2", [
    ["a log selector", "query", metric, whole, { smoke: true }],
    ["a log selector, and the parameter `limit`", "query", metric, whole, { limit: "10" }],
    ["a log selector with a line filter", "query", (s) => metric(`${s} |= "first"`), filtered],
    // For a service without parsers, this query has invalid syntax, so it must answer 400 too.
    ["a log selector with a parser of its lines", "query", metric, (s) => `${s} | json`],
    ["a log selector with several matchers", "query", (s) => metric(`${chopped(s)}, svc_a=~".+"}`), (s) => `${chopped(s)}, svc_a=~".+"}`],
  ]),
  ...refusals("logs-7.400", [
    ["a `sum by (…)` of a log selector", "query", (s) => `sum by (svc_a) (${metric(s)})`, (s) => `sum by (svc_a) (${s})`],
    ["topk of a log selector", "query", (s) => `topk(2, ${metric(s)})`, (s) => `topk(2, ${s})`, { undocumented: true }],
    ["a log selector that is compared with a number", "query", (s) => `${metric(s)} > 0`, (s) => `${s} > 0`, { undocumented: true }],
    ["a log selector that is multiplied by a number", "query", (s) => `${metric(s)} * 2`, (s) => `${s} * 2`, { undocumented: true }],
    ["an unclosed selector", "query_range", whole, chopped, { smoke: true }],
    ["a selector closed twice", "query_range", whole, (s) => `${s}}`],
    ["an unclosed string", "query_range", filtered, (s) => `${s} |= "first`],
    ["a matcher without a value", "query_range", whole, () => "{plumbline_run=}"],
    ["a matcher with an unquoted value", "query_range", whole, () => "{plumbline_run=hello}"],
    ["a line filter without its text", "query_range", filtered, (s) => `${s} |=`],
    ["an unclosed parenthesis", "query", sum, (s) => chopped(sum(s))],
    ["an unclosed parenthesis in front of a query", "query", sum, (s) => `(${sum(s)}`],
    ["a sum and an operator without a second operand", "query", sum, (s) => `${sum(s)} +`],
    ["an unknown function around a metric query", "query", sum, (s) => `plumbline(${metric(s)})`],
    ["a range aggregation without its range", "query", metric, (s) => `count_over_time(${s})`],
    ["a function that does not exist", "query", metric, (s) => `plumbline_over_time(${s}[5m])`],
    ["a range that is not a duration", "query", metric, (s) => `count_over_time(${s}[five])`],
    ["a range in a unit that does not exist", "query", metric, (s) => `count_over_time(${s}[5parsecs])`],
    ["two matchers without a comma between them", "query_range", (s) => `${chopped(s)}, svc_a=~".+"}`, (s) => `${chopped(s)} svc_a=~".+"}`],
    ["a matcher without a name", "query_range", whole, (s) => `${chopped(s)}, ="x"}`],
    ["a matcher with an operator that does not exist", "query_range", whole, (s) => `${chopped(s)}, svc_a=="x"}`],
    ["a line filter with an operator that does not exist", "query_range", filtered, (s) => `${s} |> > "first"`],
    ["words that are not a query", "query_range", whole, () => "error in the last hour"],
    ["a line filter without a selector", "query_range", filtered, () => '|= "first"'],
    ["a parenthesis that closes nothing", "query", sum, (s) => `${sum(s)})`],
    ["a range aggregation with an empty range", "query", metric, (s) => `count_over_time(${s}[])`],
    ["a range that is not closed", "query", metric, (s) => `count_over_time(${s}[5m)`],
  ]),
  ...refusals("logs-2.2", [
    ["an empty selector in a log query", "query_range", whole, () => "{}", { smoke: true }],
    ["an empty selector in a log query with direction=forward", "query_range", whole, () => "{}", { direction: "forward" }],
    ["an empty selector with a line filter", "query_range", filtered, () => '{} |= "first"'],
    ["an empty selector in a metric query", "query", metric, () => metric("{}")],
    ["an empty selector in a summed metric query", "query", sum, () => sum("{}")],
    ["an empty selector with a blank in it", "query_range", whole, () => "{ }"],
    ["an empty selector with a line filter !=", "query_range", (s) => `${s} != "nothing"`, () => '{} != "nothing"'],
    ["an empty selector with a line filter in a metric query", "query", (s) => metric(`${s} |= "first"`), () => metric('{} |= "first"')],
    ["an empty selector in a rate", "query", (s) => `rate(${s}[5m])`, () => "rate({}[5m])"],
    ["an empty selector in bytes_over_time", "query", (s) => `bytes_over_time(${s}[5m])`, () => "bytes_over_time({}[5m])"],
  ]),
  ...refusals("logs-4.required", [
    ["a request without a query", "query_range", whole, () => undefined, { smoke: true, anyError: true }],
    ["a request without a query", "query", metric, () => undefined, { anyError: true }],
  ]),
];
