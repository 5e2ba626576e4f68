/** Faults of blocks: entries at the edge of a block, repeated entries, and blocks with very many entries. */

import type { Block } from "../logs/blocks.ts";
import type { Entry } from "../logs/types.ts";
import { answered, read } from "./blockwise.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";

/** The maximum number of entries that the faulty server can distinguish in an open block. */
const MOST_OPEN = 4_096;

function withoutLate(found: readonly Entry[], { entries, head }: Block): readonly Entry[] {
  const first = head ? entries[MOST_OPEN] : undefined;
  return first === undefined ? found : found.filter(({ ts }) => ts < first.ts);
}

export const LOGS_BLOCK_FAULTS: readonly Fault[] = [
  answered("range", "logs-block-open-4096", "Entries after the 4,096th of an open block are not returned.", withoutLate),
  fault(METRIC, "logs-block-open-4096-uncounted", "Entries after the 4,096th of an open block are not counted.", (base) => ({
    blockAnswer: (found, block, reading) =>
      base.blockAnswer(reading.path === "instant" ? withoutLate(found, block) : found, block, reading),
  })),
  read(
    RANGE,
    "range",
    "logs-block-ties-at-edge",
    "When a block is closed, entries with the time of its last entry are lost from the next block.",
    (blocks) =>
      blocks.map((block) => {
        const before = blocks.find(({ index }) => index === block.index - 1)?.entries.at(-1);
        return before === undefined ? block : { ...block, entries: block.entries.filter(({ ts }) => ts !== before.ts) };
      }),
  ),
];
