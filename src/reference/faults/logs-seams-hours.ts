/** Faults at full hours, where the server divides windows, also with paging. Only entries on both sides of a full hour show them. */
import { textReply } from "../http/message.ts";
import { HOUR_NS, hoursWithin } from "../logs/hours.ts";
import type { RangeQuery } from "../logs/range.ts";
import type { Direction, Reading, Window } from "../logs/types.ts";
import { logQueriesOf, type LogQuery, type Operand } from "../logql/ast.ts";
import { broken, fault, faultsOf, type Row, type Told, wrongDecision, wrongResult } from "./define.ts";
import { isFiltered, noted } from "./helpers.ts";
import { read } from "./logs-blocks.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";
const MILLISECOND = 1_000_000n;

/** Makes a faulty server that divides windows wrongly, in range queries or in metric queries. */
function split(path: Reading["path"], told: Told, change: (parts: readonly Window[], reading: Reading) => readonly Window[]): Row {
  return wrongResult("splitWindow", told, (parts, _window, _span, reading) =>
    reading.path === path && parts.length > 1 ? change(parts, reading) : parts,
  );
}

/** Moves the ends of the parts of a window that are at a full hour. */
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

/** The greatest age of data that the faulty server keeps in memory, in ms. The server looks for older entries only in its store. */
const IN_MEMORY_MS = 161 * 60_000;
const FIRST_OF_MEMORY_NS = HOUR_NS / 3n;

function without({ from, to }: Window, left: Window): Window[] {
  const before = { from, to: to < left.from ? to : left.from };
  const behind = { from: from > left.to ? from : left.to, to };
  return [before, behind].filter((part) => part.from < part.to);
}

/** Returns the times at which a window is divided, until the newest data. The first part begins at the start of the window. */
function borders(window: Window, span: Window | undefined, step: bigint): bigint[] {
  if (span === undefined) return [];
  const from = span.from > window.from ? span.from : window.from;
  const to = span.to < window.to ? span.to : window.to;
  const first = (from - window.from + step - 1n) / step;
  const count = to <= from ? 0 : Number((to - window.from) / step - first) + 1;
  return Array.from({ length: count }, (_, index) => window.from + (first + BigInt(index)) * step).filter((border) => border > window.from);
}

const FROM_BEGIN: readonly Fault[] = ([true, false] as const).map((filtered) => {
  const sentence = `${filtered ? "With a line filter, an" : "An"} entry exactly a whole number of hours after start is not returned.`;
  return fault(filtered ? "logs-4.3" : RANGE, `logs-seam-hours-from-begin${filtered ? "-filtered" : ""}`, sentence, (base) => {
    const { parseQuery, fact } = noted(base, false, isFiltered);
    return {
      parseQuery,
      splitWindow: (window, span, reading) => {
        if (reading.path !== "range" || fact() !== filtered) return base.splitWindow(window, span, reading);
        const lost = borders(window, span, HOUR_NS).map((from) => ({ from, to: from + 1n }));
        return base.splitWindow(window, span, reading).flatMap((part) => {
          const left = lost.reduce<readonly Window[]>((parts, one) => parts.flatMap((each) => without(each, one)), [part]);
          return reading.direction === "backward" ? left.toReversed() : left;
        });
      },
    };
  });
});

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

function newestOnly(sentence: string, isMeant: (query: LogQuery) => boolean): Row {
  return broken({ clause: METRIC, sentence }, (base) => {
    const { parseQuery, fact } = noted(base, false, (query) => logQueriesOf(query).some(isMeant));
    return {
      parseQuery,
      splitWindow: (window, span, reading) => {
        const parts = base.splitWindow(window, span, reading);
        return fact() && reading.path === "instant" ? parts.slice(-1) : parts;
      },
    };
  });
}

function endingThere(path: Reading["path"], told: Told): Row {
  return read(path, told, (blocks, { from }) =>
    from % HOUR_NS === 0n ? blocks.filter(({ entries }) => entries.at(-1)?.ts !== from) : blocks,
  );
}

export const LOGS_SEAM_HOUR_FAULTS: readonly Fault[] = [
  ...faultsOf(RANGE, {
    "logs-seam-hour-ends-there-range": endingThere(
      "range",
      "Range queries do not read a stream that ends exactly at a full hour for the part that begins there.",
    ),
    "logs-seam-hour-ends-there-instant": endingThere("instant", {
      clause: METRIC,
      sentence: "Metric queries do not read a stream that ends exactly at a full hour for the part that begins there.",
    }),
    "logs-seam-hour-edge-lost": split("range", "An entry exactly at a full hour is not returned.", (parts) => moved(parts, { from: 1n })),
    "logs-seam-hour-two-only": split("range", "At most two hours of a window are read.", (parts) => parts.slice(0, 2)),
    "logs-seam-hour-short-part": split("range", "A part of a window that is shorter than a minute is not read.", (parts) =>
      parts.filter(({ from, to }) => to - from >= 60_000n * MILLISECOND),
    ),
    "logs-seam-hour-last-forward": split("range", "Forward reads leave out the hour in which the window ends.", (parts, { direction }) =>
      direction === "forward" ? parts.slice(0, -1) : parts,
    ),
  }),
  ...FROM_BEGIN,
  ...faultsOf(RANGE, {
    "logs-seam-hour-half-in-memory": broken(
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
    "logs-seam-hour-equal-neighbours": broken(
      {
        clause: "logs-4.3",
        sentence: "With a line filter over several hours, an entry is lost if it has the line of the last entry before the hour.",
      },
      (base) => {
        const { parseQuery, fact } = noted(base, false, isFiltered);
        return {
          parseQuery,
          joinParts: (answers, reading) => {
            if (reading.path === "instant" || !fact()) return base.joinParts(answers, reading);
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
            return base.joinParts(reading.direction === "backward" ? left.toReversed() : left, reading);
          },
        };
      },
    ),
    "logs-seam-hour-stops-early": wrongDecision("wantsMore", "Reading ends with the first hour that has an entry.", (found, { path }) =>
      path === "range" ? found === 0 : undefined,
    ),
    "logs-seam-hour-stops-at-half": wrongDecision(
      "wantsMore",
      "Reading ends with the hour that has half as many entries as the limit.",
      (found, { path, limit }) => (path === "range" ? found * 2 < limit : undefined),
    ),
    "logs-seam-hour-stops-by-lines-read": broken(
      {
        clause: "logs-4.3",
        sentence: "Reading ends with the hour in which the number of lines read reaches the limit, even if they do not pass the filter.",
      },
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
    "logs-seam-hour-new-stream-lost": broken("A stream without entries in the first hour that is read is not returned.", (base) => ({
      joinParts: (answers, reading) => {
        if (reading.path === "instant" || answers.length === 1) return base.joinParts(answers, reading);
        const begun = new Set(answers[0]?.filter(({ entries }) => entries.length > 0).map(({ at }) => at));
        return base.joinParts(
          answers.map((answer) => answer.filter(({ at }) => begun.has(at) || begun.size === 0)),
          reading,
        );
      },
    })),
    "logs-seam-range-over-an-hour-500": wrongDecision(
      "beforeHandle",
      "A range query over more than an hour is answered 500.",
      ({ query }, route) => {
        const [start, end] = [query.get("start"), query.get("end")];
        const long = route?.operation === "logs.query_range" && start !== null && end !== null && BigInt(end) - BigInt(start) > HOUR_NS;
        return long ? textReply(500, "the window is too long\n") : undefined;
      },
    ),
    "logs-seam-metric-over-an-hour-500": broken(
      { clause: METRIC, sentence: "A metric query over more than an hour is answered 500." },
      (base) => ({
        beforeHandle: (request, route) => {
          const text = request.query.get("query") ?? "";
          if (route?.operation !== "logs.query" || !/\[\d/.test(text)) return base.beforeHandle(request, route);
          try {
            const query = base.parseQuery(text);
            if (query.kind !== "log" && longestRange(query) > HOUR_NS) return textReply(500, "the range is too long\n");
          } catch {
            // The base behaviour answers a query that cannot be parsed.
          }
          return base.beforeHandle(request, route);
        },
      }),
    ),
    "logs-seam-metric-filtered-newest": newestOnly(
      "A metric query with a line filter over several hours counts only the newest hour.",
      ({ filters }) => filters.length > 0,
    ),
    "logs-seam-metric-edge-twice": split(
      "instant",
      { clause: METRIC, sentence: "A metric query counts an entry exactly at a full hour twice." },
      (parts) => moved(parts, { to: 1n }),
    ),
  }),
  ...faultsOf("logs-4.1", {
    "logs-seam-hour-order-backward": split(
      "range",
      "Backward reads visit the oldest hour first, so a limit returns the wrong entries.",
      (parts, { direction }) => (direction === "backward" ? parts.toReversed() : parts),
    ),
    "logs-seam-half-hour-order-backward": wrongResult(
      "splitWindow",
      "Windows are divided at half hours. Backward reads visit the oldest half hour first, so a limit returns the wrong entries.",
      (parts, window, span, reading) => {
        if (reading.path !== "range") return parts;
        const borders = hoursWithin(window, span, HOUR_NS / 2n);
        return [window.from, ...borders].map((from, index) => ({ from, to: borders[index] ?? window.to }));
      },
    ),
    "logs-seam-hour-shown-apart": wrongResult("order", "The hours of a stream are returned in the wrong order.", (right) => {
      const hours = [...new Set(right.map(({ ts }) => ts / HOUR_NS))].toReversed();
      return hours.length === 1 ? right : hours.flatMap((hour) => right.filter(({ ts }) => ts / HOUR_NS === hour));
    }),
  }),
];

/** Returns a fault: in one direction, a query is changed if it continues after a full page and crosses a full hour. */
function paged(sentence: string, direction: Direction, change: (query: RangeQuery) => Partial<RangeQuery>): Row {
  return broken({ clause: direction === "forward" ? "logs-4.4" : "logs-4.4-backward", sentence }, (base) => {
    const ends = new Map<bigint, number>();
    return {
      rangeQuery: (query) => {
        const edge = direction === "forward" ? query.start : query.end;
        const goesOn = query.direction === direction && [edge - 1n, edge, edge + 1n].some((ts) => ends.get(ts) === query.limit);
        const overHour = query.start / HOUR_NS !== (query.end - 1n) / HOUR_NS;
        return base.rangeQuery(goesOn && overHour ? { ...query, ...change(query) } : query);
      },
      arrange: (streams, query) => {
        const arranged = base.arrange(streams, query);
        const times = arranged.flatMap(({ entries }) => entries.map(({ ts }) => ts));
        if (query.direction === direction && times.length > 0 && times.length >= query.limit) {
          ends.set(
            times.reduce((one, other) => (one > other === (direction === "forward") ? one : other)),
            query.limit,
          );
        }
        return arranged;
      },
    };
  });
}

export const LOGS_SEAM_PAGE_FAULTS: readonly Fault[] = faultsOf("logs-4.4", {
  "logs-seam-page-next-hour": paged(
    "A page over a full hour that continues after the previous page begins at that hour.",
    "forward",
    ({ start }) => ({ start: (start / HOUR_NS + 1n) * HOUR_NS }),
  ),
  "logs-seam-page-hour-before": paged(
    "A backward page over a full hour that continues after the previous page ends at that hour.",
    "backward",
    ({ end }) => ({ end: ((end - 1n) / HOUR_NS) * HOUR_NS }),
  ),
});
