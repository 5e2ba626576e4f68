/** Generated cuts laid on a set: assertions of windows with limits, and of metric queries over them. */
import { gapsOf, limitOf, type RelativeCut } from "../../arbitraries/window-cases.ts";
import type { Asked, Window } from "../../diagnosis/range-request.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import type { Assertion } from "../../harness/scope.ts";
import { countEntries, type Direction, type LineFilter, type Matcher, select, within } from "../../model/logs.ts";
import { cutPoints, type Dataset } from "./datasets.ts";
import type { MetricAsked } from "./metrics.ts";
import { selection } from "./range-query.ts";

/** The cut that takes in the whole of any set. */
export const EVERYTHING = { from: 0, to: 1_000_000 } as const;

/** The gaps of a set are the same however often it is cut: all of them, and those of two seconds and more. */
const POINTS = new WeakMap<Dataset, { readonly all: readonly bigint[]; readonly quiet: readonly bigint[] }>();

const QUIET = 2_000_000_000n;

function pointsOf(dataset: Dataset): { readonly all: readonly bigint[]; readonly quiet: readonly bigint[] } {
  const known = POINTS.get(dataset) ?? { all: cutPoints(dataset), quiet: cutPoints(dataset, QUIET) };
  POINTS.set(dataset, known);
  return known;
}

export function windowOf(dataset: Dataset, cut: Pick<RelativeCut, "from" | "to">, edges: "all" | "quiet" = "all"): Window {
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

/** What a cut asks of a set, with matchers and line filters beside it. */
export function askedOf(dataset: Dataset, cut: RelativeCut, matchers: readonly Matcher[] = [], filters: readonly LineFilter[] = []): Asked {
  const window = windowOf(dataset, cut);
  const entries = countEntries(select(within(dataset.streams, window.start, window.end), { matchers, filters }));
  return { window, matchers, filters, cut: { limit: limitOf(cut.limit, entries), direction: cut.direction } };
}

/** A range query over a cut of a set. */
export function cutTrial(
  dataset: Dataset,
  cut: RelativeCut,
  clause: ClauseId,
  matchers: readonly Matcher[] = [],
  filters: readonly LineFilter[] = [],
): Assertion {
  return selection(dataset, askedOf(dataset, cut, matchers, filters), clause);
}

const MILLISECOND = 1_000_000n;

/** A metric query over a cut of a set: a range of whole milliseconds, both its edges a second or more off any entry. */
export function metricCut(dataset: Dataset, cut: Pick<RelativeCut, "from" | "to">, asked: Omit<MetricAsked, "window">): MetricAsked {
  const { start, end } = windowOf(dataset, cut, "quiet");
  const length = ((end - start) / MILLISECOND) * MILLISECOND;
  return { ...asked, window: { start: end - length, end } };
}
