/** Functions that tables of queries share: rows, sequences of rows, and the reasons why a row is not run. */
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Asked } from "../../src/diagnosis/range-request.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { type Finding, together } from "../../src/harness/finding.ts";
import type { Assertion, Fixture } from "../../src/harness/scope.ts";
import type { LineFilter, Matcher, MatchOperator } from "../../src/model/logs.ts";
import type { SizedDataset } from "../../src/datasets/large-datasets.ts";
import { EVERYTHING, metricCut } from "../../src/queries/window-cases.ts";
import type { Dataset } from "../../src/datasets/datasets.ts";
import { type MetricAsked, takesForm } from "../../src/queries/metrics.ts";
import { nothingFollows, ofStreamsText, type OwnForm, ownAssertion } from "../../src/queries/metric-self-consistency.ts";
import { selection } from "../../src/queries/range-query.ts";

/** An assertion for each range query of a dataset. `clause` is the clause of a wrong response, unless the query itself determines it. */
export async function selections(t: CheckContext, set: Fixture<Dataset>, asked: readonly Asked[], clause?: ClauseId): Promise<Assertion[]> {
  const dataset = await t.use(set);
  return asked.map((one) => selection(dataset, one, clause));
}

/** A query for each matcher. */
export function ofOne(matchers: readonly Matcher[]): Asked[] {
  return matchers.map((matcher) => ({ matchers: [matcher] }));
}

/** A query for each value of the label that most datasets have. */
export function ofColour(operator: MatchOperator, values: readonly string[]): Asked[] {
  return ofOne(values.map((value) => ({ name: "svc_colour", operator, value })));
}

/** A query for each chain of line filters. */
export function ofChains(chains: readonly (readonly LineFilter[])[]): Asked[] {
  return chains.map((filters) => ({ filters }));
}

/** A metric query that counts the selected entries of a dataset. */
export function countOf(dataset: Dataset, asked: Partial<MetricAsked>): MetricAsked {
  return metricCut(dataset, EVERYTHING, { metric: "count_over_time", by: [], matchers: [], filters: [], ...asked });
}

const LENGTHS_REFUSED =
  "the target refuses even the shortest long line or label of this check; the document does not say which lengths a service must accept";

/**
 * Long lines or labels, with the largest lengths that the target accepts. If the target accepts none, the check or its part does not run.
 */
export async function longest(t: CheckContext, set: Fixture<SizedDataset | null>): Promise<SizedDataset> {
  return (await t.use(set)) ?? t.notRun(LENGTHS_REFUSED);
}

/** Assertions that run one after the other, because a service may answer one from the result of another. */
export function inTurn(assertions: readonly Assertion[]): Assertion {
  return sequence(assertions, () => false);
}

/** Assertions that run one after the other until one finds a violation, because each of them needs many requests to find its cause. */
export function untilWrong(assertions: readonly Assertion[]): Assertion {
  return sequence(assertions, ({ differences }) => differences.length > 0);
}

function sequence(assertions: readonly Assertion[], isLast: (finding: Finding) => boolean): Assertion {
  return async (scope) => {
    const findings: Finding[] = [];
    for (const assertion of assertions) {
      const finding = await assertion(scope);
      findings.push(finding);
      if (isLast(finding)) break;
    }
    return together(findings);
  };
}

export function anyCaseUnknown(t: CheckContext): never {
  t.notRun("the target does not read (?i) as case-insensitive; the document does not show the syntax of regular expressions");
}

/** The age in ms up to which a label must be in the lists. The documents do not say how far back lists look. */
const LISTED_MS = 240_000;

/** Whether the labels of a dataset must be in the lists. */
export function isListed({ lastWriteAt }: Dataset): boolean {
  return performance.now() - lastWriteAt < LISTED_MS;
}

export function notListed(t: CheckContext): never {
  t.notRun("the labels were pushed minutes ago; the document does not say how far back label lists look");
}

/**
 * Judges the forms that this target accepts, each with the response to the metric alone. Resolves to the forms that are refused or cannot
 * be predicted.
 */
export async function verifyOwn(t: CheckContext, dataset: Dataset, asked: MetricAsked, forms: readonly OwnForm[]): Promise<string[]> {
  const time = asked.window.end;
  const { seen: own } = await t.probe(takesForm(ofStreamsText(dataset, asked), time));
  if (own === null) return ["an unaggregated metric"];
  const refused: string[] = [];
  for (const form of forms) {
    const { seen: taken } = await t.probe(takesForm(form.text, time));
    if (taken === null) refused.push(form.form);
    else if (nothingFollows(form, { own, form: taken }))
      refused.push(`${form.form} (its result has labels that the service added, and the result of the metric alone does not have them)`);
    else await t.verify(ownAssertion(dataset, asked, form, { own, form: taken }));
  }
  return refused;
}
