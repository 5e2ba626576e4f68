/** The common steps of all queries: parsing, refusals, and the selection of streams and lines. */
import { type Json, type Reply, textReply } from "../http/message.ts";
import { compileRegex } from "../logql/regex.ts";
import { type LineFilter, logQueriesOf, type Matcher, type Query } from "../logql/ast.ts";
import { parseQuery } from "../logql/parser.ts";
import { type Entry, type Labels, labelValue } from "./types.ts";

export type QueryEndpoint = "query_range" | "query";

export type RefusalKind = "missing" | "syntax" | "no-matcher" | "selector-on-instant" | "metric-on-range" | "parameter";

export interface Refusal {
  readonly kind: RefusalKind;
  readonly message: string;
}

export interface QueryBehaviour {
  /** Parses a query. Throws QueryError if the text is no query. */
  readonly parseQuery: (text: string) => Query;
  /** Returns the reason why the endpoint refuses a parsed query, or undefined if the endpoint accepts the query. */
  readonly refuseQuery: (query: Query, endpoint: QueryEndpoint) => Refusal | undefined;
  /** Returns the response to a refused query. If it is undefined, the response is that of a query that selects nothing. */
  readonly refusalReply: (refusal: Refusal, endpoint: QueryEndpoint, text: string) => Reply | undefined;
  /** Returns a time parameter in nanoseconds, or undefined if the text is not a time. */
  readonly parseTime: (text: string, parameter: "start" | "end" | "time") => bigint | undefined;
  readonly matchStream: (matcher: Matcher, labels: Labels) => boolean;
  /** Whether a line passes a filter. `index` is the position of the filter in the chain. */
  readonly filterLine: (filter: LineFilter, line: string, index: number) => boolean;
  /** Whether reads at the time `nowMs` show a stored entry. */
  readonly entryVisible: (entry: Entry, nowMs: number) => boolean;
  /** Returns the labels of a stream as a response shows labels, in range results (`stream`) or instant results (`metric`). */
  readonly labelsOnRead: (labels: Labels, kind: "stream" | "metric") => Labels;
  readonly presentLabels: (labels: Labels, kind: "stream" | "metric") => Json;
}

function matchStream({ operator, name, value, regex }: Matcher, labels: Labels): boolean {
  const actual = labelValue(labels, name);
  switch (operator) {
    case "=":
      return actual === value;
    case "!=":
      return actual !== value;
    case "=~":
      return (regex ?? compileRegex(value, true)).test(actual);
    case "!~":
      return !(regex ?? compileRegex(value, true)).test(actual);
  }
}

/** A line passes a positive filter if it has at least one of the texts of the filter, and a negative filter if it has none. */
function filterLine({ others = [], ...filter }: LineFilter, line: string): boolean {
  const isExcluding = filter.operator === "!=" || filter.operator === "!~";
  const passes = [filter, ...others].map((one) => passesText(one, line));
  return isExcluding ? passes.every(Boolean) : passes.some(Boolean);
}

function passesText({ operator, text, regex }: LineFilter, line: string): boolean {
  switch (operator) {
    case "|=":
      return line.includes(text);
    case "!=":
      return !line.includes(text);
    case "|~":
      return (regex ?? compileRegex(text, false)).test(line);
    case "!~":
      return !(regex ?? compileRegex(text, false)).test(line);
  }
}

export const QUERY_BASE: QueryBehaviour = {
  parseQuery,
  refuseQuery: (query, endpoint) => {
    if (logQueriesOf(query).some(({ matchers }) => matchers.length === 0))
      return { kind: "no-matcher", message: "a query needs at least one label matcher" };
    if (endpoint === "query" && query.kind === "log") {
      return { kind: "selector-on-instant", message: "log queries are not supported as an instant query, use query_range" };
    }
    if (endpoint === "query_range" && query.kind !== "log") {
      return { kind: "metric-on-range", message: "metric queries are evaluated by the instant query endpoint only" };
    }
    return undefined;
  },
  refusalReply: ({ message }) => textReply(400, `${message}\n`),
  parseTime: (text) => (/^\d{1,19}$/.test(text) ? BigInt(text) : undefined),
  matchStream,
  filterLine,
  entryVisible: () => true,
  labelsOnRead: (labels) => labels,
  presentLabels: (labels) => labels,
};
