/** Windows whose edges are between entries or exactly at an entry. The documents do not say if an entry at an edge is in the window. */
import { clauseByKindOf, type Window } from "../diagnosis/range-request.ts";
import { type Direction, entriesOf, type Entry, linesOf, type Stream, within, withEntries } from "../model/logs.ts";
import { cutPoints, type Dataset, timestamps, wholeQuery } from "../datasets/datasets.ts";
import { type MetricAsked, COUNT } from "./metrics.ts";
import { isSuccess } from "../client/exchange.ts";
import { rangeText } from "../client/logs.ts";
import { expecting } from "../harness/expect.ts";
import { found } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { show, difference } from "../model/difference.ts";
import { entryDifferences, sized } from "../model/log-answer.ts";
import { instant, range, streamsOf } from "../datasets/requests.ts";
import { nearest } from "./range-query.ts";
import { sumText } from "../model/query-text.ts";
import { MILLISECOND } from "../model/times.ts";
import { lastingAnswer } from "./unknown-forms.ts";

/** The gaps between entries in which a window begins and ends, as positions in the list of gaps. The unit is a millionth of the list. */
interface Place {
  readonly from: number;
  readonly to: number;
}

const PARTS = 1_000_000;

/** The first and the last gap, which give a window with the whole dataset. */
export const EVERYTHING: Place = { from: 0, to: PARTS };

/** Returns the indexes of the two gaps in which the window begins and ends. There are `count` gaps. The second index is higher. */
function gapsOf({ from, to }: Place, count: number): readonly [first: number, last: number] {
  const [one, other] = [from, to].map((part) => Math.round((part / PARTS) * (count - 1))).toSorted((left, right) => left - right);
  const first = Math.min(one ?? 0, count - 2);
  return [first, Math.max(other ?? count - 1, first + 1)];
}

/** For each dataset: all gaps, and the gaps of at least 2 s. The cache avoids computing them for each window. */
const CUTS = new WeakMap<Dataset, { readonly all: readonly bigint[]; readonly quiet: readonly bigint[] }>();

const QUIET = 2_000_000_000n;

function pointsOf(dataset: Dataset): { readonly all: readonly bigint[]; readonly quiet: readonly bigint[] } {
  const known = CUTS.get(dataset) ?? { all: cutPoints(dataset), quiet: cutPoints(dataset, QUIET) };
  CUTS.set(dataset, known);
  return known;
}

export function windowOf(dataset: Dataset, cut: Place, edges: "all" | "quiet" = "all"): Window {
  const points = pointsOf(dataset)[edges];
  const [first, last] = gapsOf(cut, points.length);
  return { start: points[first] ?? dataset.start, end: points[last] ?? dataset.end };
}

/** Divides a window at a time into two windows. */
export function dividedAt({ start, end }: Window, time: bigint): readonly [before: Window, after: Window] {
  return [
    { start, end: time },
    { start: time, end },
  ];
}

/** The number of entries on each side of a boundary of blocks. The boundary is uncertain, because services add bytes to each entry. */
const BESIDE = 4;

/** Finds the place in the longest stream where its lines reach `bytes` bytes in total. Returns windows around the entries near this place. */
export function windowsWhereFull(dataset: Dataset, bytes: number): Window[] {
  const [longest] = dataset.streams.toSorted((one, other) => other.entries.length - one.entries.length);
  const entries = longest?.entries ?? [];
  let sum = 0;
  const full = entries.findIndex(({ line }) => (sum += Buffer.byteLength(line)) >= bytes);
  const points = pointsOf(dataset).all;
  return full < 0
    ? []
    : entries.slice(Math.max(0, full - BESIDE), full + BESIDE + 1).map(({ ts }) => ({
        start: points.findLast((point) => point < ts) ?? dataset.start,
        end: points.find((point) => point > ts) ?? dataset.end,
      }));
}

/** Returns the window of the first or last `count` entries of a dataset with one stream. */
export function windowOfFirst(dataset: Dataset, count: number, direction: Direction): Window {
  const points = pointsOf(dataset).all;
  return direction === "forward"
    ? { start: dataset.start, end: points[count] ?? dataset.end }
    : { start: points[points.length - 1 - count] ?? dataset.start, end: dataset.end };
}

/** Returns a metric query over a part of a dataset. Its range has whole milliseconds, and each edge is at least 1 s from any entry. */
export function metricCut(dataset: Dataset, cut: Place, asked: Omit<MetricAsked, "window">): MetricAsked {
  const { start, end } = windowOf(dataset, cut, "quiet");
  const length = ((end - start) / MILLISECOND) * MILLISECOND;
  return { ...asked, window: { start: end - length, end } };
}

/** Returns a metric query that counts the selected entries of a dataset. */
export function countOf(dataset: Dataset, asked: Partial<Omit<MetricAsked, "window">> = {}): MetricAsked {
  return metricCut(dataset, EVERYTHING, { ...COUNT, ...asked });
}

const RANGE_CLAUSE = "logs-4.query_range";

type Edge = keyof Window;

/** Positions from 0 to 1 in the list of shared times. A binary search finds a different one of several equal entries at each position. */
const PLACES = { start: [0, 0.25, 0.5, 0.75], end: [0.4, 1] } as const;

/** Returns assertions about windows that begin or end at times that several entries of a stream share. */
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

/** Returns the times that several entries of a stream share, in ascending order. */
function sharedTimes({ entries }: Stream): bigint[] {
  const times = entries.map(({ ts }) => ts);
  return [...new Set(times.filter((ts, index) => times.indexOf(ts) !== index))].toSorted((one, other) => (one < other ? -1 : 1));
}

/** A read that starts or ends at a shared time must return all or none of the entries at this time, and all others in the window. */
function atSharedTime(dataset: Dataset, ts: bigint, edge: Edge): Assertion {
  const sharing = entriesOf(dataset.streams).filter((entry) => entry.ts === ts);
  const window = { start: dataset.start, end: dataset.end, [edge]: ts };
  const inside = within(offTime(dataset.streams, ts), window.start, window.end);
  return expecting({
    clauses: RANGE_CLAUSE,
    of: dataset,
    ask: range({ query: wholeQuery(dataset), ...window, limit: dataset.entries }),
    expect: (answered) => {
      const beside = entryDifferences(inside, offTime(answered, ts), clauseByKindOf({ window }, RANGE_CLAUSE), dataset.streams);
      if (beside.length > 0) return beside;
      const lines = linesOf(withEntries(answered, (entry) => entry.ts === ts));
      const missing = sharing.filter(({ line }) => !lines.has(line));
      if (missing.length === 0 || missing.length === sharing.length) return [];
      const expected = `all of the ${sharing.length} entries exactly at ${edge} (${ts}), or none of them`;
      return [difference(RANGE_CLAUSE, "data.result", expected, `only some entries; missing from the answer: ${shown(missing)}`, "edge")];
    },
    cause: (scope) => nearest(scope, dataset, [{}]),
    input: { "shared time": ts.toString(), edge },
  });
}

function offTime(streams: readonly Stream[], ts: bigint): Stream[] {
  return withEntries(streams, (entry) => entry.ts !== ts);
}

function shown(entries: readonly Entry[]): string {
  return entries.map(({ ts, line }) => show([ts.toString(), line])).join(", ");
}

/** The time of an empty window (`start` equals `end`), in ns after an entry. The next entry is at least 2 ns later. */
export const POINTS = [
  { what: "a window that starts and ends at the timestamp of one entry", after: 0n },
  { what: "a window that starts and ends 1 ns after one entry", after: 1n },
] as const;

/** A window with equal `start` and `end` must return no entry of another time. Resolves to null on a refusal, which is legal. */
export function atOnePoint(dataset: Dataset, { what, after }: (typeof POINTS)[number]): (scope: Scope) => Promise<Assertion | null> {
  const times = timestamps(dataset);
  const at = (times[Math.floor(times.length / 2)] ?? dataset.start) + after;
  const parameters = rangeText({ query: wholeQuery(dataset), start: at, end: at, limit: dataset.entries, direction: "forward" });
  const elsewhere = linesOf(offTime(dataset.streams, at));
  return async (scope) => {
    const answer = await lastingAnswer(scope, async ({ logs }) => logs.probe(`query_range (${what})`, "query_range", parameters));
    const { answer: streams } = streamsOf(answer);
    if (!isSuccess(answer) || streams === null) return null;
    const outside = entriesOf(streams).filter(({ line }) => elsewhere.has(line));
    const expected = `only entries with the timestamp ${at}, which is the start and the end of the window`;
    const actual = `${sized(outside.length)} with other timestamps; the first is ${shown(outside.slice(0, 1))}`;
    const differences = outside.length === 0 ? [] : [difference(RANGE_CLAUSE, "data.result", expected, actual, "foreign")];
    return found(RANGE_CLAUSE, differences, { exchanges: [answer], input: { window: what } });
  };
}

const METRIC_CLAUSE = "logs-4.query";
const RANGE = 120_000_000_000n;
/** The distance in ns between the edges of a request and of its control request. No entry may be at an edge of the control request. */
const INSIDE = MILLISECOND;

/** Returns counts whose ranges begin at an entry of the first stream, or end at one of the last stream. */
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
  const times = dataset.streams.flatMap(({ entries }) => entries.map(({ ts }) => ts));
  const least = times.filter((ts) => ts > start && ts < end).length;
  const most = times.filter((ts) => ts >= start && ts <= end).length;
  const query = { matchers: dataset.matchers, filters: [] };
  return expecting({
    clauses: METRIC_CLAUSE,
    of: dataset,
    ask: instant(sumText("count_over_time", query, "2m", []), end),
    expect: (samples) => {
      const count = samples.reduce((sum, { value }) => sum + value, 0);
      if (count >= least && count <= most) return [];
      return [
        difference(
          METRIC_CLAUSE,
          "data.result[0].value[1]",
          `from ${least} to ${most}, depending on the entries at the edges`,
          `${count}`,
          "sample",
        ),
      ];
    },
    cause: (scope) => nearest(scope, dataset, [{ window: { start: start + INSIDE, end: end - INSIDE } }]),
    input: { range: { start: start.toString(), end: end.toString() } },
  });
}
