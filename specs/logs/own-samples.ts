/** Section 4, query: forms over a metric of each stream, where they are taken. */
import type { CheckContext } from "../../src/harness/context.ts";
import type { Dataset } from "../../src/world/logs/datasets.ts";
import { type MetricAsked, takesForm } from "../../src/world/logs/metrics.ts";
import { nothingFollows, ofStreamsText, type OwnForm, ownTrial } from "../../src/world/logs/own-samples.ts";

/** Judges the forms that this target takes, each against the metric as it is answered by itself; says which it refuses, or answers so that nothing follows. */
export async function verifyOwn(t: CheckContext, dataset: Dataset, asked: MetricAsked, forms: readonly OwnForm[]): Promise<string[]> {
  const time = asked.window.end;
  const { seen: own } = await t.probe(takesForm(ofStreamsText(dataset, asked), time));
  if (own === null) return ["an unaggregated metric"];
  const refused: string[] = [];
  for (const form of forms) {
    const { seen: taken } = await t.probe(takesForm(form.text, time));
    if (taken === null) refused.push(form.form);
    else if (nothingFollows(form, { own, form: taken }))
      refused.push(`${form.form} (the result has labels of the service that the metric alone does not have)`);
    else await t.verify(ownTrial(dataset, asked, form, { own, form: taken }));
  }
  return refused;
}
