/** Windows that begin or end at a time that entries share: whether an edge holds what lies on it is not stated, but a range of time holds a time or does not. */
import { clauseByKindOf, type Window } from "../../diagnosis/range-request.ts";
import { isSuccess } from "../../client/exchange.ts";
import { rangeText } from "../../client/logs.ts";
import { expecting } from "../../harness/expect.ts";
import { found } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { show } from "../../model/difference.ts";
import { entryDifferences } from "../../model/log-answer.ts";
import { type Entry, type Stream, within } from "../../model/logs.ts";
import { streamsOf } from "./answers.ts";
import { range } from "./asks.ts";
import { type Dataset, timestamps, wholeQuery } from "./datasets.ts";
import { nearest } from "./range-query.ts";
import { lastingAnswer } from "./server-errors.ts";

const CLAUSE = "logs-4.query_range";

type Edge = keyof Window;

/** Places of shared times among all of a stream, from 0 to 1: a search for one comes upon this or that of its entries first. */
const PLACES = { start: [0, 0.25, 0.5, 0.75], end: [0.4, 1] } as const;

/** Windows of a set at some of the times that entries of one of its streams share. */
export function atSharedTimes(dataset: Dataset): Assertion[] {
  return dataset.streams.flatMap((stream) => {
    const times = sharedTimes(stream);
    return (["start", "end"] as const).flatMap((edge) =>
      PLACES[edge].flatMap((place) => {
        const ts = times[Math.round(place * (times.length - 1))];
        return ts === undefined ? [] : [atSharedTime(dataset, ts, edge)];
      }),
    );
  });
}

/** Times that several entries of a stream share, ascending. */
function sharedTimes({ entries }: Stream): bigint[] {
  const times = entries.map(({ ts }) => ts);
  return [...new Set(times.filter((ts, index) => times.indexOf(ts) !== index))].toSorted((one, other) => (one < other ? -1 : 1));
}

/** Of the entries at a time, a window that begins or ends then holds all, or none; of what lies off that time it holds what is within. */
function atSharedTime(dataset: Dataset, ts: bigint, edge: Edge): Assertion {
  const sharing = dataset.streams.flatMap(({ entries }) => entries.filter((entry) => entry.ts === ts));
  const window = { start: dataset.start, end: dataset.end, [edge]: ts };
  const inside = within(offTime(dataset.streams, ts), window.start, window.end);
  return expecting({
    clauses: CLAUSE,
    of: dataset,
    ask: range({ query: wholeQuery(dataset), ...window, limit: dataset.entries }),
    expect: (answered) => {
      const beside = entryDifferences(inside, offTime(answered, ts), clauseByKindOf({ window }, CLAUSE), dataset.streams);
      if (beside.length > 0) return beside;
      const lines = new Set(answered.flatMap(({ entries }) => entries.filter((entry) => entry.ts === ts).map(({ line }) => line)));
      const missing = sharing.filter(({ line }) => !lines.has(line));
      if (missing.length === 0 || missing.length === sharing.length) return [];
      const expected = `all of the ${sharing.length} entries exactly at ${edge} (${ts}), or none of them`;
      return [{ clause: CLAUSE, path: "data.result", expected, actual: `only some entries; missing from the answer: ${shown(missing)}` }];
    },
    cause: (scope) => nearest(scope, dataset, [{}]),
    input: { "shared time": ts.toString(), edge },
  });
}

/** Streams without what they have at a time. */
function offTime(streams: readonly Stream[], ts: bigint): Stream[] {
  return streams.map(({ labels, entries }) => ({ labels, entries: entries.filter((entry) => entry.ts !== ts) }));
}

function shown(entries: readonly Entry[]): string {
  return entries.map(({ ts, line }) => show([ts.toString(), line])).join(", ");
}

/** Times that are both the start and the end of a window, in nanoseconds after an entry. The next entry lies at least 2 ns later. */
export const POINTS = [
  { what: "a window that starts and ends at an entry", after: 0n },
  { what: "a window that starts and ends 1 ns after an entry", after: 1n },
] as const;

/**
 * The answer to a window with `start` equal to `end` holds no entry of another time. Null where the target refuses the window: the
 * documents do not say whether a window may be empty.
 */
export function atOnePoint(dataset: Dataset, { what, after }: (typeof POINTS)[number]): (scope: Scope) => Promise<Assertion | null> {
  const times = timestamps(dataset);
  const at = (times[Math.floor(times.length / 2)] ?? dataset.start) + after;
  const parameters = rangeText({ query: wholeQuery(dataset), start: at, end: at, limit: dataset.entries, direction: "forward" });
  const elsewhere = new Set(dataset.streams.flatMap(({ entries }) => entries.filter(({ ts }) => ts !== at).map(({ line }) => line)));
  return async (scope) => {
    const answer = await lastingAnswer(scope, async ({ logs }) => logs.probe(`query_range (${what})`, "query_range", parameters));
    const { streams } = streamsOf(answer);
    if (!isSuccess(answer) || streams === null) return null;
    const outside = streams.flatMap(({ entries }) => entries.filter(({ line }) => elsewhere.has(line)));
    const expected = `only entries with the timestamp ${at}, which is the start and the end of the window`;
    const actual = `${outside.length} entries with other timestamps; the first is ${shown(outside.slice(0, 1))}`;
    const differences = outside.length === 0 ? [] : [{ clause: CLAUSE, path: "data.result", expected, actual } as const];
    return found(CLAUSE, differences, { exchanges: [answer], input: { window: what } });
  };
}
