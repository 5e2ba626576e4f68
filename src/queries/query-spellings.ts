/** The same query in other spellings: other spaces, several lines, other quotes, or parameters in another order. */
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { isDenied } from "../client/credential-tally.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { RangeParameters } from "../client/logs.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { expecting, type Reading, unlessLate } from "../harness/expect.ts";
import { type Finding, found, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { countEntries, type LineFilter, select, summed, within, containing, lacking, matcher, matching } from "../model/logs.ts";
import { type Difference, difference, wrongStatus } from "../model/difference.ts";
import { entryDifferences, sized } from "../model/log-answer.ts";
import { quoted, selectorText } from "../model/query-text.ts";
import { groupDifferences } from "../model/samples.ts";
import { clauseByKindOf } from "../diagnosis/range-request.ts";
import { samplesOf, streamsOf } from "../datasets/requests.ts";
import type { Dataset } from "../datasets/datasets.ts";
import type { Phrasing } from "./expressions.ts";
import { INTERNAL_ERROR, metricAssertion, COUNT } from "./metrics.ts";
import { BACKSLASHED, QUOTED } from "../datasets/small-datasets.ts";
import { askedDifferences, parametersOf, selection } from "./range-query.ts";
import { lastingAnswer, NOT_IMPLEMENTED } from "./unknown-forms.ts";

const LEFT = matcher("svc_size", "=", "left");
const FILTERS: readonly LineFilter[] = [containing("alpha"), lacking("mid")];

const EXPRESSIONS = ["b.ta", "g.mma", "d.lta", "ALP+.A"] as const;

/** A spelling of a log query. If it selects other entries than the usual spelling, `clause` is violated. */
interface Spelling {
  readonly what: string;
  readonly clause: ClauseId;
  readonly written: (dataset: Dataset, phrased: Phrasing) => string;
  readonly filters: readonly LineFilter[];
  /** True if the spelling needs a feature of the query language that the documents do not describe. A 500 is then a refusal too. */
  readonly isMore?: true;
}

type Signs = readonly [equals: string, comma: string, filter: string, blank: string];

/** Returns the text of the query, with the given spaces and quotes around its parts. */
function spelled(
  quote: (text: string) => string,
  [equals, comma, filter, blank]: Signs,
  filters = FILTERS,
): Pick<Spelling, "written" | "filters"> {
  const written: Spelling["written"] = ({ matchers }) => {
    const members = [...matchers, LEFT].map(({ name, value }) => `${name}${equals}${quote(value)}`).join(comma);
    return `{${blank}${members}${blank}}${filters.map(({ operator, text }) => `${filter}${operator}${blank}${quote(text)}`).join("")}`;
  };
  return { written, filters };
}

const backquoted = (text: string): string => `\`${text}\``;

function selectorOf({ matchers }: Dataset): string {
  return selectorText([...matchers, LEFT]);
}

export const QUERY_SPELLINGS: readonly Spelling[] = [
  { what: "no whitespace", clause: "logs-4.3", ...spelled(quoted, ["=", ",", "", ""]) },
  { what: "whitespace around every punctuation character", clause: "logs-4.matchers", ...spelled(quoted, [" = ", " , ", "  ", " "]) },
  { what: "each part on its own line", clause: "logs-4.3", ...spelled(quoted, ["=", ",\n", "\n", "\n"]) },
  { what: "tabs between its parts", clause: "logs-4.3", ...spelled(quoted, ["\t=\t", "\t,\t", "\t", "\t"]) },
  { what: "a backslash in backquotes", clause: "logs-4.3", ...spelled(backquoted, ["=", ", ", " ", " "], [containing(BACKSLASHED)]) },
  { what: "double quotes in backquotes", clause: "logs-4.3", ...spelled(backquoted, ["=", ", ", " ", " "], [containing(QUOTED)]) },
  { what: "texts in backquotes", clause: "logs-4.3", ...spelled(backquoted, ["=", ", ", " ", " "]) },
  {
    what: "a repeated matcher",
    clause: "logs-4.matchers",
    filters: FILTERS,
    written: ({ matchers }) => {
      const members = [LEFT, ...matchers, LEFT].map(({ name, value }) => `${name}=${quoted(value)}`).join(", ");
      return `{${members}}${FILTERS.map(({ operator, text }) => ` ${operator} ${quoted(text)}`).join("")}`;
    },
  },
  {
    what: "a comment to the end of a line",
    clause: "logs-4.3",
    filters: FILTERS,
    isMore: true,
    written: (dataset) =>
      `${selectorOf(dataset)} # of these\n${FILTERS.map(({ operator, text }) => `${operator} ${quoted(text)}`).join("\n")}`,
  },
  {
    what: "a line filter of several texts",
    clause: "logs-4.3",
    filters: [matching("beta|gamma"), matching("mma|b")],
    // If a service ignores one of these four texts, its result is different.
    written: (dataset) => `${selectorOf(dataset)} |= "beta" or "gamma" |= "mma" or "b"`,
    isMore: true,
  },
  {
    what: "a line filter of several expressions",
    clause: "logs-4.3",
    filters: [matching(EXPRESSIONS.join("|"))],
    written: (dataset, phrased) => {
      const each = phrased(EXPRESSIONS.map((text) => matching(text)));
      return `${selectorOf(dataset)} |~ ${each.map(({ text }) => quoted(text)).join(" or ")}`;
    },
    isMore: true,
  },
];

/** Whether a query was refused. The documents do not say which spellings a service must accept. */
function isRefused(answer: Answered): boolean {
  return statusOf(answer) >= 400 && statusOf(answer) < 500;
}

interface OtherForm<A> {
  readonly clause: ClauseId;
  readonly of: Dataset;
  readonly request: (scope: Scope) => Promise<Answered>;
  readonly read: (exchange: Answered) => Reading<A>;
  readonly expect: (answer: A) => readonly Difference[];
  readonly input: unknown;
  /** The same read in the usual form. If this read is wrong too, the other form is not the cause. */
  readonly usual: Assertion;
  readonly isMore?: true | undefined;
}

/**
 * Resolves to an assertion about a read in another form, or to null if the service refuses the form. The assertion judges the first
 * response, and sends no second request if the first response is right.
 */
function inAnotherForm<A>({
  clause,
  of,
  request,
  read,
  expect,
  input,
  usual,
  isMore,
}: OtherForm<A>): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const first = await lastingAnswer(scope, request);
    if (isRefused(first) || (isMore === true && [INTERNAL_ERROR, NOT_IMPLEMENTED].includes(statusOf(first)))) return null;
    const { answer: shown } = read(first);
    if (shown !== null && expect(shown).length === 0) return found(clause, [], { exchanges: [first], input });
    const ask = async (later: Scope): Promise<Reading<A>> => read(await lastingAnswer(later, request));
    return async (later) => {
      const finding = await expecting({ clauses: clause, of, ask, expect, input })(later);
      if (finding.differences.length === 0) return finding;
      const control = await usual(later);
      return control.differences.length === 0 ? finding : control;
    };
  };
}

/** Resolves to an assertion that another spelling selects the same entries, or to null if the target refuses it. */
export function spelledQuery(
  dataset: Dataset,
  phrased: Phrasing,
  { what, clause, written, filters: meant, isMore }: Spelling,
): (scope: Scope) => Promise<Assertion | null> {
  const { start, end } = dataset;
  const filters = phrased(meant);
  const parameters = { query: written(dataset, phrased), start: start.toString(), end: end.toString(), limit: "1000" };
  const asked = { matchers: [LEFT], filters };
  return inAnotherForm({
    clause,
    of: dataset,
    request: async ({ logs }) => logs.probe(`query_range (${what})`, "query_range", parameters),
    read: (exchange) => streamsOf(exchange, clause),
    expect: (streams) => entryDifferences(select(dataset.streams, asked), streams, clauseByKindOf(asked, clause), dataset.streams),
    input: { "the query is written with": what },
    usual: selection(dataset, asked),
    isMore,
  });
}

/** Returns an assertion that the order of the parameters does not change the response. */
export function parametersInOrder(dataset: Dataset, order: readonly (keyof RangeParameters)[]): Assertion {
  const asked = { cut: { limit: 12, direction: "forward" } } as const;
  const parameters = parametersOf(dataset, asked);
  const clause = "logs-4.query_range";
  return expecting({
    clauses: clause,
    of: dataset,
    ask: async ({ logs }) => streamsOf(await logs.queryRangeInOrder(parameters, order), clause),
    expect: askedDifferences(dataset, asked, clause),
    input: { "the parameters in this order": order },
  });
}

/** The spellings of a sum by label over 10 min. */
export const SUM_SPELLINGS: readonly (readonly [what: string, written: (query: string, label: string) => string])[] = [
  ["whitespace within parentheses", (query, label) => `sum by ( ${label} ) ( count_over_time( ${query} [10m] ) )`],
  ["no whitespace", (query, label) => `sum by(${label})(count_over_time(${query.replaceAll(" ", "")}[10m]))`],
  ["each part on its own line", (query, label) => `sum by (${label}) (\n  count_over_time(\n    ${query}[10m]\n  )\n)`],
  ["the grouping after the sum", (query, label) => `sum(count_over_time(${query}[10m])) by (${label})`],
];

/** Resolves to an assertion that another spelling has the same counts, or to null if the target refuses it. */
export function spelledSum(dataset: Dataset, [what, written]: (typeof SUM_SPELLINGS)[number]): (scope: Scope) => Promise<Assertion | null> {
  const label = "svc_size";
  const time = dataset.anchor + 300_000_000_000n;
  const window = { start: time - 600_000_000_000n, end: time };
  const query = `{${dataset.matchers.map(({ name, value }) => `${name}=${quoted(value)}`).join(", ")}}`;
  const parameters = { query: written(query, label), time: time.toString() };
  const expected = summed("count_over_time", within(dataset.streams, window.start, window.end), 600, [label]);
  const clause = "logs-4.query";
  return inAnotherForm({
    clause,
    of: dataset,
    request: async ({ logs }) => logs.probe(`query (${what})`, "query", parameters),
    read: (exchange) => samplesOf(exchange, clause),
    expect: (samples) => groupDifferences(samples, expected, dataset.streams),
    input: { "the query is written with": what },
    usual: metricAssertion(dataset, { ...COUNT, by: [label], window }),
  });
}

const ROUNDS = 3;
/** The maximum number of rounds. A round with a temporary server error is repeated. */
const MOST_ROUNDS = 9;

/** A violation is reported after at least this number of wrong rounds, because a proxy may cause a single wrong round. */
const OFTEN = 2;

/** Returns the number of entries in a response, or null if the response has no streams. */
function entriesOf(answer: Answered): number | null {
  const streams = isSuccess(answer) ? streamsOf(answer).answer : null;
  return streams === null ? null : countEntries(streams);
}

/** A refused query with a lower limit must not change the response to the next query, even over the same connection. */
export function validAfterInvalid(dataset: Dataset, invalid: string): Assertion {
  return async (scope) => together(await unlessLate(scope, dataset, async () => [await validBesideInvalid(scope, dataset, invalid)]));
}

async function validBesideInvalid({ logs }: Scope, dataset: Dataset, invalid: string): Promise<Finding> {
  const { query, start, end } = parametersOf(dataset, {});
  const place = { start: start.toString(), end: end.toString() };
  const valid = async (): Promise<Answered> => logs.probe("query_range", "query_range", { query, ...place });
  let most = 0;
  const spoilt: Answered[] = [];
  const exchanges: Answered[] = [];
  let seen = 0;
  for (let round = 0; round < MOST_ROUNDS && seen < ROUNDS; round += 1) {
    const before = await valid();
    const refused = await logs.probe("query_range (invalid)", "query_range", { query: invalid, ...place, limit: "10" });
    const after = await valid();
    exchanges.push(after, refused, before);
    if (!isSuccess(before) || !isRefused(refused) || statusOf(after) >= INTERNAL_ERROR) continue;
    seen += 1;
    most = Math.max(most, entriesOf(before) ?? 0);
    if ((isRefused(after) && !isDenied(after)) || (entriesOf(after) ?? most) < most) spoilt.push(after, refused, before);
  }
  if (seen < OFTEN)
    throw new Inconclusive(
      "precondition not met: a valid query is not answered, or an invalid query is not refused (see logs-4.query_range and logs-7.400)",
    );
  const clause = "logs-4.query_range";
  const [first] = spoilt;
  if (first === undefined || spoilt.length < OFTEN * 3) return { clauses: [clause], differences: [], exchanges: exchanges.slice(0, 3) };
  const expected = "the entries that this query returned before another query was refused";
  const count = entriesOf(first);
  const actual = count === null ? `status ${statusOf(first)}` : sized(count);
  return {
    clauses: [clause],
    differences: [count === null ? wrongStatus(clause, expected, actual) : difference(clause, "data.result", expected, actual, "too-few")],
    exchanges: spoilt,
  };
}
