/** Faults at full hours, where the server divides windows. Only queries for entries on both sides of an hour show these faults. */
import { textReply } from "../http/message.ts";
import { HOUR_NS } from "../logs/hours.ts";
import type { Reading, Window } from "../logs/types.ts";
import { logQueriesOf, type LogQuery, type Operand } from "../logql/ast.ts";
import { read } from "./blockwise.ts";
import { carriedOut } from "./carried-out.ts";
import { fault, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";
const MILLISECOND = 1_000_000n;

/** Makes a faulty server that divides windows wrongly, in range queries or in metric queries. */
export function split(
  clause: string,
  path: Reading["path"],
  id: string,
  sentence: string,
  change: (parts: readonly Window[], reading: Reading) => readonly Window[],
): Fault {
  return wrongResult("splitWindow", clause, id, sentence, (parts, _window, _span, reading) =>
    reading.path === path && parts.length > 1 ? change(parts, reading) : parts,
  );
}

/** Returns the parts of a window. The ends that are at a full hour are moved. */
function moved(parts: readonly Window[], by: { readonly from?: bigint; readonly to?: bigint }): readonly Window[] {
  const [least, most] = [parts.reduce(earliest).from, parts.reduce(latest).to];
  return parts.map(({ from, to }) => ({
    from: from === least ? from : from + (by.from ?? 0n),
    to: to === most ? to : to + (by.to ?? 0n),
  }));
}

function earliest(one: Window, other: Window): Window {
  return one.from < other.from ? one : other;
}

function latest(one: Window, other: Window): Window {
  return one.to > other.to ? one : other;
}

const GAPS: readonly Fault[] = [
  split(RANGE, "range", "logs-seam-hour-edge-lost", "An entry exactly at a full hour is not returned.", (parts) =>
    moved(parts, { from: 1n }),
  ),

  split(RANGE, "range", "logs-seam-hour-two-only", "At most two hours of a window are read.", (parts) => parts.slice(0, 2)),

  split(RANGE, "range", "logs-seam-hour-short-part", "A part of a window that is shorter than a minute is not read.", (parts) =>
    parts.filter(({ from, to }) => to - from >= 60_000n * MILLISECOND),
  ),
  split(
    RANGE,
    "range",
    "logs-seam-hour-last-forward",
    "Forward reads leave out the hour in which the window ends.",
    (parts, { direction }) => (direction === "forward" ? parts.slice(0, -1) : parts),
  ),
];

/** The greatest age of data that the faulty server keeps in memory, in ms. The server looks for older entries only in its store. */
const IN_MEMORY_MS = 161 * 60_000;
const FIRST_OF_MEMORY_NS = HOUR_NS / 3n;

function without({ from, to }: Window, left: Window): Window[] {
  const before = { from, to: to < left.from ? to : left.from };
  const behind = { from: from > left.to ? from : left.to, to };
  return [before, behind].filter((part) => part.from < part.to);
}

/** Returns the times at which a window is divided, up to the newest data. The first part begins at the start of the window. */
function borders(window: Window, span: Window | undefined, step: bigint): bigint[] {
  if (span === undefined) return [];
  const from = span.from > window.from ? span.from : window.from;
  const to = span.to < window.to ? span.to : window.to;
  const first = (from - window.from + step - 1n) / step;
  const count = to <= from ? 0 : Number((to - window.from) / step - first) + 1;
  return Array.from({ length: count }, (_, index) => window.from + (first + BigInt(index)) * step).filter((border) => border > window.from);
}

const FROM_BEGIN: readonly Fault[] = ([true, false] as const).map((isFiltered) => {
  const filtered = isFiltered ? "-filtered" : "";
  const sentence = `${isFiltered ? "With a line filter, an" : "An"} entry exactly a whole number of hours after start is not returned.`;
  return fault(isFiltered ? "logs-4.3" : RANGE, `logs-seam-hours-from-begin${filtered}`, sentence, (base) => {
    const carried = carriedOut(base);
    return {
      parseQuery: carried.parseQuery,
      splitWindow: (window, span, reading) => {
        if (reading.path !== "range" || carried.isFiltered() !== isFiltered) return base.splitWindow(window, span, reading);
        const lost = borders(window, span, HOUR_NS).map((from) => ({ from, to: from + 1n }));
        return base.splitWindow(window, span, reading).flatMap((part) => {
          const left = lost.reduce<readonly Window[]>((parts, one) => parts.flatMap((each) => without(each, one)), [part]);
          return reading.direction === "backward" ? left.toReversed() : left;
        });
      },
    };
  });
});

const MEMORY: readonly Fault[] = [
  fault(
    RANGE,
    "logs-seam-hour-half-in-memory",
    "If a window begins before the data in memory, the first twenty minutes in memory are not read.",
    (base, { options }) => ({
      splitWindow: (window, span, reading) => {
        const border = BigInt(options.now() - IN_MEMORY_MS) * MILLISECOND;
        const parts = base.splitWindow(window, span, reading);
        return reading.path === "range" && window.from < border
          ? parts.flatMap((part) => without(part, { from: border, to: border + FIRST_OF_MEMORY_NS }))
          : parts;
      },
    }),
  ),
];

const MEETING: Fault = fault(
  "logs-4.3",
  "logs-seam-hour-equal-neighbours",
  "With a line filter over several hours, an entry is lost if it has the line of the last entry before the hour.",
  (base) => {
    const { parseQuery, joinParts, isFiltered } = carriedOut(base);
    return {
      parseQuery,
      joinParts: (answers, reading) => {
        if (reading.path === "instant" || !isFiltered()) return joinParts(answers, reading);
        const before = new Map<number, string>();
        const inTime = reading.direction === "backward" ? answers.toReversed() : answers;
        const left = inTime.map((answer) =>
          answer.map((stream) => {
            const entries = stream.entries.toSorted((one, other) => (one.ts < other.ts ? -1 : 1));
            const [first, last] = [entries[0], entries.at(-1)];
            const isSame = first !== undefined && before.get(stream.at) === first.line;
            if (last !== undefined) before.set(stream.at, last.line);
            return isSame ? { ...stream, entries: stream.entries.filter((entry) => entry !== first) } : stream;
          }),
        );
        return joinParts(reading.direction === "backward" ? left.toReversed() : left, reading);
      },
    };
  },
);

const EXITS: readonly Fault[] = [
  MEETING,
  fault(RANGE, "logs-seam-hour-stops-early", "Reading ends with the first hour that has an entry.", (base) => ({
    wantsMore: (found, reading) => (reading.path === "range" ? found === 0 : base.wantsMore(found, reading)),
  })),
  fault(RANGE, "logs-seam-hour-stops-at-half", "Reading ends with the hour that has half as many entries as the limit.", (base) => ({
    wantsMore: (found, reading) => (reading.path === "range" ? found * 2 < reading.limit : base.wantsMore(found, reading)),
  })),
  fault(
    "logs-4.3",
    "logs-seam-hour-stops-by-lines-read",
    "Reading ends with the hour in which the number of lines read reaches the limit, even if they do not pass the filter.",
    (base) => {
      const looked = new WeakMap<Reading, number>();
      return {
        blockFilter: (accepts, block, reading) => {
          const test = base.blockFilter(accepts, block, reading);
          return (entry) => {
            looked.set(reading, (looked.get(reading) ?? 0) + 1);
            return test(entry);
          };
        },
        wantsMore: (found, reading) =>
          base.wantsMore(found, reading) && (reading.path === "instant" || (looked.get(reading) ?? 0) < reading.limit),
      };
    },
  ),

  fault(RANGE, "logs-seam-hour-new-stream-lost", "A stream without entries in the first hour that is read is not returned.", (base) => ({
    joinParts: (answers, reading) => {
      if (reading.path === "instant" || answers.length === 1) return base.joinParts(answers, reading);
      const begun = new Set(answers[0]?.filter(({ entries }) => entries.length > 0).map(({ at }) => at));
      return base.joinParts(
        answers.map((answer) => answer.filter(({ at }) => begun.has(at) || begun.size === 0)),
        reading,
      );
    },
  })),
];

function longestRange(query: Operand): bigint {
  switch (query.kind) {
    case "number":
      return 0n;
    case "range":
      return query.rangeNs;
    case "vector":
    case "picking":
      return longestRange(query.inner);
    case "binary":
      return longestRange(query.left);
  }
}

const REFUSED: readonly Fault[] = [
  fault(RANGE, "logs-seam-range-over-an-hour-500", "A range query over more than an hour is answered 500.", (base) => ({
    beforeHandle: (request, route) => {
      const [start, end] = [request.query.get("start"), request.query.get("end")];
      const long = route?.operation === "logs.query_range" && start !== null && end !== null && BigInt(end) - BigInt(start) > HOUR_NS;
      return long ? textReply(500, "the window is too long\n") : base.beforeHandle(request, route);
    },
  })),
  fault(METRIC, "logs-seam-metric-over-an-hour-500", "A metric query over more than an hour is answered 500.", (base) => ({
    beforeHandle: (request, route) => {
      const text = request.query.get("query") ?? "";
      if (route?.operation !== "logs.query" || !/\[\d/.test(text)) return base.beforeHandle(request, route);
      let long = false;
      try {
        const query = base.parseQuery(text);
        long = query.kind !== "log" && longestRange(query) > HOUR_NS;
      } catch {
        return base.beforeHandle(request, route);
      }
      return long ? textReply(500, "the range is too long\n") : base.beforeHandle(request, route);
    },
  })),
];

function newestOnly(id: string, sentence: string, isMeant: (query: LogQuery) => boolean): Fault {
  return fault(METRIC, id, sentence, (base) => {
    let meant = false;
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        meant = logQueriesOf(query).some(isMeant);
        return query;
      },
      splitWindow: (window, span, reading) => {
        const parts = base.splitWindow(window, span, reading);
        return meant && reading.path === "instant" ? parts.slice(-1) : parts;
      },
    };
  });
}

const COUNTED: readonly Fault[] = [
  newestOnly(
    "logs-seam-metric-filtered-newest",
    "A metric query with a line filter over several hours counts only the newest hour.",
    ({ filters }) => filters.length > 0,
  ),

  split(METRIC, "instant", "logs-seam-metric-edge-twice", "A metric query counts an entry exactly at a full hour twice.", (parts) =>
    moved(parts, { to: 1n }),
  ),
];

const ENDS: readonly Fault[] = (["range", "instant"] as const).map((path) =>
  read(
    path === "range" ? RANGE : METRIC,
    path,
    `logs-seam-hour-ends-there-${path}`,
    `${path === "range" ? "Range" : "Metric"} queries do not read a stream that ends exactly at a full hour for the part that begins there.`,
    (blocks, { from }) => (from % HOUR_NS === 0n ? blocks.filter(({ entries }) => entries.at(-1)?.ts !== from) : blocks),
  ),
);

export const LOGS_SEAM_HOUR_FAULTS: readonly Fault[] = [...ENDS, ...GAPS, ...FROM_BEGIN, ...MEMORY, ...EXITS, ...REFUSED, ...COUNTED];
