/** Assertions about range queries over a set: what a query selects, from a window, up to a limit, in a direction. */
import { answerClauseOf, type Asked, clauseByKindOf, clauseOf, lesser } from "../../diagnosis/range-request.ts";
import { isSuccess } from "../../client/exchange.ts";
import { type RangeParameters, rangeText } from "../../client/logs.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import { type Ask, expecting } from "../../harness/expect.ts";
import type { Finding } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import type { Difference } from "../../model/difference.ts";
import { type AnsweredStream, entryDifferences, limitDifferences, orderDifferences, unselected } from "../../model/log-answer.ts";
import { countEntries, type Direction, limited, select, type Stream, within } from "../../model/logs.ts";
import { logQueryText } from "../../model/query-text.ts";
import { type As, range } from "./asks.ts";
import type { Dataset } from "./datasets.ts";
import { lastingAnswer } from "./server-errors.ts";

/** As many as a limit may safely ask for. */
const ALL = 1_000;

/** The text of a query over a set. */
export function textOf(dataset: Dataset, { matchers = [], ownLast, filters = [] }: Asked): string {
  return logQueryText({ matchers: ownLast === true ? [...matchers, ...dataset.matchers] : [...dataset.matchers, ...matchers], filters });
}

/** The parameters of a range query over a set. */
export function parametersOf(dataset: Dataset, asked: Asked): RangeParameters {
  const { start, end } = asked.window ?? dataset;
  const place = { query: textOf(dataset, asked), start, end };
  if (asked.cut === undefined) return { ...place, limit: ALL, ...(dataset.entries > ALL ? { direction: "backward" } : {}) };
  const { limit, direction, unsent = [] } = asked.cut;
  return { ...place, ...(unsent.includes("limit") ? {} : { limit }), ...(unsent.includes("direction") ? {} : { direction }) };
}

function selected({ streams }: Dataset, { matchers = [], filters = [], window }: Asked): Stream[] {
  return select(window === undefined ? streams : within(streams, window.start, window.end), { matchers, filters });
}

/** Everything wrong with the answer to a range query over a set. */
export function askedDifferences(
  dataset: Dataset,
  asked: Asked,
  own?: ClauseId,
): (streams: readonly AnsweredStream[]) => readonly Difference[] {
  const expected = selected(dataset, asked);
  // Of a set that is larger than a limit may safely be, the newest entries are read.
  const cut = asked.cut ?? (dataset.entries > ALL ? { limit: ALL, direction: "backward" } : undefined);
  const clauseByKind = clauseByKindOf(asked, own);
  return (streams) => {
    const order = cut === undefined ? [] : orderDifferences(streams, cut.direction);
    if (cut === undefined || cut.limit >= countEntries(expected))
      return [...entryDifferences(expected, streams, clauseByKind, dataset.streams), ...order];
    const extra = unselected(dataset.streams, expected, streams, clauseByKind.extra);
    if (extra.length > 0) return [...extra, ...order];
    return [...limitDifferences(limited(expected, cut.limit, cut.direction), expected, streams, clauseByKind), ...order];
  };
}

/** How long a right response to a smaller request counts for other wrong requests, in ms. */
const KNOWN_MS = 5_000;

/** The smaller requests of a dataset that were answered rightly, with the time of the response. */
const RIGHT = new WeakMap<Dataset, Map<string, number>>();

/** What is wrong with the first of `steps` that is answered wrongly, or null when all are answered rightly. */
export async function nearest(
  scope: Scope,
  dataset: Dataset,
  steps: readonly Asked[],
  as: As = {},
): Promise<Pick<Finding, "differences" | "exchanges"> | null> {
  const right = RIGHT.get(dataset) ?? new Map<string, number>();
  RIGHT.set(dataset, right);
  for (const asked of steps) {
    const parameters = parametersOf(dataset, asked);
    const key = JSON.stringify([Object.entries(rangeText(parameters)), as]);
    // A defect makes many requests wrong, and most of their smaller requests are the same.
    if (performance.now() - (right.get(key) ?? -KNOWN_MS) < KNOWN_MS) continue;
    const assertion = expecting({
      clauses: clauseOf(asked),
      of: dataset,
      ask: range(parameters, { ...as, clause: clauseOf(asked), series: selected(dataset, asked).length }),
      expect: askedDifferences(dataset, asked),
      twin: smallest(dataset, as),
    });
    const { differences, exchanges } = await assertion(scope);
    if (differences.length > 0)
      return { differences: differences.map((one) => ({ ...one, path: `${one.path} of query_range ${parameters.query}` })), exchanges };
    right.set(key, performance.now());
  }
  return null;
}

/** What asks for less than a query over a set. */
export function lesserOf({ streams }: Dataset, asked: Asked): Asked[] {
  const { matchers = [], filters = [] } = asked;
  return lesser(asked, select(streams, { matchers, filters }).length === 0);
}

/** Asks for what a query selects of a set and holds the answer against the model; `clause` is what it is to show. */
export function selection(dataset: Dataset, asked: Asked, clause: ClauseId = clauseOf(asked), { first, ...as }: As = {}): Assertion {
  return expecting({
    clauses: clause,
    of: dataset,
    ask: range(parametersOf(dataset, asked), { clause: answerClauseOf(asked), series: selected(dataset, asked).length, ...as, first }),
    expect: askedDifferences(dataset, asked),
    cause: (scope) => nearest(scope, dataset, lesserOf(dataset, asked), as),
    twin: smallest(dataset, as),
  });
}

/**
 * The same for a query that the documents do not promise. Null where the target refuses the query; an answer of success is judged, and no
 * second request is sent for it.
 */
export function selectionIfTaken(
  dataset: Dataset,
  asked: Asked,
  clause: ClauseId = clauseOf(asked),
): (scope: Scope) => Promise<Assertion | null> {
  const parameters = rangeText(parametersOf(dataset, asked));
  return async (scope) => {
    const first = await lastingAnswer(scope, async ({ logs }) => logs.probe("query_range (probe)", "query_range", parameters));
    return isSuccess(first) ? selection(dataset, asked, clause, { first }) : null;
  };
}

/** The least that a range query can ask of a set: one entry of the last minute before its end. */
function smallest(dataset: Dataset, as: As): Ask<unknown> {
  return range({ query: textOf(dataset, {}), start: dataset.end - 60_000_000_000n, end: dataset.end, limit: 1 }, as);
}

/** A raised limit reads at once what a lower one reads in part; what is wrong with a low limit is no matter of raising it. */
export function raisedLimit(dataset: Dataset, direction: Direction): Assertion {
  const asked: Asked = { cut: { limit: ALL, direction } };
  return expecting({
    clauses: "logs-4.4",
    of: dataset,
    ask: range(parametersOf(dataset, asked)),
    expect: askedDifferences(dataset, asked, "logs-4.4"),
    cause: (scope) => nearest(scope, dataset, [{ cut: { limit: 100, direction } }]),
  });
}
