/** Faults of instant metric queries and of their results (docs/2 section 2 and section 4, query). */
import { counter } from "../change.ts";
import type { JsonObject } from "../http/message.ts";
import { mapRanges, type Query, type RangeAggregation } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import type { InstantBehaviour } from "../logs/instant.ts";
import { broken, faultsOf, type Row, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const SECOND = 1_000_000_000n;

function rangeChanged(query: Query, change: (range: RangeAggregation) => RangeAggregation): Query {
  return query.kind === "log" ? query : mapRanges(query, change);
}

function ranged(sentence: string, change: (range: RangeAggregation) => RangeAggregation): Row {
  return broken(sentence, (base) => ({ parseQuery: (text) => rangeChanged(base.parseQuery(text), change) }));
}

/** A fault: `change` computes a metric function. If `change` returns undefined, the server computes it correctly. */
function aggregated(sentence: string, change: (...given: Parameters<InstantBehaviour["aggregateRange"]>) => number | undefined): Row {
  return broken(sentence, (base) => ({
    aggregateRange: (...given) => change(...given) ?? base.aggregateRange(...given),
  }));
}

function bytes(sentence: string, length: (line: string) => number): Row {
  return broken(sentence, () => ({ lineBytes: length }));
}

function unknown(name: string): Row {
  return broken(`A query with the function ${name} is refused.`, (base) => ({
    parseQuery: (text) => {
      if (text.includes(`${name}(`)) throw new QueryError("unknown function", 0);
      return base.parseQuery(text);
    },
  }));
}

function eachSample(sentence: string, present: InstantBehaviour["presentInstantEntry"]): Row {
  return broken({ clause: "logs-2.instant-result", sentence }, () => ({ presentInstantEntry: present }));
}

function eachValue(sentence: string, change: (text: string) => string): Row {
  return broken(sentence, (base) => ({
    presentInstantEntry: (metric, value) => {
      const labels = Object.entries(metric as object).map(([name, text]) => [name, change(String(text))] as const);
      return base.presentInstantEntry(Object.fromEntries(labels), value);
    },
  }));
}

export const LOGS_METRIC_FAULTS: readonly Fault[] = faultsOf("logs-4.query", {
  "logs-count-plus-one": aggregated("count_over_time counts one too many.", (metric, entries) =>
    metric === "count_over_time" ? entries.length + 1 : undefined,
  ),
  "logs-count-capped": aggregated("count_over_time stops at 10.", (metric, entries) =>
    metric === "count_over_time" ? Math.min(10, entries.length) : undefined,
  ),
  "logs-count-one-byte": aggregated("count_over_time wraps around at 256.", (metric, entries) =>
    metric === "count_over_time" ? entries.length % 256 : undefined,
  ),
  "logs-metric-ten-minutes": ranged("A range of more than ten minutes is cut to ten minutes.", (range) => ({
    ...range,
    rangeNs: range.rangeNs > 600n * SECOND ? 600n * SECOND : range.rangeNs,
  })),
  "logs-rate-integer": aggregated("rate is rounded down to a whole number.", (metric, entries, seconds) =>
    metric === "rate" ? Math.floor(entries.length / seconds) : undefined,
  ),
  "logs-bytes-is-count": aggregated("bytes_over_time counts entries.", (metric, entries) =>
    metric === "bytes_over_time" ? entries.length : undefined,
  ),
  "logs-bytes-as-characters": bytes("bytes_over_time counts characters instead of bytes.", (line) => line.length),
  "logs-bytes-with-newline": bytes("bytes_over_time counts a newline for each line.", (line) => Buffer.byteLength(line, "utf8") + 1),
  "logs-bytes-utf16": bytes("bytes_over_time counts two bytes for each character.", (line) => line.length * 2),
  "logs-metric-range-doubled": ranged("The range of a metric query is doubled.", (range) => ({ ...range, rangeNs: range.rangeNs * 2n })),
  "logs-metric-filters-ignored": ranged("Line filters in metric queries are ignored.", (range) => ({
    ...range,
    query: { ...range.query, filters: [] },
  })),
  "logs-metric-last-matcher-ignored": ranged("In metric queries the last of several matchers is ignored.", (range) => ({
    ...range,
    query: { ...range.query, matchers: range.query.matchers.length > 1 ? range.query.matchers.slice(0, -1) : range.query.matchers },
  })),
  "logs-metric-time-ignored": broken("time is ignored: queries are evaluated now.", (_base, { options }) => ({
    evaluationTime: () => BigInt(options.now()) * 1_000_000n,
  })),
  "logs-metric-time-to-minute": broken("time is cut to whole minutes.", () => ({
    evaluationTime: (time) => (time / (60n * SECOND)) * 60n * SECOND,
  })),
  "logs-metric-time-to-microseconds": broken("time is cut to whole microseconds.", (base) => ({
    rangeBefore: (time, rangeNs) => base.rangeBefore(time - (time % 1_000n), rangeNs),
  })),
  "logs-metric-range-with-zero": broken("A metric query whose range has the digit 0 is refused.", (base) => ({
    parseQuery: (text) => {
      if (/\[[1-9]*0\w*\]/.test(text)) throw new QueryError("unknown range", 0);
      return base.parseQuery(text);
    },
  })),
  "logs-rate-unknown": unknown("rate"),
  "logs-bytes-unknown": unknown("bytes_over_time"),
  "logs-metric-time-of-start": broken("The range begins at time instead of ending there.", () => ({
    rangeBefore: (time, rangeNs) => ({ from: time, to: time + rangeNs }),
  })),
  "logs-metric-time-in-the-middle": broken("time is the middle of the range.", () => ({
    rangeBefore: (time, rangeNs) => ({ from: time - rangeNs / 2n, to: time + rangeNs / 2n }),
  })),
  "logs-metric-limited": broken("Metric queries read only ten entries of a stream.", (base) => ({
    scan: (entries, window, accepts, limit, direction) =>
      base.scan(entries, window, accepts, limit === Number.POSITIVE_INFINITY ? 10 : limit, direction),
  })),
  "logs-group-ignored": broken("Grouping is ignored, so there is one sum over everything.", (base) => ({
    groupLabels: (labels, grouping) => base.groupLabels(labels, grouping?.kind === "by" ? undefined : grouping),
  })),
  "logs-group-first-label": broken("If a query groups by several labels, only the first is used.", (base) => ({
    groupLabels: (labels, grouping) =>
      base.groupLabels(labels, grouping === undefined ? grouping : { ...grouping, labels: grouping.labels.slice(0, 1) }),
  })),
  "logs-sum-as-max": broken("sum returns the largest sample.", (base) => ({
    combine: (operator, values) => base.combine(operator === "sum" ? "max" : operator, values),
  })),
  "logs-sum-of-first-three": broken("sum adds at most three samples.", (base) => ({
    combine: (operator, values) => base.combine(operator, operator === "sum" ? values.slice(0, 3) : values),
  })),
  "logs-sum-without-equals": broken("sum counts equal samples once.", (base) => ({
    combine: (operator, values) => base.combine(operator, operator === "sum" ? [...new Set(values)] : values),
  })),
  "logs-group-last-missing": wrongResult("arrangeSamples", "If there are several groups, the last is not returned.", (shown) =>
    shown.length > 1 ? shown.slice(0, -1) : shown,
  ),
  "logs-metric-negative": broken("Every tenth sample has the wrong sign.", (base) => {
    const count = counter();
    return { presentSample: (value) => base.presentSample(count("sample") % 10 === 0 ? -value : value) };
  }),
  "logs-metric-timestamp-now": broken(
    "The timestamp of a sample is the present time instead of the requested time.",
    (base, { options }) => ({
      instantTimestamp: () => base.instantTimestamp(BigInt(options.now()) * 1_000_000n),
    }),
  ),
  "logs-sample-number": broken({ clause: "logs-2.instant-result", sentence: "The sample value is a number." }, () => ({
    presentSample: (value) => value,
  })),
  "logs-bytes-final-newline-not": bytes("bytes_over_time does not count a newline at the end of a line.", (line) =>
    Buffer.byteLength(line.replace(/\n$/, ""), "utf8"),
  ),
  "logs-metric-values-of-256": eachValue("Metric results show at most 256 characters of a label value.", (text) => text.slice(0, 256)),
  "logs-metric-values-unescaped": eachValue("Metric results read escapes in label values.", (text) => text.replaceAll("\\n", "\n")),
  "logs-metric-labels-of-15": broken("Metric results show at most 15 labels.", (base) => ({
    presentInstantEntry: (metric, value) =>
      base.presentInstantEntry(Object.fromEntries(Object.entries(metric as JsonObject).slice(0, 15)), value),
  })),
  "logs-sample-without-empty-metric": eachSample("`metric` is missing when it has no labels.", (metric, value) =>
    JSON.stringify(metric) === "{}" ? { value } : { metric, value },
  ),
});
