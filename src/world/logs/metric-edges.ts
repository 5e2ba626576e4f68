/** Ranges of metric queries that begin or end exactly at an entry: whether one holds what lies on its edge is not stated, but it holds what lies between them. */
import type { Window } from "../../diagnosis/range-request.ts";
import { expecting } from "../../harness/expect.ts";
import type { Assertion } from "../../harness/scope.ts";
import { countEntries, within } from "../../model/logs.ts";
import { sumText } from "../../model/query-text.ts";
import { instant } from "./asks.ts";
import type { Dataset } from "./datasets.ts";
import { nearest } from "./range-query.ts";

const CLAUSE = "logs-4.query";
const RANGE = 120_000_000_000n;
/** The time of a query may be cut to milliseconds. */
const ON_THE_EDGE = 1_000_000n;

/** Counts over ranges that begin at an entry of the first stream of a set, or end at one of its last. */
export function countsFromEntries(dataset: Dataset): Assertion[] {
  const { streams } = dataset;
  const [first, last] = [streams[0], streams.at(-1)].map((stream) => stream?.entries[Math.floor(stream.entries.length / 2)]?.ts);
  return [
    ...(first === undefined ? [] : [countBetween(dataset, { start: first, end: first + RANGE })]),
    ...(last === undefined ? [] : [countBetween(dataset, { start: last - RANGE, end: last })]),
  ];
}

function countBetween(dataset: Dataset, window: Window): Assertion {
  const { start, end } = window;
  const least = countEntries(within(dataset.streams, start + ON_THE_EDGE, end - ON_THE_EDGE));
  const most = countEntries(within(dataset.streams, start - ON_THE_EDGE, end + ON_THE_EDGE));
  const query = { matchers: dataset.matchers, filters: [] };
  return expecting({
    clauses: CLAUSE,
    of: dataset,
    ask: instant(sumText("count_over_time", query, "2m", []), end),
    expect: (samples) => {
      const count = samples.reduce((sum, { value }) => sum + value, 0);
      if (count >= least && count <= most) return [];
      return [
        {
          clause: CLAUSE,
          path: "data.result[0].value[1]",
          expected: `from ${least} to ${most}, depending on the entries at the edges`,
          actual: `${count}`,
        },
      ];
    },
    cause: (scope) => nearest(scope, dataset, [{ window: { start: start + ON_THE_EDGE, end: end - ON_THE_EDGE } }]),
    input: { range: { start: start.toString(), end: end.toString() } },
  });
}
