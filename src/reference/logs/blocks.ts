/** Cuts a stream into blocks, with several blocks per chunk. The newest block still grows and is called the head. */
import type { Entry, Reading, Window } from "./types.ts";

export interface Block {
  /** The entries of the block, in ascending order of time. */
  readonly entries: readonly Entry[];
  /** The index of the block in the stream, and the index of its chunk. Each index starts at 0. */
  readonly index: number;
  readonly chunk: number;
  readonly head: boolean;
}

export interface BlocksBehaviour {
  /** Returns the blocks of a stream, oldest first. A stream has at least one block. */
  readonly cutBlocks: (entries: readonly Entry[]) => readonly Block[];
  /** Returns the blocks that may have entries in the window, in the order of reading. */
  readonly blocksToRead: (blocks: readonly Block[], window: Window, reading: Reading) => readonly Block[];
  /** Returns the function that selects entries of a block. The base behaviour returns `accepts`, the function of the query. */
  readonly blockFilter: (accepts: (entry: Entry) => boolean, block: Block, reading: Reading) => (entry: Entry) => boolean;
  /** Returns the result of a block. `found` has the entries of the block that the query accepts. */
  readonly blockAnswer: (found: readonly Entry[], block: Block, reading: Reading) => readonly Entry[];
  /** Joins the results of the blocks of a stream. They are in the order in which the blocks were read. */
  readonly joinBlocks: (answers: readonly (readonly Entry[])[], reading: Reading) => readonly Entry[];
}

const BLOCK_BYTES = 256 * 1024;
/** The number of blocks in a chunk. Six blocks have about 1.5 MiB. */
const BLOCKS_PER_CHUNK = 6;

interface Cut {
  readonly blocks: readonly Block[];
  /** The length and last entry of the stream when it was last cut into blocks. If entries were only appended, only these are cut. */
  readonly length: number;
  readonly last: Entry | undefined;
}

const cuts = new WeakMap<readonly Entry[], Cut>();

function cutBlocks(entries: readonly Entry[]): readonly Block[] {
  const known = cuts.get(entries);
  if (known !== undefined && known.length === entries.length && known.last === entries.at(-1)) return known.blocks;
  const grown = known !== undefined && known.length <= entries.length && known.last === entries[known.length - 1];
  const closed = grown ? known.blocks.slice(0, -1) : [];
  const blocks = [...closed, ...cutFrom(entries, closed)];
  cuts.set(entries, { blocks, length: entries.length, last: entries.at(-1) });
  return blocks;
}

/** Returns the blocks after the closed blocks of a stream. */
function cutFrom(entries: readonly Entry[], closed: readonly Block[]): Block[] {
  const made: Block[] = [];
  let from = closed.reduce((sum, block) => sum + block.entries.length, 0);
  let bytes = 0;
  const add = (part: readonly Entry[], head: boolean): void => {
    const index = closed.length + made.length;
    made.push({ entries: part, index, chunk: Math.floor(index / BLOCKS_PER_CHUNK), head });
  };
  for (let at = from; at < entries.length; at += 1) {
    const length = entries[at]?.line.length ?? 0;
    if (bytes > 0 && bytes + length > BLOCK_BYTES) {
      add(entries.slice(from, at), false);
      from = at;
      bytes = 0;
    }
    bytes += length;
  }
  add(from === 0 ? entries : entries.slice(from), true);
  return made;
}

function overlaps({ entries }: Block, { from, to }: Window): boolean {
  const [first, last] = [entries[0], entries.at(-1)];
  return first !== undefined && last !== undefined && first.ts < to && last.ts >= from;
}

export const BLOCKS_BASE: BlocksBehaviour = {
  cutBlocks,
  blocksToRead: (blocks, window, { direction }) => {
    const touched = blocks.filter((block) => overlaps(block, window));
    return direction === "forward" ? touched : touched.toReversed();
  },
  blockFilter: (accepts) => accepts,
  blockAnswer: (found) => found,
  joinBlocks: (answers, { limit }) => {
    const [only] = answers;
    return answers.length === 1 && only !== undefined ? only : answers.flat().slice(0, limit);
  },
};
