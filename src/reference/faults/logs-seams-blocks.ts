/** Faults at the borders between the blocks of a stream. Only a stream of more than 256 KiB has such borders. */

import { answered, read } from "./blockwise.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";

const ENTRIES: readonly Fault[] = [
  answered("range", "logs-seam-block-first-dropped", "The first entry of every block but the oldest is lost.", (found, block) =>
    block.index === 0 ? found : found.filter((entry) => entry !== block.entries[0]),
  ),
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
];

export const LOGS_SEAM_BLOCK_FAULTS: readonly Fault[] = [...ENTRIES, ...CONTENT, ...COUNTED];
