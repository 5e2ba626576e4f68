/** Counts each stream of all datasets that reads have returned as they were pushed. A request counts several datasets. */
import { orInconclusive } from "../client/inconclusive.ts";
import { asDataset, inGroups } from "../datasets/read-back.ts";
import { type Dataset, SET_LABEL, unionOf } from "../datasets/datasets.ts";
import { instant } from "../datasets/requests.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { entryKey } from "../model/assigned.ts";
import { entriesOf, type MetricFunction, perStream } from "../model/logs.ts";
import { streamDifferences } from "../model/samples.ts";
import { MINUTE } from "../model/times.ts";
import { metricAssertion, metricText } from "./metrics.ts";
import { countOf } from "./window-cases.ts";

/** The maximum number of streams that one request counts. A service may refuse results with many samples. */
const MOST_STREAMS = 150;
/** The maximum length of the range of a count, in ns. A service may refuse longer ranges. */
const LONGEST = 20n * MINUTE;

/** A metric function whose sample does not depend on the length of the range. */
type Amount = Exclude<MetricFunction, "rate">;

/** Returns assertions that each stream of each dataset has the right sample. */
export async function everyStreamCounted({ run, service }: Scope, metric: Amount): Promise<readonly Assertion[]> {
  const datasets = run.revisits.flatMap((revisit) => {
    const dataset =
      revisit.service === service && revisit.resource.lastWriteAt === revisit.lastWriteAt ? asDataset(revisit.resource) : null;
    return dataset === null || dataset.end - dataset.start > LONGEST || hasEqualEntries(dataset) ? [] : [dataset];
  });
  const groups = inGroups([...new Set(datasets)], (group) => {
    const { streams, start, end } = unionOf(group);
    return streams.length <= MOST_STREAMS && end - start <= LONGEST;
  });
  return groups.map((group) => async (scope) => {
    const joint = await orInconclusive(
      async () => countedTogether(scope, unionOf(group), metric),
      () => null,
    );
    if (joint !== null) return joint;
    const alone = group.map(async (dataset) => metricAssertion(dataset, countOf(dataset, { metric, by: null }))(scope));
    return together(await Promise.all(alone));
  });
}

/** Whether several streams have an equal entry. Some real services count such entries only once, and a separate check judges this. */
function hasEqualEntries({ streams, entries }: Dataset): boolean {
  return new Set(entriesOf(streams).map(entryKey)).size < entries;
}

/** Counts several datasets once. Resolves to null if the response is wrong. A target may refuse a query over many streams. */
async function countedTogether(scope: Scope, union: Dataset, metric: Amount): Promise<Finding | null> {
  const asked = countOf(union, { metric, by: null });
  const query = metricText(union, asked);
  const { answer, exchanges } = await instant(query, asked.window.end, { series: union.streams.length })(scope);
  const names = new Set(union.streams.map(({ labels }) => labels[SET_LABEL]));
  // A target that does not anchor expressions also counts datasets with longer names.
  const own = answer?.filter((sample) => names.has(sample.metric[SET_LABEL])) ?? [];
  const isRight = answer !== null && streamDifferences(own, perStream(metric, union.streams, 0), union.streams).length === 0;
  return isRight ? { clauses: ["logs-4.query"], differences: [], exchanges } : null;
}
