/** Faults of refusals: queries that must not be answered with success, or with another error than 400 (docs/2 sections 2, 4 and 7). */
import type { Behaviour } from "../behaviour.ts";
import { textReply } from "../http/message.ts";
import type { Query } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import type { RefusalKind } from "../logs/query.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

type Endpoint = "query_range" | "query";

/** Answers one kind of refusal with another status. */
function answered(clause: string, id: string, sentence: string, kind: RefusalKind, status: number, endpoint?: Endpoint): Fault {
  return fault(clause, id, sentence, (base) => ({
    refusalReply: (refusal, at, text) =>
      refusal.kind === kind && (endpoint === undefined || endpoint === at)
        ? textReply(status, `${refusal.message}\n`)
        : base.refusalReply(refusal, at, text),
  }));
}

/** Answers one kind of refusal as if the query had selected nothing. */
function emptyFor(clause: string, id: string, sentence: string, kind: RefusalKind, endpoint?: Endpoint): Fault {
  return fault(clause, id, sentence, (base) => ({
    refusalReply: (refusal, at, text) =>
      refusal.kind === kind && (endpoint === undefined || endpoint === at) ? undefined : base.refusalReply(refusal, at, text),
  }));
}

/** Lets queries through that the base refuses for being of one kind. */
function allowed(
  clause: string,
  id: string,
  sentence: string,
  kind: RefusalKind,
  allows: (query: Query, endpoint: Endpoint) => boolean = () => true,
): Fault {
  return fault(clause, id, sentence, (base) => ({
    refuseQuery: (query, endpoint) => {
      const refusal = base.refuseQuery(query, endpoint);
      return refusal?.kind === kind && allows(query, endpoint) ? undefined : refusal;
    },
  }));
}

/** Reads a query that does not parse as the one its text is repaired to. */
function lenient(id: string, sentence: string, repair: (text: string) => string): Fault {
  return fault("logs-7.400", id, sentence, (base) => ({ parseQuery: (text) => repaired(base, text, repair) }));
}

function repaired(base: Behaviour, text: string, repair: (text: string) => string): Query {
  try {
    return base.parseQuery(text);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return base.parseQuery(repair(text));
  }
}

/** A text with its open braces and parentheses closed. */
function closed(text: string, pairs: Readonly<Record<string, string>>): string {
  const open: string[] = [];
  for (const character of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "")) {
    const closing = pairs[character];
    if (closing !== undefined) open.push(closing);
    else if (character === open.at(-1)) open.pop();
  }
  return text + open.toReversed().join("");
}

const INSTANT: readonly Fault[] = [
  allowed(
    "logs-4.2",
    "logs-instant-selector-streams",
    "A log selector on the instant endpoint is answered with streams.",
    "selector-on-instant",
  ),

  allowed(
    "logs-4.2",
    "logs-instant-filtered-selector",
    "A log selector with a line filter is let through on the instant endpoint.",
    "selector-on-instant",
    (query) => query.kind === "log" && query.filters.length > 0,
  ),
  allowed(
    "logs-4.2",
    "logs-instant-three-matchers",
    "A log selector with more than one kind of matcher is let through on the instant endpoint.",
    "selector-on-instant",
    (query) => query.kind === "log" && new Set(query.matchers.map(({ operator }) => operator)).size > 1,
  ),
  fault(
    "logs-4.2",
    "logs-no-metric-queries",
    "Metric queries are refused, and a log selector on the instant endpoint is answered with streams.",
    (base) => ({
      refuseQuery: (query, endpoint) => {
        if (endpoint === "query" && query.kind !== "log") return { kind: "syntax", message: "metric queries are not supported" };
        const refusal = base.refuseQuery(query, endpoint);
        return refusal?.kind === "selector-on-instant" ? undefined : refusal;
      },
    }),
    { also: ["logs-4.query"] },
  ),
];

const NO_MATCHER: readonly Fault[] = [
  allowed("logs-2.2", "logs-no-matcher-everything", "An empty selector selects everything.", "no-matcher"),

  allowed(
    "logs-2.2",
    "logs-no-matcher-in-metrics",
    "An empty selector is let through in metric queries.",
    "no-matcher",
    (query) => query.kind !== "log",
  ),
  fault("logs-2.2", "logs-no-matcher-forward", "An empty selector is let through with direction=forward.", (base) => {
    let forward = false;
    return {
      beforeHandle: (request, route) => {
        forward = request.query.get("direction") === "forward";
        return base.beforeHandle(request, route);
      },
      refuseQuery: (query, endpoint) => {
        const refusal = base.refuseQuery(query, endpoint);
        return forward && refusal?.kind === "no-matcher" ? undefined : refusal;
      },
    };
  }),
  allowed(
    "logs-2.2",
    "logs-no-matcher-in-plain-metrics",
    "An empty selector is let through in metric queries without an aggregation around them.",
    "no-matcher",
    (query) => query.kind === "range",
  ),
  allowed(
    "logs-2.2",
    "logs-no-matcher-in-sums",
    "An empty selector is let through in sums.",
    "no-matcher",
    (query) => query.kind === "vector",
  ),
  allowed(
    "logs-2.2",
    "logs-no-matcher-with-filter",
    "An empty selector is let through when a line filter follows.",
    "no-matcher",
    (query) => query.kind === "log" && query.filters.length > 0,
  ),
];

const SYNTAX: readonly Fault[] = [
  emptyFor("logs-7.400", "logs-syntax-empty", "A query with invalid syntax is answered with an empty result.", "syntax"),

  answered("logs-7.400", "logs-syntax-500", "A query with invalid syntax is answered 500.", "syntax", 500),
  answered("logs-7.400", "logs-syntax-500-on-instant", "A metric query with invalid syntax is answered 500.", "syntax", 500, "query"),

  lenient("logs-syntax-open-brace", "An unclosed selector is closed silently.", (text) => closed(text, { "{": "}" })),
  lenient("logs-syntax-extra-brace", "A brace too many at the end is ignored.", (text) => text.replace(/\}\}$/, "}")),
  lenient("logs-syntax-open-string", "An unclosed string is closed silently.", (text) => `${text}"`),
  lenient("logs-syntax-unquoted", "A value without quotes is taken as it stands.", (text) =>
    text.replaceAll(/(=|!=)\s*([a-z]\w*)(?=[,}])/g, '$1"$2"'),
  ),
  lenient("logs-syntax-missing-value", "A matcher without a value is taken for one that demands any value.", (text) =>
    text.replaceAll(/=\s*(?=[,}])/g, '=~".+"'),
  ),
  lenient("logs-syntax-missing-filter-text", "A line filter without its text is ignored.", (text) => text.replace(/\s*\|=\s*$/, "")),
  lenient("logs-syntax-open-parenthesis", "An unclosed parenthesis is closed silently.", (text) => closed(text, { "(": ")" })),
  lenient("logs-syntax-missing-range", "A function without a range is given five minutes.", (text) => text.replaceAll("})", "}[5m])")),
  lenient("logs-syntax-unknown-function", "A function that does not exist is taken for count_over_time.", (text) =>
    text.replace(/^\w+(?=\(\{)/, "count_over_time"),
  ),
  lenient("logs-syntax-unknown-unit", "A range in a unit that does not exist is taken for minutes.", (text) =>
    text.replace(/\[(\d+)[a-z]+\]/, "[$1m]"),
  ),
  lenient("logs-syntax-bad-duration", "A range that is no duration is taken for a minute.", (text) => text.replace(/\[\w*\]/, "[1m]")),
];

const REQUIRED: readonly Fault[] = [
  emptyFor("logs-4.required", "logs-query-optional", "A request without query is answered with an empty result.", "missing"),
  emptyFor(
    "logs-4.required",
    "logs-query-optional-on-range",
    "A range query without query is answered with an empty result.",
    "missing",
    "query_range",
  ),
  emptyFor(
    "logs-4.required",
    "logs-query-optional-on-instant",
    "An instant query without query is answered with an empty result.",
    "missing",
    "query",
  ),
];

export const LOGS_REFUSAL_FAULTS: readonly Fault[] = [...INSTANT, ...NO_MATCHER, ...SYNTAX, ...REQUIRED];
