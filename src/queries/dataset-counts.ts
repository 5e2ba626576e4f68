/** Counts each stream of all datasets that reads have returned as they were pushed. One request counts several datasets. */
import { orInconclusive } from "../client/inconclusive.ts";
import { asDataset, inGroups } from "../datasets/read-back.ts";
import { type Dataset, unionOf } from "../datasets/datasets.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { kindOf } from "../model/difference.ts";
import type { MetricFunction } from "../model/logs.ts";
import { MINUTE } from "../model/times.ts";
import { metricAssertion } from "./metrics.ts";
import { countOf } from "./window-cases.ts";

/** The maximum number of streams that one request counts. A service may refuse results with many samples. */
const MOST_STREAMS = 150;
/** The maximum length of the range of a count, in ns. A service may refuse longer ranges. */
const LONGEST = 20n * MINUTE;

/** Returns assertions that each stream of each dataset has the right sample. */
export async function everyStreamCounted({ run, service }: Scope, metric: MetricFunction): Promise<Assertion[]> {
  const datasets = run.revisits.flatMap((revisit) => {
    const dataset =
      revisit.service === service && revisit.resource.lastWriteAt === revisit.lastWriteAt ? asDataset(revisit.resource) : null;
    return dataset === null || dataset.end - dataset.start > LONGEST ? [] : [dataset];
  });
  const groups = inGroups([...new Set(datasets)], (group) => {
    const { streams, start, end } = unionOf(group);
    return streams.length <= MOST_STREAMS && end - start <= LONGEST;
  });
  const counted = (dataset: Dataset): Assertion => metricAssertion(dataset, countOf(dataset, { metric, by: null }));
  return groups.map((group) => async (scope) => {
    const finding = await orInconclusive<Finding | null>(
      async () => counted(unionOf(group))(scope),
      () => null,
    );
    if (finding?.differences.length === 0) return finding;
    // A target may refuse a query over many streams. If not, the query of one dataset is a smaller input than the query of all.
    const alone = together(await Promise.all(group.map(async (dataset) => counted(dataset)(scope))));
    const isAnswered = finding !== null && !finding.differences.some((one) => ["status", "refused"].includes(kindOf(one)));
    return isAnswered && alone.differences.length === 0 ? finding : alone;
  });
}
