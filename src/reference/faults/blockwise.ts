/** Tools for faults of single blocks: what is handed on of them, and which of them are read. */
import type { BlocksBehaviour } from "../logs/blocks.ts";
import type { Entry, Reading } from "../logs/types.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** Hands on other entries of a block on one path than were found in it. */
export function answered(
  path: Reading["path"],
  id: string,
  sentence: string,
  answer: (...given: Parameters<BlocksBehaviour["blockAnswer"]>) => readonly Entry[],
): Fault {
  return fault(path === "range" ? "logs-4.query_range" : "logs-4.query", id, sentence, (base) => ({
    blockAnswer: (found, block, reading) => (reading.path === path ? answer : base.blockAnswer)(found, block, reading),
  }));
}

/** Reads other blocks, or in another order, on one path than hold the window. */
export function read(
  clause: string,
  path: Reading["path"],
  id: string,
  sentence: string,
  change: (...given: Parameters<BlocksBehaviour["blocksToRead"]>) => ReturnType<BlocksBehaviour["blocksToRead"]>,
): Fault {
  return fault(clause, id, sentence, (base) => ({
    blocksToRead: (blocks, window, reading) => {
      const right = base.blocksToRead(blocks, window, reading);
      return reading.path === path ? change(right, window, reading) : right;
    },
  }));
}
