/** Windows of a dataset whose edges lie between its entries. */
import type { Window } from "../../diagnosis/range-request.ts";
import { type Direction } from "../../model/logs.ts";
import { cutPoints, type Dataset } from "./datasets.ts";
import type { MetricAsked } from "./metrics.ts";

/** The gaps at which a window begins and ends, in parts of a million of all gaps. */
interface Place {
  readonly from: number;
  readonly to: number;
}

const PARTS = 1_000_000;

/** The whole of any dataset. */
export const EVERYTHING: Place = { from: 0, to: PARTS };

/** The two gaps that bound the window, of `count` gaps. The second gap comes after the first. */
function gapsOf({ from, to }: Place, count: number): readonly [first: number, last: number] {
  const [one, other] = [from, to].map((part) => Math.round((part / PARTS) * (count - 1))).toSorted((left, right) => left - right);
  const first = Math.min(one ?? 0, count - 2);
  return [first, Math.max(other ?? count - 1, first + 1)];
}

/** The gaps of a set are the same however often it is cut: all of them, and those of two seconds and more. */
const POINTS = new WeakMap<Dataset, { readonly all: readonly bigint[]; readonly quiet: readonly bigint[] }>();

const QUIET = 2_000_000_000n;

function pointsOf(dataset: Dataset): { readonly all: readonly bigint[]; readonly quiet: readonly bigint[] } {
  const known = POINTS.get(dataset) ?? { all: cutPoints(dataset), quiet: cutPoints(dataset, QUIET) };
  POINTS.set(dataset, known);
  return known;
}

export function windowOf(dataset: Dataset, cut: Place, edges: "all" | "quiet" = "all"): Window {
  const points = pointsOf(dataset)[edges];
  const [first, last] = gapsOf(cut, points.length);
  return { start: points[first] ?? dataset.start, end: points[last] ?? dataset.end };
}

/** How many entries on either side of a seam are looked at: what else than its line an entry takes differs from service to service. */
const BESIDE = 4;

/** A window around each of the entries of the longest stream near that with which its lines make so many bytes; other streams may be in it. */
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

/** The window of so many entries of a set of one stream, from its beginning or before its end. */
export function windowOfFirst(dataset: Dataset, count: number, direction: Direction): Window {
  const points = pointsOf(dataset).all;
  return direction === "forward"
    ? { start: dataset.start, end: points[count] ?? dataset.end }
    : { start: points[points.length - 1 - count] ?? dataset.start, end: dataset.end };
}

const MILLISECOND = 1_000_000n;

/** A metric query over a cut of a set: a range of whole milliseconds, both its edges a second or more off any entry. */
export function metricCut(dataset: Dataset, cut: Place, asked: Omit<MetricAsked, "window">): MetricAsked {
  const { start, end } = windowOf(dataset, cut, "quiet");
  const length = ((end - start) / MILLISECOND) * MILLISECOND;
  return { ...asked, window: { start: end - length, end } };
}
