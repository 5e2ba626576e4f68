/** Faults of blocks: entries at the edge of a block, repeated entries, and blocks with very many entries. */
import { logQueriesOf } from "../logql/ast.ts";
import type { Block } from "../logs/blocks.ts";
import type { Entry } from "../logs/types.ts";
import { answered, read } from "./blockwise.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";

/** The entries that repeat the line of their predecessor at the same distance in time as their predecessor's own distance. */
function withoutRepeats(entries: readonly Entry[]): ReadonlySet<Entry> {
  return new Set(
    entries.filter((entry, index) => {
      const [before, first] = [entries[index - 1], entries[index - 2]];
      if (before === undefined || first === undefined) return true;
      return entry.line !== before.line || entry.ts - before.ts !== before.ts - first.ts;
    }),
  );
}

/** The number of entries that an open block can tell apart. */
const MOST_OPEN = 4_096;

function withoutLate(found: readonly Entry[], { entries, head }: Block): readonly Entry[] {
  const first = head ? entries[MOST_OPEN] : undefined;
  return first === undefined ? found : found.filter(({ ts }) => ts < first.ts);
}

export const LOGS_BLOCK_FAULTS: readonly Fault[] = [
  answered("range", "logs-block-open-4096", "Entries after the 4,096th of an open block are not returned.", withoutLate),
  fault(METRIC, "logs-filtered-count-to-1000", "A metric query with a line filter counts at most a thousand lines of a stream.", (base) => {
    let isFiltered = false;
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        isFiltered = logQueriesOf(query).some(({ filters }) => filters.length > 0);
        return query;
      },
      aggregateRange: (aggregation, entries, ...rest) =>
        base.aggregateRange(aggregation, isFiltered ? entries.slice(0, 1_000) : entries, ...rest),
    };
  }),
  fault(METRIC, "logs-samples-129th-lost", "A response lacks its 129th sample.", (base) => ({
    arrangeSamples: (samples) => base.arrangeSamples(samples).filter((_, index) => index !== 128),
  })),
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
  fault("logs-4.push", "logs-block-empty-line-ends", "An empty line in a closed block hides itself and the entries after it.", (base) => ({
    blockAnswer: (found, block, reading) => {
      const empty = block.head ? undefined : block.entries.find(({ line }) => line === "");
      const handed = base.blockAnswer(found, block, reading);
      return empty === undefined ? handed : handed.filter(({ ts }) => ts < empty.ts);
    },
  })),
  answered(
    "range",
    "logs-block-repeats-dropped",
    "In a closed block, an entry is lost if it repeats the line before it at the same distance in time as before.",
    (found, { entries, head }) => {
      if (head) return found;
      const kept = withoutRepeats(entries);
      return found.filter((entry) => kept.has(entry));
    },
  ),
];
