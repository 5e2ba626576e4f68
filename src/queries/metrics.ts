/** Assertions about metric queries, and the clause of a wrong sample. */
import type { Asked, Window } from "../diagnosis/range-request.ts";
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { expecting } from "../harness/expect.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { type LogQuery, type MetricFunction, perStream, select, type Stream, summed, within } from "../model/logs.ts";
import { durationText, logQueryText, sumText, sumWithoutText } from "../model/query-text.ts";
import { groupDifferences, type Sample, streamDifferences, swappedDifferences, timestampDifferences } from "../model/samples.ts";
import { type As, instant } from "../datasets/requests.ts";
import type { Dataset } from "../datasets/datasets.ts";
import { lesserOf, nearest } from "./range-query.ts";
import { lastingAnswer, NOT_IMPLEMENTED, restBetween } from "./server-errors.ts";
import { hello } from "../datasets/first-push.ts";

/** A metric query over the entries of a window that ends at the asked time; no entry lies on either of its edges. */
export interface MetricAsked extends LogQuery {
  readonly metric: MetricFunction;
  readonly window: Window;
  /** The labels to sum by; null: not aggregated, a sample per stream. */
  readonly by: readonly string[] | null;
  /** Labels that a sum around this one keeps: a sum of sums. */
  readonly outer?: readonly string[];
  /** Whether the labels of `by` are said by leaving out the others. */
  readonly without?: boolean;
  /** Labels that a second reading of the query sums by: an answer of either reading is right. */
  readonly orBy?: readonly string[];
  /** How the range is written; in minutes and seconds when absent. */
  readonly written?: string;
}

function streamsOf({ streams }: Dataset, { window, matchers, filters }: MetricAsked): Stream[] {
  return within(select(streams, { matchers, filters }), window.start, window.end);
}

/** The labels of a set's streams but some, by name. */
export function othersThan({ streams }: Dataset, held: readonly string[]): string[] {
  return [...new Set(streams.flatMap(({ labels }) => Object.keys(labels)))].filter((name) => !held.includes(name)).toSorted();
}

/** The text of a metric query over a set. */
export function metricText(dataset: Dataset, { metric, window, by, outer, without, matchers, filters, written }: MetricAsked): string {
  const query = { matchers: [...dataset.matchers, ...matchers], filters };
  const range = written ?? durationText(window.end - window.start);
  if (by === null) return `${metric}(${logQueryText(query)}[${range}])`;
  const inner = without === true ? sumWithoutText(metric, query, range, othersThan(dataset, by)) : sumText(metric, query, range, by);
  return outer === undefined ? inner : `sum${outer.length === 0 ? "" : ` by (${outer.join(", ")})`} (${inner})`;
}

export const INTERNAL_ERROR = 500;
/** So often a form that is answered `INTERNAL_ERROR` for certain is so over a minute, too, until it counts as refused. */
const REFUSED_BY = 3;

/** The same form over the last minute of its ranges. */
const overTheLastMinute = (query: string): string => query.replaceAll(/\[\w+\]/gu, "[1m]");

/**
 * Whether this target takes a query of this form: the documents do not say how far the query language goes, nor how what it has not is
 * refused, so one that is answered 500 again and again, over a minute as well, is not taken. Null where it does not; else the answer, if
 * it was one of success.
 */
export function takesForm(query: string, time: bigint): (scope: Scope) => Promise<{ readonly first: Answered | undefined } | null> {
  return async (scope) => {
    const ask = async (text: string): Promise<Answered> =>
      scope.logs.probe("query of an undocumented form", "query", { query: text, time: time.toString() });
    const answer = await lastingAnswer(scope, async () => ask(query));
    const status = statusOf(answer);
    if ((status >= 400 && status < INTERNAL_ERROR) || status === NOT_IMPLEMENTED) return null;
    if (status !== INTERNAL_ERROR) return { first: isSuccess(answer) ? answer : undefined };
    for (let times = 0; times < REFUSED_BY; times += 1) {
      await restBetween(scope);
      if (statusOf(await ask(overTheLastMinute(query))) < INTERNAL_ERROR) return { first: undefined };
    }
    return null;
  };
}

/** Asks for a metric of a set at the end of a window; a range query that is answered wrongly over the same window is the cause. */
export function metricAssertion(dataset: Dataset, asked: MetricAsked, { first, ...as }: As = {}): Assertion {
  const { metric, window, by, outer, orBy, matchers, filters } = asked;
  const time = window.end;
  const seconds = Number(window.end - window.start) / 1e9;
  const streams = streamsOf(dataset, asked);
  const groups = by === null ? perStream(metric, streams, seconds) : summed(metric, streams, seconds, outer ?? by);
  const others = orBy === undefined ? null : summed(metric, streams, seconds, orBy);
  const isOtherReading = (samples: readonly Sample[]): boolean =>
    others !== null && groupDifferences(samples, others, dataset.streams).length === 0;
  const rangeAsked: Asked = { matchers, filters, window };
  // A form that the documents do not name may be refused by any status: less of the same form shows whether it is.
  const isNamed = asked.without !== true && outer === undefined;
  const lastMinute = { ...asked, window: { start: time - 60_000_000_000n, end: time }, written: "1m" };
  const lesser = isNamed ? { ...lastMinute, metric: "count_over_time" as const, by: [], matchers: [], filters: [] } : lastMinute;
  return expecting({
    clauses: ["logs-4.query"],
    of: dataset,
    ask: instant(metricText(dataset, asked), time, { ...as, first, series: groups.size }),
    expect: (samples) => {
      const swapped = swappedDifferences(samples, time);
      if (swapped.length > 0) return swapped;
      // Labels of the service's own are left where some are left out, and split a group.
      const compared = by === null || asked.without === true ? streamDifferences : groupDifferences;
      const wrong = isOtherReading(samples) ? [] : compared(samples, groups, dataset.streams);
      return [...wrong, ...timestampDifferences(samples, time)];
    },
    twin: instant(metricText(dataset, lesser), time, as),
    cause: (scope) => nearest(scope, dataset, [...lesserOf(dataset, rangeAsked), rangeAsked], as),
  });
}

/** As long as windows of a range query usually may be. */
const LONGEST = "1d";

/** Asked once; a target that refuses a day as it refuses what it cannot read is asked for no range of more than an hour. */
export const takesLongRanges: Fixture<boolean> = fixture("logs", "whether ranges of hours are accepted", async (scope) => {
  const { matchers, end } = await scope.use(hello);
  const query = sumText("count_over_time", { matchers, filters: [] }, LONGEST, []);
  return (await takesForm(query, end)(scope)) !== null;
});

/** Why a check of longer ranges does not run. */
export const LONG_RANGES_REFUSED =
  "the target refuses ranges of one day; the document does not say how long the range of a metric query may be";

/** The form of an instant result over all of a set; an answer without samples shows no form. */
export function sampleShape(dataset: Dataset, by: readonly string[]): Assertion {
  const length = ((dataset.end - dataset.start) / 1_000_000_000n) * 1_000_000_000n;
  return expecting({
    clauses: "logs-2.instant-result",
    of: dataset,
    ask: instant(sumText("count_over_time", { matchers: dataset.matchers, filters: [] }, durationText(length), by), dataset.end),
    expect: (samples) =>
      samples.length > 0
        ? { differences: [], held: ["logs-2.instant-result"] }
        : {
            differences: [
              {
                clause: "logs-4.query",
                path: "data.result",
                expected: `at least one sample, because the query counts ${dataset.entries} pushed entries`,
                actual: "none",
              },
            ],
            held: [],
          },
  });
}
