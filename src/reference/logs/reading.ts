/** Reads the selected entries: the window in parts, the streams in shards and each stream in blocks. Merges the results. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import type { LogQuery } from "../logql/ast.ts";
import { entryTest, selectStreams } from "./select.ts";
import { type DealtStream, shardOf } from "./shards.ts";
import type { Entry, LabelledEntries, Reading, Window } from "./types.ts";

/** Returns the entries of the selected streams in a window. The entries of each stream are in the order of the direction. */
export function readStreams(
  query: LogQuery,
  window: Window,
  reading: Reading,
  tenants: readonly string[],
  behaviour: Behaviour,
  server: ServerHandle,
): readonly LabelledEntries[] {
  const accepts = entryTest(query, behaviour, server.options.now());
  const selected = selectStreams(query.matchers, tenants, behaviour, server);
  const shards = dealt(selected);
  const answers: (readonly DealtStream[])[] = [];
  let total = 0;
  for (const part of behaviour.splitWindow(window, spanOf(selected), reading)) {
    const found = shards.map((shard) =>
      behaviour.shardAnswer(
        shard.map(({ labels, entries, at }) => ({ labels, entries: readBlocks(entries, part, accepts, reading, behaviour), at })),
        reading,
        selected.length,
      ),
    );
    const answer = behaviour.mergeShards(found, reading);
    answers.push(answer);
    total += answer.reduce((sum, { entries }) => sum + entries.length, 0);
    if (!behaviour.wantsMore(total, reading)) break;
  }
  return behaviour.joinParts(answers, reading);
}

function readBlocks(
  entries: readonly Entry[],
  window: Window,
  accepts: (entry: Entry) => boolean,
  reading: Reading,
  behaviour: Behaviour,
): readonly Entry[] {
  const { limit, direction } = reading;
  const found: (readonly Entry[])[] = [];
  let total = 0;
  for (const block of behaviour.blocksToRead(behaviour.cutBlocks(entries), window, reading)) {
    const answer = behaviour.scan(block.entries, window, behaviour.blockFilter(accepts, block, reading), limit, direction);
    found.push(behaviour.blockAnswer(answer, block, reading));
    total += answer.length;
    if (total >= limit) break;
  }
  return behaviour.joinBlocks(found, reading);
}

/** Distributes the streams to the shards. Each stream also gets its index in the list of all streams. */
function dealt(streams: readonly LabelledEntries[]): readonly (readonly DealtStream[])[] {
  const shards = new Map<number, DealtStream[]>();
  for (const [at, { labels, entries }] of streams.entries()) {
    const shard = shardOf(labels);
    const known = shards.get(shard);
    if (known === undefined) shards.set(shard, [{ labels, entries, at }]);
    else known.push({ labels, entries, at });
  }
  return [...shards.values()];
}

/** Returns the times of the oldest and the newest entry, or undefined if the streams have no entries. */
function spanOf(streams: readonly LabelledEntries[]): Window | undefined {
  let span: Window | undefined;
  for (const { entries } of streams) {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) continue;
    span =
      span === undefined
        ? { from: first.ts, to: last.ts }
        : { from: first.ts < span.from ? first.ts : span.from, to: last.ts > span.to ? last.ts : span.to };
  }
  return span;
}
