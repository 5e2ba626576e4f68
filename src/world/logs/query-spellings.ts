/** The same query written in other ways: with other blanks, over several lines, in other quotes, its parameters in another order. */
import { type Answered, isSuccess, statusOf } from "../../client/exchange.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import { expecting } from "../../harness/expect.ts";
import { found, type Trial } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { select, type Stream, summed, within } from "../../model/logs.ts";
import type { Difference } from "../../model/difference.ts";
import { type AnsweredStream, departures } from "../../model/log-answer.ts";
import { quoted } from "../../model/query-text.ts";
import { groupDepartures, type Sample } from "../../model/samples.ts";
import { blameOf } from "../../blame/asked.ts";
import { samplesOf, streamsOf } from "./answers.ts";
import type { Dataset } from "./datasets.ts";
import { metricTrial } from "./metrics.ts";
import { askedDifferences, parametersOf, selection } from "./range-query.ts";

const LEFT = { name: "svc_size", operator: "=", value: "left" } as const;
const FILTERS = [
  { operator: "|=", text: "alpha" },
  { operator: "!=", text: "mid" },
] as const;

/** A log query in one way to write it; `clause` is what is wrong where it selects something else than in the usual one. */
interface Spelling {
  readonly what: string;
  readonly clause: ClauseId;
  readonly written: (dataset: Dataset) => string;
}

/** The query with its selector's members, and the text of each filter, joined and quoted. */
function spelled(quote: (text: string) => string, equals: string, comma: string, filter: string, blank: string): Spelling["written"] {
  return ({ matchers }) => {
    const members = [...matchers, LEFT].map(({ name, value }) => `${name}${equals}${quote(value)}`).join(comma);
    return `{${blank}${members}${blank}}${FILTERS.map(({ operator, text }) => `${filter}${operator}${blank}${quote(text)}`).join("")}`;
  };
}

const backquoted = (text: string): string => `\`${text}\``;

export const QUERY_SPELLINGS: readonly Spelling[] = [
  { what: "no blanks at all", clause: "logs-4.3", written: spelled(quoted, "=", ",", "", "") },
  { what: "blanks around every sign", clause: "logs-4.matchers", written: spelled(quoted, " = ", " , ", "  ", " ") },
  { what: "each part on a line of its own", clause: "logs-4.3", written: spelled(quoted, "=", ",\n", "\n", "\n") },
  { what: "tabs between its parts", clause: "logs-4.3", written: spelled(quoted, "\t=\t", "\t,\t", "\t", "\t") },
  { what: "texts in backquotes", clause: "logs-4.3", written: spelled(backquoted, "=", ", ", " ", " ") },
  {
    what: "a matcher written twice",
    clause: "logs-4.matchers",
    written: ({ matchers }) => {
      const members = [LEFT, ...matchers, LEFT].map(({ name, value }) => `${name}=${quoted(value)}`).join(", ");
      return `{${members}}${FILTERS.map(({ operator, text }) => ` ${operator} ${quoted(text)}`).join("")}`;
    },
  },
];

/** Whether a query was refused; in which ways one may be written is not shown. */
function isRefused(answer: Answered): boolean {
  return statusOf(answer) >= 400 && statusOf(answer) < 500;
}

/** What is wrong with a query in another form, unless it is wrong in the usual one as well: then that is told. */
function unlikeTheUsual(spelt: Trial, usual: Trial): Trial {
  return async (scope) => {
    const finding = await spelt(scope);
    if (finding.differences.length === 0) return finding;
    const control = await usual(scope);
    return control.differences.length === 0 ? finding : control;
  };
}

/** A query that is written in another way selects what it selects in the usual one; null where it is refused. */
export function spelledQuery(dataset: Dataset, { what, clause, written }: Spelling): (scope: Scope) => Promise<Trial | null> {
  const { start, end } = dataset;
  const parameters = { query: written(dataset), start: start.toString(), end: end.toString(), limit: "1000" };
  const ask = async ({ logs }: Scope): Promise<Answered> => logs.probe(`query_range (${what})`, "query_range", parameters);
  const asked = { matchers: [LEFT], filters: FILTERS };
  const input = { "the query is written with": what };
  const expect = (streams: readonly AnsweredStream[]): readonly Difference[] =>
    departures(select(dataset.streams, asked), streams, blameOf(asked, clause), dataset.streams);
  return async (scope) => {
    const first = await ask(scope);
    if (isRefused(first)) return null;
    const { streams: shown } = streamsOf(first, clause);
    if (shown !== null && expect(shown).length === 0) return found(clause, [], { exchanges: [first], input });
    const spelt = expecting({
      clauses: clause,
      of: dataset,
      ask: async (later) => {
        const exchange = await ask(later);
        const { streams, differences } = streamsOf(exchange, clause);
        return { answer: streams, malformed: differences, exchanges: [exchange] };
      },
      expect,
      input,
    });
    return unlikeTheUsual(spelt, selection(dataset, asked));
  };
}

/** The parameters of a range query in another order than the documents name them in: what they mean does not hang on it. */
export function parametersInOrder(dataset: Dataset, order: readonly ("query" | "start" | "end" | "limit" | "direction")[]): Trial {
  const asked = { cut: { limit: 5, direction: "forward" } } as const;
  const { query, start, end } = parametersOf(dataset, asked);
  const all = { query, start: start.toString(), end: end.toString(), limit: "5", direction: "forward" };
  const clause = "logs-4.query_range";
  return expecting({
    clauses: clause,
    of: dataset,
    ask: async ({ logs }) => {
      const exchange = await logs.probe(
        "query_range (parameters in another order)",
        "query_range",
        Object.fromEntries(order.map((name) => [name, all[name]])),
      );
      const { streams, differences } = streamsOf(exchange, clause);
      return { answer: streams, malformed: differences, exchanges: [exchange] };
    },
    expect: askedDifferences(dataset, asked, clause),
    input: { "the parameters in this order": order },
  });
}

/** How a sum by label over ten minutes can be written. */
export const SUM_SPELLINGS: readonly (readonly [what: string, written: (query: string, label: string) => string])[] = [
  ["blanks within parentheses", (query, label) => `sum by ( ${label} ) ( count_over_time( ${query} [10m] ) )`],
  ["no blanks at all", (query, label) => `sum by(${label})(count_over_time(${query.replaceAll(" ", "")}[10m]))`],
  ["each part on a line of its own", (query, label) => `sum by (${label}) (\n  count_over_time(\n    ${query}[10m]\n  )\n)`],
  ["the label after the sum", (query, label) => `sum(count_over_time(${query}[10m])) by (${label})`],
];

/** A sum that is written in another way counts what it counts in the usual one; null where it is refused. */
export function spelledSum(dataset: Dataset, [what, written]: (typeof SUM_SPELLINGS)[number]): (scope: Scope) => Promise<Trial | null> {
  const label = "svc_size";
  const time = dataset.anchor + 300_000_000_000n;
  const query = `{${dataset.matchers.map(({ name, value }) => `${name}=${quoted(value)}`).join(", ")}}`;
  const parameters = { query: written(query, label), time: time.toString() };
  const clause = "logs-4.query";
  const ask = async ({ logs }: Scope): Promise<Answered> => logs.probe(`query (${what})`, "query", parameters);
  const counted: readonly Stream[] = within(dataset.streams, time - 600_000_000_000n, time);
  const input = { "the query is asked with": what };
  const expect = (samples: readonly Sample[]): readonly Difference[] =>
    groupDepartures(samples, summed("count_over_time", counted, 600, [label]), dataset.streams);
  return async (scope) => {
    const first = await ask(scope);
    if (isRefused(first)) return null;
    const { samples: shown } = samplesOf(first, clause);
    if (shown !== null && expect(shown).length === 0) return found(clause, [], { exchanges: [first], input });
    const spelt = expecting({
      clauses: clause,
      of: dataset,
      ask: async (later) => {
        const exchange = await ask(later);
        const { samples, differences } = samplesOf(exchange, clause);
        return { answer: samples, malformed: differences, exchanges: [exchange] };
      },
      expect,
      input,
    });
    const window = { start: time - 600_000_000_000n, end: time };
    return unlikeTheUsual(spelt, metricTrial(dataset, { metric: "count_over_time", by: [label], matchers: [], filters: [], window }));
  };
}

const ROUNDS = 3;

/** Once may be an accident of what lies between. */
const OFTEN = 2;

/** What a valid query is answered does not hang on the refused one before it, which may have come over the same connection. */
export function validAfterInvalid(dataset: Dataset, invalid: string): Trial {
  return async ({ logs }) => {
    const { query, start, end } = parametersOf(dataset, {});
    const place = { start: start.toString(), end: end.toString(), limit: "10" };
    const valid = async (): Promise<Answered> => logs.probe("query_range", "query_range", { query, ...place });
    const spoilt: Answered[] = [];
    const exchanges: Answered[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await valid();
      const refused = await logs.probe("query_range (invalid)", "query_range", { query: invalid, ...place });
      const after = await valid();
      exchanges.push(after, refused, before);
      if (isSuccess(before) && isRefused(refused) && isRefused(after)) spoilt.push(after, refused, before);
    }
    const clause = "logs-4.query_range";
    const [first] = spoilt;
    if (first === undefined || spoilt.length < OFTEN * 3) return { clauses: [clause], differences: [], exchanges: exchanges.slice(0, 3) };
    const expected = "success (2xx), as for the same query before the refused one";
    return {
      clauses: [clause],
      differences: [{ clause, path: "status", expected, actual: `status ${statusOf(first)}` }],
      exchanges: spoilt,
    };
  };
}
