/** Evaluates a metric query at a point in time. */
import { calculate, compare } from "../logql/calculate.ts";
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import {
  type BinaryOperation,
  type Grouping,
  isComparison,
  isSetOperator,
  type MetricQuery,
  type Picking,
  type RangeAggregation,
  type VectorAggregation,
} from "../logql/ast.ts";
import { labelsKey, type Sample } from "./instant.ts";
import { gatherSamples } from "./batches.ts";
import { readStreams } from "./reading.ts";
import type { Reading } from "./types.ts";

export interface Evaluation {
  readonly time: bigint;
  readonly tenants: readonly string[];
  readonly behaviour: Behaviour;
  readonly server: ServerHandle;
}

const COUNTING: Reading = { path: "instant", limit: Number.POSITIVE_INFINITY, direction: "forward" };

export function evaluate(query: MetricQuery, evaluation: Evaluation): readonly Sample[] {
  switch (query.kind) {
    case "range":
      return evaluateRange(query, evaluation);
    case "vector":
      return evaluateVector(query, evaluation);
    case "picking":
      return evaluatePicking(query, evaluation);
    case "binary":
      return evaluateBinary(query, evaluation);
  }
}

function evaluateBinary({ operator, left, right, bool }: BinaryOperation, evaluation: Evaluation): readonly Sample[] {
  const { behaviour } = evaluation;
  const ours = left.kind === "number" ? [] : evaluate(left, evaluation);
  const theirs = right.kind === "number" ? [] : evaluate(right, evaluation);
  if (isSetOperator(operator)) return behaviour.join(operator, ours, theirs);
  const combined = (sample: Sample, one: number, other: number): Sample[] => {
    if (isComparison(operator)) {
      const isLeft = compare(operator, one, other);
      if (bool === true) return [{ ...sample, value: isLeft ? 1 : 0 }];
      return isLeft ? [sample] : [];
    }
    return [{ ...sample, value: calculate(operator, one, other) }];
  };
  if (left.kind === "number") return theirs.flatMap((sample) => combined(sample, left.value, sample.value));
  if (right.kind === "number") return ours.flatMap((sample) => combined(sample, sample.value, right.value));
  const others = new Map(theirs.map(({ labels, value }) => [labelsKey(labels), value]));
  return ours.flatMap((sample) => {
    const other = others.get(labelsKey(sample.labels));
    return other === undefined ? [] : combined(sample, sample.value, other);
  });
}

function evaluateRange(
  { query, rangeNs, offsetNs, function: aggregation }: RangeAggregation,
  { time, tenants, behaviour, server }: Evaluation,
): Sample[] {
  const window = behaviour.rangeBefore(time - offsetNs, rangeNs);
  const rangeSeconds = Number(rangeNs) / 1e9;
  return readStreams(query, window, { ...COUNTING }, tenants, behaviour, server).flatMap(({ labels, entries }) => {
    const counted = gatherSamples(entries, behaviour);
    if (!behaviour.hasSample(counted.length)) return [];
    return [
      {
        labels: behaviour.labelsOnRead(labels, "metric"),
        value: behaviour.aggregateRange(aggregation, counted, rangeSeconds, behaviour.lineBytes),
      },
    ];
  });
}

interface Group {
  readonly labels: Sample["labels"];
  readonly samples: Sample[];
}

function groupsOf(samples: readonly Sample[], grouping: Grouping | undefined, behaviour: Behaviour): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const sample of samples) {
    const kept = behaviour.groupLabels(sample.labels, grouping);
    const key = labelsKey(kept);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { labels: kept, samples: [sample] });
    else group.samples.push(sample);
  }
  return [...groups.values()];
}

function evaluateVector({ operator, grouping, inner }: VectorAggregation, evaluation: Evaluation): readonly Sample[] {
  const { behaviour } = evaluation;
  const samples = evaluate(inner, evaluation);
  if (samples.length === 0) return operator === "sum" ? behaviour.sumOfNothing() : [];
  return groupsOf(samples, grouping, behaviour).map((group) => ({
    labels: group.labels,
    value: behaviour.combine(
      operator,
      group.samples.map(({ value }) => value),
    ),
  }));
}

function evaluatePicking({ operator, count, grouping, inner }: Picking, evaluation: Evaluation): Sample[] {
  const { behaviour } = evaluation;
  return groupsOf(evaluate(inner, evaluation), grouping, behaviour).flatMap(({ samples }) =>
    behaviour.pickSamples(operator, samples, count),
  );
}
