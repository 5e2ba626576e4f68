/** Faults of queries with alternatives in expressions, several matchers, or chains of line filters. */
import type { LogQuery } from "../logql/ast.ts";
import { labelValue } from "../logs/types.ts";
import { broken, faultsOf, type Row, wrongDecision, wrongResult } from "./define.ts";
import { cachedUntilPush, tenantsOf } from "./helpers.ts";
import type { Fault } from "./types.ts";

/** Matches an expression of alternatives such as `a|b`, without parentheses. */
const BARE = /^[\w .:-]+(?:\|[\w .:-]+)+$/;

function filtered(sentence: string, operator: "|~" | "!~", applies: RegExp, match: (text: string, line: string) => boolean): Row {
  return wrongDecision("filterLine", { clause: "logs-4.3", sentence }, (filter, line) =>
    filter.operator === operator && applies.test(filter.text) ? match(filter.text, line) === (operator === "|~") : undefined,
  );
}

function someOf(text: string, line: string, from: number, to?: number): boolean {
  return text
    .split("|")
    .slice(from, to)
    .some((word) => line.includes(word));
}

function reread(clause: string, sentence: string, change: (query: LogQuery) => Partial<LogQuery>): Row {
  return wrongResult("parseQuery", { clause, sentence }, (query) => (query.kind === "log" ? { ...query, ...change(query) } : query));
}

const SECOND_CUT = (time: string | null): string => time?.slice(0, -9) ?? "";

export const LOGS_SEAM_QUERY_FAULTS: readonly Fault[] = faultsOf("logs-4.matchers", {
  "logs-seam-alternatives-first": filtered("After |~, only the first of the alternatives `a|b` matches.", "|~", BARE, (text, line) =>
    someOf(text, line, 0, 1),
  ),
  "logs-seam-fourth-ignored": reread(
    "logs-4.3",
    "If a chain has more than three filters, only the first three are applied.",
    ({ filters }) => ({
      filters: filters.slice(0, 3),
    }),
  ),
  "logs-seam-range-cached-by-second": broken(
    {
      clause: "logs-4.query_range",
      sentence: "Until the next push, the response to a range query is repeated for other windows with edges in the same seconds.",
    },
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
  "logs-seam-empty-compatible-second": broken("If several matchers accept the empty value, only the first is applied.", (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      if (query.kind !== "log") return query;
      const open = query.matchers.filter((matcher) => base.matchStream(matcher, {}));
      return { ...query, matchers: query.matchers.filter((matcher) => !open.includes(matcher) || matcher === open[0]) };
    },
  })),
  "logs-seam-set-excluded-first": broken("If !~ has a set `a|b`, only the first value is excluded.", (base) => ({
    matchStream: (matcher, labels) =>
      matcher.operator === "!~" && BARE.test(matcher.value)
        ? matcher.value.split("|")[0] !== labelValue(labels, matcher.name)
        : base.matchStream(matcher, labels),
  })),
});
