/** Functions that make faults of single blocks: wrong entries from a block, or wrong blocks in a read. */
import type { BlocksBehaviour } from "../logs/blocks.ts";
import type { Entry, Reading } from "../logs/types.ts";
import { fault, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

/** Makes a faulty server whose blocks return wrong entries for range queries or for metric queries. */
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

/** Makes a faulty server that reads wrong blocks, or reads blocks in the wrong order, for range queries or for metric queries. */
export function read(
  clause: string,
  path: Reading["path"],
  id: string,
  sentence: string,
  change: (...given: Parameters<BlocksBehaviour["blocksToRead"]>) => ReturnType<BlocksBehaviour["blocksToRead"]>,
): Fault {
  return wrongResult("blocksToRead", clause, id, sentence, (right, _blocks, window, reading) =>
    reading.path === path ? change(right, window, reading) : right,
  );
}
