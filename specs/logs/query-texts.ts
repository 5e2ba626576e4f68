/**
 * Queries in unusual spellings, and queries after a refused query.
 * Section 2 rule 2, section 4 rule 2 and section 7: requests that are answered with 400, each with a valid control request.
 */
import type { Check } from "../../src/harness/check.ts";
import { LEAST_ROWS, type CheckContext, type TablePart } from "../../src/harness/context.ts";
import type { Scope, Assertion } from "../../src/harness/scope.ts";
import { hello } from "../../src/datasets/first-push.ts";
import { stored } from "../../src/datasets/datasets.ts";
import { refused, taken, type Invalid } from "../../src/queries/refusals.ts";
import { logsCheck, largerCheck, observed, probed } from "./check.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import { phrasing } from "../../src/queries/expressions.ts";
import {
  parametersInOrder,
  QUERY_SPELLINGS,
  spelledQuery,
  spelledSum,
  SUM_SPELLINGS,
  validAfterInvalid,
} from "../../src/queries/query-spellings.ts";
import { terms } from "../../src/datasets/small-datasets.ts";

interface Refusal extends Invalid {
  readonly title: string;
  /** True if a smoke run also has this row. */
  readonly smoke?: true;
  /** True if the documents do not mention the valid query. A service may then refuse the valid query too. */
  readonly undocumented?: true;
}

/** What is wrong in a few words, the endpoint, the valid and the invalid query for a selector, and the other properties of the row. */
type RefusalRow = readonly [
  title: string,
  endpoint: Invalid["endpoint"],
  valid: Invalid["valid"],
  invalid: Invalid["invalid"],
  others?: Partial<Refusal>,
];

function refusals(clause: ClauseId, rows: readonly RefusalRow[]): Refusal[] {
  return rows.map(([title, endpoint, valid, invalid, others]) => ({ title, clause, endpoint, valid, invalid, ...others }));
}

const whole = (selector: string): string => selector;
const filtered = (selector: string): string => `${selector} |= "first"`;
const metric = (inner: string): string => `count_over_time(${inner}[5m])`;
const sum = (inner: string): string => `sum(${metric(inner)})`;
const chopped = (selector: string): string => selector.slice(0, -1);

const REFUSALS: readonly Refusal[] = [
  ...refusals("logs-4.2", [
    ["a log selector", "query", metric, whole, { smoke: true }],
    ["a log selector, and the parameter `limit`", "query", metric, whole, { limit: "10" }],
    ["a log selector without the parameter `time`", "query", metric, whole, { isTimeless: true, anyError: true }],
    ["a log selector with a line filter", "query", (s) => metric(`${s} |= "first"`), filtered],
    // A service without parsers must also answer 400, because this syntax is then invalid.
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
    ["an unclosed parenthesis in front of a query", "query", sum, (s) => `(${sum(s)}`, { smoke: true }],
    ["a sum and an operator without a second operand", "query", sum, (s) => `${sum(s)} +`, { smoke: true }],
    ["an unknown function around a metric query", "query", sum, (s) => `plumbline(${metric(s)})`, { smoke: true }],
    ["a range aggregation without its range", "query", metric, (s) => `count_over_time(${s})`],
    ["a function that does not exist", "query", metric, (s) => `plumbline_over_time(${s}[5m])`],
    ["a range that is not a duration", "query", metric, (s) => `count_over_time(${s}[five])`],
    ["a range in a unit that does not exist", "query", metric, (s) => `count_over_time(${s}[5parsecs])`],
    ["two matchers without a comma between them", "query_range", (s) => `${chopped(s)}, svc_a=~".+"}`, (s) => `${chopped(s)} svc_a=~".+"}`],
    ["two commas between two matchers", "query_range", whole, (s) => s.replace(",", ",,"), { smoke: true }],
    ["a matcher without a name", "query_range", whole, (s) => `${chopped(s)}, ="x"}`],
    ["a matcher with an operator that does not exist", "query_range", whole, (s) => `${chopped(s)}, svc_a=="x"}`],
    ["a line filter with an operator that does not exist", "query_range", filtered, (s) => `${s} |> > "first"`],
    ["words that are not a query", "query_range", whole, () => "error in the last hour"],
    ["a line filter without a selector", "query_range", filtered, () => '|= "first"'],
    ["a parenthesis that closes nothing", "query", sum, (s) => `${sum(s)})`],
    ["a range aggregation with an empty range", "query", metric, (s) => `count_over_time(${s}[])`],
    ["a range that is not closed", "query", metric, (s) => `count_over_time(${s}[5m)`],
    ["a dot after a selector", "query_range", whole, (s) => `${s}.`, { smoke: true }],
    ["a word in the place of `by`", "query", (s) => `sum by (svc_a) (${metric(s)})`, (s) => `sum plumbline (svc_a) (${metric(s)})`],
    ["a word between two texts of a line filter", "query_range", filtered, (s) => `${s} |= "first" plumbline "second"`, { smoke: true }],
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

/** Log queries of each kind. The instant endpoint must refuse them, but must accept a metric query over the same entries. */
const SELECTORS: readonly (readonly [title: string, query: Query])[] = [
  ["a line filter !=", (s) => `${s} != "first"`],
  ["a line filter |~", (s) => `${s} |~ "first|second"`],
  ["a line filter !~", (s) => `${s} !~ "first|second"`],
  ["three line filters", (s) => `${s} |= "i" != "x" |~ "first"`],
  // These matchers are first and last in the selector. A service may recognise a selector by its first or last matcher only.
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

const POSITION_REFUSALS: readonly Refusal[] = [
  ...refusals("logs-2.2", [...EMPTY_LOGS, ...EMPTY]),
  ...refusals("logs-4.2", [...INSTANT, ...IN_PARENTHESES]),
  ...refusals("logs-7.400", TRAILING),
];

type RefusalClause = "logs-2.2" | "logs-4.2" | "logs-4.required" | "logs-7.400";

/** Makes a check with a table of invalid queries. Each invalid query has a valid control request that differs in one part only. */
function refusalCheck(clause: RefusalClause, title: string): Check {
  return logsCheck({
    slug: "refusals",
    title,
    clauses: [clause],
    async run(t) {
      const dataset = stored(await t.use(hello));
      const rows = [...REFUSALS, ...POSITION_REFUSALS].filter(
        (row) => row.clause === clause && (t.profile !== "smoke" || row.smoke === true),
      );
      await t.verifyRows(
        rows.map((row) => ({
          clause,
          assertion: refused(dataset, row),
          unless: async (scope: Scope) =>
            row.undocumented === true && !(await taken(dataset, row)(scope)) ? `the valid query that is paired with ${row.title}` : null,
        })),
        LEAST_ROWS,
      );
    },
  });
}

export const REFUSAL_CHECKS: readonly Check[] = [
  refusalCheck("logs-2.2", "a query with an empty selector is answered with 400"),
  refusalCheck("logs-4.2", "query answers 400 to a log selector that is not inside a metric function"),
  refusalCheck("logs-4.required", "a request without a query is refused"),
  refusalCheck("logs-7.400", "an invalid query is answered with 400"),
];

const REFUSED =
  "the target refuses all other ways of writing the query of this check; the document does not show how a query may be written";

const queries: TablePart = async (t) => {
  const [dataset, phrased] = [await t.use(terms), await t.use(phrasing)];
  const probes = QUERY_SPELLINGS.map((spelling) => spelledQuery(dataset, phrased, spelling));
  const spelled = await probed(t, probes);
  const refused = QUERY_SPELLINGS.filter((_, index) => spelled[index] === null).map(({ what }) => what);
  t.observe("logs-4.3", "refused-spellings", "refused spellings of a query", observed(refused));
  return acceptedOf(t, spelled);
};

const sums: TablePart = async (t) => {
  const dataset = await t.use(terms);
  const probes = SUM_SPELLINGS.map((spelling) => spelledSum(dataset, spelling));
  return acceptedOf(t, await probed(t, probes));
};

function acceptedOf(t: CheckContext, assertions: readonly (Assertion | null)[]): Assertion[] {
  const accepted = assertions.filter((assertion) => assertion !== null);
  return accepted.length === 0 ? t.notRun(REFUSED) : accepted;
}

const ORDERS = [
  ["direction", "limit", "end", "start", "query"],
  ["limit", "query", "end", "direction", "start"],
] as const;

const spelled = logsCheck({
  slug: "spelled",
  title: "if the target accepts a query in another spelling or with its parameters in another order, the result is the same",
  clauses: ["logs-4.3", "logs-4.query", "logs-4.query_range"],
  async run(t) {
    const dataset = await t.use(terms);
    for (const order of ORDERS) await t.verify(parametersInOrder(dataset, order));
    await t.verifyParts("logs-4.3", [queries]);
    await t.verifyParts("logs-4.query", [sums]);
  },
});

const afterRefusals = largerCheck({
  slug: "after-refusals",
  title: "a valid query has the same result right after a refused query",
  clauses: ["logs-4.query_range"],
  // No query of another check may come between the refused query and the valid query.
  phase: "last",
  async run(t) {
    for (const invalid of ['{plumbline_run="', '{plumbline_run="x"} |= "nobody says this" |='])
      await t.verify(validAfterInvalid(await t.use(terms), invalid));
  },
});

export const SPELLED_CHECKS: readonly Check[] = [spelled, afterRefusals];
