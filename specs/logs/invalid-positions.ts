/** Invalid parts at each position of a query: inside each function and grouping, with each kind of filter, and after a complete query. */
import { filtered, metric, type Refusal, type RefusalRow, refusals, whole } from "./invalid-queries.ts";

type Query = (selector: string) => string;

/** Positions of a selector in a query. The invalid query has an empty selector at this position. */
const SELECTOR_PLACES: readonly (readonly [title: string, query: Query, undocumented?: true])[] = [
  ["a sum of rates", (s) => `sum(rate(${s}[5m]))`],
  ["a sum of bytes_over_time", (s) => `sum(bytes_over_time(${s}[5m]))`],
  ["a sum by labels", (s) => `sum by (svc_a) (${metric(s)})`],
  ["a rate by labels", (s) => `sum by (svc_a, svc_ab) (rate(${s}[5m]))`],
  ["a sum without a label", (s) => `sum without (svc_a) (${metric(s)})`, true],
  ["a sum of sums", (s) => `sum(sum by (svc_a) (${metric(s)}))`, true],
  ["a maximum", (s) => `max(${metric(s)})`, true],
  ["a rate with a line filter", (s) => `rate(${s} |= "first"[5m])`],
  ["a sum with two line filters", (s) => `sum(count_over_time(${s} |= "first" != "second"[5m]))`],
  ["the first operand of a calculation", (s) => `sum(${metric(s)}) + sum(rate({svc_a=~".+"}[5m]))`, true],
  ["the second operand of a calculation", (s) => `sum(rate({svc_a=~".+"}[5m])) + sum(${metric(s)})`, true],
];

const EMPTY = SELECTOR_PLACES.map(([title, query, undocumented]): RefusalRow => {
  const others = undocumented === undefined ? {} : { undocumented };
  return [`an empty selector in ${title}`, "query", query, () => query("{}"), others];
});

const EMPTY_LOGS: readonly RefusalRow[] = [
  ["an empty selector with a line filter |~", "query_range", (s) => `${s} |~ "first|second"`, () => '{} |~ "first|second"'],
  ["an empty selector with a line filter !~", "query_range", (s) => `${s} !~ "nothing"`, () => '{} !~ "nothing"'],
  ["an empty selector over two lines", "query_range", whole, () => "{\n}"],
];

const inner = (selector: string): string => selector.slice(1, -1);

/** Log queries of each kind, which the instant endpoint must refuse, although it must accept a metric query over their entries. */
const SELECTORS: readonly (readonly [title: string, query: Query])[] = [
  ["a line filter !=", (s) => `${s} != "first"`],
  ["a line filter |~", (s) => `${s} |~ "first|second"`],
  ["a line filter !~", (s) => `${s} !~ "first|second"`],
  ["three line filters", (s) => `${s} |= "i" != "x" |~ "first"`],
  // These matchers are first and last in the selector, because a service may recognise a selector by its first or last matcher.
  ["a matcher !=", (s) => `{svc_a!="x", ${inner(s)}, svc_ab!="x"}`],
  ["a matcher =~", (s) => `{svc_a=~"a.*|b.*", ${inner(s)}, svc_ab=~"|b.*"}`],
  ["a matcher !~", (s) => `{svc_a!~"x|y", ${inner(s)}, svc_ab!~"x|y"}`],
  ["a value that no stream has", () => '{plumbline_run="nobody-used-this-value"}'],
  ["blanks around the selector", (s) => `  ${s}  `],
];

const INSTANT = SELECTORS.map(([title, query]): RefusalRow => [
  `a log selector with ${title}`,
  "query",
  (s) => metric(query(s).trim()),
  query,
]);

/** A log selector in parentheses is still a log selector. */
const IN_PARENTHESES: readonly RefusalRow[] = [
  ["a log selector in parentheses", "query", (s) => `(${metric(s)})`, (s) => `(${s})`, { undocumented: true }],
  ["a log selector with a line filter in double parentheses", "query", metric, (s) => `(( ${filtered(s)} ))`],
];

/** Texts that are invalid after a complete query. */
const TRAILERS: readonly (readonly [title: string, trailer: string])[] = [
  ["a word", " word"],
  ["a parenthesis", ")"],
  ["a second selector", ' {svc_a="x"}'],
  ["a string", ' "text"'],
  ["a range", "[5m]"],
  ["an operator", " |="],
  // No valid query contains this character.
  ["a question mark", " ?"],
];

const TRAILING = TRAILERS.flatMap(([title, trailer]): RefusalRow[] => [
  [`${title} after a complete log query`, "query_range", whole, (s) => `${s}${trailer}`],
  [`${title} after a complete metric query`, "query", (s) => `sum(${metric(s)})`, (s) => `sum(${metric(s)})${trailer}`],
  [
    `${title} after a complete line filter`,
    "query_range",
    filtered,
    (s) => `${filtered(s)}${title === "a string" ? ' "text" "more"' : trailer}`,
  ],
]);

export const POSITION_REFUSALS: readonly Refusal[] = [
  ...refusals("logs-2.2", [...EMPTY_LOGS, ...EMPTY]),
  ...refusals("logs-4.2", [...INSTANT, ...IN_PARENTHESES]),
  ...refusals("logs-7.400", TRAILING),
];
