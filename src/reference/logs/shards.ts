/** Distributes streams to shards by their labels, and merges the results of the shards. */
import type { LabelledEntries, Labels, Reading } from "./types.ts";

/** A stream in a shard, with its index in the list of all streams that the query selects. */
export interface DealtStream extends LabelledEntries {
  readonly at: number;
}

export interface ShardsBehaviour {
  /** Returns the result of a shard. `selected` is the number of selected streams in all shards. */
  readonly shardAnswer: (streams: readonly DealtStream[], reading: Reading, selected: number) => readonly DealtStream[];
  readonly mergeShards: (answers: readonly (readonly DealtStream[])[], reading: Reading) => readonly DealtStream[];
}

const SHARDS = 16;

/** Returns a hash of the labels: a number below 2^32 (FNV-1a). */
export function hashOf(labels: Labels): number {
  let hash = 2_166_136_261;
  for (const character of JSON.stringify(Object.entries(labels))) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  }
  return hash;
}

const shards = new WeakMap<Labels, number>();

export function shardOf(labels: Labels): number {
  const known = shards.get(labels);
  if (known !== undefined) return known;
  const shard = hashOf(labels) % SHARDS;
  shards.set(labels, shard);
  return shard;
}

export const SHARDS_BASE: ShardsBehaviour = {
  shardAnswer: (streams) => streams,
  mergeShards: (answers) => {
    const [only] = answers;
    return answers.length === 1 && only !== undefined ? only : answers.flat().toSorted((one, other) => one.at - other.at);
  },
};
