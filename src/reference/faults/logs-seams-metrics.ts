/** Faults of metric queries with large numbers, long or unusual ranges, several labels to group by, or nested aggregations. */
import { mapRanges, type MetricQuery } from "../logql/ast.ts";
import { durationNs } from "../logql/duration.ts";
import { type Labels, labelValue } from "../logs/types.ts";
import { broken, faultsOf, type Row, type Told, wrongInput, wrongResult } from "./define.ts";
import { cached, cachedUntilPush, firstOfKey, metricKey, noted } from "./helpers.ts";
import type { Fault } from "./types.ts";

const METRIC = "logs-4.query";
const SECOND = 1_000_000_000n;

function shown(told: Told, change: (value: number) => number): Row {
  return wrongInput("presentSample", told, (value) => [change(value)]);
}

function misread(sentence: string, change: (duration: string) => string): Row {
  return wrongInput("parseQuery", sentence, (text) => [
    text.replaceAll(/\[([0-9a-z]+)\]/g, (whole, duration: string) => {
      const changed = change(duration);
      return (durationNs(changed) ?? 0n) > 0n && durationNs(duration) !== undefined ? `[${changed}]` : whole;
    }),
  ]);
}

function reread(sentence: string, change: (query: MetricQuery) => MetricQuery): Row {
  return wrongResult("parseQuery", sentence, (query) => (query.kind === "log" ? query : change(query)));
}

const HALF_HOUR_NS = 1_800_000_000_000n;

export const LOGS_SEAM_METRIC_FAULTS: readonly Fault[] = faultsOf(METRIC, {
  "logs-seam-sample-16-bit": shown({ sentence: "Whole samples above 65,535 wrap around.", needs: "nightly" }, (value) =>
    Number.isInteger(value) ? value % 65_536 : value,
  ),
  "logs-seam-sample-thousands": shown("Samples above 1,000 are rounded to three digits.", (value) =>
    value > 1_000 ? Number(value.toPrecision(3)) : value,
  ),
  "logs-seam-sample-float32": shown(
    { sentence: "Whole samples pass through 32-bit floats, which have no odd number above 2^24.", needs: "nightly" },
    (value) => (Number.isInteger(value) ? Math.fround(value) : value),
  ),
  "logs-seam-sample-24-bit": shown({ sentence: "Samples of 2^24 and more wrap around.", needs: "nightly" }, (value) =>
    value >= 2 ** 24 ? value % 2 ** 24 : value,
  ),
  "logs-seam-rate-whole-seconds": broken("rate divides by whole seconds, even if the range has a fraction.", (base) => ({
    aggregateRange: (aggregation, entries, seconds, length) =>
      base.aggregateRange(aggregation, entries, Math.max(1, Math.floor(seconds)), length),
  })),
  "logs-seam-summed-range-parts-open": broken(
    "Inside a sum, a long range is divided into parts without their first and last nanosecond.",
    (base) => {
      let asked: bigint | undefined;
      const { parseQuery, fact } = noted(base, false, (query) => query.kind === "vector" && query.operator === "sum");
      return {
        parseQuery,
        rangeBefore: (time, rangeNs) => {
          asked = fact() ? time : undefined;
          return fact() ? { from: time - rangeNs + 1n, to: time } : base.rangeBefore(time, rangeNs);
        },
        blockAnswer: (entries, block, reading) => {
          const handed = base.blockAnswer(entries, block, reading);
          const end = asked;
          return reading.path === "instant" && end !== undefined ? handed.filter(({ ts }) => (end - ts) % HALF_HOUR_NS !== 0n) : handed;
        },
      };
    },
  ),
  "logs-seam-range-first-term": misread("Only the first term of a range such as 1m30s is used.", (duration) =>
    duration.replace(/^(\d+[a-z]+)\d.*$/, "$1"),
  ),
  "logs-seam-range-milliseconds-minutes": misread("A range in milliseconds is read as minutes.", (duration) =>
    duration.replace(/^(\d+)ms$/, "$1m"),
  ),
  "logs-seam-range-seconds-modulo": misread("A range of more than 60 seconds loses its whole minutes.", (duration) =>
    duration.replace(/^(\d+)s$/, (whole, count: string) => (Number(count) % 60 === 0 ? whole : `${Number(count) % 60}s`)),
  ),
  "logs-seam-time-to-second": wrongResult("evaluationTime", "time is cut to whole seconds.", (usual) => (usual / SECOND) * SECOND),
  "logs-seam-group-values-joined": broken(
    "Groups by several labels are confused if their values, written one after the other, give the same text.",
    (base) => {
      const first = firstOfKey<Labels>();
      return {
        groupLabels: (labels, grouping) => {
          const kept = base.groupLabels(labels, grouping);
          if (grouping?.kind !== "by" || grouping.labels.length < 2) return kept;
          return first(`${grouping.labels.join()} ${grouping.labels.map((name) => labelValue(kept, name)).join("")}`, kept);
        },
      };
    },
  ),
  "logs-seam-nested-grouping-lost": reread("An aggregation inside another loses its grouping.", (query) =>
    query.kind === "vector" && query.inner.kind === "vector"
      ? { ...query, inner: { kind: "vector", operator: query.inner.operator, inner: query.inner.inner } }
      : query,
  ),
  "logs-seam-nested-filters-lost": reread("Line filters below two aggregations are ignored.", (query) =>
    query.kind === "vector" && query.inner.kind === "vector"
      ? mapRanges(query, (range) => ({ ...range, query: { ...range.query, filters: [] } }))
      : query,
  ),
  "logs-seam-metric-cached-for-ever": broken(
    "The response to a metric query is repeated for the same query, also after pushes.",
    cached("logs.query", (request) => metricKey(request)),
  ),
  "logs-metric-text-kept-at-an-hour": broken(
    "If a metric query over more than an hour is sent again for another time, only its last hour is counted.",
    (base) => {
      const first = firstOfKey<bigint>();
      const { parseQuery, fact } = noted(base, "", (_query, text) => text);
      let isAgain = false;
      return {
        parseQuery,
        evaluationTime: (time) => {
          const at = base.evaluationTime(time);
          isAgain = first(fact(), at) !== at;
          return at;
        },
        rangeBefore: (time, rangeNs) => base.rangeBefore(time, isAgain && rangeNs > 2n * HALF_HOUR_NS ? 2n * HALF_HOUR_NS : rangeNs),
      };
    },
  ),
  "logs-seam-metric-cached-without-function": broken(
    "Until the next push, the response to a metric query is repeated for a query with another function.",
    cachedUntilPush("logs.query", (request) =>
      metricKey(request, (query) => query.replaceAll(/count_over_time|bytes_over_time|rate/g, "")),
    ),
  ),
  "logs-seam-metric-cached-without-filters": broken(
    "The response to a metric query is repeated for a query with other line filters.",
    cached("logs.query", (request) => metricKey(request, (query) => query.replaceAll(/(?<=[}"])\s*[|!][=~]\s*"[^"]*"/g, ""))),
  ),
});
