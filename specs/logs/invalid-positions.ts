/** Invalid parts at each position of a query: inside each function and grouping, with each kind of filter, and after a complete query. */
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Refusal } from "./invalid-queries.ts";

type Query = (selector: string) => string;

interface Position {
  readonly title: string;
  readonly endpoint?: Refusal["endpoint"];
  readonly valid: Query;
  readonly invalid: Query;
  /** True if the documents do not mention the valid query. A service may then refuse the valid query too. */
  readonly undocumented?: true;
}

const count: Query = (selector) => `count_over_time(${selector}[5m])`;

/** Positions of a selector in a query. The invalid query has an empty selector at this position. */
const SELECTOR_PLACES: readonly (readonly [title: string, query: Query, undocumented?: true])[] = [
  ["a sum of rates", (s) => `sum(rate(${s}[5m]))`],
  ["a sum of bytes_over_time", (s) => `sum(bytes_over_time(${s}[5m]))`],
  ["a sum by labels", (s) => `sum by (svc_a) (${count(s)})`],
  ["a rate by labels", (s) => `sum by (svc_a, svc_ab) (rate(${s}[5m]))`],
  ["a sum without a label", (s) => `sum without (svc_a) (${count(s)})`, true],
  ["a sum of sums", (s) => `sum(sum by (svc_a) (${count(s)}))`, true],
  ["a maximum", (s) => `max(${count(s)})`, true],
  ["a rate with a line filter", (s) => `rate(${s} |= "first"[5m])`],
  ["a sum with two line filters", (s) => `sum(count_over_time(${s} |= "first" != "second"[5m]))`],
  ["the first operand of a calculation", (s) => `sum(${count(s)}) + sum(rate({svc_a=~".+"}[5m]))`, true],
  ["the second operand of a calculation", (s) => `sum(rate({svc_a=~".+"}[5m])) + sum(${count(s)})`, true],
];

const EMPTY: readonly Position[] = SELECTOR_PLACES.map(([title, query, undocumented]) => ({
  title: `an empty selector in ${title}`,
  endpoint: "query",
  valid: query,
  invalid: () => query("{}"),
  ...(undocumented === undefined ? {} : { undocumented }),
}));

const EMPTY_LOGS: readonly Position[] = [
  {
    title: "an empty selector with a line filter |~",
    valid: (s) => `${s} |~ "first|second"`,
    invalid: () => '{} |~ "first|second"',
  },
  {
    title: "an empty selector with a line filter !~",
    valid: (s) => `${s} !~ "nothing"`,
    invalid: () => '{} !~ "nothing"',
  },
  { title: "an empty selector over two lines", valid: (s) => s, invalid: () => "{\n}" },
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

const INSTANT: readonly Position[] = SELECTORS.map(([title, query]) => ({
  title: `a log selector with ${title}`,
  endpoint: "query",
  valid: (s) => count(query(s).trim()),
  invalid: query,
}));

/** A log selector in parentheses is still a log selector. */
const IN_PARENTHESES: readonly Position[] = [
  {
    title: "a log selector in parentheses",
    endpoint: "query",
    valid: (s) => `(${count(s)})`,
    invalid: (s) => `(${s})`,
    undocumented: true,
  },
  {
    title: "a log selector with a line filter in double parentheses",
    endpoint: "query",
    valid: (s) => count(s),
    invalid: (s) => `(( ${s} |= "first" ))`,
  },
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

const TRAILING: readonly Position[] = TRAILERS.flatMap(([title, trailer]): Position[] => [
  { title: `${title} after a complete log query`, valid: (s) => s, invalid: (s) => `${s}${trailer}` },
  {
    title: `${title} after a complete metric query`,
    endpoint: "query",
    valid: (s) => `sum(${count(s)})`,
    invalid: (s) => `sum(${count(s)})${trailer}`,
  },
  {
    title: `${title} after a complete line filter`,
    valid: (s) => `${s} |= "first"`,
    invalid: (s) => `${s} |= "first"${title === "a string" ? ' "text" "more"' : trailer}`,
  },
]);

function refusals(clause: ClauseId, positions: readonly Position[]): Refusal[] {
  return positions.map(({ endpoint = "query_range", ...position }) => ({
    ...position,
    endpoint,
    clause,
  }));
}

export const POSITION_REFUSALS: readonly Refusal[] = [
  ...refusals("logs-2.2", [...EMPTY_LOGS, ...EMPTY]),
  ...refusals("logs-4.2", [...INSTANT, ...IN_PARENTHESES]),
  ...refusals("logs-7.400", TRAILING),
];
