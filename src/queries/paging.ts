/** Reads a dataset page by page. Each page starts from the last timestamp of the page before. */
import type { Exchange } from "../client/exchange.ts";
import { type Ask, type Comparison, expecting } from "../harness/expect.ts";
import type { LogsClauseId } from "../contract/logs.ts";
import type { Assertion } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { type AnsweredStream, type ClauseByKind, entryDifferences, orderDifferences, READ_BACK } from "../model/log-answer.ts";
import { compare, countEntries, type Direction, type Entry, labelKey, type Labels, mergeStreams } from "../model/logs.ts";
import type { Asked, Window } from "../diagnosis/range-request.ts";
import { range } from "../datasets/requests.ts";
import { cutPoints, type Dataset, timestamps, wholeQuery } from "../datasets/datasets.ts";
import { nearest } from "./range-query.ts";
import { TIED_GROUP } from "../datasets/shared-datasets.ts";

/** How the next page starts, seen from the last timestamp received. */
export type Move = "at the last timestamp" | "1 ns past the last timestamp" | "1 ns before the last timestamp";

const STEP: Readonly<Record<Move, bigint>> = {
  "at the last timestamp": 0n,
  "1 ns past the last timestamp": 1n,
  "1 ns before the last timestamp": -1n,
};

/** Moving start is the document's own way; that end moves where entries come newest first is concluded from it. */
export const PAGING_CLAUSES = { forward: "logs-4.4", backward: "logs-4.4-backward" } as const satisfies Record<Direction, LogsClauseId>;

function blaming(direction: Direction): ClauseByKind {
  const clause = PAGING_CLAUSES[direction];
  return { ...READ_BACK, lost: clause, extra: clause, repeated: clause };
}

export interface Paging {
  readonly move: Move;
  readonly size: number;
  readonly direction: Direction;
}

interface Page {
  /** Where the page was made to begin, in its direction: whether an entry there is repeated or skipped is not stated. */
  readonly edge: bigint;
  readonly streams: readonly AnsweredStream[];
}

/** Reads a set page by page; forward by moving start, backward by moving end. */
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
      const entries = reading.answer.flatMap((stream) => stream.entries).toSorted((one, other) => compare(one.ts, other.ts));
      const last = (direction === "forward" ? entries.at(-1) : entries[0])?.ts;
      if (last === undefined || countEntries(reading.answer) < size) break;
      const next = direction === "forward" ? last + STEP[move] : last - STEP[move];
      // A page that does not get any further would be answered again and again: a page holds more than what shares a timestamp.
      if (direction === "forward" ? next <= start : next >= end) break;
      if (direction === "forward") start = next;
      else end = next;
      if (start >= end) break;
    }
    return { answer: all, malformed: [], exchanges };
  };
}

interface PageEntry extends Entry {
  /** The pushed labels: labels that the service adds may differ from page to page. */
  readonly labels: Labels;
  readonly key: string;
  /** Whether an earlier page held it. */
  readonly repeated: boolean;
}

/** What each page holds. */
function entriesOf(dataset: Dataset, all: readonly Page[]): PageEntry[][] {
  const pushed = new Set(dataset.streams.flatMap(({ labels }) => Object.keys(labels)));
  const before = new Set<string>();
  return all.map(({ streams }) => {
    const own = streams.flatMap(({ labels: answered, entries }) => {
      const labels = Object.fromEntries(Object.entries(answered).filter(([name]) => pushed.has(name)));
      return entries.map((entry): PageEntry => {
        const key = `${labelKey(labels)} ${entry.ts} ${entry.line}`;
        return { ...entry, labels, key, repeated: before.has(key) };
      });
    });
    for (const { key } of own) before.add(key);
    return own;
  });
}

/**
 * What is wrong with a page by itself: the order of its entries, or an entry of an earlier page that lies before the page begins. A page
 * may repeat or skip the entry at its very edge.
 */
function pageDepartures({ edge, streams }: Page, entries: readonly PageEntry[], direction: Direction): Difference[] {
  const order = orderDifferences(streams, direction);
  if (order.length > 0) return order;
  const outside = entries.find(({ ts, repeated }) => repeated && !near(ts, edge));
  if (outside === undefined) return [];
  const expected = `only entries ${direction === "forward" ? "from" : "up to"} ${edge}`;
  return [
    {
      clause: PAGING_CLAUSES[direction],
      path: "data.result",
      expected,
      actual: `outside the window, but returned: ${show([outside.ts.toString(), outside.line])}`,
    },
  ];
}

/** The pages against the set. A page that is wrong by itself explains what is wrong with all of them together. */
function compared(dataset: Dataset, all: readonly Page[], direction: Direction): Comparison {
  const clause = PAGING_CLAUSES[direction];
  const entries = entriesOf(dataset, all);
  const wrong = all.map((page, index) => pageDepartures(page, entries[index] ?? [], direction));
  const repeats = wrong.some((own) => own.some((one) => one.clause === clause));
  const first = entries.flat().filter(({ repeated }) => !repeated);
  const together = entryDifferences(
    dataset.streams,
    mergeStreams(first.map(({ labels, ts, line }) => ({ labels, entries: [{ ts, line }] }))),
    blaming(direction),
  );
  if (together.length === 0 && !repeats) return { differences: [], held: [clause] };
  const telling = wrong.findIndex((own) => own.length > 0);
  const [differences, which] = telling === -1 ? [together, "paging"] : [wrong[telling] ?? [], `page ${telling + 1}, paging`];
  return {
    differences: differences.map((one) => ({ ...one, path: `${one.path} (${which} ${direction})` })),
    held: [],
    ...(telling === -1 ? {} : { telling }),
  };
}

function near(ts: bigint, edge: bigint): boolean {
  return ts - edge <= 1n && edge - ts <= 1n;
}

/** A window that begins in a gap of so many ns does not begin where a page could. */
const CLEAR = 8n;
/** Pages that are read again for the cause, at most. */
const MOST_PAGES = 24;

/**
 * What paging is made of: the limit, a window from or to the middle of the set, and limited reads of what each page holds that begin
 * between two entries. What is wrong there is no matter of paging.
 */
function pageless(dataset: Dataset, { size, direction }: Paging): Asked[] {
  const points = cutPoints(dataset);
  const middle = points[Math.floor(points.length / 2)] ?? dataset.end;
  const { start, end } = dataset;
  const cut = { limit: size, direction };
  const between = cutPoints(dataset, CLEAR);
  const times = timestamps(dataset);
  if (direction === "backward") times.reverse();
  // A page repeats the last entry of the one before or skips it.
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

/** Pages through a set; together the pages are the set. */
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
