/** Faults at the borders between the blocks of a stream. Only a stream of more than 256 KiB shows them. */
import { slices } from "../logs/batches.ts";
import type { BlocksBehaviour } from "../logs/blocks.ts";
import { answered, read } from "./blockwise.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";
/** The capacity of a buffer, in characters of a line. */
const LONG = 8_192;

/** A line longer than the buffer, whose beginning overwrites the part beyond the buffer. */
function garbled(line: string): string {
  return line.slice(0, LONG) + line.slice(0, line.length - LONG);
}

const ENTRIES: readonly Fault[] = [
  answered(
    "range",
    "logs-seam-block-last-dropped",
    "The last entry of a closed block is lost when its blocks are merged.",
    (found, block) => (block.head ? found : found.filter((entry) => entry !== block.entries.at(-1))),
  ),
  answered("range", "logs-seam-block-first-dropped", "The first entry of every block but the oldest is lost.", (found, block) =>
    block.index === 0 ? found : found.filter((entry) => entry !== block.entries[0]),
  ),
  answered("range", "logs-seam-block-edge-twice", "The last entry of a closed block is returned twice.", (found, block) => {
    const last = block.head ? undefined : block.entries.at(-1);
    return found.flatMap((entry) => (entry === last ? [entry, entry] : [entry]));
  }),
  answered(
    "range",
    "logs-seam-block-of-2000-entries",
    "Only the first thousand entries of a closed block are returned.",
    (found, { entries, head }) => {
      const thousandth = head ? undefined : entries[1_000];
      return thousandth === undefined ? found : found.filter((entry) => entry.ts < thousandth.ts);
    },
  ),
  fault("logs-4.1", "logs-seam-block-backward-1024", "Backward reads reverse only 1,024 entries of a closed block.", (base) => ({
    blockAnswer: (found, block, reading) => {
      const handed = base.blockAnswer(found, block, reading);
      const beyond = block.head || reading.direction === "forward" ? undefined : block.entries[1_024];
      return beyond === undefined ? handed : handed.filter((entry) => entry.ts < beyond.ts);
    },
  })),
  fault(
    "logs-4.1",
    "logs-seam-block-backward-1025-lost",
    "Backward reads lose each entry of a closed block that comes after a full buffer of 1,024.",
    (base) => ({
      blockAnswer: (found, block, reading) => {
        const lost = block.head || reading.direction === "forward" ? undefined : block.entries[1_024];
        return base.blockAnswer(found, block, reading).filter((entry) => entry !== lost);
      },
    }),
  ),
  answered(
    "range",
    "logs-seam-block-forward-1025-lost",
    "Forward reads lose each entry of a closed block that comes after a full buffer of 1,024.",
    (found, { entries, head }, { direction }) => {
      const lost = head || direction === "backward" ? undefined : entries[1_024];
      return found.filter((entry) => entry !== lost);
    },
  ),
  fault("logs-4.push", "logs-seam-block-one-a-time", "When a block is closed, only the first entry at each time is kept.", (base) => ({
    blockAnswer: (found, block, reading) => {
      const handed = base.blockAnswer(found, block, reading);
      const times = new Map(block.entries.toReversed().map((entry) => [entry.ts, entry]));
      return block.head ? handed : handed.filter((entry) => times.get(entry.ts) === entry);
    },
  })),
  fault("logs-2.Entry", "logs-seam-block-line-8192", "Lines above 8,192 characters are garbled when their block is closed.", (base) => ({
    blockAnswer: (found, block, reading) => {
      const handed = base.blockAnswer(found, block, reading);
      return block.head ? handed : handed.map((entry) => (entry.line.length > LONG ? { ...entry, line: garbled(entry.line) } : entry));
    },
  })),
  read(
    RANGE,
    "range",
    "logs-seam-block-older-forgotten-backward",
    "Backward reads visit only the newest block of a window.",
    (blocks, _window, { direction }) => (direction === "backward" ? blocks.slice(0, 1) : blocks),
  ),
  read(
    RANGE,
    "range",
    "logs-seam-block-older-forgotten-forward",
    "Forward reads visit only the two oldest blocks of a window.",
    (blocks, _window, { direction }) => (direction === "forward" ? blocks.slice(0, 2) : blocks),
  ),
  read(RANGE, "range", "logs-seam-block-begun-skipped", "A closed block in which the window begins is not read.", (blocks, { from }) =>
    blocks.filter(({ head, entries }) => head || (entries[0]?.ts ?? from) >= from),
  ),
  read(RANGE, "range", "logs-seam-block-ended-skipped", "A closed block in which the window ends is not read.", (blocks, { to }) =>
    blocks.filter(({ head, entries }) => head || (entries.at(-1)?.ts ?? to) < to),
  ),
  read(
    RANGE,
    "range",
    "logs-seam-block-ends-early",
    "A closed block is not read if only its last entry lies in the window.",
    (blocks, { from }) => blocks.filter(({ head, entries }) => head || (entries.at(-2)?.ts ?? from) >= from),
  ),

  read(
    "logs-4.1",
    "range",
    "logs-seam-block-order-backward",
    "Backward reads visit the oldest block first, so a limit returns the wrong entries.",
    (blocks, _window, { direction }) => (direction === "backward" ? blocks.toReversed() : blocks),
  ),
  read(
    "logs-4.1",
    "range",
    "logs-seam-block-order-forward",
    "Forward reads visit the newest block first, so a limit returns the wrong entries.",
    (blocks, _window, { direction }) => (direction === "forward" ? blocks.toReversed() : blocks),
  ),
];

const CONTENT: readonly Fault[] = [
  fault("logs-2.1", "logs-seam-block-times-to-microseconds", "Timestamps in closed blocks are cut to microseconds.", (base) => ({
    blockAnswer: (found, block, reading) =>
      block.head || reading.path === "instant"
        ? base.blockAnswer(found, block, reading)
        : found.map((entry) => ({ ...entry, ts: (entry.ts / 1_000n) * 1_000n })),
  })),

  fault("logs-2.Entry", "logs-seam-block-last-line-cut", "The last line of a closed block loses its last character.", (base) => ({
    blockAnswer: (found, block, reading) =>
      block.head
        ? base.blockAnswer(found, block, reading)
        : found.map((entry) => (entry === block.entries.at(-1) ? { ...entry, line: entry.line.slice(0, -1) } : entry)),
  })),
];

const COUNTED: readonly Fault[] = [
  answered("instant", "logs-seam-block-count-edge", "A metric query does not count the last entry of a closed block.", (found, block) =>
    block.head ? found : found.slice(0, -1),
  ),

  read(
    METRIC,
    "instant",
    "logs-seam-block-count-head",
    "A metric query does not count the open block if the stream has older blocks.",
    (blocks) => (blocks.length > 1 ? blocks.filter(({ head }) => !head) : blocks),
  ),
];

/** The number of entries that fill a block. */
const FEW = 300;
const MILLISECOND = 1_000_000n;

/** A server that closes a block after few entries. */
function inSmallBlocks(
  clause: string,
  id: string,
  sentence: string,
  change: (base: BlocksBehaviour) => Pick<BlocksBehaviour, "blocksToRead"> | Pick<BlocksBehaviour, "blockAnswer">,
): Fault {
  return fault(clause, id, sentence, (base) => ({
    cutBlocks: (entries) => {
      const parts = slices(entries, FEW);
      const all = parts.length === 0 ? [entries] : parts;
      return all.map((part, index) => ({ entries: part, index, chunk: 0, head: index === all.length - 1 }));
    },
    ...change(base),
  }));
}

const SMALL: readonly Fault[] = [
  inSmallBlocks(
    RANGE,
    "logs-seam-block-end-in-milliseconds",
    "A block of 300 entries that ends in the millisecond in which a window begins is skipped.",
    (base) => ({
      blocksToRead: (blocks, window, reading) =>
        base
          .blocksToRead(blocks, window, reading)
          .filter(({ entries, head }) => head || ((entries.at(-1)?.ts ?? 0n) / MILLISECOND) * MILLISECOND >= window.from),
    }),
  ),
  inSmallBlocks(
    "logs-2.Entry",
    "logs-seam-block-latin",
    "When a block of 300 entries is closed, lines of Latin-1 letters are decoded as UTF-8.",
    (base) => ({
      blockAnswer: (found, block, reading) => {
        const handed = base.blockAnswer(found, block, reading);
        return block.head ? handed : handed.map((entry) => ({ ...entry, line: mangled(entry.line) }));
      },
    }),
  ),
];

/** A line whose UTF-8 bytes are decoded as Latin-1. */
function mangled(line: string): string {
  return Array.from(line).every((letter) => letter <= "\u00ff") ? Buffer.from(line).toString("latin1") : line;
}

export const LOGS_SEAM_BLOCK_FAULTS: readonly Fault[] = [...ENTRIES, ...CONTENT, ...COUNTED, ...SMALL];
