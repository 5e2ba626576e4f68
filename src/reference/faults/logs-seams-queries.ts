/** Faults of queries with alternatives in expressions, several matchers, or chains of line filters. */
import type { LogQuery } from "../logql/ast.ts";
import { labelValue } from "../logs/types.ts";
import { cachedUntilPush } from "./answer-cache.ts";
import { tenantsOf } from "./asked.ts";
import { fault, wrongResult, wrongDecision } from "./define.ts";
import type { Fault } from "./types.ts";

/** Matches an expression of alternatives such as `a|b`, without parentheses. */
const BARE = /^[\w .:-]+(?:\|[\w .:-]+)+$/;

function filtered(
  id: string,
  sentence: string,
  operator: "|~" | "!~",
  applies: RegExp,
  match: (text: string, line: string) => boolean,
): Fault {
  return wrongDecision("filterLine", "logs-4.3", id, sentence, (filter, line) =>
    filter.operator === operator && applies.test(filter.text) ? match(filter.text, line) === (operator === "|~") : undefined,
  );
}

function someOf(text: string, line: string, from: number, to?: number): boolean {
  return text
    .split("|")
    .slice(from, to)
    .some((word) => line.includes(word));
}

function reread(clause: string, id: string, sentence: string, change: (query: LogQuery) => Partial<LogQuery>): Fault {
  return wrongResult("parseQuery", clause, id, sentence, (query) => (query.kind === "log" ? { ...query, ...change(query) } : query));
}

const ALTERNATIVES: readonly Fault[] = [
  filtered("logs-seam-alternatives-first", "After |~, only the first of the alternatives `a|b` matches.", "|~", BARE, (text, line) =>
    someOf(text, line, 0, 1),
  ),
];

const CHAINS: readonly Fault[] = [
  reread(
    "logs-4.3",
    "logs-seam-fourth-ignored",
    "If a chain has more than three filters, only the first three are applied.",
    ({ filters }) => ({
      filters: filters.slice(0, 3),
    }),
  ),
];

const SECOND_CUT = (time: string | null): string => time?.slice(0, -9) ?? "";

const CACHES: readonly Fault[] = [
  fault(
    "logs-4.query_range",
    "logs-seam-range-cached-by-second",
    "Until the next push, the response to a range query is repeated for other windows with edges in the same seconds.",
    cachedUntilPush("logs.query_range", (request) =>
      [
        request.query.get("query"),
        SECOND_CUT(request.query.get("start")),
        SECOND_CUT(request.query.get("end")),
        request.query.get("limit"),
        request.query.get("direction"),
        tenantsOf(request),
      ].join("\n"),
    ),
  ),
];

const MATCHERS: readonly Fault[] = [
  fault(
    "logs-4.matchers",
    "logs-seam-empty-compatible-second",
    "If several matchers accept the empty value, only the first is applied.",
    (base) => ({
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        if (query.kind !== "log") return query;
        const open = query.matchers.filter((matcher) => base.matchStream(matcher, {}));
        return { ...query, matchers: query.matchers.filter((matcher) => !open.includes(matcher) || matcher === open[0]) };
      },
    }),
  ),
  fault("logs-4.matchers", "logs-seam-set-excluded-first", "If !~ has a set `a|b`, only the first value is excluded.", (base) => ({
    matchStream: (matcher, labels) =>
      matcher.operator === "!~" && BARE.test(matcher.value)
        ? matcher.value.split("|")[0] !== labelValue(labels, matcher.name)
        : base.matchStream(matcher, labels),
  })),
];

export const LOGS_SEAM_QUERY_FAULTS: readonly Fault[] = [...ALTERNATIVES, ...CHAINS, ...CACHES, ...MATCHERS];
