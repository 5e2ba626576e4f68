/** Windows that begin or end at a time that entries share: whether an edge holds what lies on it is not stated, but a range of time holds a time or does not. */
import { blameOf, type Window } from "../../blame/asked.ts";
import { expecting } from "../../harness/expect.ts";
import type { Trial } from "../../harness/finding.ts";
import { show } from "../../model/difference.ts";
import { departures } from "../../model/log-answer.ts";
import { type Entry, type Stream, within } from "../../model/logs.ts";
import { range } from "./asks.ts";
import { type Dataset, wholeQuery } from "./datasets.ts";
import { nearest } from "./range-query.ts";

const CLAUSE = "logs-4.query_range";

type Edge = keyof Window;

/** Places of shared times among all of a stream, from 0 to 1: a search for one comes upon this or that of its entries first. */
const PLACES = { start: [0, 0.25, 0.5, 0.75], end: [0.4, 1] } as const;

/** Windows of a set at some of the times that entries of one of its streams share. */
export function atSharedTimes(dataset: Dataset): Trial[] {
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
function atSharedTime(dataset: Dataset, ts: bigint, edge: Edge): Trial {
  const sharing = dataset.streams.flatMap(({ entries }) => entries.filter((entry) => entry.ts === ts));
  const window = { start: dataset.start, end: dataset.end, [edge]: ts };
  const inside = within(offTime(dataset.streams, ts), window.start, window.end);
  return expecting({
    clauses: CLAUSE,
    of: dataset,
    ask: range({ query: wholeQuery(dataset), ...window, limit: dataset.entries }),
    expect: (answered) => {
      const beside = departures(inside, offTime(answered, ts), blameOf({ window }, CLAUSE), dataset.streams);
      if (beside.length > 0) return beside;
      const lines = new Set(answered.flatMap(({ entries }) => entries.filter((entry) => entry.ts === ts).map(({ line }) => line)));
      const missing = sharing.filter(({ line }) => !lines.has(line));
      if (missing.length === 0 || missing.length === sharing.length) return [];
      const expected = `of the ${sharing.length} entries exactly at ${edge} (${ts}) all, or none`;
      return [{ clause: CLAUSE, path: "data.result", expected, actual: `not ${shown(missing)}, though others of them` }];
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
