/**
 * Metric queries put together of others: aggregations of sums, and calculations with two of them. The documents name none of these
 * forms, so that a service may refuse them; one that it takes has its meaning.
 */
import { expecting } from "../../harness/expect.ts";
import type { Trial } from "../../harness/finding.ts";
import { labelKey, type Labels, select, type Stream, summed, within } from "../../model/logs.ts";
import { type Group, groupDepartures } from "../../model/samples.ts";
import { instant } from "./asks.ts";
import type { Dataset } from "./datasets.ts";
import { metricText, type MetricAsked, metricTrial } from "./metrics.ts";

type Groups = ReadonlyMap<string, Group>;

/** A form of query as text, and the samples that it must have. */
export interface Combined {
  readonly form: string;
  readonly text: string;
  readonly expected: Groups;
  /** What the form is made of: where one of these is wrong, the form says nothing. */
  readonly parts: readonly MetricAsked[];
}

interface Aggregation {
  readonly name: string;
  readonly aggregate: (values: readonly number[]) => number;
  /** Whether its samples keep labels. */
  readonly grouped: boolean;
}

const AGGREGATIONS: readonly Aggregation[] = [
  { name: "max", aggregate: (values) => Math.max(...values), grouped: false },
  { name: "min", aggregate: (values) => Math.min(...values), grouped: true },
  { name: "avg", aggregate: (values) => values.reduce((sum, value) => sum + value, 0) / values.length, grouped: true },
  { name: "count", aggregate: (values) => values.length, grouped: false },
];

/** Which of the two stands first matters to both. */
const CALCULATIONS: Readonly<Record<string, (left: number, right: number) => number>> = {
  "-": (left, right) => left - right,
  "/": (left, right) => left / right,
};

function groupsOf(dataset: Dataset, { metric, window, matchers, filters, by }: MetricAsked): Groups {
  const streams: readonly Stream[] = within(select(dataset.streams, { matchers, filters }), window.start, window.end);
  return summed(metric, streams, Number(window.end - window.start) / 1e9, by ?? []);
}

/** What an aggregation makes of groups, by some of their labels. */
function aggregated(groups: Groups, by: readonly string[], aggregate: (values: readonly number[]) => number): Groups {
  const joined = new Map<string, { readonly labels: Labels; readonly values: number[] }>();
  for (const { labels, value } of groups.values()) {
    const kept = Object.fromEntries(by.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));
    const key = labelKey(kept);
    const { values } = joined.get(key) ?? { values: [] };
    joined.set(key, { labels: kept, values: [...values, value] });
  }
  return new Map([...joined].map(([key, { labels, values }]) => [key, { labels, value: aggregate(values) }]));
}

/** Aggregations of the sums that are `asked`, into one sample or by `outer`. */
export function aggregations(dataset: Dataset, asked: MetricAsked, outer: readonly string[]): readonly Combined[] {
  const groups = groupsOf(dataset, asked);
  const inner = metricText(dataset, asked);
  return AGGREGATIONS.map(({ name, aggregate, grouped }): Combined => {
    const head = grouped ? `${name} by (${outer.join(", ")})` : name;
    return {
      form: `${head} of sums`,
      text: `${head} (${inner})`,
      expected: aggregated(groups, grouped ? outer : [], aggregate),
      parts: [asked],
    };
  });
}

/** Calculations with two metrics of the same groups. */
export function calculations(dataset: Dataset, left: MetricAsked, right: MetricAsked): readonly Combined[] {
  const [one, other] = [groupsOf(dataset, left), groupsOf(dataset, right)];
  return Object.entries(CALCULATIONS).map(([operator, calculate]): Combined => ({
    form: `two sums with ${operator}`,
    text: `${metricText(dataset, left)} ${operator} ${metricText(dataset, right)}`,
    expected: new Map(
      [...one].flatMap(([key, { labels, value }]): [string, Group][] => {
        const second = other.get(key);
        return second === undefined ? [] : [[key, { labels, value: calculate(value, second.value) }]];
      }),
    ),
    parts: [left, right],
  }));
}

/** A form that was taken has the samples that its parts make. */
export function combinedTrial(dataset: Dataset, { form, text, expected, parts }: Combined): Trial {
  const time = parts[0]?.window.end ?? dataset.end;
  return expecting({
    clauses: "logs-4.query",
    of: dataset,
    ask: instant(text, time),
    expect: (samples) => groupDepartures(samples, expected, dataset.streams),
    cause: async (scope) => {
      for (const part of parts) {
        const finding = await metricTrial(dataset, part)(scope);
        if (finding.differences.length > 0) return finding;
      }
      return null;
    },
    input: { form },
  });
}
