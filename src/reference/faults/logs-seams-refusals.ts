/** Faults of refusals in every position: empty selectors, log selectors of every kind, what follows a complete query, volume. */
import type { Behaviour } from "../behaviour.ts";
import { emptyReply, type Reply, textReply } from "../http/message.ts";
import { type LogQuery, logQueriesOf, type MetricQuery, type Query } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** Lets empty selectors through where a query is of one shape. */
function emptyAllowed(id: string, sentence: string, allows: (query: MetricQuery) => boolean): Fault {
  return fault("logs-2.2", id, sentence, (base) => ({
    refuseQuery: (query, endpoint) => {
      const refusal = base.refuseQuery(query, endpoint);
      return refusal?.kind === "no-matcher" && query.kind !== "log" && allows(query) ? undefined : refusal;
    },
  }));
}

function innermost(query: MetricQuery): MetricQuery {
  return query.kind === "vector" ? innermost(query.inner) : query;
}

function isFunction(query: MetricQuery, name: string): boolean {
  const inner = innermost(query);
  return inner.kind === "range" && inner.function === name;
}

const EMPTY: readonly Fault[] = [
  emptyAllowed("logs-seam-empty-in-rate", "An empty selector is let through inside rate.", (query) => isFunction(query, "rate")),
  emptyAllowed("logs-seam-empty-in-bytes", "An empty selector is let through inside bytes_over_time.", (query) =>
    isFunction(query, "bytes_over_time"),
  ),
  emptyAllowed(
    "logs-seam-empty-in-grouping",
    "An empty selector is let through inside an aggregation by labels.",
    (query) => query.kind === "vector" && query.grouping !== undefined,
  ),
  emptyAllowed(
    "logs-seam-empty-nested",
    "An empty selector is let through inside two aggregations.",
    (query) => query.kind === "vector" && query.inner.kind === "vector",
  ),
  emptyAllowed(
    "logs-seam-empty-in-max",
    "An empty selector is let through inside max, min and avg.",
    (query) => query.kind === "vector" && ["max", "min", "avg"].includes(query.operator),
  ),
  emptyAllowed("logs-seam-empty-filtered-metric", "An empty selector is let through in a metric query with a line filter.", (query) =>
    logQueriesOf(query).some(({ filters }) => filters.length > 0),
  ),
  emptyAllowed(
    "logs-seam-empty-second-operand",
    "An empty selector is let through in the second operand of a calculation.",
    (query) => query.kind === "binary" && logQueriesOf(query.left).every(({ matchers }) => matchers.length > 0),
  ),
];

/** Lets log selectors of one kind through on the instant endpoint. */
function selectorAllowed(id: string, sentence: string, allows: (query: LogQuery) => boolean): Fault {
  return fault("logs-4.2", id, sentence, (base) => ({
    refuseQuery: (query, endpoint) => {
      const refusal = base.refuseQuery(query, endpoint);
      return refusal?.kind === "selector-on-instant" && query.kind === "log" && allows(query) ? undefined : refusal;
    },
  }));
}

function endsWith(operator: string): (query: LogQuery) => boolean {
  return ({ filters }) => filters.at(-1)?.operator === operator;
}

const SELECTORS: readonly Fault[] = [
  selectorAllowed("logs-seam-instant-excluding", "A log selector with != and a text is answered on the instant endpoint.", endsWith("!=")),
  selectorAllowed("logs-seam-instant-expression", "A log selector with |~ is answered on the instant endpoint.", endsWith("|~")),
  selectorAllowed("logs-seam-instant-not-expression", "A log selector with !~ is answered on the instant endpoint.", endsWith("!~")),
  selectorAllowed(
    "logs-seam-instant-regex-matcher",
    "A log selector with a matcher =~ is answered on the instant endpoint.",
    ({ matchers }) => matchers.some(({ operator }) => operator === "=~"),
  ),
  selectorAllowed(
    "logs-seam-instant-regex-matcher-first",
    "A log selector whose first matcher is an expression is answered on the instant endpoint.",
    ({ matchers }) => matchers[0]?.operator === "=~",
  ),
  fault(
    "logs-4.2",
    "logs-seam-instant-nothing-found",
    "A log selector that selects nothing is answered on the instant endpoint.",
    (base, { logs }) => ({
      refuseQuery: (query, endpoint) => {
        const refusal = base.refuseQuery(query, endpoint);
        if (refusal?.kind !== "selector-on-instant" || query.kind !== "log") return refusal;
        const streams = logs.tenants().flatMap((tenant) => [...logs.tenant(tenant).all()]);
        const selected = streams.some(({ labels }) => query.matchers.every((matcher) => base.matchStream(matcher, labels)));
        return selected ? refusal : undefined;
      },
    }),
  ),
];

/** Reads a query that does not parse without what `cut` takes off its end. */
function trailing(id: string, sentence: string, cut: RegExp): Fault {
  return fault("logs-7.400", id, sentence, (base) => ({ parseQuery: (text) => leniently(base, text, cut) }));
}

function leniently(base: Behaviour, text: string, cut: RegExp): Query {
  try {
    return base.parseQuery(text);
  } catch (error) {
    if (!(error instanceof QueryError) || !cut.test(text)) throw error;
    try {
      return base.parseQuery(text.replace(cut, ""));
    } catch {
      throw error;
    }
  }
}

const TRAILING: readonly Fault[] = [
  trailing("logs-seam-trailing-word", "A word after a complete query is ignored.", /(?<=[})\]"`])\s*[a-z_]+\s*$/),
  trailing("logs-seam-trailing-parenthesis", "A parenthesis too many after a complete query is ignored.", /\)\s*$/),
  trailing("logs-seam-trailing-selector", "A second selector after a complete query is ignored.", /(?<=[})"`])\s*\{[^{}]*\}\s*$/),
  trailing("logs-seam-trailing-text", "A text after a complete query is ignored.", /(?<=[})\]])\s*"[^"]*"\s*$/),
  trailing("logs-seam-trailing-range", "A range after a complete query is ignored.", /(?<=[})\]"`])\s*\[\w+\]\s*$/),

  trailing("logs-seam-trailing-sign", "A sign that means nothing after a complete query is ignored.", /\s*[?;@$]\s*$/),
];

const VOLUME_PER_SECOND = 4 * 1_024 * 1_024;
const VOLUME_BURST = 6 * 1_024 * 1_024;

/** Pushes of more than 4 MiB a second, 6 MiB at once, are answered so and not stored. */
function byVolume(clause: string, id: string, sentence: string, reply: Reply): Fault {
  return fault(
    clause,
    id,
    sentence,
    (base, { options }) => {
      let [left, lastMs] = [VOLUME_BURST, options.now()];
      return {
        beforeHandle: (request, route) => {
          if (route?.operation !== "logs.push") return base.beforeHandle(request, route);
          const nowMs = options.now();
          left = Math.min(VOLUME_BURST, left + ((nowMs - lastMs) * VOLUME_PER_SECOND) / 1_000);
          lastMs = nowMs;
          if (left < request.body.length) return reply;
          left -= request.body.length;
          return base.beforeHandle(request, route);
        },
      };
    },
    { options: { rateLimit: { perSecond: 1_000_000, burst: 1_000_000 } }, settings: { LOGS_EXPECT_RATE_LIMIT: "true" } },
  );
}

export const LOGS_SEAM_VOLUME_FAULTS: readonly Fault[] = [
  byVolume(
    "logs-7.429",
    "logs-seam-volume-400",
    "Pushes of more than 4 MiB a second, 6 MiB at once, are answered 400 instead of 429.",
    textReply(400, "ingestion rate limit exceeded\n"),
  ),
];

/** What is dropped in silence shows in reads only, and not in the answers to what crosses the seam. */
export const LOGS_SILENT_VOLUME_FAULTS: readonly Fault[] = [
  byVolume(
    "logs-7.429-accepted",
    "logs-seam-volume-silent",
    "Pushes of more than 4 MiB a second, 6 MiB at once, are answered 204 and dropped; nothing is ever answered 429.",
    emptyReply(204),
  ),
];

export const LOGS_SEAM_REFUSAL_FAULTS: readonly Fault[] = [...EMPTY, ...SELECTORS, ...TRAILING];
