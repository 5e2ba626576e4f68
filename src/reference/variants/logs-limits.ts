/** Variants that refuse or hide data because of its size, age or amount. Real log servers do this, and the document allows it. */
import { isJsonObject, type Json, parseJson, textReply } from "../http/message.ts";
import { mapRanges } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import type { PushContext, PushedEntry } from "../logs/ingest.ts";
import type { StoredStream } from "../logs/store.ts";
import type { Entry, LabelledEntries } from "../logs/types.ts";
import { legal, legalDecision, legalResult, type Row, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const SIZES = "the document does not say how large a push, a line or a label may be";
const AGES = "the document does not say which timestamps a server accepts";
const LENGTHS = "the document does not say how long or short a window may be";
const MINUTE_NS = 60_000_000_000n;
const HOUR_NS = 60n * MINUTE_NS;
const KIB = 1_024;

function refusing(
  sentence: string,
  why: string,
  message: string,
  refuses: (entry: PushedEntry, stream: StoredStream, context: PushContext) => boolean,
): Row {
  return legalDecision("refuseEntry", sentence, why, (...given) => (refuses(...given) ? message : undefined));
}

function refusingPush(sentence: string, why: string, status: number, message: string, refuses: (body: string) => boolean): Row {
  return legalDecision("checkPush", sentence, why, ({ body }) => (refuses(body) ? textReply(status, `${message}\n`) : undefined));
}

function limitsAtMost(most: number): Row {
  const sentence = `A limit above ${most.toLocaleString("en-US")} is refused.`;
  return legalResult("parseLimit", sentence, "how high a limit may be is not stated", (limit, text) =>
    Number(text) > most ? undefined : limit,
  );
}

function linesAtMost(most: number): Row {
  const isTooLong = ({ line }: PushedEntry): boolean => Buffer.byteLength(line) > most * KIB;
  return refusing(`A line above ${most} KiB is refused.`, SIZES, "the line is too long", isTooLong);
}

function streamsAtMost(most: number): Row {
  const sentence = `A push of more than ${most} streams is answered 400.`;
  return refusingPush(sentence, SIZES, 400, "too many streams", (body) => streamsOf(body).length > most);
}

/** Returns the streams in the body of a push, or no streams if the body is not a push. */
function streamsOf(body: string): readonly Json[] {
  const pushed = parseJson(body);
  return isJsonObject(pushed) && Array.isArray(pushed["streams"]) ? (pushed["streams"] as readonly Json[]) : [];
}

/** Returns the number of entries in the body of a push, or 0 if the body is not a push. */
function entriesOf(body: string): number {
  return streamsOf(body).reduce<number>((sum, stream) => {
    const values = isJsonObject(stream) ? stream["values"] : undefined;
    return sum + (Array.isArray(values) ? values.length : 0);
  }, 0);
}

function nowNs({ nowMs }: PushContext): bigint {
  return BigInt(Math.floor(nowMs)) * 1_000_000n;
}

/** Returns the streams with an entry of the last `ns` nanoseconds. */
function recent(streams: readonly LabelledEntries[], nowMs: number, ns: bigint): readonly LabelledEntries[] {
  const oldest = BigInt(Math.floor(nowMs)) * 1_000_000n - ns;
  return streams.filter(({ entries }) => (entries.at(-1)?.ts ?? 0n) >= oldest);
}

/** A server that accepts entries that are more than `ns` ns older than the newest entry of their stream, but never shows them. */
function neverShown(ns: bigint, length: string): Row {
  return legal(
    `Entries${length} older than the newest of their stream are accepted and never shown.`,
    { why: AGES, leavesOpen: ["logs-4.push/late-entries"] },
    (base) => ({
      insertEntry: (entries, entry) => {
        if (entry.ts >= (entries.at(-1)?.ts ?? 0n) - ns) base.insertEntry(entries, entry);
      },
    }),
  );
}

function limitedByVolume(sentence: string, most: { readonly perSecond: number; readonly atOnce: number }): Row {
  return legal(
    sentence,
    {
      why: "a request above the rate limit is answered 429, and the document does not show what the limit counts",
      options: { rateLimit: { perSecond: 1_000_000, burst: 1_000_000 } },
    },
    (base, { options }) => {
      let [left, lastMs] = [most.atOnce, options.now()];
      return {
        beforeHandle: (request, route) => {
          if (route?.operation !== "logs.push") return base.beforeHandle(request, route);
          const nowMs = options.now();
          left = Math.min(most.atOnce, left + ((nowMs - lastMs) * most.perSecond) / 1_000);
          lastMs = nowMs;
          const bytes = Buffer.byteLength(request.body);
          if (left < bytes) return textReply(429, "ingestion rate limit exceeded\n");
          left -= bytes;
          return base.beforeHandle(request, route);
        },
      };
    },
  );
}

/** A server that refuses metric queries over ranges of some lengths in ns. */
function refusingRange(sentence: string, isRefused: (rangeNs: bigint) => boolean): Row {
  return legal(sentence, "how long a range may be is not stated", (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      if (query.kind === "log") return query;
      return mapRanges(query, (range) => {
        if (isRefused(range.rangeNs)) throw new QueryError("a range of this length is refused", 0);
        return range;
      });
    },
  }));
}

/** A server that refuses range queries over windows of some lengths in ns. */
export function limitedWindows(sentence: string, why: string, message: string, isRefused: (length: bigint) => boolean): Row {
  return legalDecision("beforeHandle", sentence, why, ({ query }, route) => {
    const [start, end] = [query.get("start") ?? "", query.get("end") ?? ""];
    const both = /^\d{11,19}$/.test(start) && /^\d{11,19}$/.test(end);
    return route?.operation === "logs.query_range" && both && isRefused(BigInt(end) - BigInt(start))
      ? textReply(400, `${message}\n`)
      : undefined;
  });
}

export const LOGS_LIMIT_VARIANTS: readonly Variant[] = variantsOf({
  "labels-at-most-15": refusing(
    "A stream with more than 15 labels is refused.",
    SIZES,
    "more than 15 labels",
    (_entry, _stream, { labels }) => Object.keys(labels).length > 15,
  ),
  "labels-at-most-10": refusing(
    "A stream with more than ten labels is refused.",
    SIZES,
    "more than 10 labels",
    (_entry, _stream, { labels }) => Object.keys(labels).length > 10,
  ),
  "labels-at-most-63-bytes": refusing(
    "A label name or value above 63 bytes is refused.",
    SIZES,
    "a label is too long",
    (_entry, _stream, { labels }) =>
      Object.entries(labels)
        .flat()
        .some((text) => Buffer.byteLength(text) > 63),
  ),
  "label-values-without-controls": refusing(
    "A label value with a control character is refused.",
    SIZES,
    "a label value has a control character",
    (_entry, _stream, { labels }) => Object.values(labels).some((value) => /\p{Cc}/u.test(value)),
  ),
  "label-values-of-few-characters": refusing(
    "A label value with a character other than letters, digits, dots, dashes and underscores is refused.",
    "which characters a label value may have is not stated",
    "a label value has a character that is not allowed",
    (_entry, _stream, { labels }) => Object.values(labels).some((value) => /[^a-zA-Z0-9_.-]/.test(value)),
  ),
  "lines-at-most-256-kib": linesAtMost(256),
  "lines-at-most-64-kib": linesAtMost(64),
  "lines-at-most-4-kib": linesAtMost(4),
  "lines-at-most-1-kib": linesAtMost(1),

  "pushes-at-most-1-mib": refusingPush(
    "A push above 1 MiB is refused.",
    SIZES,
    400,
    "the push is too large",
    (body) => Buffer.byteLength(body) > KIB * KIB,
  ),
  "pushes-at-most-64-kib": refusingPush(
    "A push above 64 KiB is answered 413.",
    SIZES,
    413,
    "the push is too large",
    (body) => Buffer.byteLength(body) > 64 * KIB,
  ),
  "ranges-of-an-hour": refusingRange("A metric query over more than an hour is refused.", (rangeNs) => rangeNs > HOUR_NS),
  "ranges-of-whole-minutes": refusingRange(
    "A metric query over more than five minutes is refused if its range is not a whole number of minutes.",
    (rangeNs) => rangeNs > 5n * MINUTE_NS && rangeNs % MINUTE_NS !== 0n,
  ),
  "pushes-of-5000-entries": refusingPush(
    "A push of more than 5,000 entries is refused.",
    SIZES,
    400,
    "too many entries",
    (body) => entriesOf(body) > 5_000,
  ),
  "pushes-of-500-entries-400": refusingPush(
    "A push of more than 500 entries is answered 400.",
    SIZES,
    400,
    "too many entries",
    (body) => entriesOf(body) > 500,
  ),
  "pushes-of-20-streams": streamsAtMost(20),
  "pushes-of-10-streams": streamsAtMost(10),

  "lines-without-controls": refusing(
    "A line with a control character is refused.",
    "which characters a line may have is not stated",
    "the line has a control character",
    ({ line }) => /\p{Cc}/u.test(line),
  ),
  "pushes-of-100-entries": refusingPush(
    "A push of more than 100 entries is answered 413.",
    SIZES,
    413,
    "too many entries",
    (body) => entriesOf(body) > 100,
  ),
  "bursts-of-128-kib": refusingPush(
    "A push above 128 KiB is answered 429, because it exceeds the burst.",
    "numeric values of the rate limits are not shown",
    429,
    "more than is taken at once",
    (body) => Buffer.byteLength(body) > 128 * KIB,
  ),
  "answers-at-most-4-mib": legal(
    "A response that would be larger than 4 MiB is replaced by a 500.",
    "a 5xx says that the service is overloaded, and no statement says how large a response may be",
    (base) => ({
      respond: (reply, request, route) => {
        const { body } = reply;
        const tooLarge = body.kind === "json" && Buffer.byteLength(base.serialize(body.value, route)) > 4 * KIB * KIB;
        return base.respond(tooLarge ? textReply(500, "the message is too large\n") : reply, request, route);
      },
    }),
  ),
  "an-hour-late-refused": refusing(
    "Entries more than an hour older than the newest of their stream are refused.",
    AGES,
    "entry too far behind",
    (entry, { entries }) => entry.ts < (entries.at(-1)?.ts ?? 0n) - HOUR_NS,
  ),
  "late-not-shown": neverShown(0n, ""),
  "late-by-minutes-not-shown": neverShown(4n * MINUTE_NS, " more than four minutes"),
  "late-by-less-not-shown": neverShown((5n * MINUTE_NS) / 2n, " more than two and a half minutes"),
  "empty-lines-refused": refusing(
    "A push with an empty line is refused.",
    "whether a line may be empty is not stated",
    "the line is empty",
    ({ line }) => line === "",
  ),
  "blank-lines-refused": refusing(
    "A push with a line that has only blanks is refused.",
    "whether a line may be blank is not stated",
    "the line is blank",
    ({ line }) => line.trim() === "",
  ),
  "empty-lines-alone-not-shown": legal(
    "Entries with an empty line are not shown while their stream has only empty lines.",
    "the document does not say whether a line may be empty, nor when an entry must be shown",
    (base) => {
      const waiting = new WeakMap<readonly Entry[], readonly Entry[]>();
      return {
        insertEntry: (entries, entry) => {
          const held = waiting.get(entries) ?? [];
          waiting.set(entries, entries.length === 0 && entry.line === "" ? [...held, entry] : []);
          if (waiting.get(entries)?.length === 0) for (const one of [...held, entry]) base.insertEntry(entries, one);
        },
      };
    },
  ),
  "a-week-old-refused": refusing(
    "Entries more than seven days old are refused.",
    AGES,
    "entry too old",
    (entry, _stream, context) => entry.ts < nowNs(context) - 168n * HOUR_NS,
  ),
  "no-history-shown": legal(
    "Entries more than an hour old are accepted and never shown.",
    { why: AGES, leavesOpen: ["logs-4.push/archive"] },
    (base, { options }) => ({
      insertEntry: (entries, entry) => {
        if (entry.ts >= BigInt(Math.floor(options.now())) * 1_000_000n - HOUR_NS) base.insertEntry(entries, entry);
      },
    }),
  ),
  "no-history": legal("Entries more than an hour old or more than ten minutes ahead are refused.", AGES, (base) => ({
    refuseEntry: (entry, stream, context) => {
      const age = nowNs(context) - entry.ts;
      return age > HOUR_NS || age < -10n * MINUTE_NS ? "timestamp out of bounds" : base.refuseEntry(entry, stream, context);
    },
  })),
  "windows-at-most-24-hours": limitedWindows(
    "A range query over more than 24 hours is refused.",
    LENGTHS,
    "the window has no supported length",
    (length) => length > 24n * HOUR_NS,
  ),
  "windows-of-ten-seconds": limitedWindows(
    "A range query over less than ten seconds is refused.",
    LENGTHS,
    "the window has no supported length",
    (length) => length < MINUTE_NS / 6n,
  ),
  "limits-at-most-3000": limitsAtMost(3_000),
  "limits-at-most-1000": limitsAtMost(1_000),
  "limits-at-most-500": limitsAtMost(500),

  "queries-at-most-1500": legal("A query of more than 1,500 characters is refused.", "how long a query may be is not stated", (base) => ({
    parseQuery: (text) => {
      if (text.length > 1_500) throw new QueryError("the query is too long", 0);
      return base.parseQuery(text);
    },
  })),
  "ahead-refused": refusing(
    "Entries with a timestamp in the future are refused.",
    AGES,
    "entry of the future",
    (entry, _stream, context) => entry.ts > nowNs(context),
  ),
  "ahead-shown-later": legal("Entries with a timestamp in the future are shown when that time has come.", AGES, (base) => ({
    entryVisible: (entry, nowMs) => entry.ts <= BigInt(Math.floor(nowMs)) * 1_000_000n && base.entryVisible(entry, nowMs),
  })),
  "windows-not-empty": legalDecision(
    "beforeHandle",
    "A range query with start equal to end is refused.",
    "whether a window may be empty is not stated",
    (request, route) => {
      const isEmpty = request.query.has("start") && request.query.get("start") === request.query.get("end");
      return route?.operation === "logs.query_range" && isEmpty ? textReply(400, "the window is empty\n") : undefined;
    },
  ),
  "labels-of-ten-minutes": legal(
    "Lists of label names and values show only streams with an entry of the last ten minutes.",
    "the document does not say how old the entries of listed labels may be",
    (base, { options }) => ({
      labelNames: (streams) => base.labelNames(recent(streams, options.now(), 10n * MINUTE_NS)),
      labelValues: (name, streams) => base.labelValues(name, recent(streams, options.now(), 10n * MINUTE_NS)),
    }),
  ),
  "rate-limited-by-volume": limitedByVolume("Pushes above 4 MiB per second, with bursts of 6 MiB, are answered 429.", {
    perSecond: 4 * KIB * KIB,
    atOnce: 6 * KIB * KIB,
  }),
  "rate-limited-by-little-volume": limitedByVolume("Pushes above 400 KiB per second, with bursts of 600 KiB, are answered 429.", {
    perSecond: 400 * KIB,
    atOnce: 600 * KIB,
  }),
});
