/** The factors of a metric query. No entry is exactly at an edge of the range. */
import fc from "fast-check";
import type { MetricFunction } from "../model/logs.ts";
import { RUN_LABEL, SET_LABEL } from "../datasets/datasets.ts";
import type { Phrasing } from "./expressions.ts";
import { type MetricAsked, othersThan, COUNT } from "./metrics.ts";
import type { CaseFactor, CaseLevel, CaseSubject } from "./case-subject.ts";
import { filterFactor, matcherFactor } from "./range-levels.ts";
import { MILLISECOND } from "../model/times.ts";

export function neutralMetric({ quiet, dataset }: CaseSubject): MetricAsked {
  return { ...COUNT, window: wholeMilliseconds(quiet[0] ?? dataset.start, quiet.at(-1) ?? dataset.end) };
}

/** Moves the start later by less than 1 ms. The window then has whole milliseconds, because a query writes a range in ms. */
function wholeMilliseconds(start: bigint, end: bigint): MetricAsked["window"] {
  return { start: end - ((end - start) / MILLISECOND) * MILLISECOND, end };
}

const FUNCTIONS: readonly MetricFunction[] = ["count_over_time", "rate", "bytes_over_time"];

const FUNCTION: CaseFactor<MetricAsked> = {
  name: "function",
  levels: FUNCTIONS.map((metric) => ({ name: `the function ${metric}`, change: (draft) => ({ ...draft, metric }) })),
};

/** Returns the labels that do not have the same value in all streams of a dataset. */
function groupings({ dataset }: CaseSubject): string[] {
  return othersThan(dataset, [RUN_LABEL, SET_LABEL]).filter((name) => new Set(dataset.streams.map(({ labels }) => labels[name])).size > 1);
}

const GROUPING: CaseFactor<MetricAsked> = {
  name: "grouping",
  levels: [
    { name: "one sum", change: (draft) => draft },
    { name: "not summed", change: (draft) => ({ ...draft, by: null }) },
    {
      name: "by one label",
      change: (draft, subject) => {
        const names = groupings(subject);
        const name = subject.drawn("grouping", () => (names.length === 0 ? null : fc.constantFrom(...names)));
        return name === null ? null : { ...draft, by: [name] };
      },
    },
    {
      name: "by several labels",
      change: (draft, subject) => {
        const names = groupings(subject);
        return names.length < 2 ? null : { ...draft, by: names };
      },
    },
  ],
};

const MICROSECOND = 1_000n;

/** A level whose range begins or ends 1 ns before or after an entry. A service that rounds times puts the entry on the wrong side. */
function besideEntry(name: string, edge: keyof MetricAsked["window"]): CaseLevel<MetricAsked> {
  return {
    name,
    change: (draft, { entry: { ts }, taken, drawn }) => {
      // A service that cuts or rounds times to microseconds is noticed only if neither time is a whole microsecond.
      const isTelling = (at: bigint): boolean => !taken.has(at) && ts % MICROSECOND !== 0n && at % MICROSECOND !== 0n;
      const side =
        drawn(
          name,
          () => fc.constantFrom(1n, -1n),
          (offset) => isTelling(ts + offset),
        ) ?? 0n;
      const at = ts + side;
      if (!isTelling(at)) return null;
      if (edge === "end") return { ...draft, window: wholeMilliseconds(draft.window.start, at) };
      return { ...draft, window: { start: at, end: at + ((draft.window.end - at) / MILLISECOND) * MILLISECOND } };
    },
  };
}

const RANGE: CaseFactor<MetricAsked> = {
  name: "range",
  levels: [
    { name: "all entries", change: (draft) => draft },
    {
      name: "until an entry",
      change: (draft, { quiet, entry }) => {
        const end = quiet.find((point) => point < draft.window.end && point > entry.ts);
        return end === undefined ? null : { ...draft, window: wholeMilliseconds(draft.window.start, end) };
      },
    },
    {
      name: "from an entry",
      change: (draft, { quiet, entry }) => {
        const start = quiet.findLast((point) => point > draft.window.start && point < entry.ts - MILLISECOND);
        return start === undefined ? null : { ...draft, window: wholeMilliseconds(start, draft.window.end) };
      },
    },
    besideEntry("until 1 ns beside an entry", "end"),
    besideEntry("from 1 ns beside an entry", "start"),
  ],
};

/** The factors of metric queries. `phrased` rewrites expressions for this target. */
export function metricFactors(phrased: Phrasing): readonly CaseFactor<MetricAsked>[] {
  return [
    FUNCTION,
    GROUPING,
    RANGE,
    matcherFactor("first matcher"),
    matcherFactor("second matcher"),
    filterFactor("first line filter", phrased),
    filterFactor("second line filter", phrased),
    filterFactor("third line filter", phrased),
  ];
}
