/** Faults of servers that use a shortcut which works for most queries and pushes, such as a search for single characters in a query. */
import { onPush } from "../change.ts";
import type { Behaviour } from "../behaviour.ts";
import { type Reply, textReply } from "../http/message.ts";
import type { Matcher, Query } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import { fault, wrongResult, wrongInput } from "./define.ts";
import { LOGS_EXPRESSION_FAULTS } from "./logs-expressions.ts";
import { tieLost } from "./ties.ts";
import type { Fault } from "./types.ts";

function misread(clause: string, id: string, sentence: string, change: (text: string) => string | null): Fault {
  const parsing = (base: Behaviour): Partial<Behaviour> => ({
    parseQuery: (text) => {
      const read = change(text);
      if (read === null) throw new QueryError("the text ends too early", 0);
      return base.parseQuery(read);
    },
  });
  // The text that the faulty server misreads can be in a matcher or in a line filter, so both clauses can be violated.
  return fault({ clause, also: ["logs-4.3", "logs-4.matchers"].filter((other) => other !== clause) }, id, sentence, parsing);
}

function isAlike(one: Matcher, other: Matcher): boolean {
  return one.name === other.name && one.operator === other.operator && one.value === other.value;
}

const SPELLED: readonly Fault[] = [
  misread("logs-4.matchers", "logs-query-blank-in-name", "A matcher with a blank after its name selects nothing.", (text) =>
    text.replaceAll(/(svc_\w+)\s+=/g, "no_$1="),
  ),

  fault("logs-4.query", "logs-sum-label-behind", "Labels to group by that stand after the expression are ignored.", (base) => ({
    parseQuery: (text) => base.parseQuery(text.replace(/^(sum\s*\(.*\))\s*by\s*\([^)]*\)$/s, "$1")),
  })),
  wrongResult("parseQuery", "logs-4.matchers", "logs-match-twice-cancels", "A matcher that is written twice is left out.", (query) => {
    if (query.kind !== "log") return query;
    return { ...query, matchers: query.matchers.filter((one) => query.matchers.filter((other) => isAlike(one, other)).length === 1) };
  }),
  fault("logs-4.query_range", "logs-parameters-before-query", "Parameters before the parameter query are ignored.", (base) => ({
    readRequest: (received) => {
      const request = base.readRequest(received);
      const names = [...request.query.keys()];
      if (!names.includes("query")) return request;
      const query = new URLSearchParams(request.query);
      for (const name of names.slice(0, names.indexOf("query"))) query.delete(name);
      return { ...request, query };
    },
  })),
  fault(
    "logs-8.default-limit",
    "logs-limit-of-refused",
    "The limit of a refused query becomes the default limit of the next query.",
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
  fault("logs-4.query_range", "logs-refusal-again", "After a refused range query, the next one is refused as well.", (base) => {
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
  }),
];

const TEXTS: readonly Fault[] = [
  fault(
    { clause: "logs-4.3", also: ["logs-4.matchers"] },
    "logs-query-braces-counted",
    "A query with unpaired braces is refused, even if the braces are inside texts.",
    (base) => ({
      parseQuery: (text) => {
        if (text.split("{").length !== text.split("}").length) throw new QueryError("the braces do not pair", 0);
        return base.parseQuery(text);
      },
    }),
  ),
  fault("logs-7.400", "logs-query-operand-missing", "An operator at the end of a query is ignored.", (base) => ({
    parseQuery: (text) => base.parseQuery(text.replace(/\s*[-+*/]\s*$/, "")),
  })),
  wrongInput("parseQuery", "logs-7.400", "logs-query-unknown-function", "An unknown function around a metric query is ignored.", (text) => [
    text.replace(/^(?!sum|avg|min|max|count|topk|bottomk|stddev|stdvar|sort)[a-z]+\((?=[a-z_]+\()/, "("),
  ]),
  fault("logs-7.400", "logs-query-parenthesis-open", "An unclosed parenthesis at the start of a query is ignored.", (base) => ({
    parseQuery: (text) => base.parseQuery(text.split("(").length > text.split(")").length ? text.replace(/^\(/, "") : text),
  })),
  wrongResult(
    "parseQuery",
    "logs-4.query",
    "logs-query-first-brackets",
    "The range of a metric query is taken from the first brackets, even if they are inside a text.",
    (query, text) => {
      const [, seconds] = /\[(\d+)s\]/.exec(text) ?? [];
      if (seconds === undefined || query.kind !== "vector" || query.inner.kind !== "range") return query;
      return { ...query, inner: { ...query.inner, rangeNs: BigInt(seconds) * 1_000_000_000n } };
    },
  ),
];

function hangingUp(clause: string, id: string, sentence: string, isMeant: (query: Query) => boolean): Fault {
  return fault(clause, id, sentence, (base) => ({
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

const HANGING_UP: readonly Fault[] = [
  hangingUp(
    "logs-4.query",
    "logs-metric-of-three-labels-hangs-up",
    "After a sum by three labels, the server closes the connection without a response.",
    (query) => query.kind === "vector" && query.grouping?.labels.length === 3,
  ),
];

const PUSHES: readonly Fault[] = [
  fault(
    "logs-4.push",
    "logs-push-retry-by-first-time",
    "A push is taken for a repeat if it begins like an earlier push and is as long. It is not stored.",
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
  ...(
    [
      ["begin", "begin with the same 64 characters", (line: string): string => line.slice(0, 64)],
      ["end", "end with the same 64 characters", (line: string): string => line.slice(-64)],
    ] as const
  ).map(([id, how, part]) =>
    tieLost(
      `logs-push-ties-${id}`,
      `If lines at one time ${how}, only one is stored.`,
      (line, known) => known.length >= 64 && part(known) === part(line),
    ),
  ),
];

export const LOGS_SHORTCUT_FAULTS: readonly Fault[] = [...LOGS_EXPRESSION_FAULTS, ...SPELLED, ...TEXTS, ...HANGING_UP, ...PUSHES];
