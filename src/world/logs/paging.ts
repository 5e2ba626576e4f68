/** Reading a set page by page, each page starting from the last timestamp of the one before. */
import type { Exchange } from "../../client/exchange.ts";
import { type Ask, expecting } from "../../harness/expect.ts";
import type { LogsClauseId } from "../../contract/logs.ts";
import type { Trial } from "../../harness/finding.ts";
import { type AnsweredStream, type Blame, departures, READ_BACK } from "../../model/log-answer.ts";
import { compare, countEntries, type Direction, labelKey, mergeStreams } from "../../model/logs.ts";
import type { Asked, Window } from "../../blame/asked.ts";
import { range } from "./asks.ts";
import { cutPoints, type Dataset, timestamps, wholeQuery } from "./datasets.ts";
import { nearest } from "./range-query.ts";
import { TIED_GROUP } from "./sets.ts";

/** How the next page starts, seen from the last timestamp received. */
export type Move = "at the last" | "just past the last" | "one before the last";

const STEP: Readonly<Record<Move, bigint>> = { "at the last": 0n, "just past the last": 1n, "one before the last": -1n };

/** Moving start is the document's own way; that end moves where entries come newest first is concluded from it. */
export const PAGING_CLAUSES = { forward: "logs-4.4", backward: "logs-4.4-backward" } as const satisfies Record<Direction, LogsClauseId>;

function blaming(direction: Direction): Blame {
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
      exchanges.push(...reading.exchanges);
      if (reading.answer === null) return { answer: null, malformed: reading.malformed, exchanges };
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

/** The pages as one answer. What a page repeats of those before it at its very edge is the edge's doing; any other repeat stays visible. */
function joined(dataset: Dataset, all: readonly Page[]): AnsweredStream[] {
  // Labels that the service adds may differ from page to page, so streams are told apart by the pushed ones.
  const pushed = new Set(dataset.streams.flatMap(({ labels }) => Object.keys(labels)));
  const before = new Set<string>();
  const parts = all.map(({ edge, streams }) => {
    const own = streams.map(({ labels, entries }) => ({
      labels: Object.fromEntries(Object.entries(labels).filter(([name]) => pushed.has(name))),
      entries,
    }));
    const kept = own.map(({ labels, entries }) => ({
      labels,
      entries: entries.filter((entry) => !(before.has(`${labelKey(labels)} ${entry.ts} ${entry.line}`) && near(entry.ts, edge))),
    }));
    for (const { labels, entries } of own) for (const { ts, line } of entries) before.add(`${labelKey(labels)} ${ts} ${line}`);
    return kept;
  });
  return mergeStreams(parts.flat());
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
export function paged(dataset: Dataset, paging: Paging): Trial {
  return expecting({
    clauses: PAGING_CLAUSES[paging.direction],
    of: dataset,
    ask: pages(dataset, paging),
    expect: (all) =>
      departures(dataset.streams, joined(dataset, all), blaming(paging.direction)).map((one) => ({
        ...one,
        path: `${one.path} (paging ${paging.direction})`,
      })),
    cause: (scope) => nearest(scope, dataset, pageless(dataset, paging)),
    input: { set: dataset.name, "page size": paging.size, direction: paging.direction, "next page goes on": paging.move },
  });
}
