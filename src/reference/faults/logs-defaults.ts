/** Faults of the default parameters of a range query, and of metric results without an aggregation. */
import type { Behaviour } from "../behaviour.ts";
import type { RangeQuery } from "../logs/range.ts";
import type { Query } from "../logql/ast.ts";
import type { Sample } from "../logs/instant.ts";
import { broken, faultsOf, type Row } from "./define.ts";
import type { Fault } from "./types.ts";

/** Returns a faulty server that uses wrong defaults for missing parameters of some range queries. */
function filledIn(clause: string, sentence: string, change: (range: RangeQuery, query: Query | undefined) => Partial<RangeQuery>): Row {
  return broken({ clause, sentence }, (base) => {
    let last: Query | undefined;
    return {
      parseQuery: (text) => (last = base.parseQuery(text)),
      rangeQuery: (range) => base.rangeQuery({ ...range, ...change(range, last) }),
    };
  });
}

const isFiltered = (query: Query | undefined): boolean => query?.kind === "log" && query.filters.length > 0;

function unaggregated(sentence: string, change: (samples: readonly Sample[]) => readonly Sample[]): Row {
  return broken(sentence, (base): Partial<Behaviour> => {
    let plain = false;
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        plain = query.kind === "range";
        return query;
      },
      arrangeSamples: (samples) => base.arrangeSamples(plain ? change(samples) : samples),
    };
  });
}

export const LOGS_DEFAULT_FAULTS: readonly Fault[] = faultsOf("logs-4.query", {
  "logs-defaults-direction-filtered": filledIn(
    "logs-4.1",
    "Without direction but with a line filter, the oldest entries come first.",
    ({ defaulted }, query) => (defaulted.direction && isFiltered(query) ? { direction: "forward" } : {}),
  ),
  "logs-samples-swapped": unaggregated("The samples of streams without aggregation are swapped.", (samples) =>
    samples.map(({ labels }, index) => ({ labels, value: samples.at(index - 1)?.value ?? 0 })),
  ),
  "logs-samples-all-in-first": unaggregated(
    "The first of several streams without aggregation has the sum of all, and the others have 0.",
    (samples) =>
      samples.map(({ labels }, index) => ({ labels, value: index === 0 ? samples.reduce((sum, { value }) => sum + value, 0) : 0 })),
  ),
});
