/** Facts about the current log query, for faults that concern only some queries. */
import type { Behaviour } from "../behaviour.ts";

interface CarriedOut extends Pick<Behaviour, "parseQuery" | "joinParts"> {
  /** Whether the query has line filters. */
  readonly isFiltered: () => boolean;
  /** The number of parts into which the server divided the window of the query and which it has read. 1 if the window was not divided. */
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
