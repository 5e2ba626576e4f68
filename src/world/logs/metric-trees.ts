/** Metric queries of any depth over a set: what they look like, and the samples that their sums make. */
import type { MetricTree, SumTree } from "../../arbitraries/metric-trees.ts";
import type { Assertion } from "../../harness/scope.ts";
import { labelKey } from "../../model/logs.ts";
import { CALCULATIONS, type Operator } from "../../model/metric-arithmetic.ts";
import { aggregated, calculated, type Combined, combinedTrial, type Groups, groupsOf, timeOf } from "./combined.ts";
import type { Dataset } from "./datasets.ts";
import { type MetricAsked, metricText, metricTrial, takesForm } from "./metrics.ts";

/** What binds more closely is higher. */
const BINDING = { "+": 1, "-": 1, "*": 2, "/": 2 } as const satisfies Readonly<Record<Operator, number>>;

/** How a sum of a tree is asked for. */
type AskedFor = (sum: SumTree) => MetricAsked;

function sumsOf(tree: MetricTree): readonly SumTree[] {
  if (tree.kind === "sum") return [tree];
  return tree.kind === "pair" ? [...sumsOf(tree.left), ...sumsOf(tree.right)] : sumsOf(tree.of);
}

/** In parentheses where what stands around it would take it apart. */
function operandText(dataset: Dataset, operand: MetricTree, operator: Operator, isRight: boolean, asked: AskedFor): string {
  const text = treeText(dataset, operand, asked);
  if (operand.kind === "sum" || operand.kind === "aggregate") return text;
  const [own, around] = [BINDING[operand.operator], BINDING[operator]];
  return own < around || (isRight && own === around) ? `(${text})` : text;
}

function treeText(dataset: Dataset, tree: MetricTree, asked: AskedFor): string {
  switch (tree.kind) {
    case "sum":
      return metricText(dataset, asked(tree));
    case "aggregate":
      return `${tree.aggregate}${tree.by.length === 0 ? "" : ` by (${tree.by.join(", ")})`} (${treeText(dataset, tree.of, asked)})`;
    case "number":
      return tree.before
        ? `${tree.number} ${tree.operator} ${operandText(dataset, tree.of, tree.operator, true, asked)}`
        : `${operandText(dataset, tree.of, tree.operator, false, asked)} ${tree.operator} ${tree.number}`;
    case "pair":
      return `${operandText(dataset, tree.left, tree.operator, false, asked)} ${tree.operator} ${operandText(dataset, tree.right, tree.operator, true, asked)}`;
  }
}

function samplesOf(dataset: Dataset, tree: MetricTree, asked: AskedFor): Groups {
  switch (tree.kind) {
    case "sum":
      return groupsOf(dataset, asked(tree));
    case "aggregate":
      return aggregated(samplesOf(dataset, tree.of, asked), tree.by, tree.aggregate);
    case "number": {
      const calculate = CALCULATIONS[tree.operator];
      return new Map(
        [...samplesOf(dataset, tree.of, asked).values()].map(({ labels, value }) => [
          labelKey(labels),
          { labels, value: tree.before ? calculate(tree.number, value) : calculate(value, tree.number) },
        ]),
      );
    }
    case "pair":
      return calculated(samplesOf(dataset, tree.left, asked), samplesOf(dataset, tree.right, asked), CALCULATIONS[tree.operator]);
  }
}

/** A tree as a form that a target may take. */
export function treeForm(dataset: Dataset, tree: MetricTree, asked: AskedFor): Combined {
  return {
    form: "a nested metric query",
    text: treeText(dataset, tree, asked),
    expected: samplesOf(dataset, tree, asked),
    parts: sumsOf(tree).map(asked),
  };
}

/** Where a form is taken it has the samples that its parts make; where it is refused, which it may be, its first part is judged. */
export function whereTaken(dataset: Dataset, form: Combined): Assertion {
  return async (scope) => {
    const taken = await takesForm(form.text, timeOf(form))(scope);
    const [part] = form.parts;
    if (taken === null && part !== undefined) return metricTrial(dataset, part)(scope);
    return combinedTrial(dataset, form, taken ?? {})(scope);
  };
}
