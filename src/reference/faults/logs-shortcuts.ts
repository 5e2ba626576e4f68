/** Faults of shortcuts that work for most queries and pushes, such as a search for a character instead of parsing a query. */
import { LOGS_EXPRESSION_FAULTS } from "./logs-expressions.ts";
import { onPush } from "../change.ts";
import type { Behaviour } from "../behaviour.ts";
import { type Reply, textReply } from "../http/message.ts";
import type { Matcher, Query } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import { broken, faultsOf, type Row, wrongInput, wrongResult } from "./define.ts";
import { tieLost } from "./helpers.ts";
import type { Fault } from "./types.ts";

function misread(clause: string, sentence: string, change: (text: string) => string | null): Row {
  const parsing = (base: Behaviour): Partial<Behaviour> => ({
    parseQuery: (text) => {
      const read = change(text);
      if (read === null) throw new QueryError("the text ends too early", 0);
      return base.parseQuery(read);
    },
  });
  // The text that the server reads wrongly can be in a matcher or a line filter, so both clauses can be violated.
  return broken({ clause, sentence, also: ["logs-4.3", "logs-4.matchers"].filter((other) => other !== clause) }, parsing);
}

function isAlike(one: Matcher, other: Matcher): boolean {
  return one.name === other.name && one.operator === other.operator && one.value === other.value;
}

function hangingUp(clause: string, sentence: string, isMeant: (query: Query) => boolean): Row {
  return broken({ clause, sentence }, (base) => ({
    beforeHandle: (request, route) => {
      const text = request.query.get("query");
      if (text === null || route === undefined) return base.beforeHandle(request, route);
      try {
        if (isMeant(base.parseQuery(text))) return { ...textReply(500, ""), hangUp: true };
      } catch {
        // The base behaviour answers a query that cannot be parsed.
      }
      return base.beforeHandle(request, route);
    },
  }));
}

export const LOGS_SHORTCUT_FAULTS: readonly Fault[] = [
  ...LOGS_EXPRESSION_FAULTS,
  ...faultsOf("logs-7.400", {
    "logs-query-blank-in-name": misread("logs-4.matchers", "A matcher with a blank after its name selects nothing.", (text) =>
      text.replaceAll(/(svc_\w+)\s+=/g, "no_$1="),
    ),
    "logs-match-name-with-z": misread("logs-4.matchers", "A query with the letter Z in the name of a label is refused.", (text) =>
      /\wZ\w*\s*[=!]/.test(text) ? null : text,
    ),
    "logs-match-excluded-or-empty": misread(
      "logs-4.matchers",
      "A matcher !~ with a plain text or nothing selects the streams that it should exclude.",
      (text) => text.replaceAll(/!~("\w+\|")/g, "=~$1"),
    ),
    "logs-operand-word-unread": misread("logs-4.query", "A word after an operator of a calculation is not read.", (text) =>
      text.replaceAll(/ ([-+*/]) [a-z]+\(/g, " $1 ("),
    ),
    "logs-sum-label-behind": wrongInput(
      "parseQuery",
      { clause: "logs-4.query", sentence: "Labels to group by that stand after the expression are ignored." },
      (text) => [text.replace(/^(sum\s*\(.*\))\s*by\s*\([^)]*\)$/s, "$1")],
    ),
    "logs-match-twice-cancels": wrongResult(
      "parseQuery",
      { clause: "logs-4.matchers", sentence: "A matcher that is written twice is left out." },
      (query) => {
        if (query.kind !== "log") return query;
        return { ...query, matchers: query.matchers.filter((one) => query.matchers.filter((other) => isAlike(one, other)).length === 1) };
      },
    ),
    "logs-parameters-before-query": wrongResult(
      "readRequest",
      { clause: "logs-4.query_range", sentence: "Parameters before the parameter query are ignored." },
      (request) => {
        const names = [...request.query.keys()];
        if (!names.includes("query")) return request;
        const query = new URLSearchParams(request.query);
        for (const name of names.slice(0, names.indexOf("query"))) query.delete(name);
        return { ...request, query };
      },
    ),
    "logs-limit-of-refused": broken(
      { clause: "logs-8.default-limit", sentence: "The limit of a refused query becomes the default limit of the next query." },
      (base) => {
        let left: string | null = null;
        return {
          readRequest: (received) => {
            const request = base.readRequest(received);
            if (left === null || request.query.has("limit") || !request.query.has("query")) return request;
            const query = new URLSearchParams(request.query);
            query.set("limit", left);
            return { ...request, query };
          },
          respond: (given, request, route) => {
            const reply = base.respond(given, request, route);
            if (reply.status === 400) left = request.query.get("limit") ?? left;
            return reply;
          },
        };
      },
    ),
    "logs-refusal-again": broken(
      { clause: "logs-4.query_range", sentence: "After a refused range query, the next one is refused as well." },
      (base) => {
        let refused: Reply | null = null;
        return {
          respond: (given, request, route) => {
            const reply = base.respond(given, request, route);
            if (route?.operation !== "logs.query_range") return reply;
            const last = refused;
            refused = last === null && reply.status === 400 ? reply : null;
            return last ?? reply;
          },
        };
      },
    ),
    "logs-query-braces-counted": broken(
      {
        clause: "logs-4.3",
        sentence: "A query with unpaired braces is refused, even if the braces are inside texts.",
        also: ["logs-4.matchers"],
      },
      (base) => ({
        parseQuery: (text) => {
          if (text.split("{").length !== text.split("}").length) throw new QueryError("the braces do not pair", 0);
          return base.parseQuery(text);
        },
      }),
    ),
    "logs-query-operator-in-text": broken(
      { clause: "logs-4.3", sentence: "A query with an operator inside a text is refused.", also: ["logs-4.matchers"] },
      (base) => ({
        parseQuery: (text) => {
          if (/"[^"]*(?:\|=|\|~|!~)[^"]*"/.test(text.replaceAll(/(?:\|=|\|~|!~|!=)\s*"/g, '"')))
            throw new QueryError("unexpected operator", 0);
          return base.parseQuery(text);
        },
      }),
    ),
    "logs-query-operand-missing": broken("An operator at the end of a query is ignored.", (base) => ({
      parseQuery: (text) => base.parseQuery(text.replace(/\s*[-+*/]\s*$/, "")),
    })),
    "logs-query-two-commas": wrongInput("parseQuery", "Two commas between two matchers are read as one.", (text) => [
      text.replaceAll(",,", ","),
    ]),
    "logs-query-unknown-function": wrongInput("parseQuery", "An unknown function around a metric query is ignored.", (text) => [
      text.replace(/^(?!sum|avg|min|max|count|topk|bottomk|stddev|stdvar|sort)[a-z]+\((?=[a-z_]+\()/, "("),
    ]),
    "logs-query-parenthesis-open": broken("An unclosed parenthesis at the start of a query is ignored.", (base) => ({
      parseQuery: (text) => base.parseQuery(text.split("(").length > text.split(")").length ? text.replace(/^\(/, "") : text),
    })),
    "logs-query-first-brackets": wrongResult(
      "parseQuery",
      { clause: "logs-4.query", sentence: "The range of a metric query is taken from the first brackets, even if they are inside a text." },
      (query, text) => {
        const [, seconds] = /\[(\d+)s\]/.exec(text) ?? [];
        if (seconds === undefined || query.kind !== "vector" || query.inner.kind !== "range") return query;
        return { ...query, inner: { ...query.inner, rangeNs: BigInt(seconds) * 1_000_000_000n } };
      },
    ),
    "logs-metric-of-three-labels-hangs-up": hangingUp(
      "logs-4.query",
      "After a sum by three labels, the server closes the connection without a response.",
      (query) => query.kind === "vector" && query.grouping?.labels.length === 3,
    ),
    "logs-push-retry-by-first-time": broken(
      {
        clause: "logs-4.push",
        sentence: "A push is taken for a repeat if it begins like an earlier push and is as long. It is not stored.",
      },
      (base) => {
        const seen = new Set<string>();
        return onPush(base, (streams) =>
          streams.filter(({ labels, entries }) => {
            if (entries.length === 0) return true;
            const key = `${JSON.stringify(labels)} ${String(entries[0]?.ts)} ${entries.length}`;
            return seen.has(key) ? false : seen.add(key) !== undefined;
          }),
        );
      },
    ),
    "logs-push-ties-begin": tieLost(
      "If lines at one time begin with the same 64 characters, only one is stored.",
      (line, known) => known.length >= 64 && known.slice(0, 64) === line.slice(0, 64),
    ),
    "logs-push-ties-end": tieLost(
      "If lines at one time end with the same 64 characters, only one is stored.",
      (line, known) => known.length >= 64 && known.slice(-64) === line.slice(-64),
    ),
  }),
];
