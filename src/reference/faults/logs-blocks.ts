/**
 * Faults of the blocks and chunks of a stream: at their borders, with line filters, and in blocks with very many entries. Only a stream of
 * more than 256 KiB has several blocks, and only a stream of more than 1.5 MiB has several chunks.
 */
import { changedResult } from "../change.ts";
import type { Block, BlocksBehaviour } from "../logs/blocks.ts";
import type { Entry, Reading } from "../logs/types.ts";
import { broken, faultsOf, type Row, type Told, wrongInput, wrongResult } from "./define.ts";
import { noted } from "./helpers.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";
const MINUTE_NS = 60_000_000_000n;

/** Makes a faulty server whose blocks return wrong entries for range queries or for metric queries. */
function answered(path: Reading["path"], told: Told, answer: BlocksBehaviour["blockAnswer"]): Row {
  return wrongResult("blockAnswer", told, (usual, found, block, reading) =>
    reading.path === path ? answer(found, block, reading) : usual,
  );
}

/** Makes a faulty server that reads wrong blocks, or reads blocks in the wrong order, for range queries or for metric queries. */
export function read(path: Reading["path"], told: Told, change: BlocksBehaviour["blocksToRead"]): Row {
  return broken(
    told,
    changedResult("blocksToRead", (right, _blocks, window, reading) => (reading.path === path ? change(right, window, reading) : right)),
  );
}

/** The maximum number of entries that the faulty server can distinguish in an open block. */
const MOST_OPEN = 4_096;

function withoutLate(found: readonly Entry[], { entries, head }: Block): readonly Entry[] {
  const first = head ? entries[MOST_OPEN] : undefined;
  return first === undefined ? found : found.filter(({ ts }) => ts < first.ts);
}

export const LOGS_BLOCK_FAULTS: readonly Fault[] = faultsOf(RANGE, {
  "logs-block-open-4096": answered("range", "Entries after the 4,096th of an open block are not returned.", withoutLate),
  "logs-block-open-4096-uncounted": answered(
    "instant",
    { clause: METRIC, sentence: "Entries after the 4,096th of an open block are not counted." },
    withoutLate,
  ),
  "logs-block-ties-at-edge": read(
    "range",
    "When a block is closed, entries with the time of its last entry are lost from the next block.",
    (blocks) =>
      blocks.map((block) => {
        const before = blocks.find(({ index }) => index === block.index - 1)?.entries.at(-1);
        return { ...block, entries: block.entries.filter(({ ts }) => ts !== before?.ts) };
      }),
  ),
});

/** Older services close a chunk after this number of blocks, even if their compressed size is small. */
const BLOCKS_OF_OLDER_CHUNKS = 10;
const BLOCK_BYTES = 256 * 1024;

export const LOGS_SEAM_CHUNK_FAULTS: readonly Fault[] = faultsOf(RANGE, {
  "logs-seam-chunk-one-only": read("range", "Only the chunk that is read first is returned.", (blocks) =>
    blocks.filter(({ chunk }) => chunk === blocks[0]?.chunk),
  ),
  "logs-seam-chunk-order-backward": read(
    "range",
    { clause: "logs-4.1", sentence: "Backward reads visit the oldest chunk first, so a limit returns the wrong entries." },
    (blocks, _window, { direction }) =>
      direction === "backward" ? blocks.toSorted((one, other) => one.chunk - other.chunk || other.index - one.index) : blocks,
  ),
  "logs-seam-chunk-of-ten-first-lost": broken(
    { clause: "logs-4.push", sentence: "The first entry after ten full blocks is lost." },
    (base) => {
      // The size of the newest chunk of each stream: the number of its full blocks, and the number of bytes in its open block.
      const fills = new WeakMap<readonly Entry[], { readonly blocks: number; readonly bytes: number }>();
      return {
        insertEntry: (entries, entry) => {
          const { blocks, bytes } = fills.get(entries) ?? { blocks: 0, bytes: 0 };
          const isLost = blocks === BLOCKS_OF_OLDER_CHUNKS;
          const filled = bytes + entry.line.length;
          if (isLost) fills.set(entries, { blocks: 0, bytes });
          else fills.set(entries, filled >= BLOCK_BYTES ? { blocks: blocks + 1, bytes: 0 } : { blocks, bytes: filled });
          if (!isLost) base.insertEntry(entries, entry);
        },
      };
    },
  ),
  "logs-seam-chunk-by-minute": read(
    "range",
    "Chunks are identified by the minute in which they begin, so a chunk replaces another one of the same minute.",
    (blocks) => {
      const begins = new Map<bigint, number>();
      for (const { chunk, entries } of blocks) {
        const first = entries[0];
        if (first !== undefined && !blocks.some((block) => block.chunk === chunk && (block.entries[0]?.ts ?? first.ts) < first.ts))
          begins.set(first.ts / MINUTE_NS, Math.max(chunk, begins.get(first.ts / MINUTE_NS) ?? 0));
      }
      return blocks.filter(({ chunk }) => [...begins.values()].includes(chunk));
    },
  ),
});

/** Returns the entry of a closed block that follows a full buffer of 1,024 entries. */
function afterBuffer({ entries, head }: Block): Entry | undefined {
  return head ? undefined : entries[1_024];
}

export const LOGS_SEAM_BLOCK_FAULTS: readonly Fault[] = [
  ...faultsOf(RANGE, {
    "logs-seam-block-first-dropped": answered("range", "The first entry of every block but the oldest is lost.", (found, block) =>
      block.index === 0 ? found : found.filter((entry) => entry !== block.entries[0]),
    ),
    "logs-seam-block-of-2000-entries": answered(
      "range",
      "Only the first thousand entries of a closed block are returned.",
      (found, { entries, head }) => {
        const thousandth = head ? undefined : entries[1_000];
        return thousandth === undefined ? found : found.filter((entry) => entry.ts < thousandth.ts);
      },
    ),
    "logs-seam-block-backward-1024": wrongResult(
      "blockAnswer",
      { clause: "logs-4.1", sentence: "Backward reads reverse only 1,024 entries of a closed block." },
      (handed, _found, block, { direction }) => {
        const beyond = direction === "forward" ? undefined : afterBuffer(block);
        return beyond === undefined ? handed : handed.filter((entry) => entry.ts < beyond.ts);
      },
    ),
    "logs-seam-block-backward-1025-lost": wrongResult(
      "blockAnswer",
      { clause: "logs-4.1", sentence: "Backward reads lose each entry of a closed block that comes after a full buffer of 1,024." },
      (handed, _found, block, { direction }) => (direction === "forward" ? handed : handed.filter((entry) => entry !== afterBuffer(block))),
    ),
    "logs-seam-block-forward-1025-lost": answered(
      "range",
      "Forward reads lose each entry of a closed block that comes after a full buffer of 1,024.",
      (found, block, { direction }) => (direction === "backward" ? found : found.filter((entry) => entry !== afterBuffer(block))),
    ),
    "logs-seam-block-older-forgotten-backward": read(
      "range",
      "Backward reads visit only the newest block of a window.",
      (blocks, _window, { direction }) => (direction === "backward" ? blocks.slice(0, 1) : blocks),
    ),
    "logs-seam-block-older-forgotten-forward": read(
      "range",
      "Forward reads visit only the two oldest blocks of a window.",
      (blocks, _window, { direction }) => (direction === "forward" ? blocks.slice(0, 2) : blocks),
    ),
    "logs-seam-block-begun-skipped": read("range", "A closed block in which the window begins is not read.", (blocks, { from }) =>
      blocks.filter(({ head, entries }) => head || (entries[0]?.ts ?? from) >= from),
    ),
    "logs-seam-block-ended-skipped": read("range", "A closed block in which the window ends is not read.", (blocks, { to }) =>
      blocks.filter(({ head, entries }) => head || (entries.at(-1)?.ts ?? to) < to),
    ),
    "logs-seam-block-ends-early": read(
      "range",
      "A closed block is not read if only its last entry lies in the window.",
      (blocks, { from }) => blocks.filter(({ head, entries }) => head || (entries.at(-2)?.ts ?? from) >= from),
    ),
    "logs-seam-block-order-backward": read(
      "range",
      { clause: "logs-4.1", sentence: "Backward reads visit the oldest block first, so a limit returns the wrong entries." },
      (blocks, _window, { direction }) => (direction === "backward" ? blocks.toReversed() : blocks),
    ),
    "logs-seam-block-order-forward": read(
      "range",
      { clause: "logs-4.1", sentence: "Forward reads visit the newest block first, so a limit returns the wrong entries." },
      (blocks, _window, { direction }) => (direction === "forward" ? blocks.toReversed() : blocks),
    ),
    "logs-seam-block-times-to-microseconds": answered(
      "range",
      { clause: "logs-2.1", sentence: "Timestamps in closed blocks are cut to microseconds." },
      (found, { head }) => (head ? found : found.map((entry) => ({ ...entry, ts: (entry.ts / 1_000n) * 1_000n }))),
    ),
    "logs-seam-block-last-line-cut": wrongResult(
      "blockAnswer",
      { clause: "logs-2.Entry", sentence: "The last line of a closed block loses its last character." },
      (handed, _found, { head, entries }) =>
        head ? handed : handed.map((entry) => (entry === entries.at(-1) ? { ...entry, line: entry.line.slice(0, -1) } : entry)),
    ),
    "logs-seam-block-count-edge": answered(
      "instant",
      { clause: METRIC, sentence: "A metric query does not count the last entry of a closed block." },
      (found, { head }) => (head ? found : found.slice(0, -1)),
    ),
  }),
  ...faultsOf("logs-4.3", {
    "logs-seam-block-first-filtered": wrongResult(
      "blockFilter",
      "Line filters read only the oldest block of a stream.",
      (filter, _accepts, { index }) => (index === 0 ? filter : () => true),
    ),
    "logs-seam-block-empty-ends": broken(
      "If a block other than the first has no matching entry, the remaining blocks of the stream are not read.",
      (base) => {
        let [read, ended] = [0, false];
        return {
          blocksToRead: (blocks, window, reading) => {
            [read, ended] = [0, false];
            return base.blocksToRead(blocks, window, reading);
          },
          blockAnswer: (found, block, reading) => {
            const handed = ended ? [] : base.blockAnswer(found, block, reading);
            ended ||= read > 0 && handed.length === 0;
            read += 1;
            return handed;
          },
        };
      },
    ),
    "logs-seam-block-skipped-by-excluded": broken("A block is skipped if it lacks the text that a filter excludes.", (base) => {
      const { parseQuery, fact } = noted<readonly string[]>(base, [], (query) =>
        query.kind === "log" ? query.filters.flatMap(({ operator, text }) => (operator === "!=" ? [text] : [])) : [],
      );
      return {
        parseQuery,
        blocksToRead: (blocks, window, reading) =>
          base
            .blocksToRead(blocks, window, reading)
            .filter(({ entries }) => fact().every((text) => entries.some(({ line }) => line.includes(text)))),
      };
    }),
    "logs-seam-block-seldom-once": wrongInput(
      "joinBlocks",
      { sentence: "If few entries of a large stream pass a filter, only those of one block are returned.", also: ["logs-4.push"] },
      (answers, reading) => {
        const found = answers.filter((answer) => answer.length > 0);
        const few = answers.length > 1 && found.length > 1 && found.every((answer) => answer.length < 5);
        return [few ? found.slice(0, 1) : answers, reading];
      },
    ),
  }),
];
