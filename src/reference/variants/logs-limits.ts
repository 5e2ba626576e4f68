/** Variants that refuse or leave out data because of its size, age or amount, as real log servers do and the document allows. */
import type { Behaviour } from "../behaviour.ts";
import { isJsonObject, type Json, parseJson, textReply } from "../http/message.ts";
import { mapRanges } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import type { PushContext, PushedEntry } from "../logs/ingest.ts";
import type { StoredStream } from "../logs/store.ts";
import type { Entry, LabelledEntries } from "../logs/types.ts";
import { variant, variantOfDecision } from "./define.ts";
import type { Variant } from "./types.ts";

const SIZES = "the document does not say how large a push, a line or a label may be";
const AGES = "the document does not say which timestamps a server accepts";
const MINUTE_NS = 60_000_000_000n;
const HOUR_NS = 60n * MINUTE_NS;
const KIB = 1_024;

function refusing(
  refuses: (entry: PushedEntry, stream: StoredStream, context: PushContext) => boolean,
  sentence: string,
): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    refuseEntry: (entry, stream, context) => (refuses(entry, stream, context) ? sentence : base.refuseEntry(entry, stream, context)),
  });
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

/** A server that accepts entries more than `ns` ns older than the newest entry of their stream, and never shows them. */
function neverShown(id: string, ns: bigint, length: string): Variant {
  return variant(
    id,
    `Entries${length} older than the newest of their stream are accepted and never shown.`,
    { why: AGES, leavesOpen: ["logs-4.push/late-entries"] },
    (base) => ({
      insertEntry: (entries, entry) => {
        if (entry.ts >= (entries.at(-1)?.ts ?? 0n) - ns) base.insertEntry(entries, entry);
      },
    }),
  );
}

function limitedByVolume(id: string, sentence: string, most: { readonly perSecond: number; readonly atOnce: number }): Variant {
  return variant(
    id,
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

function limitedWindows(id: string, sentence: string, isRefused: (length: bigint) => boolean): Variant {
  return variant(id, sentence, "the document does not say how long or short a window may be", (base) => ({
    beforeHandle: (request, route) => {
      const [start, end] = [request.query.get("start") ?? "", request.query.get("end") ?? ""];
      const both = /^\d{11,19}$/.test(start) && /^\d{11,19}$/.test(end);
      return route?.operation === "logs.query_range" && both && isRefused(BigInt(end) - BigInt(start))
        ? textReply(400, "the window has no supported length\n")
        : base.beforeHandle(request, route);
    },
  }));
}

export const LOGS_LIMIT_VARIANTS: readonly Variant[] = [
  variant(
    "labels-at-most-15",
    "A stream with more than 15 labels is refused.",
    SIZES,
    refusing((_entry, _stream, { labels }) => Object.keys(labels).length > 15, "more than 15 labels"),
  ),
  variant(
    "labels-at-most-10",
    "A stream with more than ten labels is refused.",
    SIZES,
    refusing((_entry, _stream, { labels }) => Object.keys(labels).length > 10, "more than 10 labels"),
  ),
  variant(
    "labels-at-most-63-bytes",
    "A label name or value above 63 bytes is refused.",
    SIZES,
    refusing(
      (_entry, _stream, { labels }) =>
        Object.entries(labels)
          .flat()
          .some((text) => Buffer.byteLength(text) > 63),
      "a label is too long",
    ),
  ),
  variant(
    "label-values-without-controls",
    "A label value with a control character is refused.",
    SIZES,
    refusing(
      (_entry, _stream, { labels }) => Object.values(labels).some((value) => /\p{Cc}/u.test(value)),
      "a label value has a control character",
    ),
  ),
  variant(
    "label-values-of-few-characters",
    "A label value with a character other than letters, digits, dots, dashes and underscores is refused.",
    "which characters a label value may have is not stated",
    refusing(
      (_entry, _stream, { labels }) => Object.values(labels).some((value) => /[^a-zA-Z0-9_.-]/.test(value)),
      "a label value has a character that is not allowed",
    ),
  ),
  ...[256, 64, 4, 1].map((most) =>
    variant(
      `lines-at-most-${most}-kib`,
      `A line above ${most} KiB is refused.`,
      SIZES,
      refusing(({ line }) => Buffer.byteLength(line) > most * KIB, "the line is too long"),
    ),
  ),
  variantOfDecision("checkPush", "pushes-at-most-1-mib", "A push above 1 MiB is refused.", SIZES, (request) =>
    Buffer.byteLength(request.body) > KIB * KIB ? textReply(400, "the push is too large\n") : undefined,
  ),
  variantOfDecision("checkPush", "pushes-at-most-64-kib", "A push above 64 KiB is answered 413.", SIZES, (request) =>
    Buffer.byteLength(request.body) > 64 * KIB ? textReply(413, "the push is too large\n") : undefined,
  ),
  variant("ranges-of-an-hour", "A metric query over more than an hour is refused.", "how long a range may be is not stated", (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      if (query.kind === "log") return query;
      return mapRanges(query, (range) => {
        if (range.rangeNs > HOUR_NS) throw new QueryError("the range is too long", 0);
        return range;
      });
    },
  })),
  variant("pushes-of-5000-entries", "A push of more than 5,000 entries is refused.", SIZES, (base) => ({
    checkPush: (request) => (entriesOf(request.body) > 5_000 ? textReply(400, "too many entries\n") : base.checkPush(request)),
  })),
  variant("pushes-of-500-entries-400", "A push of more than 500 entries is answered 400.", SIZES, (base) => ({
    checkPush: (request) => (entriesOf(request.body) > 500 ? textReply(400, "too many entries\n") : base.checkPush(request)),
  })),
  ...[20, 10].map((most) =>
    variant(`pushes-of-${most}-streams`, `A push of more than ${most} streams is answered 400.`, SIZES, (base) => ({
      checkPush: (request) => (streamsOf(request.body).length > most ? textReply(400, "too many streams\n") : base.checkPush(request)),
    })),
  ),
  variant(
    "lines-without-controls",
    "A line with a control character is refused.",
    "which characters a line may have is not stated",
    refusing(({ line }) => /\p{Cc}/u.test(line), "the line has a control character"),
  ),
  variant("pushes-of-100-entries", "A push of more than 100 entries is answered 413.", SIZES, (base) => ({
    checkPush: (request) => (entriesOf(request.body) > 100 ? textReply(413, "too many entries\n") : base.checkPush(request)),
  })),
  variantOfDecision(
    "checkPush",
    "bursts-of-128-kib",
    "A push above 128 KiB is answered 429, because it exceeds the burst.",
    "numeric values of the rate limits are not shown",
    (request) => (Buffer.byteLength(request.body) > 128 * KIB ? textReply(429, "more than is taken at once\n") : undefined),
  ),
  variant(
    "answers-at-most-4-mib",
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
  variant(
    "an-hour-late-refused",
    "Entries more than an hour older than the newest of their stream are refused.",
    AGES,
    refusing((entry, { entries }) => entry.ts < (entries.at(-1)?.ts ?? 0n) - HOUR_NS, "entry too far behind"),
  ),
  neverShown("late-not-shown", 0n, ""),
  neverShown("late-by-minutes-not-shown", 4n * MINUTE_NS, " more than four minutes"),
  neverShown("late-by-less-not-shown", (5n * MINUTE_NS) / 2n, " more than two and a half minutes"),
  variant(
    "empty-lines-refused",
    "A push with an empty line is refused.",
    "whether a line may be empty is not stated",
    refusing(({ line }) => line === "", "the line is empty"),
  ),
  variant(
    "blank-lines-refused",
    "A push with a line that has only blanks is refused.",
    "whether a line may be blank is not stated",
    refusing(({ line }) => line.trim() === "", "the line is blank"),
  ),
  variant(
    "empty-lines-alone-not-shown",
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
  variant(
    "a-week-old-refused",
    "Entries more than seven days old are refused.",
    AGES,
    refusing((entry, _stream, context) => entry.ts < nowNs(context) - 168n * HOUR_NS, "entry too old"),
  ),
  variant(
    "no-history-shown",
    "Entries more than an hour old are accepted and never shown.",
    { why: AGES, leavesOpen: ["logs-4.push/archive"] },
    (base, { options }) => ({
      insertEntry: (entries, entry) => {
        if (entry.ts >= BigInt(Math.floor(options.now())) * 1_000_000n - HOUR_NS) base.insertEntry(entries, entry);
      },
    }),
  ),
  variant("no-history", "Entries more than an hour old or more than ten minutes ahead are refused.", AGES, (base) => ({
    refuseEntry: (entry, stream, context) => {
      const age = nowNs(context) - entry.ts;
      return age > HOUR_NS || age < -10n * MINUTE_NS ? "timestamp out of bounds" : base.refuseEntry(entry, stream, context);
    },
  })),
  limitedWindows("windows-at-most-24-hours", "A range query over more than 24 hours is refused.", (length) => length > 24n * HOUR_NS),
  limitedWindows("windows-of-ten-seconds", "A range query over less than ten seconds is refused.", (length) => length < MINUTE_NS / 6n),
  variant("limits-at-most-3000", "A limit above 3,000 is refused.", "how high a limit may be is not stated", (base) => ({
    parseLimit: (text) => (Number(text) > 3_000 ? undefined : base.parseLimit(text)),
  })),
  ...[1_000, 500].map((most) =>
    variant(
      `limits-at-most-${most}`,
      `A limit above ${most.toLocaleString("en-US")} is refused.`,
      "how high a limit may be is not stated",
      (base) => ({ parseLimit: (text) => (Number(text) > most ? undefined : base.parseLimit(text)) }),
    ),
  ),
  variant("queries-at-most-1500", "A query of more than 1,500 characters is refused.", "how long a query may be is not stated", (base) => ({
    parseQuery: (text) => {
      if (text.length > 1_500) throw new QueryError("the query is too long", 0);
      return base.parseQuery(text);
    },
  })),
  variant(
    "ahead-refused",
    "Entries with a timestamp in the future are refused.",
    AGES,
    refusing((entry, _stream, context) => entry.ts > nowNs(context), "entry of the future"),
  ),
  variant("ahead-shown-later", "Entries with a timestamp in the future are shown when that time has come.", AGES, (base) => ({
    entryVisible: (entry, nowMs) => entry.ts <= BigInt(Math.floor(nowMs)) * 1_000_000n && base.entryVisible(entry, nowMs),
  })),
  variant(
    "windows-not-empty",
    "A range query with start equal to end is refused.",
    "whether a window may be empty is not stated",
    (base) => ({
      beforeHandle: (request, route) => {
        const isEmpty = request.query.has("start") && request.query.get("start") === request.query.get("end");
        return route?.operation === "logs.query_range" && isEmpty
          ? textReply(400, "the window is empty\n")
          : base.beforeHandle(request, route);
      },
    }),
  ),
  variant(
    "labels-of-ten-minutes",
    "Lists of label names and values show only streams with an entry of the last ten minutes.",
    "the document does not say how old the entries of listed labels may be",
    (base, { options }) => ({
      labelNames: (streams) => base.labelNames(recent(streams, options.now(), 10n * MINUTE_NS)),
      labelValues: (name, streams) => base.labelValues(name, recent(streams, options.now(), 10n * MINUTE_NS)),
    }),
  ),
  limitedByVolume("rate-limited-by-volume", "Pushes above 4 MiB per second, with bursts of 6 MiB, are answered 429.", {
    perSecond: 4 * KIB * KIB,
    atOnce: 6 * KIB * KIB,
  }),
  limitedByVolume("rate-limited-by-little-volume", "Pushes above 400 KiB per second, with bursts of 600 KiB, are answered 429.", {
    perSecond: 400 * KIB,
    atOnce: 600 * KIB,
  }),
];
