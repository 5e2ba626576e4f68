/** Section 4 rule 3 after a query has found nothing. An empty result of a query must not change the results of later queries. */
import type { Check } from "../../src/harness/check.ts";
import type { TablePart } from "../../src/harness/context.ts";
import { type FilterOperator, containing } from "../../src/model/logs.ts";
import type { Dataset } from "../../src/datasets/datasets.ts";
import { hoursOf } from "../../src/queries/hour-order.ts";
import { whileKept } from "../../src/datasets/hour-boundary-data.ts";
import { AROUND, BEFORE, BETWEEN, sparseData, steps } from "../../src/datasets/sparse-data.ts";
import { selection } from "../../src/queries/range-query.ts";
import { useful } from "../../src/datasets/read-back.ts";
import { logsCheck } from "./check.ts";
import { inTurn, aroundHours } from "./tables.ts";
import type { Window } from "../../src/diagnosis/range-request.ts";
import { SECOND } from "../../src/model/times.ts";

type Asked = readonly [text: string, from: number, to: number, operator?: FilterOperator];

/** The queries in their order, with the first and last step of each window. */
const ASKED: readonly Asked[] = [
  // Filters without a match that are similar to filters with matches.
  [BETWEEN.toUpperCase(), 1, 47],
  ["quiet", 1, 12, "!="],
  [BETWEEN, 2, 12],
  [BETWEEN, 22, 32],
  [BETWEEN, 15, 25],
  [BETWEEN, 1, 47],
  // The query before this one found an entry, in a larger window.
  [BETWEEN, 15, 25],
  // The first window is empty. The next windows extend it, first at the end, then at the start, then on both sides.
  [AROUND, 20, 26],
  [AROUND, 19, 47],
  [AROUND, 1, 27],
  [AROUND, 1, 47],
  // Two windows without a match. A matching entry is between these windows.
  [BEFORE, 27, 35],
  [BEFORE, 7, 15],
  // The filter `!=` with this text found nothing in this window. The filter `|=` must still find the entries.
  ["quiet", 1, 12],
];

const BESIDE = 2_400n * SECOND;

/** Returns empty windows before and after the line at a full hour, and then windows across the hour. */
function emptyBeside({ start, end }: Dataset, hour: bigint): Window[] {
  const from = start > hour - BESIDE ? start : hour - BESIDE;
  const to = end < hour + BESIDE ? end : hour + BESIDE;
  return [
    { start: from, end: hour - 500n },
    { start: hour + 500n, end: to },
    { start: from, end: to },
    { start: hour - 500n, end: to },
  ];
}

const CUT = { limit: 1_000, direction: "forward" } as const;

/** Entries that were pushed early in the run, with the queries of the table. */
const besideEach: TablePart = async (t) => {
  const pushed =
    (await t.use(sparseData)) ??
    t.notRun("the target does not accept entries that are 20 minutes old; the document does not say how old entries may be");
  const dataset = useful(pushed);
  return [
    inTurn(
      ASKED.map(([text, from, to, operator = "|="]) =>
        selection(dataset, { window: steps(dataset, from, to), filters: [{ operator, text }], cut: CUT }, "logs-4.3"),
      ),
    ),
  ];
};

/** Queries that find a line at a full hour, after queries for the times before and after this hour have found nothing. */
const atFullHours: TablePart = async (t) => {
  const set = await aroundHours(t);
  const { dataset } = set;
  const lines = new Map(dataset.streams.flatMap(({ entries }) => entries.map(({ ts, line }) => [ts, line] as const)));
  const asked = hoursOf(dataset)
    .slice(0, 2)
    .flatMap((hour) =>
      emptyBeside(dataset, hour).map((window) =>
        whileKept(set, selection(dataset, { window, filters: [containing(lines.get(hour) ?? "")], cut: CUT }, "logs-4.3")),
      ),
    );
  return [inTurn(asked)];
};

const onceEmpty = logsCheck({
  slug: "once-empty",
  title: "a cached empty result of the same or a similar filter does not hide a later match in the same or a nearby window",
  clauses: ["logs-4.3"],
  // Pushes of other checks may empty the cache of a service.
  phase: "closing",
  profiles: ["release", "nightly"],
  run: async (t) => t.verifyParts("logs-4.3", [besideEach, atFullHours]),
});

export const ONCE_EMPTY_CHECKS: readonly Check[] = [onceEmpty];
