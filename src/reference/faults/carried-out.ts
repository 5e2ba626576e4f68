/** Gives facts about the log query that the server handles at the moment, for faults that concern only some queries. */
import type { Behaviour } from "../behaviour.ts";

interface CarriedOut extends Pick<Behaviour, "parseQuery" | "joinParts"> {
  readonly isFiltered: () => boolean;
  /** Returns how many parts of the query's window the server has read. The number is 1 if the server did not divide the window. */
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
