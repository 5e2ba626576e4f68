/** Handles instant metric queries: range, aggregation, grouping and result (docs/2 section 4, query). */
import type { Json, JsonObject } from "../http/message.ts";
import type { Grouping, PickingOperator, RangeFunction, SetOperator, VectorOperator } from "../logql/ast.ts";
import { type Entry, labelValue, type Labels, type Window } from "./types.ts";

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

export interface InstantBehaviour {
  /** Returns the range of `rangeNs` nanoseconds before `time`. The range includes `time` and excludes its own start. */
  readonly rangeBefore: (time: bigint, rangeNs: bigint) => Window;
  readonly evaluationTime: (time: bigint) => bigint;
  /** Returns the value of a stream that has at least one entry in the range. */
  readonly aggregateRange: (
    aggregation: RangeFunction,
    entries: readonly Entry[],
    rangeSeconds: number,
    lineBytes: (line: string) => number,
  ) => number;
  /** Returns the length of a line, as bytes_over_time counts it. */
  readonly lineBytes: (line: string) => number;
  /** Returns the labels of the group to which a sample with `labels` belongs. Without a grouping a group has no labels. */
  readonly groupLabels: (labels: Labels, grouping: Grouping | undefined) => Labels;
  /** Aggregates the values of a group with at least one sample. */
  readonly combine: (operator: VectorOperator, values: readonly number[]) => number;
  /** Returns the result of a sum over no samples. */
  readonly sumOfNothing: () => readonly Sample[];
  /** Whether a selected stream with this number of counted entries has a sample. */
  readonly hasSample: (entries: number) => boolean;
  /** Selects some of the samples of a group that has at least one sample. */
  readonly pickSamples: (operator: PickingOperator, samples: readonly Sample[], count: number) => readonly Sample[];
  /** Joins the samples of two operands with a set operator. Samples with the same labels count as equal. */
  readonly join: (operator: SetOperator, left: readonly Sample[], right: readonly Sample[]) => readonly Sample[];
  readonly arrangeSamples: (samples: readonly Sample[]) => readonly Sample[];
  readonly instantTimestamp: (time: bigint) => Json;
  readonly presentSample: (value: number) => Json;
  readonly presentInstantEntry: (metric: Json, value: readonly [timestamp: Json, sample: Json]) => Json;
  readonly presentInstant: (result: readonly Json[]) => JsonObject;
}

function groupLabels(labels: Labels, grouping: Grouping | undefined): Labels {
  if (grouping === undefined) return {};
  const names = new Set(grouping.labels);
  const kept = Object.entries(labels).filter(([name]) => names.has(name) === (grouping.kind === "by"));
  return Object.fromEntries(kept.filter(([name]) => labelValue(labels, name) !== ""));
}

function aggregateRange(
  aggregation: RangeFunction,
  entries: readonly Entry[],
  rangeSeconds: number,
  lineBytes: (line: string) => number,
): number {
  const bytes = (): number => entries.reduce((sum, { line }) => sum + lineBytes(line), 0);
  switch (aggregation) {
    case "count_over_time":
      return entries.length;
    case "rate":
      return entries.length / rangeSeconds;
    case "bytes_over_time":
      return bytes();
    case "bytes_rate":
      return bytes() / rangeSeconds;
  }
}

function combineSamples(operator: VectorOperator, values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  switch (operator) {
    case "sum":
      return sum;
    case "avg":
      return sum / values.length;
    case "min":
      return Math.min(...values);
    case "max":
      return Math.max(...values);
    case "count":
      return values.length;
  }
}

function pickSamples(operator: PickingOperator, samples: readonly Sample[], count: number): readonly Sample[] {
  return samples.toSorted((one, other) => (operator === "topk" ? other.value - one.value : one.value - other.value)).slice(0, count);
}

function join(operator: SetOperator, left: readonly Sample[], right: readonly Sample[]): readonly Sample[] {
  const ours = new Set(left.map(({ labels }) => labelsKey(labels)));
  const theirs = new Set(right.map(({ labels }) => labelsKey(labels)));
  switch (operator) {
    case "or":
      return [...left, ...right.filter(({ labels }) => !ours.has(labelsKey(labels)))];
    case "and":
      return left.filter(({ labels }) => theirs.has(labelsKey(labels)));
    case "unless":
      return left.filter(({ labels }) => !theirs.has(labelsKey(labels)));
  }
}

/** Returns a text that is the same for equal label sets. */
export function labelsKey(labels: Sample["labels"]): string {
  return JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export const INSTANT_BASE: InstantBehaviour = {
  rangeBefore: (time, rangeNs) => ({ from: time - rangeNs + 1n, to: time + 1n }),
  evaluationTime: (time) => time,
  aggregateRange,
  lineBytes: (line) => Buffer.byteLength(line, "utf8"),
  groupLabels,
  combine: combineSamples,
  sumOfNothing: () => [],
  hasSample: (entries) => entries > 0,
  pickSamples,
  join,
  arrangeSamples: (samples) => samples,
  instantTimestamp: (time) => Number(time / 1_000_000n) / 1_000,
  presentSample: String,
  presentInstantEntry: (metric, value) => ({ metric, value }),
  presentInstant: (result) => ({ status: "success", data: { resultType: "vector", result } }),
};
