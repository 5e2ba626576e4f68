/** Instant metric queries: range, aggregation, grouping and result (docs/2 section 4, query). */
import type { Json, JsonObject } from "../http/message.ts";
import type { Calculation, Comparison, Grouping, PickingOperator, RangeFunction, SetOperator, VectorOperator } from "../logql/ast.ts";
import { calculate } from "../logql/calculate.ts";
import { type Entry, labelValue, type Labels, type Window } from "./types.ts";

/** One sample of a metric query. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

export interface InstantBehaviour {
  /** The times that a range of `rangeNs` before `time` covers: `time` itself, but not its other end. */
  readonly rangeBefore: (time: bigint, rangeNs: bigint) => Window;
  /** The time at which a query is evaluated. */
  readonly evaluationTime: (time: bigint) => bigint;
  /** The sample of one stream; its entries are at least one. */
  readonly aggregateRange: (
    aggregation: RangeFunction,
    entries: readonly Entry[],
    rangeSeconds: number,
    lineBytes: (line: string) => number,
  ) => number;
  /** The length of a line as bytes_over_time counts it. */
  readonly lineBytes: (line: string) => number;
  /** The labels a group keeps; undefined grouping: none. */
  readonly groupLabels: (labels: Labels, grouping: Grouping | undefined) => Labels;
  /** One sample out of those of a group, which are at least one. */
  readonly combine: (operator: VectorOperator, values: readonly number[]) => number;
  /** What a sum is of no samples, also within a query. */
  readonly sumOfNothing: () => readonly Sample[];
  /** Whether a selected stream has a sample that has so many entries to count. */
  readonly hasSample: (entries: number) => boolean;
  /** Some of the samples of a group, which are at least one. */
  readonly pickSamples: (operator: PickingOperator, samples: readonly Sample[], count: number) => readonly Sample[];
  /** One sample out of those of two operands. */
  readonly calculate: (operator: Calculation, left: number, right: number) => number;
  /** Whether a sample stays beside what it is compared with. */
  readonly compare: (operator: Comparison, left: number, right: number) => boolean;
  /** The samples of two operands put together as sets; those with the same labels are the same. */
  readonly join: (operator: SetOperator, left: readonly Sample[], right: readonly Sample[]) => readonly Sample[];
  /** What is calculated with a sample of the left operand that has none beside it in the right one; undefined: nothing. */
  readonly withoutPartner: (sample: Sample) => Sample | undefined;
  /** The result objects: which there are, and their order. */
  readonly arrangeSamples: (samples: readonly Sample[]) => readonly Sample[];
  readonly instantTimestamp: (time: bigint) => Json;
  readonly presentSample: (value: number) => Json;
  /** One result object. */
  readonly presentInstantEntry: (metric: Json, value: readonly [timestamp: Json, sample: Json]) => Json;
  /** The whole answer. */
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

function compare(operator: Comparison, left: number, right: number): boolean {
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
  }
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

/** A text that the same labels always give. */
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
  calculate,
  compare,
  join,
  withoutPartner: () => undefined,
  arrangeSamples: (samples) => samples,
  instantTimestamp: (time) => Number(time / 1_000_000n) / 1_000,
  presentSample: String,
  presentInstantEntry: (metric, value) => ({ metric, value }),
  presentInstant: (result) => ({ status: "success", data: { resultType: "vector", result } }),
};
