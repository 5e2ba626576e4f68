/** Faults of instant metric queries and of their results (docs/2 section 2 and section 4, query). */
import { counter } from "../change.ts";
import { mapRanges, type Query, type RangeAggregation } from "../logql/ast.ts";
import type { InstantBehaviour } from "../logs/instant.ts";
import { fault, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const CLAUSE = "logs-4.query";
const SECOND = 1_000_000_000n;

function rangeChanged(query: Query, change: (range: RangeAggregation) => RangeAggregation): Query {
  return query.kind === "log" ? query : mapRanges(query, change);
}

function ranged(id: string, sentence: string, change: (range: RangeAggregation) => RangeAggregation): Fault {
  return fault(CLAUSE, id, sentence, (base) => ({ parseQuery: (text) => rangeChanged(base.parseQuery(text), change) }));
}

/** A server that computes a metric function with `change`, and computes it correctly if `change` returns undefined. */
function aggregated(
  id: string,
  sentence: string,
  change: (...given: Parameters<InstantBehaviour["aggregateRange"]>) => number | undefined,
): Fault {
  return fault(CLAUSE, id, sentence, (base) => ({ aggregateRange: (...given) => change(...given) ?? base.aggregateRange(...given) }));
}

function bytes(id: string, sentence: string, length: (line: string) => number): Fault {
  return fault(CLAUSE, id, sentence, () => ({ lineBytes: length }));
}

const FUNCTIONS: readonly Fault[] = [
  aggregated("logs-count-plus-one", "count_over_time counts one too many.", (metric, entries) =>
    metric === "count_over_time" ? entries.length + 1 : undefined,
  ),
  aggregated("logs-count-capped", "count_over_time stops at 10.", (metric, entries) =>
    metric === "count_over_time" ? Math.min(10, entries.length) : undefined,
  ),
  aggregated("logs-count-one-byte", "count_over_time wraps around at 256.", (metric, entries) =>
    metric === "count_over_time" ? entries.length % 256 : undefined,
  ),
  ranged("logs-metric-ten-minutes", "A range of more than ten minutes is cut to ten minutes.", (range) => ({
    ...range,
    rangeNs: range.rangeNs > 600n * SECOND ? 600n * SECOND : range.rangeNs,
  })),

  aggregated("logs-rate-integer", "rate is rounded down to a whole number.", (metric, entries, seconds) =>
    metric === "rate" ? Math.floor(entries.length / seconds) : undefined,
  ),

  aggregated("logs-bytes-is-count", "bytes_over_time counts entries.", (metric, entries) =>
    metric === "bytes_over_time" ? entries.length : undefined,
  ),

  bytes("logs-bytes-as-characters", "bytes_over_time counts characters instead of bytes.", (line) => line.length),
  bytes("logs-bytes-with-newline", "bytes_over_time counts a newline for each line.", (line) => Buffer.byteLength(line, "utf8") + 1),

  bytes("logs-bytes-utf16", "bytes_over_time counts two bytes for each character.", (line) => line.length * 2),
];

const RANGES: readonly Fault[] = [
  ranged("logs-metric-range-doubled", "The range of a metric query is doubled.", (range) => ({ ...range, rangeNs: range.rangeNs * 2n })),
  ranged("logs-metric-filters-ignored", "Line filters in metric queries are ignored.", (range) => ({
    ...range,
    query: { ...range.query, filters: [] },
  })),
  ranged("logs-metric-last-matcher-ignored", "In metric queries the last of several matchers is ignored.", (range) => ({
    ...range,
    query: { ...range.query, matchers: range.query.matchers.length > 1 ? range.query.matchers.slice(0, -1) : range.query.matchers },
  })),
  fault(CLAUSE, "logs-metric-time-ignored", "time is ignored: queries are evaluated now.", (_base, { options }) => ({
    evaluationTime: () => BigInt(options.now()) * 1_000_000n,
  })),
  fault(CLAUSE, "logs-metric-time-to-minute", "time is cut to whole minutes.", () => ({
    evaluationTime: (time) => (time / (60n * SECOND)) * 60n * SECOND,
  })),
  fault(CLAUSE, "logs-metric-time-of-start", "The range begins at time instead of ending there.", () => ({
    rangeBefore: (time, rangeNs) => ({ from: time, to: time + rangeNs }),
  })),
  fault(CLAUSE, "logs-metric-time-in-the-middle", "time is the middle of the range.", () => ({
    rangeBefore: (time, rangeNs) => ({ from: time - rangeNs / 2n, to: time + rangeNs / 2n }),
  })),
  fault(CLAUSE, "logs-metric-limited", "Metric queries read only ten entries of a stream.", (base) => ({
    scan: (entries, window, accepts, limit, direction) =>
      base.scan(entries, window, accepts, limit === Number.POSITIVE_INFINITY ? 10 : limit, direction),
  })),
];

const GROUPS: readonly Fault[] = [
  fault(CLAUSE, "logs-group-ignored", "Grouping is ignored, so there is one sum over everything.", (base) => ({
    groupLabels: (labels, grouping) => base.groupLabels(labels, grouping?.kind === "by" ? undefined : grouping),
  })),

  fault(CLAUSE, "logs-group-first-label", "If a query groups by several labels, only the first is used.", (base) => ({
    groupLabels: (labels, grouping) =>
      base.groupLabels(labels, grouping === undefined ? grouping : { ...grouping, labels: grouping.labels.slice(0, 1) }),
  })),

  fault(CLAUSE, "logs-sum-as-max", "sum returns the largest sample.", (base) => ({
    combine: (operator, values) => base.combine(operator === "sum" ? "max" : operator, values),
  })),

  fault(CLAUSE, "logs-sum-of-first-three", "sum adds at most three samples.", (base) => ({
    combine: (operator, values) => base.combine(operator, operator === "sum" ? values.slice(0, 3) : values),
  })),
  fault(CLAUSE, "logs-sum-without-equals", "sum counts equal samples once.", (base) => ({
    combine: (operator, values) => base.combine(operator, operator === "sum" ? [...new Set(values)] : values),
  })),
  wrongResult("arrangeSamples", CLAUSE, "logs-group-last-missing", "If there are several groups, the last is not returned.", (shown) =>
    shown.length > 1 ? shown.slice(0, -1) : shown,
  ),
  fault(CLAUSE, "logs-metric-negative", "Every tenth sample has the wrong sign.", (base) => {
    const count = counter();
    return { presentSample: (value) => base.presentSample(count("sample") % 10 === 0 ? -value : value) };
  }),
  fault(
    CLAUSE,
    "logs-metric-timestamp-now",
    "The timestamp of a sample is the present time instead of the requested time.",
    (base, { options }) => ({
      instantTimestamp: () => base.instantTimestamp(BigInt(options.now()) * 1_000_000n),
    }),
  ),
];

function eachSample(id: string, sentence: string, present: InstantBehaviour["presentInstantEntry"]): Fault {
  return fault("logs-2.instant-result", id, sentence, () => ({ presentInstantEntry: present }));
}

const RESULTS: readonly Fault[] = [
  fault("logs-2.instant-result", "logs-sample-number", "The sample value is a number.", () => ({ presentSample: (value) => value })),

  eachSample("logs-sample-without-empty-metric", "`metric` is missing when it has no labels.", (metric, value) =>
    JSON.stringify(metric) === "{}" ? { value } : { metric, value },
  ),
];

export const LOGS_METRIC_FAULTS: readonly Fault[] = [...FUNCTIONS, ...RANGES, ...GROUPS, ...RESULTS];
