/** A selector that selects nothing of what this run pushed. */
import { expecting } from "../../harness/expect.ts";
import type { Assertion } from "../../harness/scope.ts";
import { show } from "../../model/difference.ts";
import { range } from "./asks.ts";
import { type Dataset, RUN_LABEL } from "./datasets.ts";

export function nothing(dataset: Dataset): Assertion {
  return expecting({
    clauses: "logs-4.query_range",
    of: dataset,
    ask: range({ query: `{${RUN_LABEL}="nobody-used-this-value"}`, start: dataset.start, end: dataset.end, limit: 10 }),
    expect: (streams) =>
      streams.some(({ entries }) => entries.length > 0)
        ? [{ clause: "logs-4.query_range", path: "data.result", expected: "no entries", actual: show(streams.map(({ labels }) => labels)) }]
        : [],
  });
}
