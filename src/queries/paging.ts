/**
 * Reads with a limit. A dataset is read page by page, and each page starts from the last timestamp of the page before. Several checks need
 * to know whether range queries with a limit are right in windows that contain full hours.
 */
import type { Exchange } from "../client/exchange.ts";
import { type Ask, type Comparison, expecting } from "../harness/expect.ts";
import type { LogsClauseId } from "../contract/logs.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import { difference, type Difference, show } from "../model/difference.ts";
import { type AnsweredStream, type ClauseByKind, entryDifferences, orderDifferences, READ_BACK } from "../model/log-answer.ts";
import {
  compare,
  countEntries,
  type Direction,
  entriesOf,
  type Entry,
  labelKey,
  type Labels,
  mergeStreams,
  type LineFilter,
  type Matcher,
  containing,
  matcher,
} from "../model/logs.ts";
import type { Asked, Window } from "../diagnosis/range-request.ts";
import { range } from "../datasets/requests.ts";
import { cutPoints, type Dataset, timestamps, wholeQuery, colour } from "../datasets/datasets.ts";
import { acceptedAt } from "../datasets/dataset-pushes.ts";
import { nearest, selection } from "./range-query.ts";
import { TIED_GROUP } from "../datasets/shared-datasets.ts";
import type { RelativeStream } from "../arbitraries/streams.ts";
import type { Finding } from "../harness/finding.ts";
import { type HourBoundaryData, hourBoundaryData, whileKept } from "../datasets/hour-boundary-data.ts";
import { HOUR, SECOND } from "../model/times.ts";

/** The time at which the next page starts: the last timestamp of the page, or 1 ns before or after it. */
export type Move = "at the last timestamp" | "1 ns past the last timestamp" | "1 ns before the last timestamp";

const STEP: Readonly<Record<Move, bigint>> = {
  "at the last timestamp": 0n,
  "1 ns past the last timestamp": 1n,
  "1 ns before the last timestamp": -1n,
};

/** The document describes paging forward: the start moves. For backward reads it follows that the end moves. */
export const PAGING_CLAUSES = { forward: "logs-4.4", backward: "logs-4.4-backward" } as const satisfies Record<Direction, LogsClauseId>;

function blaming(direction: Direction): ClauseByKind {
  const clause = PAGING_CLAUSES[direction];
  return { ...READ_BACK, lost: clause, extra: clause, repeated: clause };
}

interface Paging {
  readonly move: Move;
  readonly size: number;
  readonly direction: Direction;
}

interface Page {
  /**
   * The time at which the read of a page begins: `start` for forward pages, and `end` for backward pages. The documents do not say whether
   * the page contains an entry at exactly this time.
   */
  readonly edge: bigint;
  readonly streams: readonly AnsweredStream[];
}

/** Reads a dataset page by page. Forward pages move the start, backward pages move the end. */
function pages(dataset: Dataset, { move, size, direction }: Paging): Ask<readonly Page[]> {
  const most = Math.ceil(dataset.entries / Math.max(1, size - TIED_GROUP)) * 2 + 3;
  return async (scope) => {
    let { start, end } = dataset;
    const all: Page[] = [];
    const exchanges: Exchange[] = [];
    for (let page = 0; page < most; page += 1) {
      const reading = await range({ query: wholeQuery(dataset), start, end, limit: size, direction })(scope);
      if (reading.answer === null) return { answer: null, malformed: reading.malformed, exchanges: [...reading.exchanges, ...exchanges] };
      exchanges.push(...reading.exchanges);
      all.push({ edge: direction === "forward" ? start : end, streams: reading.answer });
      const entries = entriesOf(reading.answer).toSorted((one, other) => compare(one.ts, other.ts));
      const last = (direction === "forward" ? entries.at(-1) : entries[0])?.ts;
      if (last === undefined || countEntries(reading.answer) < size) break;
      const next = direction === "forward" ? last + STEP[move] : last - STEP[move];
      // If a page does not move the edge of the window, the loop stops, because the next page would be the same. Such a page is a defect:
      // the limit of a page is higher than the number of entries with the same timestamp.
      if (direction === "forward" ? next <= start : next >= end) break;
      if (direction === "forward") start = next;
      else end = next;
      if (start >= end) break;
    }
    return { answer: all, malformed: [], exchanges };
  };
}

interface PageEntry extends Entry {
  /** The labels of the entry as they were pushed. Labels that the service adds may differ between pages, so they are removed. */
  readonly labels: Labels;
  readonly key: string;
  /** Whether an earlier page also contained the entry. */
  readonly repeated: boolean;
}

/** Returns the entries of each page, with their pushed labels. */
function pageEntries(dataset: Dataset, all: readonly Page[]): PageEntry[][] {
  const pushed = new Set(dataset.streams.flatMap(({ labels }) => Object.keys(labels)));
  const before = new Set<string>();
  return all.map(({ streams }) => {
    const own = streams.flatMap(({ labels: answered, entries }) => {
      const labels = Object.fromEntries(Object.entries(answered).filter(([name]) => pushed.has(name)));
      return entries.map((entry): PageEntry => {
        const key = pageKey(labels, entry.ts, entry.line);
        return { ...entry, labels, key, repeated: before.has(key) };
      });
    });
    for (const { key } of own) before.add(key);
    return own;
  });
}

/** Returns a difference if a page has a wrong order, or repeats an entry that is not at the first edge of its window. */
function pageDepartures({ edge, streams }: Page, entries: readonly PageEntry[], direction: Direction): Difference[] {
  const order = orderDifferences(streams, direction);
  if (order.length > 0) return order;
  const outside = entries.find(({ ts, repeated }) => repeated && !near(ts, edge));
  if (outside === undefined) return [];
  const expected = `only entries ${direction === "forward" ? "from" : "up to"} ${edge}`;
  const actual = `also an entry outside the window: ${show([outside.ts.toString(), outside.line])}`;
  return [difference(PAGING_CLAUSES[direction], "data.result", expected, actual, "foreign")];
}

/** Compares the pages with the dataset. If a single page is wrong, only its differences are reported. */
function compared(dataset: Dataset, all: readonly Page[], direction: Direction): Comparison {
  const clause = PAGING_CLAUSES[direction];
  const entries = pageEntries(dataset, all);
  const wrong = all.map((page, index) => pageDepartures(page, entries[index] ?? [], direction));
  const repeats = wrong.some((own) => own.some((one) => one.clause === clause));
  const first = entries.flat().filter(({ repeated }) => !repeated);
  const together = entryDifferences(
    dataset.streams,
    mergeStreams(first.map(({ labels, ts, line }) => ({ labels, entries: [{ ts, line }] }))),
    blaming(direction),
  );
  if (together.length === 0 && !repeats) return { differences: [], held: [clause] };
  const alone = wrong.findIndex((own) => own.length > 0);
  const telling = alone === -1 ? lackingPage(dataset, all, new Set(first.map(({ key }) => key)), direction) : alone;
  const differences = alone === -1 ? together : (wrong[alone] ?? []);
  const which = telling === undefined ? "paging" : `page ${telling + 1} of ${all.length}, paging`;
  return {
    differences: differences.map((one) => ({ ...one, path: `${one.path} (${which} ${direction})` })),
    held: [],
    ...(telling === undefined ? {} : { telling }),
  };
}

/** Returns the index of the first page that lacks entries, or undefined if all pages together have all entries. */
function lackingPage(dataset: Dataset, all: readonly Page[], shown: ReadonlySet<string>, direction: Direction): number | undefined {
  const missing = dataset.streams.flatMap(({ labels, entries }) => entries.filter(({ ts, line }) => !shown.has(pageKey(labels, ts, line))));
  const pages = missing.map(({ ts }) => all.findLastIndex(({ edge }) => (direction === "forward" ? edge <= ts : edge >= ts)));
  return pages.length === 0 ? undefined : Math.max(0, Math.min(...pages));
}

function pageKey(labels: Labels, ts: bigint, line: string): string {
  return `${labelKey(labels)} ${ts} ${line}`;
}

function near(ts: bigint, edge: bigint): boolean {
  return ts - edge <= 1n && edge - ts <= 1n;
}

/** A smaller request begins in a gap of at least this length between entries, in ns. Its window is then not the window of a page. */
const CLEAR = 8n;
/** The maximum number of pages that are read again to find the cause of a difference. */
const MOST_PAGES = 24;

/**
 * Returns smaller requests without paging: a read with the limit of a page, windows that begin or end in the middle, and limited reads that
 * begin between entries. If the response to one of them is wrong, paging is not the cause.
 */
function pageless(dataset: Dataset, { size, direction }: Paging): Asked[] {
  const points = cutPoints(dataset);
  const middle = points[Math.floor(points.length / 2)] ?? dataset.end;
  const { start, end } = dataset;
  const cut = { limit: size, direction };
  const between = cutPoints(dataset, CLEAR);
  const times = timestamps(dataset);
  if (direction === "backward") times.reverse();
  // A page may repeat the last entry of the previous page, or skip it.
  const firsts = times.filter((_, index) => index > 0 && (index % (size - 1) === 0 || index % size === 0)).slice(0, MOST_PAGES);
  const beside = firsts.map((first): Window => {
    if (direction === "forward") return { start: between.findLast((point) => point < first) ?? start, end };
    return { start, end: between.find((point) => point > first) ?? end };
  });
  return [
    {},
    { cut },
    { window: { start: middle, end } },
    { window: { start, end: middle } },
    ...beside.map((window) => ({ window, cut })),
  ];
}

/** Returns an assertion that all pages together show exactly the dataset. */
export function paged(dataset: Dataset, paging: Paging): Assertion {
  return expecting({
    clauses: PAGING_CLAUSES[paging.direction],
    of: dataset,
    ask: pages(dataset, paging),
    expect: (all) => compared(dataset, all, paging.direction),
    cause: (scope) => nearest(scope, dataset, pageless(dataset, paging)),
    input: { set: dataset.name, "page size": paging.size, direction: paging.direction, "next page starts": paging.move },
  });
}

/** Returns the full hours within a dataset in ascending order. The dataset has an entry exactly at each of these hours. */
export function hoursOf({ streams }: Dataset): bigint[] {
  const exact = entriesOf(streams).filter(({ line }) => line.includes(" 7 "));
  return exact.map(({ ts }) => ts).toSorted(compare);
}

export interface Filtered {
  readonly filters: readonly LineFilter[];
}

/** A filter that each line passes. A service may use different code for queries with a filter. */
export const EVERY: Filtered = { filters: [containing("hour")] };

const ONE_STREAM: readonly Matcher[] = [colour("=", "green")];

/** Returns reads of one or all streams, limited to about the entries of the newest hour. A smoke run sends half of these reads. */
function limitedReads({ settings }: Scope, dataset: Dataset): Asked[] {
  const { start, end } = dataset;
  const isSmoke = settings.profile === "smoke";
  const last = dataset.entries - 1;
  return [
    ...(["backward", "forward"] as const).flatMap((direction) =>
      (isSmoke ? [1, 6, 8, 15] : [1, 6, 7, 8, 14, 15, last]).map((limit): Asked => ({ cut: { limit, direction } })),
    ),
    ...(["backward", "forward"] as const).flatMap((direction) =>
      (isSmoke ? [15] : [15, last]).map((limit): Asked => ({ ...EVERY, cut: { limit, direction } })),
    ),
    // The limit is higher than the number of entries that this stream has in its newest half hour.
    ...(["backward", "forward"] as const).map((direction): Asked => ({ ...EVERY, matchers: ONE_STREAM, cut: { limit: 4, direction } })),
    // The window contains only a part of its first hour, in which the read finds fewer entries than its limit. In the next hour, each
    // stream has more entries than the read still needs.
    ...hoursOf(dataset)
      .slice(isSmoke ? -1 : -2)
      .flatMap((hour) =>
        (isSmoke ? [3] : [3, 4]).flatMap((limit): Asked[] => [
          { window: { start, end: hour + 500n }, cut: { limit, direction: "backward" } },
          { window: { start: hour - 500n, end }, cut: { limit, direction: "forward" } },
        ]),
      ),
  ];
}

/**
 * For each direction, three streams of one entry. A read first finds one entry, then two in the next hour. The last of them sorts first.
 */
const FEW = [
  { direction: "backward", offsets: [-20n, 10n, -10n] },
  { direction: "forward", offsets: [20n, -10n, 10n] },
] as const;

/** A read with this limit returns two of the three matching entries. */
const ALL_BUT_ONE = 2;

/** Resolves to reads whose limit excludes only the farthest entry. The list is empty if the target refused the push. */
async function readsOfFew(scope: Scope, { hours, oldest }: HourBoundaryData): Promise<Assertion[]> {
  const streams = FEW.flatMap(({ direction, offsets }) =>
    offsets.map((offset, stream): RelativeStream => ({
      labels: { svc_size: direction, svc_colour: `few ${stream}` },
      entries: [{ offset: (offset + 60n) * SECOND, line: `few ${direction} ${stream}` }],
    })),
  );
  const place = { anchor: oldest + BigInt(hours - 1) * HOUR - 60n * SECOND, span: 90n * SECOND };
  const few = await acceptedAt(scope, "hour-few", [streams], place);
  if (few === null) return [];
  return FEW.map(({ direction }) => {
    const matchers = [matcher("svc_size", "=", direction)] as const;
    return selection(few, { matchers, cut: { limit: ALL_BUT_ONE, direction } }, "logs-4.1");
  });
}

/** The findings of limited reads. The reads end after the first difference. The list is empty if the target returns no such entries. */
export const hourOrder = fixture<readonly Finding[]>("logs", "limited reads across full hours", async (scope) => {
  const set = await scope.use(hourBoundaryData);
  if (set === null) return [];
  const findings: Finding[] = [];
  const reads = limitedReads(scope, set.dataset).map((asked) => selection(set.dataset, asked, "logs-4.1"));
  for (const read of [...reads, ...(await readsOfFew(scope, set))]) {
    const finding = await whileKept(set, read)(scope);
    findings.push(finding);
    if (finding.differences.length > 0) break;
  }
  return findings;
});

export function isOrdered(findings: readonly Finding[]): boolean {
  return disorderIn(findings) === undefined;
}

/** Returns the first difference that limited reads across full hours have, or undefined. */
export function disorderIn(findings: readonly Finding[]): Difference | undefined {
  return findings.flatMap(({ differences }) => differences)[0];
}
