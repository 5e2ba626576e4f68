/** Faults of metric queries with large numbers, long or unusual ranges, several labels to group by, or nested aggregations. */
import { mapRanges, type MetricQuery } from "../logql/ast.ts";
import { durationNs } from "../logql/duration.ts";
import { type Labels, labelValue } from "../logs/types.ts";
import { cached, cachedUntilPush } from "./answer-cache.ts";
import { tenantsOf } from "./asked.ts";
import { fault, wrongResult, wrongInput, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

const METRIC = "logs-4.query";
const SECOND = 1_000_000_000n;
function shown(id: string, sentence: string, change: (value: number) => number, details?: FaultDetails): Fault {
  return fault({ clause: METRIC, ...details }, id, sentence, (base) => ({ presentSample: (value) => base.presentSample(change(value)) }));
}

function misread(id: string, sentence: string, change: (duration: string) => string): Fault {
  return wrongInput("parseQuery", METRIC, id, sentence, (text) => [
    text.replaceAll(/\[([0-9a-z]+)\]/g, (whole, duration: string) => {
      const changed = change(duration);
      return (durationNs(changed) ?? 0n) > 0n && durationNs(duration) !== undefined ? `[${changed}]` : whole;
    }),
  ]);
}

function reread(id: string, sentence: string, change: (query: MetricQuery) => MetricQuery): Fault {
  return wrongResult("parseQuery", METRIC, id, sentence, (query) => (query.kind === "log" ? query : change(query)));
}

const HALF_HOUR_NS = 1_800_000_000_000n;

const PUT_TOGETHER: readonly Fault[] = [
  fault(
    METRIC,
    "logs-seam-summed-range-parts-open",
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
];

const NUMBERS: readonly Fault[] = [
  shown(
    "logs-seam-sample-16-bit",
    "Whole samples above 65,535 wrap around.",
    (value) => (Number.isInteger(value) ? value % 65_536 : value),
    { needs: "nightly" },
  ),

  shown("logs-seam-sample-thousands", "Samples above 1,000 are rounded to three digits.", (value) =>
    value > 1_000 ? Number(value.toPrecision(3)) : value,
  ),

  shown(
    "logs-seam-sample-float32",
    "Whole samples pass through 32-bit floats, which have no odd number above 2^24.",
    (value) => (Number.isInteger(value) ? Math.fround(value) : value),
    { needs: "nightly" },
  ),
  shown("logs-seam-sample-24-bit", "Samples of 2^24 and more wrap around.", (value) => (value >= 2 ** 24 ? value % 2 ** 24 : value), {
    needs: "nightly",
  }),

  fault(METRIC, "logs-seam-rate-whole-seconds", "rate divides by whole seconds, even if the range has a fraction.", (base) => ({
    aggregateRange: (aggregation, entries, seconds, length) =>
      base.aggregateRange(aggregation, entries, Math.max(1, Math.floor(seconds)), length),
  })),
];

const UNITS: readonly Fault[] = [
  misread("logs-seam-range-first-term", "Only the first term of a range such as 1m30s is used.", (duration) =>
    duration.replace(/^(\d+[a-z]+)\d.*$/, "$1"),
  ),
  misread("logs-seam-range-milliseconds-minutes", "A range in milliseconds is read as minutes.", (duration) =>
    duration.replace(/^(\d+)ms$/, "$1m"),
  ),

  misread("logs-seam-range-seconds-modulo", "A range of more than 60 seconds loses its whole minutes.", (duration) =>
    duration.replace(/^(\d+)s$/, (whole, count: string) => (Number(count) % 60 === 0 ? whole : `${Number(count) % 60}s`)),
  ),

  wrongResult("evaluationTime", METRIC, "logs-seam-time-to-second", "time is cut to whole seconds.", (usual) => (usual / SECOND) * SECOND),
];

/** A server that identifies a group by a text of its joined label values, so groups with the same text count as one group. */
function joining(
  id: string,
  sentence: string,
  key: (kept: Labels, names: readonly string[]) => string,
  applies: (names: readonly string[]) => boolean,
): Fault {
  return fault(METRIC, id, sentence, (base) => {
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

const GROUPS: readonly Fault[] = [
  joining(
    "logs-seam-group-values-joined",
    "Groups by several labels are confused if their values, written one after the other, give the same text.",
    (kept, names) => names.map((name) => labelValue(kept, name)).join(""),
    (names) => names.length > 1,
  ),
];

const NESTED: readonly Fault[] = [
  reread("logs-seam-nested-grouping-lost", "An aggregation inside another loses its grouping.", (query) =>
    query.kind === "vector" && query.inner.kind === "vector"
      ? { ...query, inner: { kind: "vector", operator: query.inner.operator, inner: query.inner.inner } }
      : query,
  ),

  reread("logs-seam-nested-filters-lost", "Line filters below two aggregations are ignored.", (query) =>
    query.kind === "vector" && query.inner.kind === "vector"
      ? mapRanges(query, (range) => ({ ...range, query: { ...range.query, filters: [] } }))
      : query,
  ),
];

const CACHES: readonly Fault[] = [
  fault(
    METRIC,
    "logs-seam-metric-cached-for-ever",
    "The response to a metric query is repeated for the same query, also after pushes.",
    cached("logs.query", (request) => [request.query.get("query"), request.query.get("time"), tenantsOf(request)].join("\n")),
  ),
  fault(
    METRIC,
    "logs-metric-text-kept-at-an-hour",
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
  fault(
    METRIC,
    "logs-seam-metric-cached-without-function",
    "Until the next push, the response to a metric query is repeated for a query with another function.",
    cachedUntilPush("logs.query", (request) =>
      [
        (request.query.get("query") ?? "").replaceAll(/count_over_time|bytes_over_time|rate/g, ""),
        request.query.get("time"),
        tenantsOf(request),
      ].join("\n"),
    ),
  ),
  fault(
    METRIC,
    "logs-seam-metric-cached-without-filters",
    "The response to a metric query is repeated for a query with other line filters.",
    cached("logs.query", (request) =>
      [
        (request.query.get("query") ?? "").replaceAll(/(?<=[}"])\s*[|!][=~]\s*"[^"]*"/g, ""),
        request.query.get("time"),
        tenantsOf(request),
      ].join("\n"),
    ),
  ),
];

export const LOGS_SEAM_METRIC_FAULTS: readonly Fault[] = [...NUMBERS, ...PUT_TOGETHER, ...UNITS, ...GROUPS, ...NESTED, ...CACHES];
