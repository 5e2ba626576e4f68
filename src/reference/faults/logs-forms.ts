/** Faults of less usual parts of the query language: comparisons, set operations, `or` in line filters, and comments. */
import { broken, faultsOf } from "./define.ts";
import type { Fault } from "./types.ts";

const FILTERS = "logs-4.3";

export const LOGS_FORM_FAULTS: readonly Fault[] = faultsOf(FILTERS, {
  "logs-filter-or-first": broken("If a line filter has several texts, only the first is applied.", (base) => ({
    filterLine: ({ others: _others, ...filter }, line, index) => base.filterLine(filter, line, index),
  })),
  "logs-comment-to-the-end": broken("A comment reaches to the end of the query.", (base) => ({
    parseQuery: (text) => base.parseQuery(text.replace(/ # [\s\S]*$/u, "")),
  })),
});
