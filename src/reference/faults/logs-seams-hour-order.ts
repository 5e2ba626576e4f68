/** Faults of limited reads of windows that are split at full hours, or at halves: which entries are taken, and from which end. */
import { HOUR_NS, hoursWithin } from "../logs/hours.ts";
import type { Direction, Entry, LabelledEntries, Labels, Reading, Window } from "../logs/types.ts";
import { carriedOut } from "./carried-out.ts";
import { fault } from "./define.ts";
import { split } from "./logs-seams-hours.ts";
import type { Fault } from "./types.ts";

/** The first entries of the streams in the order given, up to the limit. */
function firstOf(streams: readonly LabelledEntries[], { limit }: Reading): readonly LabelledEntries[] {
  let left = limit;
  return streams.map(({ labels, entries }) => {
    const taken = entries.slice(0, left);
    left -= taken.length;
    return { labels, entries: taken };
  });
}

function countOf(streams: readonly LabelledEntries[]): number {
  return streams.reduce((sum, { entries }) => sum + entries.length, 0);
}

/** The nearest entry of the stream at the head of a heap, again and again; what is left of the stream goes to its end and stays there. */
function pickFromQueue(streams: readonly LabelledEntries[], limit: number, direction: Direction): readonly LabelledEntries[] {
  const heap = streams.filter(({ entries }) => entries.length > 0);
  const isNearer = (one: number, other: number): boolean => {
    const [a, b] = [heap[one]?.entries[0]?.ts ?? 0n, heap[other]?.entries[0]?.ts ?? 0n];
    return direction === "forward" ? a < b : a > b;
  };
  const swap = (one: number, other: number): void => {
    const [a, b] = [heap[one], heap[other]];
    if (a !== undefined && b !== undefined) [heap[one], heap[other]] = [b, a];
  };
  const sink = (from: number, length: number): void => {
    for (let at = from; ;) {
      const children = [2 * at + 1, 2 * at + 2].filter((child) => child < length);
      const nearest = children.reduce((best, child) => (isNearer(child, best) ? child : best), at);
      if (nearest === at) return;
      swap(at, nearest);
      at = nearest;
    }
  };
  for (let at = heap.length - 1; at >= 0; at -= 1) sink(at, heap.length);
  const taken = new Map<Labels, Entry[]>(streams.map(({ labels }) => [labels, []]));
  for (let left = limit; left > 0 && heap.length > 0; left -= 1) {
    swap(0, heap.length - 1);
    sink(0, heap.length - 1);
    const nearest = heap.pop();
    if (nearest === undefined) break;
    const [entry, ...rest] = nearest.entries;
    if (entry !== undefined) taken.get(nearest.labels)?.push(entry);
    if (rest.length > 0) heap.push({ ...nearest, entries: rest });
  }
  return streams.map((stream) => ({ ...stream, entries: taken.get(stream.labels) ?? [] }));
}

export const LOGS_SEAM_HOUR_ORDER_FAULTS: readonly Fault[] = [
  split(
    "logs-4.1",
    "range",
    "logs-seam-hour-order-backward",
    "Going backward, the hours are read from the oldest, so that a limit keeps the wrong entries.",
    (parts, { direction }) => (direction === "backward" ? parts.toReversed() : parts),
  ),
  split(
    "logs-4.1",
    "range",
    "logs-seam-hour-order-forward",
    "Going forward, the hours are read from the newest, so that a limit keeps the wrong entries.",
    (parts, { direction }) => (direction === "forward" ? parts.toReversed() : parts),
  ),
  fault(
    "logs-4.1",
    "logs-seam-half-hour-order-backward",
    "Windows are cut at half hours, which are read from the oldest, so that a limit going backward keeps the wrong entries.",
    (base) => ({
      splitWindow: (window, span, reading) => {
        if (reading.path !== "range") return base.splitWindow(window, span, reading);
        const borders = hoursWithin(window, span, HOUR_NS / 2n);
        return [window.from, ...borders].map((from, index) => ({ from, to: borders[index] ?? window.to }));
      },
    }),
  ),
  fault(
    "logs-4.1",
    "logs-seam-hour-keeps-wrong-end",
    "When the limit is reached in a second hour, entries of the first give way.",
    (base) => ({
      joinParts: (answers, reading) => {
        const joined = base.joinParts(answers.toReversed(), reading);
        return answers.length > 1 && reading.path === "range" ? firstOf(joined, reading) : base.joinParts(answers, reading);
      },
    }),
  ),

  fault(
    "logs-4.1",
    "logs-seam-hour-queue-not-restored",
    "Of what passes a line filter in several hours, entries are taken from a queue of streams that is out of order after the first of a stream.",
    (base) => {
      const { parseQuery, joinParts, isFiltered, parts } = carriedOut(base);
      return {
        parseQuery,
        joinParts,
        pick: (streams, limit, direction) =>
          parts() > 1 && isFiltered() && countOf(streams) > limit
            ? pickFromQueue(streams, limit, direction)
            : base.pick(streams, limit, direction),
      };
    },
  ),
  fault(
    "logs-4.3",
    "logs-seam-hour-one-stream-uncut",
    "What passes a line filter in several hours is not cut to the limit where it is all of one stream.",
    (base) => {
      const { parseQuery, isFiltered } = carriedOut(base);
      let isUncut = false;
      return {
        parseQuery,
        joinParts: (answers, reading) => {
          const all = base.joinParts(answers, { ...reading, limit: Number.MAX_SAFE_INTEGER });
          isUncut = reading.path === "range" && isFiltered() && answers.length > 1 && all.length === 1;
          return isUncut ? all : base.joinParts(answers, reading);
        },
        pick: (streams, limit, direction) => (isUncut ? streams : base.pick(streams, limit, direction)),
      };
    },
    { also: ["logs-4.1"] },
  ),
  fault(
    "logs-4.3",
    "logs-seam-hour-last-of-many-lost",
    "Of what passes a line filter in a window of more than eight hours the part that is read last is left out.",
    (base) => {
      const { parseQuery, isFiltered } = carriedOut(base);
      return {
        parseQuery,
        splitWindow: (window, span, reading) => {
          const parts = base.splitWindow(window, span, reading);
          const isLeftOut = reading.path === "range" && isFiltered() && window.to - window.from > 8n * HOUR_NS && parts.length > 1;
          return isLeftOut ? parts.slice(0, -1) : parts;
        },
      };
    },
  ),
  fault(
    "logs-4.1",
    "logs-seam-hour-second-from-wrong-end",
    "In the hours after the first, what is left of the limit is taken from the wrong end of the hour.",
    (base) => {
      let first: Window | undefined;
      return {
        splitWindow: (window, span, reading) => {
          const parts = base.splitWindow(window, span, reading);
          first = reading.path === "range" ? parts[0] : undefined;
          return parts;
        },
        scan: (entries, window, accepts, limit, direction) => {
          const later = first !== undefined && (window.from !== first.from || window.to !== first.to);
          return base.scan(entries, window, accepts, limit, later ? (direction === "forward" ? "backward" : "forward") : direction);
        },
      };
    },
  ),
  fault(
    "logs-4.1",
    "logs-seam-hour-shown-apart",
    "Within a stream the entries of each hour are shown, the hours in the wrong order.",
    (base) => ({
      order: (entries, direction) => {
        const right = base.order(entries, direction);
        const hours = [...new Set(right.map(({ ts }) => ts / HOUR_NS))].toReversed();
        return hours.length === 1 ? right : hours.flatMap((hour) => right.filter(({ ts }) => ts / HOUR_NS === hour));
      },
    }),
  ),
];
