/** Faults of late entries, which are older than the newest entry of their stream. */
import type { Behaviour } from "../behaviour.ts";
import { counter } from "../change.ts";
import type { Entry, Reading } from "../logs/types.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** Remembers which entries were late. */
function lateOnes(base: Behaviour): { readonly insertEntry: Behaviour["insertEntry"]; readonly isLate: (entry: Entry) => boolean } {
  const late = new WeakSet<Entry>();
  return {
    insertEntry: (entries, entry) => {
      const last = entries.at(-1);
      if (last !== undefined && entry.ts < last.ts) late.add(entry);
      base.insertEntry(entries, entry);
    },
    isLate: (entry) => late.has(entry),
  };
}

/** The size of a block of late entries, in bytes. */
const BLOCK_OF_LATE = 256 * 1024;

function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { line }) => sum + line.length, 0);
}

/** The size of a stream that can fill a chunk, in bytes. */
const CHUNK = 1_280 * 1024;

/** The size at which a chunk is closed, in bytes. */
const CLOSED_BYTES = 1_536 * 1024;

const A_BLOCK = { late: BLOCK_OF_LATE, all: 0 } as const;
const TO_A_CHUNK = { late: 0, all: CHUNK } as const;

/** A server that reads large late parts after or before the other entries, in large streams. */
function lateApart(
  id: string,
  sentence: string,
  direction: Reading["direction"],
  { late: leastLate, all: leastOfAll }: { readonly late: number; readonly all: number },
): Fault {
  return fault("logs-4.1", id, sentence, (base) => {
    const { insertEntry, isLate } = lateOnes(base);
    return {
      insertEntry,
      joinBlocks: (answers, reading) => {
        const all = answers.flat();
        const late = all.filter(isLate);
        const isAsIs = reading.path !== "range" || reading.direction !== direction || bytesOf(late) < leastLate;
        if (isAsIs || bytesOf(all) < leastOfAll) return base.joinBlocks(answers, reading);
        return base.joinBlocks([all.filter((entry) => !isLate(entry)), late], reading);
      },
    };
  });
}

/** A server that loses a late entry of a stream with a closed block if the entry is like a stored entry. */
function takenForKnown(id: string, sentence: string, isLike: (entry: Entry, known: Entry) => boolean): Fault {
  return fault("logs-4.push", id, sentence, (base) => ({
    insertEntry: (entries, entry) => {
      const last = entries.at(-1);
      const isLate = last !== undefined && entry.ts < last.ts && bytesOf(entries) >= BLOCK_OF_LATE;
      if (!isLate || !entries.some((known) => isLike(entry, known))) base.insertEntry(entries, entry);
    },
  }));
}

/** After a refused late entry, reads of the stream end at that entry until the next push. */
const ENDS_AT_REFUSED: Fault = fault(
  "logs-4.query_range",
  "logs-seam-late-refused-ends",
  "Late entries are refused, and what their stream holds is not found in windows that begin behind the refused one.",
  (base) => {
    const ends = new WeakMap<Entry, bigint>();
    return {
      refuseEntry: (entry, stream, context) => {
        const last = stream.entries.at(-1);
        if (last === undefined || entry.ts >= last.ts) return base.refuseEntry(entry, stream, context);
        ends.set(last, entry.ts);
        return "entry out of order";
      },
      scan: (entries, window, accepts, limit, direction) => {
        const last = entries.at(-1);
        const end = last === undefined ? undefined : ends.get(last);
        return end !== undefined && end < window.from ? [] : base.scan(entries, window, accepts, limit, direction);
      },
    };
  },
);

export const LOGS_SEAM_LATE_FAULTS: readonly Fault[] = [
  ENDS_AT_REFUSED,
  fault(
    "logs-4.query_range",
    "logs-seam-late-newest-time",
    "The newest time of a stream is that of its last push: a window that begins later finds nothing in it.",
    (base) => {
      const streamOf = new WeakMap<Entry, readonly Entry[]>();
      const newest = new WeakMap<readonly Entry[], bigint>();
      return {
        insertEntry: (entries, entry) => {
          streamOf.set(entry, entries);
          newest.set(entries, entry.ts);
          base.insertEntry(entries, entry);
        },
        scan: (entries, window, accepts, limit, direction) => {
          const [first] = entries;
          const stream = first === undefined ? undefined : streamOf.get(first);
          const last = stream === undefined ? undefined : newest.get(stream);
          return last !== undefined && window.from > last ? [] : base.scan(entries, window, accepts, limit, direction);
        },
      };
    },
  ),
  fault(
    "logs-4.push",
    "logs-seam-late-after-ten",
    "After ten late entries of a stream those that follow are answered and lost.",
    (base) => {
      const lateOf = new WeakMap<readonly Entry[], () => number>();
      return {
        insertEntry: (entries, entry) => {
          const last = entries.at(-1);
          if (last !== undefined && entry.ts < last.ts) {
            const count = counter();
            const next = lateOf.get(entries) ?? (() => count("late"));
            lateOf.set(entries, next);
            if (next() > 10) return;
          }
          base.insertEntry(entries, entry);
        },
      };
    },
  ),
  fault(
    "logs-4.push",
    "logs-seam-late-ties-replaced",
    "Once an entry came late, one at the time of another of its stream takes its place.",
    (base) => {
      const unordered = new WeakSet<readonly Entry[]>();
      return {
        insertEntry: (entries, entry) => {
          const last = entries.at(-1);
          if (last !== undefined && entry.ts < last.ts) unordered.add(entries);
          const tied = unordered.has(entries) ? entries.findIndex(({ ts, line }) => ts === entry.ts && line !== entry.line) : -1;
          if (tied >= 0) entries[tied] = entry;
          else base.insertEntry(entries, entry);
        },
      };
    },
  ),
  fault(
    "logs-4.1",
    "logs-seam-late-second-last",
    "Where a stream holds a single entry, an older one that comes to it is taken for a newer one.",
    (base) => {
      const taken = new WeakSet<Entry>();
      return {
        insertEntry: (entries, entry) => {
          const [only] = entries;
          if (entries.length === 1 && only !== undefined && entry.ts < only.ts) taken.add(entry);
          base.insertEntry(entries, entry);
        },
        order: (entries, direction) => {
          const right = base.order(entries, direction);
          const [others, second] = [false, true].map((isTaken) => right.filter((entry) => taken.has(entry) === isTaken));
          return direction === "forward" ? [...(others ?? []), ...(second ?? [])] : [...(second ?? []), ...(others ?? [])];
        },
      };
    },
  ),
  fault(
    "logs-4.query",
    "logs-seam-late-not-counted",
    "Entries are counted as they were pushed, up to the first that is too new: late ones behind it are left out.",
    (base) => {
      const { insertEntry, isLate } = lateOnes(base);
      return {
        insertEntry,
        blockAnswer: (found, block, reading) => {
          const handed = base.blockAnswer(found, block, reading);
          const newest = handed.reduce((last, { ts }) => (ts > last ? ts : last), 0n);
          const endsWithin = block.entries.some((entry) => entry.ts > newest && !isLate(entry));
          return reading.path === "instant" && endsWithin ? handed.filter((entry) => !isLate(entry)) : handed;
        },
      };
    },
  ),
  lateApart(
    "logs-seam-late-block-behind",
    "Going forward, a block that came late is read after those that were there before it, so that a limit keeps the wrong ones.",
    "forward",
    A_BLOCK,
  ),
  lateApart(
    "logs-seam-late-block-last",
    "Going backward, a block that came late is read after those that were there before it, so that a limit keeps the wrong ones.",
    "backward",
    A_BLOCK,
  ),
  takenForKnown(
    "logs-seam-late-beside-block",
    "What comes late to a stream with a closed block, at the time of an entry in that, is taken for the same entry.",
    (entry, known) => entry.ts === known.ts,
  ),
  takenForKnown(
    "logs-seam-late-same-line",
    "What comes late to a stream with a closed block, with a line that is in that, is taken for the same entry.",
    (entry, known) => entry.line === known.line,
  ),
  fault(
    "logs-4.query_range",
    "logs-seam-late-beyond",
    "Blocks that came late are not looked for where a window ends before a newer block that came earlier.",
    (base) => {
      const { insertEntry, isLate } = lateOnes(base);
      return {
        insertEntry,
        blocksToRead: (blocks, window, reading) => {
          const all = blocks.flatMap(({ entries }) => entries);
          const newer = all.filter((entry) => !isLate(entry) && entry.ts >= window.to);
          const isLost = reading.path === "range" && bytesOf(newer) >= BLOCK_OF_LATE && bytesOf(all.filter(isLate)) >= BLOCK_OF_LATE;
          const seen = isLost ? blocks.map((block) => ({ ...block, entries: block.entries.filter((entry) => !isLate(entry)) })) : blocks;
          return base.blocksToRead(seen, window, reading);
        },
      };
    },
  ),
  lateApart(
    "logs-seam-late-chunk-behind",
    "Going forward, what came late to a stream of several chunks is read after all others, so that a limit keeps the wrong entries.",
    "forward",
    TO_A_CHUNK,
  ),
  lateApart(
    "logs-seam-late-chunk-last",
    "Going backward, what came late to a stream of several chunks is read after all others, so that a limit keeps the wrong entries.",
    "backward",
    TO_A_CHUNK,
  ),
  fault(
    "logs-4.push",
    "logs-seam-late-closed-newest",
    "Of a chunk that entries came late to the newest entry is lost when the chunk is full.",
    (base) => {
      const { insertEntry, isLate } = lateOnes(base);
      const open = new WeakMap<Entry[], Entry[]>();
      return {
        insertEntry: (entries, entry) => {
          insertEntry(entries, entry);
          const chunk = [...(open.get(entries) ?? []), entry];
          const isFull = bytesOf(chunk) >= CLOSED_BYTES;
          open.set(entries, isFull ? [] : chunk);
          if (!isFull || !chunk.some(isLate)) return;
          const newest = chunk.reduce((one, other) => (one.ts > other.ts ? one : other));
          entries.splice(entries.indexOf(newest), 1);
        },
      };
    },
    { needs: "nightly" },
  ),
  fault(
    "logs-4.query_range",
    "logs-seam-late-older-block",
    "Of a stream with a closed block nothing is found in a window that ends before that, though older entries came late.",
    (base) => {
      const { insertEntry, isLate } = lateOnes(base);
      return {
        insertEntry,
        blocksToRead: (blocks, window, reading) => {
          const all = blocks.flatMap(({ entries }) => entries);
          const first = all.find((entry) => !isLate(entry));
          const isTooNew = first !== undefined && window.to <= first.ts && bytesOf(all) >= BLOCK_OF_LATE;
          return reading.path === "range" && isTooNew ? [] : base.blocksToRead(blocks, window, reading);
        },
      };
    },
  ),
  fault(
    "logs-4.1",
    "logs-seam-late-head-behind",
    "Few entries that came late to a stream with a closed block are read as if they were newer than that.",
    (base) => {
      const { insertEntry, isLate } = lateOnes(base);
      return {
        insertEntry,
        cutBlocks: (entries) => {
          const first = entries.find((entry) => !isLate(entry));
          const isBeside = (entry: Entry): boolean => first !== undefined && isLate(entry) && entry.ts >= first.ts;
          const [rest, beside] = [entries.filter((entry) => !isBeside(entry)), entries.filter(isBeside)];
          if (beside.length === 0 || bytesOf(rest) < BLOCK_OF_LATE || bytesOf(beside) >= BLOCK_OF_LATE) return base.cutBlocks(entries);
          return [rest, beside].map((part, index) => ({ entries: part, index, chunk: 0, head: index === 1 }));
        },
      };
    },
  ),
];
