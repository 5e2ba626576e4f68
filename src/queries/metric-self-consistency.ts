/**
 * Aggregations and calculations over an unaggregated metric. A service may refuse them. A service may also split a stream by labels that it
 * adds. So results are compared with the response of the same service to the metric.
 */
import { expecting, malformedFirst } from "../harness/expect.ts";
import type { Assertion } from "../harness/scope.ts";
import { show } from "../model/difference.ts";
import { labelKey, type Labels } from "../model/logs.ts";
import { joinedByPushed, sameSample, type Sample, type Aggregate, AGGREGATES } from "../model/samples.ts";
import { type As, instant, samplesOf } from "../datasets/requests.ts";
import type { Dataset } from "../datasets/datasets.ts";
import { type MetricAsked, metricText, metricAssertion, othersThan } from "./metrics.ts";

/** An aggregation or calculation over the samples of a metric. Its result is a value for each group, or some of the samples unchanged. */
export interface OwnForm {
  readonly form: string;
  readonly text: string;
  /** True if the samples of the metric do not determine the result. By default, they always determine it. */
  readonly isOpen?: (samples: readonly Sample[], own: readonly Sample[]) => boolean;
  /** Compares the samples of the form with those that follow from the metric. Returns the difference, or null if they agree. */
  readonly interrupted: (
    samples: readonly Sample[],
    own: readonly Sample[],
  ) => { readonly expected: string; readonly actual: string } | null;
}

/** Returns the text of a metric query without aggregation. */
export function ofStreamsText(dataset: Dataset, asked: MetricAsked): string {
  return metricText(dataset, { ...asked, by: null });
}

function grouped(samples: readonly Sample[], by: readonly string[]): Map<string, { readonly labels: Labels; readonly all: Sample[] }> {
  const groups = new Map<string, { readonly labels: Labels; readonly all: Sample[] }>();
  for (const sample of samples) {
    const labels = Object.fromEntries(
      by.flatMap((name) => ((sample.metric[name] ?? "") === "" ? [] : [[name, sample.metric[name] ?? ""]])),
    );
    const group = groups.get(labelKey(labels)) ?? { labels, all: [] };
    groups.set(labelKey(labels), group);
    group.all.push(sample);
  }
  return groups;
}

type Naming = "by" | "without";

/**
 * Returns an aggregation of an unaggregated metric. With `without`, labels that the service adds stay in the groups.
 * If the service adds other labels to the metric than to the form, the result of the form cannot be predicted.
 */
export function aggregateOf(
  name: Aggregate,
  dataset: Dataset,
  asked: MetricAsked,
  by: readonly string[] = [],
  naming: Naming = "by",
): OwnForm {
  const others = othersThan(dataset, by);
  const ofService = (samples: readonly Sample[]): string[] =>
    [...new Set(samples.flatMap(({ metric }) => Object.keys(metric)))]
      .filter((label) => !by.includes(label) && !others.includes(label))
      .toSorted();
  const head = by.length === 0 ? name : `${name} ${naming} (${(naming === "by" ? by : others).join(", ")}) `;
  return {
    form: `${name}${by.length === 0 ? "" : ` ${naming} labels`} of a metric without an aggregation`,
    text: `${head}(${ofStreamsText(dataset, asked)})`,
    // A service may return either no sample or 0 for the sum of no samples.
    isOpen: (samples, own) =>
      (name === "sum" && own.length === 0) ||
      (naming === "without" && samples.length > 0 && ofService(samples).join() !== ofService(own).join()),
    interrupted: (samples, own) => {
      const names = naming === "by" ? by : [...by, ...ofService(own)];
      const wanted = grouped(own, names);
      const found = grouped(samples, names);
      const wrong = [...wanted].find(([key, { all }]) => {
        const [only, ...others] = found.get(key)?.all ?? [];
        return only === undefined || others.length > 0 || !sameSample(only.value, AGGREGATES[name](all.map(({ value }) => value)));
      });
      if (wrong === undefined && samples.length === wanted.size) return null;
      const [key, { labels, all }] = wrong ?? ["", { labels: {}, all: own }];
      const expected =
        wrong === undefined
          ? `${wanted.size} samples, one for each group of the metric`
          : `one sample ${AGGREGATES[name](all.map(({ value }) => value))} for ${show(labels)}, the ${name} of the ${all.length} samples of the metric`;
      return { expected, actual: show(wrong === undefined ? samples : (found.get(key)?.all ?? [])) };
    },
  };
}

const EXTREMES = {
  greatest: { operator: "topk", compare: (one: number, other: number): number => other - one },
  least: { operator: "bottomk", compare: (one: number, other: number): number => one - other },
} as const;

/** Returns the `count` greatest or least samples, of all or of each group. The order of samples and ties are not defined. */
export function extremesOf(
  which: keyof typeof EXTREMES,
  count: number,
  dataset: Dataset,
  asked: MetricAsked,
  by: readonly string[] = [],
): OwnForm {
  const { operator, compare } = EXTREMES[which];
  const valuesOf = (samples: readonly Sample[]): number[] => samples.map(({ value }) => value).toSorted(compare);
  return {
    form: `the ${which}${by.length === 0 ? "" : " by labels"} of a metric without an aggregation`,
    text: `${operator}${by.length === 0 ? "" : ` by (${by.join(", ")}) `}(${count}, ${ofStreamsText(dataset, asked)})`,
    interrupted: (samples, own) => {
      const known = new Map(own.map(({ metric, value }) => [labelKey(metric), value]));
      const stranger = samples.find(({ metric, value }) => !sameSample(known.get(labelKey(metric)) ?? Number.NaN, value));
      if (stranger !== undefined)
        return { expected: "only samples that the same query without topk or bottomk returns", actual: show(stranger) };
      const found = grouped(samples, by);
      for (const [key, { labels, all }] of grouped(own, by)) {
        const wanted = valuesOf(all).slice(0, count);
        const shown = valuesOf(found.get(key)?.all ?? []);
        if (wanted.length === shown.length && wanted.every((value, index) => sameSample(value, shown[index] ?? Number.NaN))) continue;
        const of = by.length === 0 ? "" : ` for ${show(labels)}`;
        return {
          expected: `the ${wanted.length} ${which} of ${all.length}${of}: ${wanted.join(", ")}`,
          actual: shown.join(", ") || "none",
        };
      }
      return null;
    },
  };
}

/** The responses to a metric and to a query over this metric. The run has just received both responses. */
interface First {
  readonly own: As;
  readonly form: As;
}

/** Whether the response to a query over a metric cannot be predicted from the response to the metric. */
export function nothingFollows({ isOpen }: OwnForm, { own, form }: First): boolean {
  if (isOpen === undefined || own.first === undefined || form.first === undefined) return false;
  const [samples, ofMetric] = [samplesOf(form.first).answer, samplesOf(own.first).answer];
  return samples !== null && ofMetric !== null && isOpen(samples, ofMetric);
}

/**
 * Returns an assertion: if a query that contains another query is accepted, its samples can be computed from the response to the inner
 * query.
 */
export function ownAssertion(
  dataset: Dataset,
  asked: MetricAsked,
  { form, text, interrupted, isOpen = () => false }: OwnForm,
  first: First,
): Assertion {
  const time = asked.window.end;
  const [askOwn, askForm] = [instant(ofStreamsText(dataset, asked), time, first.own), instant(text, time, first.form)];
  return expecting({
    clauses: "logs-4.query",
    of: dataset,
    ask: async (scope) => {
      const parts = [await askOwn(scope), await askForm(scope)];
      const [own = null, samples = null] = parts.map(({ answer }) => answer);
      return {
        answer: own === null || samples === null ? null : { own, samples },
        malformed: parts.flatMap(({ malformed }) => malformed),
        exchanges: malformedFirst(parts.toReversed()),
      };
    },
    expect: ({ own, samples }) => {
      if (isOpen(samples, own)) return [];
      const [whole, shown] = [own, samples].map((all) => joinedByPushed(all, dataset.streams));
      // A service may split a stream into several samples before or after the aggregation. So a result is also right if it follows from one
      // sample per stream.
      const isOfWhole = [samples, shown ?? []].some((all) => interrupted(all, whole ?? []) === null);
      const wrong = isOfWhole ? null : interrupted(samples, own);
      return wrong === null ? [] : [{ clause: "logs-4.query", path: "data.result", kind: "sample", ...wrong }];
    },
    cause: async (scope) => {
      const whole = await metricAssertion(dataset, { ...asked, by: null }, { override: first.own.override })(scope);
      return whole.differences.length > 0 ? whole : null;
    },
    input: { form },
  });
}
