/** Makes assertions about metric queries, and finds the clause that a wrong sample violates. */
import { miscountText, shareText } from "../diagnosis/miscounts.ts";
import { mistakenText } from "../diagnosis/mistaken.ts";
import type { Asked, Window } from "../diagnosis/range-request.ts";
import { unlessUnknownForm, lastingAnswer, NOT_IMPLEMENTED, restBetween } from "./unknown-forms.ts";
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import type { LogsOverride } from "../client/logs.ts";
import { expecting } from "../harness/expect.ts";
import { difference } from "../model/difference.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import { type LogQuery, type MetricFunction, perStream, select, type Stream, summed, within } from "../model/logs.ts";
import { durationText, logQueryText, sumText, sumWithoutText } from "../model/query-text.ts";
import {
  type Group,
  groupDifferences,
  type Sample,
  streamDifferences,
  swappedDifferences,
  timestampDifferences,
} from "../model/samples.ts";
import { type As, instant } from "../datasets/requests.ts";
import type { Dataset } from "../datasets/datasets.ts";
import { lesserOf, nearest } from "./range-query.ts";
import { hello } from "../datasets/first-push.ts";

/** A metric query over the entries of a window. The window ends at the time of the query, and no entry is exactly at an edge. */
export interface MetricAsked extends LogQuery {
  readonly metric: MetricFunction;
  readonly window: Window;
  /** The labels of the sum. With null, the query has no aggregation, so each stream has one sample. */
  readonly by: readonly string[] | null;
  /** The labels of a second sum around this sum. */
  readonly outer?: readonly string[];
  /** True if the query does not write `by` with these labels, but `without` with all other labels. */
  readonly without?: boolean;
  /** The query has two possible meanings. These are the labels of the sum in the second. A response with either meaning is right. */
  readonly orBy?: readonly string[];
  /** The text of the range in the query. By default, the range is written in minutes and seconds. */
  readonly written?: string;
}

/** The properties of a metric query that counts all entries in one sum. */
export const COUNT = { metric: "count_over_time", by: [], matchers: [], filters: [] } as const satisfies Omit<MetricAsked, "window">;

/** Returns the streams with the entries that a metric query selects. */
export function streamsOf({ streams }: Dataset, { window, matchers, filters }: MetricAsked): Stream[] {
  return within(select(streams, { matchers, filters }), window.start, window.end);
}

/** Returns the label names of a dataset without those in `held`, in alphabetical order. */
export function othersThan({ streams }: Dataset, held: readonly string[]): string[] {
  return [...new Set(streams.flatMap(({ labels }) => Object.keys(labels)))].filter((name) => !held.includes(name)).toSorted();
}

/** Returns the text of a metric query for a dataset. */
export function metricText(dataset: Dataset, { metric, window, by, outer, without, matchers, filters, written }: MetricAsked): string {
  const query = { matchers: [...dataset.matchers, ...matchers], filters };
  const range = written ?? durationText(window.end - window.start);
  if (by === null) return `${metric}(${logQueryText(query)}[${range}])`;
  const inner = without === true ? sumWithoutText(metric, query, range, othersThan(dataset, by)) : sumText(metric, query, range, by);
  return outer === undefined ? inner : `sum${outer.length === 0 ? "" : ` by (${outer.join(", ")})`} (${inner})`;
}

export const INTERNAL_ERROR = 500;
/** If this number of queries over the last minute are all answered 500, the target refuses the form of the query. */
const REFUSED_BY = 3;

/** Returns the same query with ranges of one minute. */
const overTheLastMinute = (query: string): string => query.replaceAll(/\[\w+\]/gu, "[1m]");

/**
 * Finds out whether the target accepts the form of a query. A form that always gets 500 counts as refused. Resolves to null if the form is
 * refused. Otherwise `first` has the response, if it was successful.
 */
export function takesForm(
  query: string,
  time: bigint,
  override?: LogsOverride,
): (scope: Scope) => Promise<{ readonly first: Answered | undefined } | null> {
  return async (scope) => {
    const ask = async (text: string): Promise<Answered> =>
      scope.logs.probe("query of an undocumented form", "query", { query: text, time: time.toString() }, override);
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

/** The least value of a sample that shows which entries were counted. Two smaller values may be equal by coincidence. */
const TELLING_SAMPLE = 10;

/** Judges a metric query at the end of its window. If a range query over this window is wrong too, its clause is violated. */
export function metricAssertion(dataset: Dataset, asked: MetricAsked, { first, ...as }: As = {}): Assertion {
  const { metric, window, by, outer, orBy, matchers, filters } = asked;
  const time = window.end;
  const seconds = Number(window.end - window.start) / 1e9;
  const streams = streamsOf(dataset, asked);
  const grouped = (some: readonly Stream[]): ReadonlyMap<string, Group> =>
    by === null ? perStream(metric, some, seconds) : summed(metric, some, seconds, outer ?? by);
  const groups = grouped(streams);
  const others = orBy === undefined ? null : summed(metric, streams, seconds, orBy);
  const isOtherReading = (samples: readonly Sample[]): boolean =>
    others !== null && groupDifferences(samples, others, dataset.streams).length === 0;
  const rangeAsked: Asked = { matchers, filters, window };
  // A target may refuse an undocumented form with any status. So the control request has the same form with a smaller range.
  const isNamed = asked.without !== true && outer === undefined;
  const lastMinute = { ...asked, window: { start: time - 60_000_000_000n, end: time }, written: "1m" };
  const lesser = isNamed ? { ...lastMinute, ...COUNT } : lastMinute;
  return expecting({
    clauses: ["logs-4.query"],
    of: dataset,
    ask: instant(metricText(dataset, asked), time, { ...as, first, series: groups.size }),
    expect: (samples) => {
      const swapped = swappedDifferences(samples, time);
      if (swapped.length > 0) return swapped;
      // Labels that the service adds stay in a sum with `without`, and can split a group.
      const compared = by === null || asked.without === true ? streamDifferences : groupDifferences;
      const wrong = isOtherReading(samples) ? [] : compared(samples, groups, dataset.streams);
      const isTelling = samples.some(({ value }) => value >= TELLING_SAMPLE);
      const explains = (some: readonly Stream[]): boolean => compared(samples, grouped(some), dataset.streams).length === 0;
      const mistaken = wrong.length > 0 && isTelling ? mistakenText(dataset.streams, asked, window, explains) : undefined;
      const miscount = wrong.length > 0 && isTelling ? miscountText(metric, streams, explains) : undefined;
      const share = by?.length === 0 && metric === "count_over_time" ? shareText(streams, samples) : undefined;
      const contrast = mistaken ?? miscount ?? share;
      return [...wrong.map((one) => (contrast === undefined ? one : { ...one, contrast })), ...timestampDifferences(samples, time)];
    },
    twin: instant(metricText(dataset, lesser), time, as),
    unless: unlessUnknownForm({ matchers, filters }),
    cause: (scope) => nearest(scope, dataset, [...lesserOf(dataset, rangeAsked), rangeAsked], as),
    contrast: "a range query for the same entries is answered correctly",
  });
}

/** The longest window that most targets accept in a range query. */
const LONGEST = "1d";

/** Whether the target accepts a range of one day. If not, no check uses ranges of more than 1 h. */
export const takesLongRanges = fixture<boolean>("logs", "whether ranges of hours are accepted", async (scope) => {
  const { matchers, end } = await scope.use(hello);
  const query = sumText("count_over_time", { matchers, filters: [] }, LONGEST, []);
  return (await takesForm(query, end)(scope)) !== null;
});

/** The reason why a check does not run if the target refuses longer ranges. */
export const LONG_RANGES_REFUSED =
  "the target refuses ranges of one day; the document does not say how long the range of a metric query may be";

/** Returns an assertion about the JSON form of an instant result. A response without samples does not show the form. */
export function sampleShape(dataset: Dataset, by: readonly string[]): Assertion {
  const length = ((dataset.end - dataset.start) / 1_000_000_000n) * 1_000_000_000n;
  return expecting({
    clauses: "logs-2.instant-result",
    of: dataset,
    ask: instant(sumText("count_over_time", { matchers: dataset.matchers, filters: [] }, durationText(length), by), dataset.end),
    expect: (samples) => {
      if (samples.length > 0) return { differences: [], held: ["logs-2.instant-result"] };
      const expected = `at least one sample, because the query counts ${dataset.entries} pushed entries`;
      return { differences: [difference("logs-4.query", "data.result", expected, "none", "too-few")], held: [] };
    },
  });
}
