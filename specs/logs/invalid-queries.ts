/** What must get a 400, each beside a valid request that does not: one row, one change. */
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Direction } from "../../src/model/logs.ts";

export type Endpoint = "query_range" | "query";

/** A valid query and the same with exactly one thing changed. */
export interface Refusal {
  readonly slug: string;
  readonly title: string;
  readonly clause: ClauseId;
  readonly endpoint: Endpoint;
  readonly valid: (selector: string) => string;
  /** Undefined: the parameter is left out. */
  readonly invalid: (selector: string) => string | undefined;
  /** Parameters that go with both. */
  readonly direction?: Direction;
  /** A parameter of the other endpoint that goes with the invalid query. */
  readonly limit?: string;
  /** Any refusal will do; otherwise it must be 400. */
  readonly anyError?: true;
  readonly profiles?: Check["profiles"];
}

const LARGER: Check["profiles"] = ["release", "nightly"];

const metric = (inner: string): string => `count_over_time(${inner}[5m])`;
const sum = (inner: string): string => `sum(${metric(inner)})`;
const chopped = (selector: string): string => selector.slice(0, -1);

export const REFUSALS: readonly Refusal[] = [
  { slug: "bare-selector", title: "a log selector", clause: "logs-4.2", endpoint: "query", valid: metric, invalid: (s) => s },
  {
    slug: "selector-with-limit",
    title: "a log selector with a limit",
    clause: "logs-4.2",
    endpoint: "query",
    valid: metric,
    invalid: (s) => s,
    limit: "10",
    profiles: LARGER,
  },
  {
    slug: "selector-with-filter",
    title: "a log selector with a line filter",
    clause: "logs-4.2",
    endpoint: "query",
    valid: (s) => metric(`${s} |= "first"`),
    invalid: (s) => `${s} |= "first"`,
    profiles: LARGER,
  },
  {
    slug: "several-matchers",
    title: "a log selector with several matchers",
    clause: "logs-4.2",
    endpoint: "query",
    valid: (s) => metric(`${chopped(s)}, svc_a=~".+"}`),
    invalid: (s) => `${chopped(s)}, svc_a=~".+"}`,
    profiles: LARGER,
  },
  {
    slug: "empty-selector-range",
    title: "an empty selector in a log query",
    clause: "logs-2.2",
    endpoint: "query_range",
    valid: (s) => s,
    invalid: () => "{}",
  },
  {
    slug: "empty-selector-forward",
    title: "an empty selector in a log query with direction=forward",
    clause: "logs-2.2",
    endpoint: "query_range",
    valid: (s) => s,
    invalid: () => "{}",
    direction: "forward",
    profiles: LARGER,
  },
  {
    slug: "empty-selector-filter",
    title: "an empty selector with a line filter",
    clause: "logs-2.2",
    endpoint: "query_range",
    valid: (s) => `${s} |= "first"`,
    invalid: () => '{} |= "first"',
    profiles: LARGER,
  },
  {
    slug: "empty-selector-metric",
    title: "an empty selector in a metric query",
    clause: "logs-2.2",
    endpoint: "query",
    valid: metric,
    invalid: () => metric("{}"),
    profiles: LARGER,
  },
  {
    slug: "empty-selector-sum",
    title: "an empty selector in a summed metric query",
    clause: "logs-2.2",
    endpoint: "query",
    valid: sum,
    invalid: () => sum("{}"),
    profiles: LARGER,
  },
  {
    slug: "empty-selector-blank",
    title: "an empty selector with a blank in it",
    clause: "logs-2.2",
    endpoint: "query_range",
    valid: (s) => s,
    invalid: () => "{ }",
    profiles: LARGER,
  },
  {
    slug: "empty-selector-not",
    title: "an empty selector with a line filter that excludes",
    clause: "logs-2.2",
    endpoint: "query_range",
    valid: (s) => `${s} != "nothing"`,
    invalid: () => '{} != "nothing"',
    profiles: LARGER,
  },
  {
    slug: "empty-selector-metric-filter",
    title: "an empty selector with a line filter in a metric query",
    clause: "logs-2.2",
    endpoint: "query",
    valid: (s) => metric(`${s} |= "first"`),
    invalid: () => metric('{} |= "first"'),
    profiles: LARGER,
  },
  {
    slug: "empty-selector-rate",
    title: "an empty selector in a rate",
    clause: "logs-2.2",
    endpoint: "query",
    valid: (s) => `rate(${s}[5m])`,
    invalid: () => "rate({}[5m])",
    profiles: LARGER,
  },
  {
    slug: "empty-selector-bytes",
    title: "an empty selector in bytes_over_time",
    clause: "logs-2.2",
    endpoint: "query",
    valid: (s) => `bytes_over_time(${s}[5m])`,
    invalid: () => "bytes_over_time({}[5m])",
    profiles: LARGER,
  },
  { slug: "open-brace", title: "an unclosed selector", clause: "logs-7.400", endpoint: "query_range", valid: (s) => s, invalid: chopped },
  {
    slug: "extra-brace",
    title: "a selector closed twice",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => s,
    invalid: (s) => `${s}}`,
    profiles: LARGER,
  },
  {
    slug: "open-string",
    title: "an unclosed string",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => `${s} |= "first"`,
    invalid: (s) => `${s} |= "first`,
    profiles: LARGER,
  },
  {
    slug: "missing-value",
    title: "a matcher without a value",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => s,
    invalid: () => "{plumbline_run=}",
    profiles: LARGER,
  },
  {
    slug: "unquoted-value",
    title: "a matcher with an unquoted value",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => s,
    invalid: () => "{plumbline_run=hello}",
    profiles: LARGER,
  },
  {
    slug: "missing-filter-text",
    title: "a line filter without its text",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => `${s} |= "first"`,
    invalid: (s) => `${s} |=`,
    profiles: LARGER,
  },
  {
    slug: "open-parenthesis",
    title: "an unclosed parenthesis",
    clause: "logs-7.400",
    endpoint: "query",
    valid: sum,
    invalid: (s) => chopped(sum(s)),
    profiles: LARGER,
  },
  {
    slug: "missing-range",
    title: "a range aggregation without its range",
    clause: "logs-7.400",
    endpoint: "query",
    valid: metric,
    invalid: (s) => `count_over_time(${s})`,
    profiles: LARGER,
  },
  {
    slug: "unknown-function",
    title: "a function that does not exist",
    clause: "logs-7.400",
    endpoint: "query",
    valid: metric,
    invalid: (s) => `plumbline_over_time(${s}[5m])`,
    profiles: LARGER,
  },
  {
    slug: "bad-duration",
    title: "a range that is no duration",
    clause: "logs-7.400",
    endpoint: "query",
    valid: metric,
    invalid: (s) => `count_over_time(${s}[five])`,
    profiles: LARGER,
  },
  {
    slug: "missing-comma",
    title: "two matchers without a comma between them",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => `${chopped(s)}, svc_a=~".+"}`,
    invalid: (s) => `${chopped(s)} svc_a=~".+"}`,
    profiles: LARGER,
  },
  {
    slug: "missing-name",
    title: "a matcher without a name",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => s,
    invalid: (s) => `${chopped(s)}, ="x"}`,
    profiles: LARGER,
  },
  {
    slug: "unknown-operator",
    title: "a matcher with an operator that does not exist",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => s,
    invalid: (s) => `${chopped(s)}, svc_a=="x"}`,
    profiles: LARGER,
  },
  {
    slug: "unknown-filter",
    title: "a line filter with an operator that does not exist",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => `${s} |= "first"`,
    invalid: (s) => `${s} |> > "first"`,
    profiles: LARGER,
  },
  {
    slug: "plain-words",
    title: "words that are no query",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => s,
    invalid: () => "error in the last hour",
    profiles: LARGER,
  },
  {
    slug: "filter-only",
    title: "a line filter without a selector",
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (s) => `${s} |= "first"`,
    invalid: () => '|= "first"',
    profiles: LARGER,
  },
  {
    slug: "extra-parenthesis",
    title: "a parenthesis that closes nothing",
    clause: "logs-7.400",
    endpoint: "query",
    valid: sum,
    invalid: (s) => `${sum(s)})`,
    profiles: LARGER,
  },
  {
    slug: "empty-range",
    title: "a range aggregation with an empty range",
    clause: "logs-7.400",
    endpoint: "query",
    valid: metric,
    invalid: (s) => `count_over_time(${s}[])`,
    profiles: LARGER,
  },
  {
    slug: "open-bracket",
    title: "a range that is not closed",
    clause: "logs-7.400",
    endpoint: "query",
    valid: metric,
    invalid: (s) => `count_over_time(${s}[5m)`,
    profiles: LARGER,
  },
  {
    slug: "no-query-range",
    title: "no query at all",
    clause: "logs-4.required",
    endpoint: "query_range",
    valid: (s) => s,
    invalid: () => undefined,
    anyError: true,
  },
  {
    slug: "no-query-instant",
    title: "no query at all",
    clause: "logs-4.required",
    endpoint: "query",
    valid: metric,
    invalid: () => undefined,
    anyError: true,
    profiles: LARGER,
  },
];
