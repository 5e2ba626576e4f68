/** Variants of the log API that refuse inputs. The documents do not promise that a service accepts these inputs. */
import type { Behaviour } from "../behaviour.ts";
import { isJsonObject, isSuccessful, type Reply, textReply } from "../http/message.ts";
import { QueryError } from "../logql/error.ts";
import { logQueriesOf, type LogQuery, type NumberLiteral, type Query } from "../logql/ast.ts";
import type { PushContext, PushedEntry, PushedStream } from "../logs/ingest.ts";
import type { StoredStream } from "../logs/store.ts";
import { legal, legalDecision, legalResult, type Row, variantsOf } from "./define.ts";
import { limitedWindows } from "./logs-limits.ts";
import type { Variant } from "./types.ts";

const WINDOWS = "the document does not say how long a window may be";
const LISTS = "the document names several tenants only for queries";
const LOW_LIMITS = "the lowest limit is not stated";
const SIZES = "how many entries a push may hold is not stated";
const LABELS = "the alphabet of label names and values is not stated";
const TROUBLE = "a 5xx does not say that the request was not carried out";
const LANGUAGE = "the document does not say which queries the language has";
const MINUTE_NS = 60_000_000_000n;

function refusing(
  sentence: string,
  why: string,
  refuses: (entry: PushedEntry, stream: StoredStream, context: PushContext) => boolean,
): Row {
  return legalDecision("refuseEntry", sentence, why, (entry, stream, context) => (refuses(entry, stream, context) ? sentence : undefined));
}

function withoutForm(sentence: string, isRefused: (query: Query) => boolean): Row {
  return legal(sentence, LANGUAGE, (base) => ({
    refuseQuery: (query, endpoint) =>
      base.refuseQuery(query, endpoint) ?? (isRefused(query) ? { kind: "syntax", message: "not supported" } : undefined),
  }));
}

function withoutPart(sentence: string, isRefused: (part: LogQuery) => boolean): Row {
  return withoutForm(sentence, (query) => logQueriesOf(query).some(isRefused));
}

function isGrouped(query: Query | NumberLiteral): boolean {
  switch (query.kind) {
    case "vector":
    case "picking":
      return query.grouping !== undefined || isGrouped(query.inner);
    case "binary":
      return isGrouped(query.left) || isGrouped(query.right);
    default:
      return false;
  }
}

function rangesOf(query: Query): bigint[] {
  switch (query.kind) {
    case "range":
      return [query.rangeNs];
    case "vector":
    case "picking":
      return rangesOf(query.inner);
    case "binary":
      return [query.left, query.right].flatMap((side) => ("kind" in side ? rangesOf(side as Query) : []));
    default:
      return [];
  }
}

function windowsOf(length: string, minutes: bigint): Row {
  const sentence = `A range query over more than ${length} is refused.`;
  return limitedWindows(sentence, WINDOWS, "the window is too long", (ns) => ns > minutes * MINUTE_NS);
}

function withoutStream(sentence: string, why: string, isRefused: (stream: PushedStream) => boolean): Row {
  return legalResult("parsePush", sentence, why, (streams) =>
    typeof streams !== "string" && streams.some(isRefused) ? sentence : streams,
  );
}

function pushesOf(most: number): Row {
  const sentence = `A push of more than ${most} entries of one stream is refused.`;
  return withoutStream(sentence, SIZES, ({ entries }) => entries.length > most);
}

function resultsOf(most: number): Row {
  const sentence = `A query whose result has more than ${most} series is refused.`;
  return legalResult("respond", sentence, "how many series a result may have is not stated", (reply, _given, _request, route) => {
    const isQuery = route?.operation === "logs.query_range" || route?.operation === "logs.query";
    return isQuery && isSuccessful(reply) && seriesOf(reply) > most ? textReply(400, "too many series\n") : reply;
  });
}

const MOST_STREAMS = 200;

function withFewStreams(base: Behaviour): Partial<Behaviour> {
  const seen = new Set<StoredStream>();
  return {
    refuseEntry: (entry, stream, context) => {
      const refusal = base.refuseEntry(entry, stream, context);
      if (refusal !== undefined || seen.has(stream)) return refusal;
      if (seen.size >= MOST_STREAMS) return "there are too many streams";
      seen.add(stream);
      return undefined;
    },
  };
}

function storedDespite503(base: Behaviour): Partial<Behaviour> {
  let isFirst = true;
  return {
    respond: (given, request, route) => {
      const reply = base.respond(given, request, route);
      const isChosen = isFirst && route?.operation === "logs.push" && isSuccessful(reply) && request.body.includes('"Svc_a"');
      isFirst &&= !isChosen;
      return isChosen ? textReply(503, "try again\n") : reply;
    },
  };
}

function seriesOf({ body }: Reply): number {
  const value = body.kind === "json" ? body.value : null;
  const data = isJsonObject(value) ? value["data"] : undefined;
  const result = isJsonObject(data) ? data["result"] : undefined;
  return Array.isArray(result) ? result.length : 0;
}

function brokenChunks(base: Behaviour): Partial<Behaviour> {
  let chunked = 0;
  return {
    beforeHandle: (request, route) => {
      if (route?.operation === "logs.push" && request.headers["transfer-encoding"] === "chunked") {
        chunked += 1;
        if (chunked % 2 === 1) return { ...textReply(500, ""), hangUp: true };
      }
      return base.beforeHandle(request, route);
    },
  };
}

const MOST_BYTES = 300_000;

function withSmallReads(base: Behaviour): Partial<Behaviour> {
  const bytes = new Map<string, number>();
  return {
    parsePush: (body) => {
      const streams = base.parsePush(body);
      for (const { labels, entries } of typeof streams === "string" ? [] : streams) {
        const set = labels["plumbline_set"] ?? "";
        bytes.set(
          set,
          entries.reduce((sum, { line }) => sum + Buffer.byteLength(line), bytes.get(set) ?? 0),
        );
      }
      return streams;
    },
    beforeHandle: (request, route) => {
      const set = /plumbline_set="([^"]*)"/.exec(request.query.get("query") ?? "")?.[1] ?? "";
      return (bytes.get(set) ?? 0) > MOST_BYTES
        ? textReply(400, "the query would read too many bytes\n")
        : base.beforeHandle(request, route);
    },
  };
}

export const LOGS_REFUSING_VARIANTS: readonly Variant[] = variantsOf({
  "escapes-of-quotes-only": legal("Queries know only the escapes of a quotation mark and of a backslash.", LANGUAGE, (base) => ({
    parseQuery: (text) => base.parseQuery(text.replaceAll(/`[^`]*`|\\["\\]|\\/g, (part) => (part === "\\" ? String.raw`\\` : part))),
  })),
  "classes-refused": withoutPart("A query with a class of characters in an expression is refused.", ({ matchers, filters }) =>
    [...matchers.map(({ operator, value }) => operator + value), ...filters.map(({ operator, text }) => operator + text)].some((one) =>
      /^.~.*(?<!\\)\[/s.test(one),
    ),
  ),
  "other-escapes-refused": legal(
    "A query with an escape other than that of a quotation mark or a backslash is refused.",
    LANGUAGE,
    (base) => ({
      parseQuery: (text) => {
        if (/\\[^"\\]/.test(text.replaceAll(/\\["\\]/g, ""))) throw new QueryError("unknown escape", 0);
        return base.parseQuery(text);
      },
    }),
  ),
  "repetitions-refused": withoutPart("A query with a counted repetition such as {2} in a line filter is refused.", ({ filters }) =>
    filters.some(({ operator, text }) => operator.includes("~") && /\{\d/.test(text)),
  ),
  "empty-values-refused": withoutPart("A query with an empty value in a matcher is refused.", ({ matchers }) =>
    matchers.some(({ value }) => value === ""),
  ),
  "wildcards-refused": withoutPart("A query with .* or .+ in a regular expression is refused.", ({ matchers, filters }) =>
    [...matchers.map(({ operator, value }) => ({ operator, text: value })), ...filters].some(
      ({ operator, text }) => operator.includes("~") && /\.[*+]/.test(text),
    ),
  ),
  "short-filters-refused": withoutPart("A query with a line filter of fewer than three characters is refused.", ({ filters }) =>
    filters.some(({ text }) => text.length < 3),
  ),
  "ranges-in-whole-minutes": withoutForm("A metric query with a range that is not in whole minutes is refused.", (query) =>
    rangesOf(query).some((ns) => ns % MINUTE_NS !== 0n),
  ),
  "milliseconds-refused": legal("A metric query with a range in milliseconds is refused.", LANGUAGE, (base) => ({
    parseQuery: (text) => {
      if (/\[[^\]"`]*\dms\]/.test(text)) throw new QueryError("unknown unit", 0);
      return base.parseQuery(text);
    },
  })),
  "lists-of-one-tenant": legalDecision("beforeHandle", "A label list of several tenants is refused with 400.", LISTS, (request, route) =>
    (route?.operation === "logs.labels" || route?.operation === "logs.label_values") &&
    request.headers["x-scope-orgid"]?.includes("|") === true
      ? textReply(400, "one tenant only\n")
      : undefined,
  ),
  "limits-below-10-refused": legal("A range query with a limit below 10 is refused.", LOW_LIMITS, (base) => ({
    beforeHandle: (request, route) =>
      route?.operation === "logs.query_range" && /^\d$/.test(request.query.get("limit") ?? "")
        ? textReply(400, "the limit is too low\n")
        : base.beforeHandle(request, route),
  })),
  "reads-of-300-kb": legal(
    "A query over streams with more than 300 kB of log lines is refused with 400.",
    "how much a query may read is not stated",
    withSmallReads,
  ),
  "times-of-two-hours-ago-refused": legal(
    "A range query whose window ends more than two hours ago is refused, and so is a metric query for a time more than two hours ago.",
    "how far back the window or the time of a query may lie is not stated",
    (base, { options }) => ({
      beforeHandle: (request, route) => {
        const parameter = new Map([
          ["logs.query_range", "end"],
          ["logs.query", "time"],
        ]).get(route?.operation ?? "");
        const time = parameter === undefined ? "" : (request.query.get(parameter) ?? "");
        return /^\d{11,19}$/.test(time) && BigInt(time) < BigInt(Math.floor(options.now())) * 1_000_000n - 120n * MINUTE_NS
          ? textReply(400, "the time is too old\n")
          : base.beforeHandle(request, route);
      },
    }),
  ),
  "windows-at-most-10-minutes": windowsOf("10 minutes", 10n),
  "windows-at-most-1-hours": windowsOf("1 hours", 60n),
  "windows-at-most-12-hours": windowsOf("12 hours", 720n),
  "pushes-of-50-a-stream": pushesOf(50),
  "pushes-of-100-a-stream": pushesOf(100),
  "pushes-of-500-a-stream": pushesOf(500),
  "pushes-of-1000-a-stream": pushesOf(1_000),
  "streams-at-most-200": legal(
    "A push that begins a stream is refused with 400 if there are 200 streams.",
    {
      why: SIZES,
      // These checks push new streams. This server has no room for them, so the checks may be inconclusive.
      leavesOpen: [
        ...["side-by-side", "comes-back", "gallery", "after-refused", "added-later"].map((slug) => `logs-4.push/${slug}`),
        ...["pushed-names", "settled"].map((slug) => `logs-4.labels/${slug}`),
        "logs-4.label-values/pushed-values",
        ...["old-union", "equal-in-union", "union", "beside-nobody"].map((slug) => `logs-5.2b/${slug}`),
      ],
    },
    withFewStreams,
  ),
  "pushes-end-at-300-streams": legal(
    "Each push is refused with 400 if there are 300 streams.",
    { why: SIZES, leavesOpen: ["logs-"] },
    (base) => {
      const seen = new Set<StoredStream>();
      return {
        refuseEntry: (entry, stream, context) => {
          const refusal = base.refuseEntry(entry, stream, context);
          if (refusal !== undefined) return refusal;
          if (seen.size >= 300) return "the quota of the tenant is used up";
          seen.add(stream);
          return undefined;
        },
      };
    },
  ),
  "lines-of-500": withoutStream("A push with a line of more than 500 characters is refused.", SIZES, ({ entries }) =>
    entries.some(({ line }) => line.length > 500),
  ),
  "lines-of-2000": withoutStream("A push with a line of more than 2,000 characters is refused.", SIZES, ({ entries }) =>
    entries.some(({ line }) => line.length > 2_000),
  ),
  "values-of-50": withoutStream("A push with a label value of more than 50 characters is refused.", LABELS, ({ labels }) =>
    Object.values(labels).some((value) => value.length > 50),
  ),
  "values-of-128": withoutStream("A push with a label value of more than 128 characters is refused.", LABELS, ({ labels }) =>
    Object.values(labels).some((value) => value.length > 128),
  ),
  "six-labels": withoutStream(
    "A push of a stream with more than 6 labels is refused.",
    LABELS,
    ({ labels }) => Object.keys(labels).length > 6,
  ),
  "stored-despite-503": legal("The first push with capitals in a label name is stored and answered with 503.", TROUBLE, storedDespite503),
  "results-of-20-series": resultsOf(20),
  "results-of-64-series": resultsOf(64),

  "sums-of-everything-only": withoutForm("Aggregations with `by` and with `without` are refused.", isGrouped),
  "ranges-of-ten-seconds": withoutForm("A metric query over a range of less than ten seconds is refused.", (query) =>
    rangesOf(query).some((range) => range < 10_000_000_000n),
  ),
  "ranges-of-five-minutes": withoutForm("A metric query over a range of more than five minutes is refused.", (query) =>
    rangesOf(query).some((range) => range > 5n * MINUTE_NS),
  ),

  "label-names-without-capitals": refusing("A label name with a capital is refused.", LABELS, (_entry, _stream, { labels }) =>
    Object.keys(labels).some((name) => /[A-Z]/.test(name)),
  ),
  "label-values-without-outer-blanks": refusing(
    "A label value with a blank at its begin or end is refused.",
    LABELS,
    (_entry, _stream, { labels }) => Object.values(labels).some((value) => value.trim() !== value),
  ),
  "label-values-printable-ascii": refusing(
    "A label value with a character outside printable ASCII is refused.",
    LABELS,
    (_entry, _stream, { labels }) => Object.values(labels).some((value) => /[^ -~]/.test(value)),
  ),
  "newer-entries-only": refusing(
    "An entry that is not newer than the newest of its stream is refused.",
    "which timestamps a server takes is not stated",
    ({ ts }, { entries }) => entries.length > 0 && ts <= (entries.at(-1)?.ts ?? 0n),
  ),
  "equal-matchers-only": withoutPart("A matcher other than = is refused.", ({ matchers }) =>
    matchers.some(({ operator }) => operator !== "="),
  ),
  "contains-filters-only": withoutPart("A line filter other than |= is refused.", ({ filters }) =>
    filters.some(({ operator }) => operator !== "|="),
  ),
  "regex-filters-only": withoutPart("A line filter other than |~ and !~ is refused.", ({ filters }) =>
    filters.some(({ operator }) => operator === "|=" || operator === "!="),
  ),
  "time-required": legal(
    "An instant query without `time` is answered 422.",
    "the document does not say how a service answers a request without `time`",
    (base) => ({
      beforeHandle: (request, route) =>
        route?.operation === "logs.query" && !request.query.has("time") ? textReply(422, "no time\n") : base.beforeHandle(request, route),
    }),
  ),
  "texts-without-escapes": legal("A query with a backslash in a text is refused.", LANGUAGE, (base) => ({
    parseQuery: (text) => {
      if (/"[^"]*\\/.test(text)) throw new QueryError("escapes are not supported", 0);
      return base.parseQuery(text);
    },
  })),
  "one-filter-only": withoutPart("A chain of line filters is refused.", ({ filters }) => filters.length > 1),
  "one-matcher-besides-two": withoutPart("A selector with more than three matchers is refused.", ({ matchers }) => matchers.length > 3),
  "metrics-without-sums": withoutForm(
    "Aggregations of metric queries are refused.",
    (query) => query.kind !== "log" && query.kind !== "range",
  ),
  "chunked-pushes-break-off": legal(
    "Every second push with a chunked body ends without a response.",
    "a connection may be closed at any time",
    brokenChunks,
  ),
});
