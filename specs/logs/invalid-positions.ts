/** The same refusals in every position: inside each function and grouping, with each kind of filter, and after a complete query. */
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Refusal } from "./invalid-queries.ts";

type Query = (selector: string) => string;

interface Position {
  readonly slug: string;
  readonly title: string;
  readonly endpoint?: Refusal["endpoint"];
  readonly valid: Query;
  readonly invalid: Query;
  /** The documents name no such query, so a service may refuse the valid one as well. */
  readonly undocumented?: true;
}

const count: Query = (selector) => `count_over_time(${selector}[5m])`;

/** Where a selector can stand; the invalid query has an empty one there. */
const SELECTOR_PLACES: readonly (readonly [slug: string, title: string, query: Query, undocumented?: true])[] = [
  ["sum-rate", "a sum of rates", (s) => `sum(rate(${s}[5m]))`],
  ["sum-bytes", "a sum of bytes_over_time", (s) => `sum(bytes_over_time(${s}[5m]))`],
  ["grouping", "a sum by labels", (s) => `sum by (svc_a) (${count(s)})`],
  ["grouped-rate", "a rate by labels", (s) => `sum by (svc_a, svc_ab) (rate(${s}[5m]))`],
  ["without", "a sum without a label", (s) => `sum without (svc_a) (${count(s)})`, true],
  ["nested", "a sum of sums", (s) => `sum(sum by (svc_a) (${count(s)}))`, true],
  ["max", "a maximum", (s) => `max(${count(s)})`, true],
  ["rate-filter", "a rate with a line filter", (s) => `rate(${s} |= "first"[5m])`],
  ["sum-filters", "a sum with two line filters", (s) => `sum(count_over_time(${s} |= "first" != "second"[5m]))`],
  ["first-operand", "the first operand of a calculation", (s) => `sum(${count(s)}) + sum(rate({svc_a=~".+"}[5m]))`, true],
  ["second-operand", "the second operand of a calculation", (s) => `sum(rate({svc_a=~".+"}[5m])) + sum(${count(s)})`, true],
];

const EMPTY: readonly Position[] = SELECTOR_PLACES.map(([slug, title, query, undocumented]) => ({
  slug: `empty-selector-in-${slug}`,
  title: `an empty selector in ${title}`,
  endpoint: "query",
  valid: query,
  invalid: () => query("{}"),
  ...(undocumented === undefined ? {} : { undocumented }),
}));

const EMPTY_LOGS: readonly Position[] = [
  {
    slug: "empty-selector-expression",
    title: "an empty selector with a line filter |~",
    valid: (s) => `${s} |~ "first|second"`,
    invalid: () => '{} |~ "first|second"',
  },
  {
    slug: "empty-selector-not-expression",
    title: "an empty selector with a line filter !~",
    valid: (s) => `${s} !~ "nothing"`,
    invalid: () => '{} !~ "nothing"',
  },
  { slug: "empty-selector-lines", title: "an empty selector over two lines", valid: (s) => s, invalid: () => "{\n}" },
];

const inner = (selector: string): string => selector.slice(1, -1);

/** Log queries of every kind, which the instant endpoint refuses; their counts are what it accepts. */
const SELECTORS: readonly (readonly [slug: string, title: string, query: Query])[] = [
  ["excluding", "a line filter !=", (s) => `${s} != "first"`],
  ["expression", "a line filter |~", (s) => `${s} |~ "first|second"`],
  ["not-expression", "a line filter !~", (s) => `${s} !~ "first|second"`],
  ["chain", "three line filters", (s) => `${s} |= "i" != "x" |~ "first"`],
  // First and last: a service may look at either only to tell a selector.
  ["unequal", "a matcher !=", (s) => `{svc_a!="x", ${inner(s)}, svc_ab!="x"}`],
  ["set", "a matcher =~", (s) => `{svc_a=~"a.*|b.*", ${inner(s)}, svc_ab=~"|b.*"}`],
  ["not-set", "a matcher !~", (s) => `{svc_a!~"x|y", ${inner(s)}, svc_ab!~"x|y"}`],
  ["nothing-found", "a value that no stream has", () => '{plumbline_run="nobody-used-this-value"}'],
  ["blanks", "blanks around it", (s) => `  ${s}  `],
];

const INSTANT: readonly Position[] = SELECTORS.map(([slug, title, query]) => ({
  slug: `selector-${slug}`,
  title: `a log selector with ${title}`,
  endpoint: "query",
  valid: (s) => count(query(s).trim()),
  invalid: query,
}));

/** In parentheses a log selector is still one. */
const IN_PARENTHESES: readonly Position[] = [
  {
    slug: "selector-parentheses",
    title: "a log selector in parentheses",
    endpoint: "query",
    valid: (s) => `(${count(s)})`,
    invalid: (s) => `(${s})`,
    undocumented: true,
  },
  {
    slug: "selector-two-parentheses",
    title: "a log selector with a line filter in two parentheses",
    endpoint: "query",
    valid: (s) => count(s),
    invalid: (s) => `(( ${s} |= "first" ))`,
  },
];

/** What can stand wrongly after a complete query. */
const TRAILERS: readonly (readonly [slug: string, title: string, trailer: string])[] = [
  ["word", "a word", " word"],
  ["parenthesis", "a parenthesis", ")"],
  ["selector", "a second selector", ' {svc_a="x"}'],
  ["text", "a string", ' "text"'],
  ["range", "a range", "[5m]"],
  ["operator", "an operator", " |="],
  // No sign of any such query.
  ["sign", "a question mark", " ?"],
];

const TRAILING: readonly Position[] = TRAILERS.flatMap(([slug, title, trailer]): Position[] => [
  { slug: `trailing-${slug}`, title: `${title} after a complete log query`, valid: (s) => s, invalid: (s) => `${s}${trailer}` },
  {
    slug: `trailing-${slug}-metric`,
    title: `${title} after a complete metric query`,
    endpoint: "query",
    valid: (s) => `sum(${count(s)})`,
    invalid: (s) => `sum(${count(s)})${trailer}`,
  },
  {
    slug: `trailing-${slug}-filter`,
    title: `${title} after a complete line filter`,
    valid: (s) => `${s} |= "first"`,
    invalid: (s) => `${s} |= "first"${slug === "text" ? ' "text" "more"' : trailer}`,
  },
]);

function refusals(clause: ClauseId, positions: readonly Position[]): Refusal[] {
  return positions.map(({ endpoint = "query_range", ...position }) => ({
    ...position,
    endpoint,
    clause,
    profiles: ["release", "nightly"],
  }));
}

export const POSITION_REFUSALS: readonly Refusal[] = [
  ...refusals("logs-2.2", [...EMPTY_LOGS, ...EMPTY]),
  ...refusals("logs-4.2", [...INSTANT, ...IN_PARENTHESES]),
  ...refusals("logs-7.400", TRAILING),
];
