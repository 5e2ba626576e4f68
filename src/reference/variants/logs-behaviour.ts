/** Variants with unusual behaviour of the log API: at edges of windows, with refusals that the documents allow, or with delays. */
import type { Behaviour } from "../behaviour.ts";
import { jsonReply, textReply } from "../http/message.ts";
import { logQueriesOf, type Query } from "../logql/ast.ts";
import { compileRegex } from "../logql/regex.ts";
import { INGEST_BASE } from "../logs/ingest.ts";
import { labelValue } from "../logs/types.ts";
import { lowerBound } from "../logs/store.ts";
import { legal, legalDecision, legalResult, type Row, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const EDGES = "the document does not say whether start and end belong to the range";
const DUPLICATES = "the document does not say what a server does with exact duplicates";
const OLDER = "the document does not say which timestamps a server accepts";
const VISIBILITY = "no statement says how soon a pushed entry can be read";
const OTHERWISE = "the document does not say what a server does with other requests";
const HOUR_MS = 3_600_000;
const HALF_HOUR_NS = 1_800_000_000_000n;

function afterPush(ms: number): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({ entryVisible: (entry, nowMs) => nowMs - entry.storedAtMs >= ms && base.entryVisible(entry, nowMs) });
}

const WINDOWS: readonly Variant[] = variantsOf({
  "end-included": legal("A range includes its end.", EDGES, () => ({ rangeTimes: (start, end) => ({ from: start, to: end + 1n }) })),
  "start-excluded": legal("A range excludes its start.", EDGES, () => ({ rangeTimes: (start, end) => ({ from: start + 1n, to: end }) })),
  "edges-swapped": legal("A range excludes its start and includes its end.", EDGES, () => ({
    rangeTimes: (start, end) => ({ from: start + 1n, to: end + 1n }),
  })),
  "metric-range-closed": legal(
    "The range of a metric query includes both ends.",
    "the document does not say whether the edges belong to the range",
    () => ({
      rangeBefore: (time, rangeNs) => ({ from: time - rangeNs, to: time + 1n }),
    }),
  ),
  "metric-range-without-time": legal(
    "The range of a metric query excludes its time.",
    "the document does not say whether the edges belong to the range",
    () => ({
      rangeBefore: (time, rangeNs) => ({ from: time - rangeNs, to: time }),
    }),
  ),
  "metric-range-open-divided": legal(
    "The range of a metric query includes neither end, and is computed from ranges of half an hour.",
    "the document does not say whether the edges belong to the range",
    (base) => {
      let asked = 0n;
      return {
        rangeBefore: (time, rangeNs) => {
          asked = time;
          return { from: time - rangeNs + 1n, to: time };
        },
        blockAnswer: (entries, block, reading) => {
          const handed = base.blockAnswer(entries, block, reading);
          return reading.path === "instant" ? handed.filter(({ ts }) => (asked - ts) % HALF_HOUR_NS !== 0n) : handed;
        },
      };
    },
  ),
  "short-times-are-seconds": legal("Times of at most ten digits are read as seconds, and dates are accepted.", OTHERWISE, (base) => ({
    parseTime: (text, parameter) => {
      if (/^\d{1,10}$/.test(text)) return BigInt(text) * 1_000_000_000n;
      const date = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
      return Number.isNaN(date) ? base.parseTime(text, parameter) : BigInt(date) * 1_000_000n;
    },
  })),
  "unreadable-expression-as-text": legal("An expression with an unclosed parenthesis is read as a plain text.", OTHERWISE, (base) => ({
    parseQuery: (text) => base.parseQuery(text.replaceAll(/(~ ?"[^"()]*)\("/g, String.raw`$1\\("`)),
  })),
  "limit-at-most-1000": legalResult("parseLimit", "A limit above 1000 is refused.", OTHERWISE, (limit) =>
    limit === undefined || limit > 1_000 ? undefined : limit,
  ),
  "limit-zero-is-default": legal("A limit of 0 is read as the default.", OTHERWISE, (base) => ({
    parseLimit: (text) => (text === "0" ? 100 : base.parseLimit(text)),
  })),
  "directions-in-capitals": legal("The direction may be in capitals, and an unknown direction is read as backward.", OTHERWISE, (base) => ({
    parseDirection: (text) => base.parseDirection(text.toLowerCase()) ?? "backward",
  })),
  "metric-on-range-answered": legalResult(
    "refuseQuery",
    "query_range accepts metric queries.",
    "the document does not say what query_range does with metric queries",
    (refusal) => (refusal?.kind === "metric-on-range" ? undefined : refusal),
  ),
});

/** In ms: the time between two flushes of old entries, and the age up to which queries read entries that are not flushed. */
const PUT_AWAY_EVERY_MS = 9_000;
const LOOKED_BACK_MS = 161 * 60_000;

const PUSHES: readonly Variant[] = variantsOf({
  "duplicates-kept": legal("An exact duplicate is stored as a second entry.", DUPLICATES, () => ({
    insertEntry: (entries, entry) => {
      const after = entries.findIndex(({ ts }) => ts > entry.ts);
      entries.splice(after === -1 ? entries.length : after, 0, entry);
    },
  })),
  "duplicates-refused": legal("A push with an exact duplicate is refused after its other entries are stored.", DUPLICATES, (base) => ({
    refuseEntry: (entry, stream, context) => {
      const from = lowerBound(stream.entries, entry.ts);
      const same = stream.entries.slice(from, lowerBound(stream.entries, entry.ts + 1n));
      return same.some(({ line }) => line === entry.line) ? "duplicate entry" : base.refuseEntry(entry, stream, context);
    },
  })),
  "older-refused": legalDecision("refuseEntry", "Entries older than the newest of their stream are refused.", OLDER, (entry, stream) => {
    const newest = stream.entries.at(-1);
    return newest !== undefined && entry.ts < newest.ts ? "entry out of order" : undefined;
  }),
  "dated-half-an-hour-ahead": legal(
    "Each response is dated half an hour ahead, and entries more than ten minutes ahead of the clock are refused.",
    `${OLDER}, nor what the date of an answer is`,
    (base) => ({
      refuseEntry: (entry, stream, context) =>
        Number(entry.ts / 1_000_000n) > context.nowMs + HOUR_MS / 6 ? "entry in the future" : base.refuseEntry(entry, stream, context),
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        return { ...reply, headers: { ...reply.headers, date: new Date(Date.now() + HOUR_MS / 2).toUTCString() } };
      },
    }),
  ),
  "hours-old-refused": legal("Entries older than an hour or more than ten minutes ahead are refused.", OLDER, (base) => ({
    refuseEntry: (entry, stream, context) => {
      const ms = Number(entry.ts / 1_000_000n);
      return ms < context.nowMs - HOUR_MS || ms > context.nowMs + HOUR_MS / 6
        ? "timestamp out of bounds"
        : base.refuseEntry(entry, stream, context);
    },
  })),
  "older-invisible": legal(
    "Entries older than the newest of their stream are accepted, and reads show them after an hour.",
    { why: OLDER, leavesOpen: ["logs-4.push/late-entries"] },
    (base) => ({
      insertEntry: (entries, entry) => {
        const newest = entries.at(-1);
        base.insertEntry(
          entries,
          newest !== undefined && entry.ts < newest.ts ? { ...entry, storedAtMs: entry.storedAtMs + HOUR_MS } : entry,
        );
      },
      entryVisible: (entry, nowMs) => entry.storedAtMs <= nowMs && base.entryVisible(entry, nowMs),
    }),
  ),
  "old-seen-later": legal("Reads show entries of more than two hours ago a second later than other entries.", OLDER, (base) => ({
    entryVisible: (entry, nowMs) =>
      (nowMs - entry.storedAtMs >= 1_000 || nowMs - Number(entry.ts / 1_000_000n) < 2 * HOUR_MS) && base.entryVisible(entry, nowMs),
  })),
  "old-seen-when-put-away": legal(
    "Reads show entries of more than 161 minutes ago only after a flush, which happens every nine seconds.",
    OLDER,
    (base, { options }) => {
      const startMs = options.now();
      const putAwayMs = (storedAtMs: number): number => startMs + Math.ceil((storedAtMs - startMs) / PUT_AWAY_EVERY_MS) * PUT_AWAY_EVERY_MS;
      return {
        entryVisible: (entry, nowMs) =>
          (nowMs >= putAwayMs(entry.storedAtMs) || nowMs - Number(entry.ts / 1_000_000n) < LOOKED_BACK_MS) &&
          base.entryVisible(entry, nowMs),
      };
    },
  ),
  "content-type-exact": legal("A push needs exactly the header application/json.", "it is the documented header", (base) => ({
    checkPush: (request) =>
      request.headers["content-type"] === "application/json"
        ? base.checkPush(request)
        : textReply(400, "Content-Type must be application/json\n"),
  })),
  "many-labels-refused": legalResult(
    "parsePush",
    "A stream with more than twelve labels is refused.",
    "the document does not say how many labels a stream may have",
    (usual, body) => {
      const streams = INGEST_BASE.parsePush(body);
      if (typeof streams === "string") return usual;
      return streams.some(({ labels }) => Object.keys(labels).length > 12) ? "too many labels" : usual;
    },
  ),
  "visible-later": legal("Reads show pushed entries 30 ms later.", VISIBILITY, afterPush(30)),
  "visible-much-later": legal("Reads show pushed entries 400 ms later.", { why: VISIBILITY, settleMs: 2_000 }, afterPush(400)),
  "visible-in-parts": legal("Reads show pushed entries one after the other within 30 ms.", VISIBILITY, (base) => ({
    entryVisible: (entry, nowMs) => nowMs - entry.storedAtMs >= Number(entry.ts % 30n) && base.entryVisible(entry, nowMs),
  })),
  "replica-behind": legal("Every second read lacks the entries of the last 25 ms.", VISIBILITY, (base) => {
    let reads = 0;
    return {
      beforeHandle: (request, route) => {
        if (route?.operation === "logs.query_range") reads += 1;
        return base.beforeHandle(request, route);
      },
      entryVisible: (entry, nowMs) => (reads % 2 === 0 || nowMs - entry.storedAtMs >= 25) && base.entryVisible(entry, nowMs),
    };
  }),
});

/** Whether a metric query is one of the three documented functions, or a sum of such a function. The sum may group by labels. */
function isNamed(query: Query): boolean {
  if (query.kind === "binary") return false;
  if (query.kind !== "vector") return true;
  return query.operator === "sum" && query.grouping?.kind !== "without" && query.inner.kind === "range";
}

/** A server that changes the expressions of `=~` and `!~` with the function `expression`. */
function expressionsMatch(sentence: string, expression: (text: string) => string): Row {
  return legal(sentence, "the document does not say whether an expression must match the whole text", (base) => ({
    matchStream: (matcher, labels) => {
      if (matcher.operator !== "=~" && matcher.operator !== "!~") return base.matchStream(matcher, labels);
      return compileRegex(expression(matcher.value), false).test(labelValue(labels, matcher.name)) === (matcher.operator === "=~");
    },
  }));
}

const QUERIES: readonly Variant[] = variantsOf({
  "metric-forms-named-only": legalResult(
    "refuseQuery",
    "Metric queries other than the three functions and their sums are refused.",
    "the document does not say which queries the language has",
    (refusal, query) => refusal ?? (isNamed(query) ? undefined : { kind: "syntax", message: "not supported" }),
  ),
  "empty-compatible-refused": legal(
    "A selector whose matchers all accept the empty value is refused.",
    "only the selector without any matcher is mentioned",
    (base) => ({
      refuseQuery: (query, endpoint) => {
        const refusal = base.refuseQuery(query, endpoint);
        if (refusal !== undefined) return refusal;
        const compatible = logQueriesOf(query).some(({ matchers }) => matchers.every((matcher) => base.matchStream(matcher, {})));
        return compatible ? { kind: "no-matcher", message: "at least one matcher must not accept the empty value" } : undefined;
      },
    }),
  ),
  "equal-matcher-required": legalResult(
    "refuseQuery",
    "A selector without a matcher = is refused.",
    "a matcher is required, but no statement says with which operator",
    (refusal, query) => {
      if (refusal !== undefined) return refusal;
      const hasNone = logQueriesOf(query).some(({ matchers }) => matchers.every(({ operator }) => operator !== "="));
      return hasNone ? { kind: "no-matcher", message: "at least one matcher must be of =" } : undefined;
    },
  ),
  "regex-matchers-unanchored": expressionsMatch("The matchers =~ and !~ search for their expression anywhere in a value.", (text) => text),
  "regex-matchers-from-beginning": expressionsMatch(
    "The matchers =~ and !~ compare their expression with the beginning of a value.",
    (text) => `^(?:${text})`,
  ),
  "matchers-need-the-label": legal(
    "A matcher selects only streams that have its label.",
    "the document does not say whether a matcher selects streams without its label",
    (base) => ({ matchStream: (matcher, labels) => Object.hasOwn(labels, matcher.name) && base.matchStream(matcher, labels) }),
  ),
  "regex-filters-anchored": legalResult(
    "filterLine",
    "The filters |~ and !~ must match a whole line.",
    "the document does not say whether an expression must match the whole text",
    (passes, filter, line) => {
      if (filter.operator !== "|~" && filter.operator !== "!~") return passes;
      const found = [filter, ...(filter.others ?? [])].some(({ text }) => compileRegex(text, true).test(line));
      return found === (filter.operator === "|~");
    },
  ),
  "any-case-unknown": legal("Expressions with (?i) find nothing.", "the document does not show how an expression is written", (base) => ({
    matchStream: (matcher, labels) => (matcher.value.includes("(?i)") ? matcher.operator === "!~" : base.matchStream(matcher, labels)),
    filterLine: (filter, line, index) => (filter.text.includes("(?i)") ? filter.operator === "!~" : base.filterLine(filter, line, index)),
  })),
  "without-500": legalDecision(
    "respond",
    "A query with `without` is answered 500.",
    "the document does not say which queries the language has, nor how a server refuses other queries",
    (_given, request) =>
      /\bwithout\b/u.test(request.query.get("query") ?? "") ? textReply(500, "parse error: unexpected )\n") : undefined,
  ),
  "expressions-plain": legalResult(
    "refuseQuery",
    "An expression with a group that begins with a question mark is refused.",
    "the document does not show how an expression is written",
    (refusal, query) => {
      if (refusal !== undefined) return refusal;
      const grouped = logQueriesOf(query).some(
        ({ matchers, filters }) =>
          matchers.some(({ operator, value }) => operator.endsWith("~") && value.includes("(?")) ||
          filters.some(({ operator, text }) => operator.endsWith("~") && text.includes("(?")),
      );
      return grouped ? { kind: "syntax", message: "regular expression feature not supported" } : undefined;
    },
  ),
  "any-case-500": legal("Expressions with (?i) are answered 500.", "the document does not show how an expression is written", (base) => ({
    respond: (given, request, route) =>
      (request.query.get("query") ?? "").includes("(?i)")
        ? textReply(500, "unknown flag in expression\n")
        : base.respond(given, request, route),
  })),
  "bad-regex-500": legalDecision(
    "refusalReply",
    "A line filter with a malformed expression is answered 500.",
    "the document names syntax errors, but not a malformed expression in a correct query",
    (refusal) => (refusal.message.includes("regular expression") ? textReply(500, "error parsing regexp\n") : undefined),
  ),
  "bad-regex-selects-nothing": legalResult(
    "refusalReply",
    "A malformed expression matches nothing.",
    "the document does not say what a server does with malformed expressions",
    (reply, refusal) => (refusal.message.includes("regular expression") ? undefined : reply),
  ),
  "unknown-paths-json": legalResult("respond", "Unknown paths are answered 404 with JSON.", OTHERWISE, (reply, _given, _request, route) =>
    route === undefined ? jsonReply(404, { error: "not found" }) : reply,
  ),
});

export const LOGS_BEHAVIOUR_VARIANTS: readonly Variant[] = [...WINDOWS, ...PUSHES, ...QUERIES];
