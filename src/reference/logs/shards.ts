/** Streams are dealt over shards by their labels; what the shards answer is merged. */
import type { Reading } from "./reading.ts";
import type { LabelledEntries, Labels } from "./types.ts";

/** A stream in a shard, with its place among all that the query selects. */
export interface DealtStream extends LabelledEntries {
  readonly at: number;
}

export interface ShardsBehaviour {
  /** The shard of a stream. */
  readonly shardOf: (labels: Labels) => number;
  /** What a shard hands on of its streams; `selected` streams are in all shards together. */
  readonly shardAnswer: (streams: readonly DealtStream[], reading: Reading, selected: number) => readonly DealtStream[];
  /** The streams out of the answers of all shards. */
  readonly mergeShards: (answers: readonly (readonly DealtStream[])[], reading: Reading) => readonly DealtStream[];
}

const SHARDS = 16;

/** A number below 2^32 that labels always give (FNV-1a). */
export function hashOf(labels: Labels): number {
  let hash = 2_166_136_261;
  for (const character of JSON.stringify(Object.entries(labels))) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  }
  return hash;
}

const shards = new WeakMap<Labels, number>();

function shardOf(labels: Labels): number {
  const known = shards.get(labels);
  if (known !== undefined) return known;
  const shard = hashOf(labels) % SHARDS;
  shards.set(labels, shard);
  return shard;
}

export const SHARDS_BASE: ShardsBehaviour = {
  shardOf,
  shardAnswer: (streams) => streams,
  mergeShards: (answers) => {
    const [only] = answers;
    return answers.length === 1 && only !== undefined ? only : answers.flat().toSorted((one, other) => one.at - other.at);
  },
};
