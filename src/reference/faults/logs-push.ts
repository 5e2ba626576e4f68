/** Faults of push: refused pushes, lost entries, and entries stored twice (docs/2 section 4). */
import { counter, onPush } from "../change.ts";
import { isJsonObject, parseJson, textMember } from "../http/message.ts";
import type { Behaviour } from "../behaviour.ts";
import type { PushContext, PushedEntry, PushedStream } from "../logs/ingest.ts";
import { lowerBound, tiesOf } from "../logs/store.ts";
import type { Labels } from "../logs/types.ts";
import { broken, faultsOf, type Row, wrongInput, wrongResult } from "./define.ts";
import { HASHES, tieLost } from "./helpers.ts";
import type { Fault } from "./types.ts";

function dropping(sentence: string, drops: (entry: PushedEntry, context: PushContext) => boolean): Row {
  return wrongResult("entryOnWrite", sentence, (usual, entry, context) => (drops(entry, context) ? undefined : usual));
}

/** Returns the labels of the first stream in a push body that may be incomplete. */
function labelsBegun(body: string): Labels {
  const text = /"stream":(\{[^{}]*\})/.exec(body)?.[1];
  const labels = text === undefined ? undefined : parseJson(text);
  return isJsonObject(labels) ? Object.fromEntries(Object.keys(labels).map((name) => [name, textMember(labels, name)])) : {};
}

/** Returns the complete streams in a push body whose end is missing. */
function streamsBegun(base: Behaviour, body: string): readonly PushedStream[] {
  const end = body.lastIndexOf("]]},");
  const streams = end < 0 ? "none" : base.parsePush(`${body.slice(0, end)}]]}]}`);
  return typeof streams === "string" ? [] : streams;
}

export const LOGS_PUSH_FAULTS: readonly Fault[] = faultsOf("logs-4.push", {
  "logs-push-refused-labels-left": broken(
    { clause: "logs-2.Stream", sentence: "The labels of an incomplete push that was refused are added to the next stream." },
    (base) => {
      let left: Labels = {};
      return {
        parsePush: (body) => {
          const streams = base.parsePush(body);
          if (typeof streams === "string") {
            left = labelsBegun(body);
            return streams;
          }
          const added = left;
          left = {};
          return streams.map((stream, index) => (index === 0 ? { ...stream, labels: { ...added, ...stream.labels } } : stream));
        },
      };
    },
  ),
  "logs-push-refused-streams-left": broken(
    {
      clause: "logs-5.2a",
      sentence: "The complete streams of an unfinished push are stored with the next push of any tenant.",
      options: { tenancy: true },
      settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two" },
    },
    (base) => {
      let left: readonly PushedStream[] = [];
      return {
        parsePush: (body) => {
          const streams = base.parsePush(body);
          if (typeof streams === "string") {
            left = streamsBegun(base, body);
            return streams;
          }
          const all = [...left, ...streams];
          left = [];
          return all;
        },
      };
    },
  ),
  "logs-push-again-erases": broken("An entry that is pushed again replaces all entries at its time.", (base) => ({
    insertEntry: (entries, entry) => {
      if (tiesOf(entries, entry.ts).some(({ line }) => line === entry.line)) {
        const others = entries.filter(({ ts }) => ts !== entry.ts);
        entries.splice(0, entries.length, ...others);
      }
      base.insertEntry(entries, entry);
    },
  })),
  "logs-push-again-unread": broken("A push that begins with a stored entry is taken for a retry and not stored.", (base) => {
    const known = new Set<string>();
    return {
      parsePush: (body) => {
        const streams = base.parsePush(body);
        if (typeof streams === "string") return streams;
        const key = JSON.stringify([streams[0]?.labels, streams[0]?.entries[0]?.line, String(streams[0]?.entries[0]?.ts)]);
        if (known.has(key)) return [];
        known.add(key);
        return streams;
      },
    };
  }),
  "logs-push-empty-lines-dropped": dropping("Entries with an empty line are dropped.", ({ line }) => line === ""),
  "logs-push-first-stream-only": dropping("Only the first stream of a push is stored.", (_entry, { streamIndex }) => streamIndex > 0),
  "logs-push-first-entries-only": dropping("A push stores at most six entries of each stream.", (_entry, { entryIndex }) => entryIndex > 5),
  "logs-push-even-nanoseconds": dropping("Entries whose timestamp ends in 000 are dropped.", ({ ts }) => ts % 1_000n === 0n),
  "logs-push-backslash-and-quote": dropping(
    "Entries of streams with a backslash and a quote in one label value are dropped.",
    (_entry, { labels }) => Object.values(labels).some((value) => value.includes("\\") && value.includes('"')),
  ),
  "logs-push-escapes-dropped": dropping(
    "Entries whose line holds a backslash and a newline are dropped.",
    ({ line }) => line.includes("\\") && line.includes("\n"),
  ),
  "logs-push-after-128": dropping("A push stores at most 128 entries of each stream.", (_entry, { entryIndex }) => entryIndex >= 128),
  "logs-push-after-ten-streams": dropping("A push stores at most ten streams.", (_entry, { streamIndex }) => streamIndex >= 10),
  "logs-push-equal-entries-once": broken("An entry is dropped if another stream of the same push has an equal entry.", (base) => {
    const held = new Map<string, string>();
    return {
      entryOnWrite: (entry, context) => {
        const key = `${context.nowMs} ${entry.ts} ${entry.line}`;
        const home = JSON.stringify(context.labels);
        const first = held.get(key) ?? home;
        held.set(key, first);
        return first === home ? base.entryOnWrite(entry, context) : undefined;
      },
    };
  }),
  "logs-push-repeated-stream": broken("If a push names a stream twice, the second part is lost.", (base) =>
    onPush(base, (streams) => {
      const named = streams.map(({ labels }) => JSON.stringify(labels));
      return streams.filter((_stream, index) => named.indexOf(named[index] ?? "") === index);
    }),
  ),
  "logs-push-some-vanish": wrongInput(
    "scan",
    { sentence: "Every fiftieth entry of a stream vanishes half a second after it was stored.", settleMs: 1_000 },
    (entries, window, accepts, limit, direction) => [
      entries,
      window,
      (entry) => accepts(entry) && (entries.indexOf(entry) % 50 !== 49 || Date.now() - entry.storedAtMs < 500),
      limit,
      direction,
    ],
  ),
  "logs-push-nothing-stored": broken("A push is answered with success and nothing is stored.", () => ({ insertEntry: () => {} })),
  "logs-push-last-entry-lost": broken("The last entry of each pushed stream with several entries is lost.", (base) =>
    onPush(base, (streams) =>
      streams.map((stream) => ({ ...stream, entries: stream.entries.length > 1 ? stream.entries.slice(0, -1) : stream.entries })),
    ),
  ),
  "logs-push-last-stream-lost": broken("The last stream of a push with more than three streams is lost.", (base) =>
    onPush(base, (streams) => (streams.length < 4 ? streams : streams.slice(0, -1))),
  ),
  "logs-push-replaces": broken("A second push to a stream replaces the entries of the first push.", (base) => {
    const newest = new WeakMap<object, number>();
    let push = 0;
    return {
      parsePush: (body) => {
        push += 1;
        return base.parsePush(body);
      },
      insertEntry: (entries, entry) => {
        if (newest.get(entries) !== push) entries.length = 0;
        newest.set(entries, push);
        base.insertEntry(entries, entry);
      },
    };
  }),
  "logs-push-one-line-per-time": broken("If a stream has several lines at one timestamp, only the last is stored.", (base) => ({
    insertEntry: (entries, entry) => {
      if (tiesOf(entries, entry.ts).length === 0) base.insertEntry(entries, entry);
      else entries[lowerBound(entries, entry.ts)] = entry;
    },
  })),
  "logs-push-first-line-per-time": tieLost("If a stream has several lines at one timestamp, only the first is stored.", () => true),
  ...Object.fromEntries(
    Object.entries(HASHES).map(([name, hash]) => [
      `logs-push-equal-${name}`,
      tieLost(
        `If lines of a stream at one timestamp have equal ${name}, only the first is stored.`,
        (line, known) => hash(line) === hash(known),
      ),
    ]),
  ),
  "logs-push-repeated-line-dropped": broken("A line equal to the one before it in its stream is dropped, whatever its time.", (base) => ({
    insertEntry: (entries, entry) => {
      if (entries.at(-1)?.line !== entry.line) base.insertEntry(entries, entry);
    },
  })),
  "logs-push-stored-twice": broken("Every entry is stored twice.", () => ({
    insertEntry: (entries, entry) => {
      const after = entries.findIndex(({ ts }) => ts > entry.ts);
      entries.splice(after === -1 ? entries.length : after, 0, entry, entry);
    },
  })),
  "logs-push-every-twentieth-lost": broken("Every twentieth entry is lost.", (base) => {
    const count = counter();
    return { insertEntry: (entries, entry) => (count("entry") % 20 === 0 ? undefined : base.insertEntry(entries, entry)) };
  }),
  "logs-push-vanishing": wrongInput(
    "scan",
    { sentence: "Entries of a stream with more than three entries vanish half a second after they were stored.", settleMs: 1_000 },
    (entries, window, accepts, limit, direction) => [
      entries,
      window,
      (entry) => accepts(entry) && (entries.length < 4 || Date.now() - entry.storedAtMs < 500),
      limit,
      direction,
    ],
  ),
  "logs-push-after-rest-lost": broken(
    { sentence: "Newer entries of a stream that got no entry for three seconds are lost.", settleMs: 4_000 },
    (base) => ({
      insertEntry: (entries, entry) => {
        const newest = entries.at(-1);
        const isLost = newest !== undefined && entry.ts > newest.ts && entry.storedAtMs - newest.storedAtMs > 3_000;
        if (!isLost) base.insertEntry(entries, entry);
      },
    }),
  ),
  "logs-push-existing-stream-refused": broken("A push to a stream that has entries is refused.", (base) => ({
    refuseEntry: (entry, stream, context) =>
      stream.entries.some(({ storedAtMs }) => storedAtMs < context.nowMs) && context.entryIndex === 0
        ? "the stream is closed"
        : base.refuseEntry(entry, stream, context),
  })),
});
