/** Makes checks of the log API, and the parts of checks that judge many queries. */
import { type Check, type CheckSpec, checksOf } from "../../src/harness/check.ts";
import { logsAnswer } from "../../src/datasets/first-push.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Asked } from "../../src/diagnosis/range-request.ts";
import type { CheckContext, Probed } from "../../src/harness/context.ts";
import { type Finding, together } from "../../src/harness/finding.ts";
import type { Assertion, Fixture, Scope } from "../../src/harness/scope.ts";
import type { LineFilter, Matcher, MatchOperator } from "../../src/model/logs.ts";
import type { SizedDataset } from "../../src/datasets/sized-datasets.ts";
import { type Dataset, colour } from "../../src/datasets/datasets.ts";
import type { As } from "../../src/datasets/requests.ts";
import { type MetricAsked, takesForm } from "../../src/queries/metrics.ts";
import { nothingFollows, ofStreamsText, type OwnForm, ownAssertion } from "../../src/queries/metric-self-consistency.ts";
import { selection } from "../../src/queries/range-query.ts";
import { type HourBoundaryData, hourBoundaryData } from "../../src/datasets/hour-boundary-data.ts";

export const logsCheck = checksOf("logs", logsAnswer);

/** Makes a check that does not run in smoke runs. */
export function largerCheck(spec: Omit<CheckSpec, "profiles">): Check {
  return logsCheck({ ...spec, profiles: ["release", "nightly"] });
}

/** Returns an assertion for each range query. A wrong response violates `clause`, or by default the clause that the query tests. */
export async function selections(t: CheckContext, set: Fixture<Dataset>, asked: readonly Asked[], clause?: ClauseId): Promise<Assertion[]> {
  const dataset = await t.use(set);
  return asked.map((one) => selection(dataset, one, clause));
}

/** Returns a query for each matcher. */
export function ofOne(matchers: readonly Matcher[]): Asked[] {
  return matchers.map((matcher) => ({ matchers: [matcher] }));
}

/** Returns a query for each value of the label svc_colour, which most datasets have. */
export function ofColour(operator: MatchOperator, values: readonly string[]): Asked[] {
  return ofOne(values.map((value) => colour(operator, value)));
}

export function ofChains(chains: readonly (readonly LineFilter[])[]): Asked[] {
  return chains.map((filters) => ({ filters }));
}

export const BOTH_WAYS = ["backward", "forward"] as const;

/** Wraps an assertion about old entries. If such entries disappear during the run, the wrapper reports no violation. */
export type Kept = (assertion: Assertion) => Assertion;

export const BOTH_AMOUNTS = ["count_over_time", "bytes_over_time"] as const;

/** Makes the value of an observation that has no exchange of its own. */
export function observed(seen: unknown): Probed<unknown> {
  return { seen, exchanges: [] };
}

/** Returns the ids of the two tenants of the run. */
export function tenantIds({ logsTarget: { tenantId, tenantId2 } }: CheckContext): readonly [first: string, second: string] {
  return [tenantId ?? "", tenantId2 ?? ""];
}

/** Resolves to the results of probes that are sent one after the other. */
export async function probed<T>(t: CheckContext, probes: readonly ((scope: Scope) => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  for (const probe of probes) results.push((await t.probe(probe)).seen);
  return results;
}

/** Resolves to the entries around full hours. If the target refuses or hides them, the check does not run. */
export async function aroundHours(t: CheckContext): Promise<HourBoundaryData> {
  return (
    (await t.use(hourBoundaryData)) ??
    t.notRun(
      "the target refuses entries from before the last full hour of the clock, or does not show them; the document does not say how old entries may be",
    )
  );
}

const LENGTHS_REFUSED =
  "the target refuses even the shortest of the long lines or labels of this check; the document does not say which lengths a service must accept";

/** Resolves to a dataset with the longest lines or labels that the target accepts. If it accepts no long ones, the check does not run. */
export async function longest(t: CheckContext, set: Fixture<SizedDataset | null>): Promise<SizedDataset> {
  return (await t.use(set)) ?? t.notRun(LENGTHS_REFUSED);
}

/** Runs assertions one after the other: a service may answer a query from an earlier result. Stops after a finding with `isLast`. */
export function inTurn(assertions: readonly Assertion[], isLast: (finding: Finding) => boolean = () => false): Assertion {
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

/** The suite expects a label in the lists up to this age, in ms. The documents do not say how far back lists look. */
const LISTED_MS = 240_000;

/** Whether the labels of a dataset must be in the lists. */
export function isListed({ lastWriteAt }: Dataset): boolean {
  return performance.now() - lastWriteAt < LISTED_MS;
}

export function notListed(t: CheckContext): never {
  t.notRun("the labels were pushed minutes ago; the document does not say how far back label lists look");
}

/** The options of `verifyOwn`: the headers of its requests, and a function that can wrap the assertion about a form. */
interface OwnOf {
  readonly override?: As["override"];
  readonly judged?: (assertion: Assertion, form: number) => Assertion;
}

/** Judges the forms: their samples must follow from the response to the metric. Resolves to the forms that are refused or unpredictable. */
export async function verifyOwn(
  t: CheckContext,
  dataset: Dataset,
  asked: MetricAsked,
  forms: readonly OwnForm[],
  { override, judged = (assertion) => assertion }: OwnOf = {},
): Promise<string[]> {
  const time = asked.window.end;
  const { seen: own } = await t.probe(takesForm(ofStreamsText(dataset, asked), time, override));
  if (own === null) return ["a metric without an aggregation"];
  const refused: string[] = [];
  for (const [index, form] of forms.entries()) {
    const { seen: taken } = await t.probe(takesForm(form.text, time, override));
    if (taken === null) refused.push(form.form);
    else if (nothingFollows(form, { own, form: taken }))
      refused.push(`${form.form} (its result has labels that the service added, and the result of the metric alone does not have them)`);
    else await t.verify(judged(ownAssertion(dataset, asked, form, { own: { ...own, override }, form: { ...taken, override } }), index));
  }
  return refused;
}
