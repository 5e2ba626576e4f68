/** Faults at the borders between the chunks of a stream. Only a stream of more than 1.5 MiB has such borders. */
import type { Entry } from "../logs/types.ts";
import { read } from "./blockwise.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const MINUTE_NS = 60_000_000_000n;

/** Older services close a chunk after this number of blocks, even if the blocks compress well. */
const BLOCKS_OF_OLDER_CHUNKS = 10;

const BLOCK_BYTES = 256 * 1024;

/** The size of the newest chunk of a stream: the number of its full blocks, and the number of bytes in its open block. */
interface Fill {
  blocks: number;
  bytes: number;
}

export const LOGS_SEAM_CHUNK_FAULTS: readonly Fault[] = [
  read(RANGE, "range", "logs-seam-chunk-one-only", "Only the chunk that is read first is returned.", (blocks) =>
    blocks.filter(({ chunk }) => chunk === blocks[0]?.chunk),
  ),
  read(
    "logs-4.1",
    "range",
    "logs-seam-chunk-order-backward",
    "Backward reads visit the oldest chunk first, so a limit returns the wrong entries.",
    (blocks, _window, { direction }) =>
      direction === "backward" ? blocks.toSorted((one, other) => one.chunk - other.chunk || other.index - one.index) : blocks,
  ),
  fault("logs-4.push", "logs-seam-chunk-of-ten-first-lost", "The first entry after ten full blocks is lost.", (base) => {
    const fills = new WeakMap<readonly Entry[], Fill>();
    return {
      insertEntry: (entries, entry) => {
        const fill = fills.get(entries) ?? { blocks: 0, bytes: 0 };
        fills.set(entries, fill);
        if (fill.blocks === BLOCKS_OF_OLDER_CHUNKS) {
          fill.blocks = 0;
          return;
        }
        fill.bytes += entry.line.length;
        if (fill.bytes >= BLOCK_BYTES) Object.assign(fill, { blocks: fill.blocks + 1, bytes: 0 });
        base.insertEntry(entries, entry);
      },
    };
  }),
  read(
    "logs-4.query_range",
    "range",
    "logs-seam-chunk-by-minute",
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
];
