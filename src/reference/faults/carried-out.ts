/** What is known of the log query that is being carried out, for faults that are of some queries only. */
import type { Behaviour } from "../behaviour.ts";

interface CarriedOut extends Pick<Behaviour, "parseQuery" | "joinParts"> {
  /** Whether it has line filters. */
  readonly isFiltered: () => boolean;
  /** How many parts of its window were read; 1 where none was read in parts yet. */
  readonly parts: () => number;
}

export function carriedOut(base: Behaviour): CarriedOut {
  let isFiltered = false;
  let parts = 1;
  return {
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      isFiltered = query.kind === "log" && query.filters.length > 0;
      return query;
    },
    joinParts: (answers, reading) => {
      if (reading.path === "range") parts = answers.length;
      return base.joinParts(answers, reading);
    },
    isFiltered: () => isFiltered,
    parts: () => parts,
  };
}
