/** Faults of metric queries with large numbers, long or unusual ranges, several labels to group by, or nested aggregations. */
import { mapRanges, type MetricQuery } from "../logql/ast.ts";
import { durationNs } from "../logql/duration.ts";
import { type Labels, labelValue } from "../logs/types.ts";
import { broken, type FaultDetails, faultsOf, type Row, wrongInput, wrongResult } from "./define.ts";
import { cached, cachedUntilPush, tenantsOf } from "./helpers.ts";
import type { Fault } from "./types.ts";

const METRIC = "logs-4.query";
const SECOND = 1_000_000_000n;
function shown(sentence: string, change: (value: number) => number, details?: FaultDetails): Row {
  return broken({ clause: METRIC, sentence, ...details }, (base) => ({ presentSample: (value) => base.presentSample(change(value)) }));
}

function misread(sentence: string, change: (duration: string) => string): Row {
  return wrongInput("parseQuery", { clause: METRIC, sentence }, (text) => [
    text.replaceAll(/\[([0-9a-z]+)\]/g, (whole, duration: string) => {
      const changed = change(duration);
      return (durationNs(changed) ?? 0n) > 0n && durationNs(duration) !== undefined ? `[${changed}]` : whole;
    }),
  ]);
}

function reread(sentence: string, change: (query: MetricQuery) => MetricQuery): Row {
  return wrongResult("parseQuery", { clause: METRIC, sentence }, (query) => (query.kind === "log" ? query : change(query)));
}

const HALF_HOUR_NS = 1_800_000_000_000n;

/** A server that identifies a group by a text of its joined label values, so groups with the same text count as one group. */
function joining(
  sentence: string,
  key: (kept: Labels, names: readonly string[]) => string,
  applies: (names: readonly string[]) => boolean,
): Row {
  return broken({ clause: METRIC, sentence }, (base) => {
    const first = new Map<string, Labels>();
    return {
      groupLabels: (labels, grouping) => {
        const kept = base.groupLabels(labels, grouping);
        if (grouping?.kind !== "by" || !applies(grouping.labels)) return kept;
        const text = `${grouping.labels.join()} ${key(kept, grouping.labels)}`;
        const known = first.get(text) ?? kept;
        first.set(text, known);
        return known;
      },
    };
  });
}

export const LOGS_SEAM_METRIC_FAULTS: readonly Fault[] = faultsOf(METRIC, {
  "logs-seam-sample-16-bit": shown(
    "Whole samples above 65,535 wrap around.",
    (value) => (Number.isInteger(value) ? value % 65_536 : value),
    { needs: "nightly" },
  ),
  "logs-seam-sample-thousands": shown("Samples above 1,000 are rounded to three digits.", (value) =>
    value > 1_000 ? Number(value.toPrecision(3)) : value,
  ),
  "logs-seam-sample-float32": shown(
    "Whole samples pass through 32-bit floats, which have no odd number above 2^24.",
    (value) => (Number.isInteger(value) ? Math.fround(value) : value),
    { needs: "nightly" },
  ),
  "logs-seam-sample-24-bit": shown("Samples of 2^24 and more wrap around.", (value) => (value >= 2 ** 24 ? value % 2 ** 24 : value), {
    needs: "nightly",
  }),
  "logs-seam-rate-whole-seconds": broken("rate divides by whole seconds, even if the range has a fraction.", (base) => ({
    aggregateRange: (aggregation, entries, seconds, length) =>
      base.aggregateRange(aggregation, entries, Math.max(1, Math.floor(seconds)), length),
  })),
  "logs-seam-summed-range-parts-open": broken(
    "Inside a sum, a long range is divided into parts without their first and last nanosecond.",
    (base) => {
      let asked: bigint | undefined;
      let isSummed = false;
      return {
        parseQuery: (text) => {
          const query = base.parseQuery(text);
          isSummed = query.kind === "vector" && query.operator === "sum";
          return query;
        },
        rangeBefore: (time, rangeNs) => {
          asked = isSummed ? time : undefined;
          return isSummed ? { from: time - rangeNs + 1n, to: time } : base.rangeBefore(time, rangeNs);
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
  "logs-seam-group-values-joined": joining(
    "Groups by several labels are confused if their values, written one after the other, give the same text.",
    (kept, names) => names.map((name) => labelValue(kept, name)).join(""),
    (names) => names.length > 1,
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
    cached("logs.query", (request) => [request.query.get("query"), request.query.get("time"), tenantsOf(request)].join("\n")),
  ),
  "logs-metric-text-kept-at-an-hour": broken(
    "If a metric query over more than an hour is sent again for another time, only its last hour is counted.",
    (base) => {
      const known = new Map<string, bigint>();
      let text = "";
      let isAgain = false;
      return {
        parseQuery: (query) => {
          text = query;
          return base.parseQuery(query);
        },
        evaluationTime: (time) => {
          const at = base.evaluationTime(time);
          const first = known.get(text) ?? at;
          known.set(text, first);
          isAgain = first !== at;
          return at;
        },
        rangeBefore: (time, rangeNs) => base.rangeBefore(time, isAgain && rangeNs > 2n * HALF_HOUR_NS ? 2n * HALF_HOUR_NS : rangeNs),
      };
    },
  ),
  "logs-seam-metric-cached-without-function": broken(
    "Until the next push, the response to a metric query is repeated for a query with another function.",
    cachedUntilPush("logs.query", (request) =>
      [
        (request.query.get("query") ?? "").replaceAll(/count_over_time|bytes_over_time|rate/g, ""),
        request.query.get("time"),
        tenantsOf(request),
      ].join("\n"),
    ),
  ),
  "logs-seam-metric-cached-without-filters": broken(
    "The response to a metric query is repeated for a query with other line filters.",
    cached("logs.query", (request) =>
      [
        (request.query.get("query") ?? "").replaceAll(/(?<=[}"])\s*[|!][=~]\s*"[^"]*"/g, ""),
        request.query.get("time"),
        tenantsOf(request),
      ].join("\n"),
    ),
  ),
});
