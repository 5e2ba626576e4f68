/** Faults of the shapes of queries: alternatives, combined matchers, chains of filters, refusals in every position. */
import type { Behaviour } from "../behaviour.ts";
import { textReply } from "../http/message.ts";
import { type LogQuery, logQueriesOf, type MetricQuery, type Query } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import { compileRegex } from "../logql/regex.ts";
import { labelValue } from "../logs/types.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** `a|b` and more such, without any group around it. */
const BARE = /^[\w .:-]+(?:\|[\w .:-]+)+$/;

/** Reads the expressions of filters with one operator differently. */
function filtered(
  id: string,
  sentence: string,
  operator: "|~" | "!~",
  applies: RegExp,
  match: (text: string, line: string) => boolean,
): Fault {
  return fault("logs-4.3", id, sentence, (base) => ({
    filterLine: (filter, line, index) =>
      filter.operator === operator && applies.test(filter.text)
        ? match(filter.text, line) === (operator === "|~")
        : base.filterLine(filter, line, index),
  }));
}

function someOf(text: string, line: string, from: number, to?: number): boolean {
  return text
    .split("|")
    .slice(from, to)
    .some((word) => line.includes(word));
}

/** Reads a log query as another. */
function reread(clause: string, id: string, sentence: string, change: (query: LogQuery) => Partial<LogQuery>): Fault {
  return fault(clause, id, sentence, (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      return query.kind === "log" ? { ...query, ...change(query) } : query;
    },
  }));
}

const ALTERNATIVES: readonly Fault[] = [
  filtered("logs-seam-alternatives-first", "Of bare alternatives `a|b` after |~ only the first counts.", "|~", BARE, (text, line) =>
    someOf(text, line, 0, 1),
  ),
  filtered("logs-seam-alternatives-last", "Of bare alternatives `a|b` after |~ only the last counts.", "|~", BARE, (text, line) =>
    someOf(text, line, -1),
  ),
  filtered(
    "logs-seam-alternatives-excluded-first",
    "Of bare alternatives `a|b` after !~ only the first is kept out.",
    "!~",
    BARE,
    (text, line) => someOf(text, line, 0, 1),
  ),
  filtered(
    "logs-seam-alternatives-all",
    "A line passes bare alternatives `a|b` after |~ only with all of them.",
    "|~",
    BARE,
    (text, line) => text.split("|").every((word) => line.includes(word)),
  ),
  filtered(
    "logs-seam-alternatives-all-excluded",
    "Bare alternatives `a|b` after !~ keep out only lines with all of them.",
    "!~",
    BARE,
    (text, line) => text.split("|").every((word) => line.includes(word)),
  ),
  filtered("logs-seam-between-literals", "Of `a.*b` after |~ the order of a and b does not matter.", "|~", /^\w+\.\*\w+$/, (text, line) =>
    text.split(".*").every((word) => line.includes(word)),
  ),
  filtered(
    "logs-seam-between-literals-first",
    "Of `a.*b` after |~ only what is before the points counts.",
    "|~",
    /^\w+\.\*\w+$/,
    (text, line) => line.includes(text.split(".*")[0] ?? text),
  ),
  filtered(
    "logs-seam-between-literals-adjacent",
    "`.*` between two literals after |~ matches one character at least.",
    "|~",
    /^\w+\.\*\w+$/,
    (text, line) => compileRegex(text.replace(".*", ".+"), false).test(line),
  ),
  filtered(
    "logs-seam-between-literals-excluded",
    "Of `a.*b` after !~ the order of a and b does not matter.",
    "!~",
    /^\w+\.\*\w+$/,
    (text, line) => text.split(".*").every((word) => line.includes(word)),
  ),
];

const CHAINS: readonly Fault[] = [
  reread("logs-4.3", "logs-seam-third-kind-ignored", "Of three filters of three kinds the third is ignored.", ({ filters }) => ({
    filters:
      new Set(filters.slice(0, 3).map(({ operator }) => operator)).size === 3 ? filters.filter((_filter, index) => index !== 2) : filters,
  })),
  reread("logs-4.3", "logs-seam-expressions-joined", "Of two expressions after |~ in one chain only the last counts.", ({ filters }) => ({
    filters: filters.filter(
      ({ operator }, index) => operator !== "|~" || !filters.slice(index + 1).some((other) => other.operator === "|~"),
    ),
  })),
  reread("logs-4.3", "logs-seam-fourth-ignored", "Of more than three filters only the first three count.", ({ filters }) => ({
    filters: filters.slice(0, 3),
  })),
  reread("logs-4.3", "logs-seam-exclusion-after-expression", "!= right after |~ is ignored.", ({ filters }) => ({
    filters: filters.filter(({ operator }, index) => operator !== "!=" || filters[index - 1]?.operator !== "|~"),
  })),
];

const MATCHERS: readonly Fault[] = [
  fault(
    "logs-4.matchers",
    "logs-seam-empty-compatible-second",
    "Of several matchers that accept the empty value only the first counts.",
    (base) => ({
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        if (query.kind !== "log") return query;
        const open = query.matchers.filter((matcher) => base.matchStream(matcher, {}));
        return { ...query, matchers: query.matchers.filter((matcher) => !open.includes(matcher) || matcher === open[0]) };
      },
    }),
  ),
  fault(
    "logs-4.matchers",
    "logs-seam-empty-compatible-absent",
    "Where several matchers accept the empty value, streams without the label fail them.",
    (base) => ({
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        if (query.kind !== "log") return query;
        const open = query.matchers.filter((matcher) => base.matchStream(matcher, {}));
        const present = open.map(({ name }) => ({ name, operator: "!=", value: "" }) as const);
        return open.length > 1 ? { ...query, matchers: [...query.matchers, ...present] } : query;
      },
    }),
  ),
  reread(
    "logs-4.matchers",
    "logs-seam-set-alone",
    "Beside a set `a|b` after =~ the matcher that follows it is ignored.",
    ({ matchers }) => ({
      matchers: matchers.filter((_matcher, index) => {
        const before = matchers[index - 1];
        return before === undefined || before.operator !== "=~" || !BARE.test(before.value);
      }),
    }),
  ),
  fault("logs-4.matchers", "logs-seam-set-of-two", "Of a set `a|b|c` after =~ only the first two values count.", (base) => ({
    matchStream: (matcher, labels) =>
      matcher.operator === "=~" && BARE.test(matcher.value)
        ? matcher.value.split("|").slice(0, 2).includes(labelValue(labels, matcher.name))
        : base.matchStream(matcher, labels),
  })),
  fault("logs-4.matchers", "logs-seam-set-excluded-first", "Of a set `a|b` after !~ only the first value is kept out.", (base) => ({
    matchStream: (matcher, labels) =>
      matcher.operator === "!~" && BARE.test(matcher.value)
        ? matcher.value.split("|")[0] !== labelValue(labels, matcher.name)
        : base.matchStream(matcher, labels),
  })),
];

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
    return base.parseQuery(text.replace(cut, ""));
  }
}

const TRAILING: readonly Fault[] = [
  trailing("logs-seam-trailing-word", "A word after a complete query is ignored.", /(?<=[})\]"`])\s*[a-z_]+\s*$/),
  trailing("logs-seam-trailing-parenthesis", "A parenthesis too many after a complete query is ignored.", /\)\s*$/),
  trailing("logs-seam-trailing-selector", "A second selector after a complete query is ignored.", /(?<=[})"`])\s*\{[^{}]*\}\s*$/),
  trailing("logs-seam-trailing-text", "A text after a complete query is ignored.", /(?<=[})\]])\s*"[^"]*"\s*$/),
  trailing("logs-seam-trailing-range", "A range after a complete query is ignored.", /(?<=[})\]"`])\s*\[\w+\]\s*$/),
  trailing("logs-seam-trailing-operator", "An operator after a complete query is ignored.", /\s*(?:\|=|\|~|!=|!~|[-+*/,])\s*$/),
];

const VOLUME_PER_SECOND = 4 * 1_024 * 1_024;
const VOLUME_BURST = 6 * 1_024 * 1_024;

const VOLUME: readonly Fault[] = [
  fault(
    "logs-7.429",
    "logs-seam-volume-503",
    "Pushes of more than 4 MiB a second, 6 MiB at once, are answered 503 instead of 429.",
    (base, { options }) => {
      let [left, lastMs] = [VOLUME_BURST, options.now()];
      return {
        beforeHandle: (request, route) => {
          if (route?.operation !== "logs.push") return base.beforeHandle(request, route);
          const nowMs = options.now();
          left = Math.min(VOLUME_BURST, left + ((nowMs - lastMs) * VOLUME_PER_SECOND) / 1_000);
          lastMs = nowMs;
          if (left < request.body.length) return textReply(503, "ingestion rate limit exceeded\n");
          left -= request.body.length;
          return base.beforeHandle(request, route);
        },
      };
    },
    { options: { rateLimit: { perSecond: 1_000_000, burst: 1_000_000 } }, settings: { LOGS_EXPECT_RATE_LIMIT: "true" } },
  ),
];

export const LOGS_SEAM_QUERY_FAULTS: readonly Fault[] = [...ALTERNATIVES, ...CHAINS, ...MATCHERS];
export const LOGS_SEAM_REFUSAL_FAULTS: readonly Fault[] = [...EMPTY, ...SELECTORS, ...TRAILING];
export const LOGS_SEAM_VOLUME_FAULTS: readonly Fault[] = VOLUME;
