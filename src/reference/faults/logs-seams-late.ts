/** Faults of out-of-order entries. In this file, they are called late entries. */
import type { Behaviour } from "../behaviour.ts";
import { counter } from "../change.ts";
import type { Entry, Reading } from "../logs/types.ts";
import { broken, faultsOf, type Row } from "./define.ts";
import type { Fault } from "./types.ts";

/** Remembers which entries were late when they were pushed. */
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

/** A stream with at least this number of bytes can fill a chunk. */
const CHUNK = 1_280 * 1024;

/** The size at which a chunk is closed, in bytes. */
const CLOSED_BYTES = 1_536 * 1024;

const A_BLOCK = { late: BLOCK_OF_LATE, all: 0 } as const;
const TO_A_CHUNK = { late: 0, all: CHUNK } as const;

/** Returns a fault: in large streams, many late entries together are read before or after the other entries. */
function lateApart(
  sentence: string,
  direction: Reading["direction"],
  { late: leastLate, all: leastOfAll }: { readonly late: number; readonly all: number },
): Row {
  return broken({ clause: "logs-4.1", sentence }, (base) => {
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

/** A fault: a late entry of a stream with a closed block is lost, if `isLike` is true for it and a stored entry. */
function takenForKnown(sentence: string, isLike: (entry: Entry, known: Entry) => boolean): Row {
  return broken(sentence, (base) => ({
    insertEntry: (entries, entry) => {
      const last = entries.at(-1);
      const isLate = last !== undefined && entry.ts < last.ts && bytesOf(entries) >= BLOCK_OF_LATE;
      if (!isLate || !entries.some((known) => isLike(entry, known))) base.insertEntry(entries, entry);
    },
  }));
}

/** Stores the blocks of each stream in the order of the pushes. Only the last block of a stream is open. */
function blocksAsPushed(base: Behaviour): {
  readonly insertEntry: Behaviour["insertEntry"];
  readonly blocksOf: (entry: Entry | undefined) => readonly (readonly Entry[])[];
} {
  const blocks = new WeakMap<readonly Entry[], Entry[][]>();
  const streamOf = new WeakMap<Entry, Entry[][]>();
  return {
    insertEntry: (entries, entry) => {
      base.insertEntry(entries, entry);
      const all = blocks.get(entries) ?? [[]];
      all.at(-1)?.push(entry);
      if (bytesOf(all.at(-1) ?? []) >= BLOCK_OF_LATE) all.push([]);
      blocks.set(entries, all);
      streamOf.set(entry, all);
    },
    blocksOf: (entry) => (entry === undefined ? [] : (streamOf.get(entry) ?? [])),
  };
}

function newestOf(entries: readonly Entry[]): bigint {
  return entries.reduce((newest, { ts }) => (ts > newest ? ts : newest), 0n);
}

export const LOGS_SEAM_LATE_FAULTS: readonly Fault[] = faultsOf("logs-4.push", {
  "logs-seam-late-refused-ends": broken(
    { clause: "logs-4.query_range", sentence: "A late entry is refused, and windows that begin after it do not show the stream." },
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
  ),
  "logs-seam-late-blocks-in-turn": broken(
    {
      clause: "logs-4.query",
      sentence:
        "If only closed blocks overlap, a metric query reads one block after the other and ends with the first entry after its range.",
    },
    (base) => {
      const { insertEntry, blocksOf } = blocksAsPushed(base);
      return {
        insertEntry,
        blocksToRead: (blocks, window, reading) => {
          const pushed = blocksOf(blocks[0]?.entries[0]);
          const closed = pushed.slice(0, -1);
          const isHeadBehind = (pushed.at(-1) ?? []).every(({ ts }) => ts >= newestOf(closed.flat()));
          if (reading.path !== "instant" || closed.length < 2 || !isHeadBehind) return base.blocksToRead(blocks, window, reading);
          const all = pushed.flatMap((block) => block.toSorted((one, other) => Number(one.ts - other.ts)));
          const end = all.findIndex(({ ts }) => ts > window.to);
          const read = new Set(all.slice(0, end < 0 ? all.length : end));
          const seen = blocks.map((block) => ({ ...block, entries: block.entries.filter((entry) => read.has(entry)) }));
          return base.blocksToRead(seen, window, reading);
        },
      };
    },
  ),
  "logs-seam-late-after-ten": broken(
    "After ten late entries of a stream, further late entries are answered with success and lost.",
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
  "logs-seam-late-ties-replaced": broken(
    "After a late entry, a new entry of the stream replaces another entry at the same time.",
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
  "logs-seam-late-line-of-newest": broken("A late entry with the line of the newest entry is taken for a repetition.", (base) => ({
    insertEntry: (entries, entry) => {
      const newest = entries.at(-1);
      if (newest === undefined || entry.ts >= newest.ts || entry.line !== newest.line) base.insertEntry(entries, entry);
    },
  })),
  "logs-seam-late-second-last": broken(
    { clause: "logs-4.1", sentence: "If a stream has a single entry, an older second entry is taken for a newer one." },
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
  "logs-seam-late-not-counted": broken(
    {
      clause: "logs-4.query",
      sentence: "Metric queries stop at the first entry after the range, so late entries behind it are not counted.",
    },
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
  "logs-seam-late-block-behind": lateApart(
    "Forward reads visit a late block after the earlier blocks, so a limit returns the wrong entries.",
    "forward",
    A_BLOCK,
  ),
  "logs-seam-late-beside-block": takenForKnown(
    "A late entry is lost if a closed block has an entry at the same time.",
    (entry, known) => entry.ts === known.ts,
  ),
  "logs-seam-late-beyond": broken(
    { clause: "logs-4.query_range", sentence: "If a window ends before a newer block that was pushed earlier, late blocks are not read." },
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
  "logs-seam-late-chunk-behind": lateApart(
    "Forward reads of a stream with several chunks visit late entries last, so a limit returns the wrong entries.",
    "forward",
    TO_A_CHUNK,
  ),
  "logs-seam-late-closed-newest": broken(
    { sentence: "A chunk with late entries loses its newest entry when it is full.", needs: "nightly" },
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
  ),
  "logs-seam-late-head-behind": broken(
    { clause: "logs-4.1", sentence: "A few late entries of a stream with a closed block are read as if they were newer than the block." },
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
});
