/** Faults of the default parameters of a range query, and of metric results without an aggregation. */
import type { Behaviour } from "../behaviour.ts";
import type { RangeQuery } from "../logs/range.ts";
import type { Query } from "../logql/ast.ts";
import type { Sample } from "../logs/instant.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** Returns a faulty server that uses wrong defaults for missing parameters of some range queries. */
function filledIn(
  clause: string,
  id: string,
  sentence: string,
  change: (range: RangeQuery, query: Query | undefined) => Partial<RangeQuery>,
): Fault {
  return fault(clause, id, sentence, (base) => {
    let last: Query | undefined;
    return {
      parseQuery: (text) => (last = base.parseQuery(text)),
      rangeQuery: (range) => base.rangeQuery({ ...range, ...change(range, last) }),
    };
  });
}

const isFiltered = (query: Query | undefined): boolean => query?.kind === "log" && query.filters.length > 0;

function unaggregated(id: string, sentence: string, change: (samples: readonly Sample[]) => readonly Sample[]): Fault {
  return fault("logs-4.query", id, sentence, (base): Partial<Behaviour> => {
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

export const LOGS_DEFAULT_FAULTS: readonly Fault[] = [
  filledIn(
    "logs-4.1",
    "logs-defaults-direction-filtered",
    "Without direction but with a line filter, the oldest entries come first.",
    ({ defaulted }, query) => (defaulted.direction && isFiltered(query) ? { direction: "forward" } : {}),
  ),
  unaggregated("logs-samples-swapped", "The samples of streams without aggregation are swapped.", (samples) =>
    samples.map(({ labels }, index) => ({ labels, value: samples.at(index - 1)?.value ?? 0 })),
  ),
  unaggregated(
    "logs-samples-all-in-first",
    "The first of several streams without aggregation has the sum of all, and the others have 0.",
    (samples) =>
      samples.map(({ labels }, index) => ({ labels, value: index === 0 ? samples.reduce((sum, { value }) => sum + value, 0) : 0 })),
  ),
];
