/** Faults of line filters at the borders between the blocks of a stream. Only a stream of more than 256 KiB has such borders. */
import type { LineFilter } from "../logql/ast.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const FILTERS: readonly Fault[] = [
  fault("logs-4.3", "logs-seam-block-first-filtered", "Line filters read only the oldest block of a stream.", (base) => ({
    blockFilter: (accepts, block, reading) => (block.index === 0 ? base.blockFilter(accepts, block, reading) : () => true),
  })),
  fault(
    "logs-4.3",
    "logs-seam-block-empty-ends",
    "If a block other than the first has no matching entry, the remaining blocks of the stream are not read.",
    (base) => {
      let [read, ended] = [0, false];
      return {
        blocksToRead: (blocks, window, reading) => {
          [read, ended] = [0, false];
          return base.blocksToRead(blocks, window, reading);
        },
        blockAnswer: (found, block, reading) => {
          const handed = ended ? [] : base.blockAnswer(found, block, reading);
          ended ||= read > 0 && handed.length === 0;
          read += 1;
          return handed;
        },
      };
    },
  ),
];

/** A server that skips a block without the text that `needed` returns for a line filter. With undefined, no block is skipped. */
function skipped(id: string, sentence: string, needed: (filter: LineFilter) => string | undefined): Fault {
  return fault("logs-4.3", id, sentence, (base) => {
    let texts: readonly string[] = [];
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        texts = query.kind === "log" ? query.filters.flatMap((filter) => needed(filter) ?? []) : [];
        return query;
      },
      blocksToRead: (blocks, window, reading) =>
        base
          .blocksToRead(blocks, window, reading)
          .filter(({ entries }) => texts.every((text) => entries.some(({ line }) => line.includes(text)))),
    };
  });
}

const SKIPPED: readonly Fault[] = [
  skipped("logs-seam-block-skipped-by-excluded", "A block is skipped if it lacks the text that a filter excludes.", ({ operator, text }) =>
    operator === "!=" ? text : undefined,
  ),
  fault(
    { clause: "logs-4.3", also: ["logs-4.push"] },
    "logs-seam-block-seldom-once",
    "If few entries of a large stream pass a filter, only those of one block are returned.",
    (base) => ({
      joinBlocks: (answers, reading) => {
        const found = answers.filter((answer) => answer.length > 0);
        const few = answers.length > 1 && found.length > 1 && found.every((answer) => answer.length < 5);
        return base.joinBlocks(few ? found.slice(0, 1) : answers, reading);
      },
    }),
  ),
];

export const LOGS_SEAM_BLOCK_FILTER_FAULTS: readonly Fault[] = [...FILTERS, ...SKIPPED];
