/**
 * Compares the samples of an instant query with the samples that follow from the entries of its range.
 * Computes aggregations and calculations of metric queries.
 */
import { type Difference, show, difference } from "./difference.ts";
import { commonLabels, showLabelsApart } from "./assigned.ts";
import { labelKey, type Labels, type Stream } from "./logs.ts";
import { numberRelation } from "./value-relation.ts";

/** An object of `data.result` in the response to an instant query. */
export interface Sample {
  readonly metric: Labels;
  readonly timestamp: number | string;
  readonly value: number;
}

export interface Group {
  readonly labels: Labels;
  readonly value: number;
}

/** A relative error below this value counts as rounding, because samples are sums of floating-point numbers. */
const ROUNDING = 1e-6;
/** The same for whole numbers, such as counts. A floating-point number represents them exactly. */
const WHOLE_ROUNDING = 1e-9;

export function sameSample(one: number, other: number): boolean {
  const rounding = Number.isInteger(one) && Number.isInteger(other) ? WHOLE_ROUNDING : ROUNDING;
  return Math.abs(one - other) <= rounding * Math.max(1, Math.abs(one), Math.abs(other));
}

/** Returns the labels without those that the service added. An empty value counts as absent, because no pushed value is empty. */
function ownLabels(metric: Labels, names: ReadonlySet<string>): Labels {
  return Object.fromEntries(Object.entries(metric).filter(([name, value]) => names.has(name) && value !== ""));
}

/** Whether a response has exactly the expected values, in any order. */
function isPermuted(samples: readonly Sample[], expected: ReadonlyMap<string, Group>): boolean {
  const wanted = [...expected.values()].map(({ value }) => value).toSorted((one, other) => one - other);
  const came = samples.map(({ value }) => value).toSorted((one, other) => one - other);
  return came.length === wanted.length && came.every((value, index) => sameSample(wanted[index] ?? NaN, value));
}

/** Compares samples that are grouped by labels of the dataset. Labels that the service adds are ignored. */
export function groupDifferences(
  samples: readonly Sample[],
  expected: ReadonlyMap<string, Group>,
  pushed: readonly Stream[],
): Difference[] {
  const names = new Set(pushed.flatMap(({ labels }) => Object.keys(labels)));
  const differences: Difference[] = [];
  const seen = new Set<string>();
  const shown = new Set(samples.map(({ metric }) => labelKey(ownLabels(metric, names))));
  const lost = [...expected].filter(([key]) => !shown.has(key));
  const permuted = isPermuted(samples, expected) ? " (the response has each right value, but with the labels of other values)" : "";
  for (const [index, { metric, value }] of samples.entries()) {
    const key = labelKey(ownLabels(metric, names));
    const wanted = expected.get(key);
    const path = `data.result[${index}]`;
    const changed =
      wanted === undefined
        ? changedGroup(
            { labels: metric, value },
            lost.filter(([one]) => !seen.has(one)),
          )
        : undefined;
    if (changed !== undefined) {
      const [own, { labels }] = changed;
      seen.add(own);
      const apart = showLabelsApart(labels, metric);
      const expectation = `the labels ${apart.expected} for the sample ${value}`;
      differences.push(difference("logs-4.query", `${path}.metric`, expectation, apart.actual, "group"));
    } else if (wanted === undefined) {
      // A service may return 0 for a sum without entries.
      if (value !== 0)
        differences.push(difference("logs-4.query", `${path}.metric`, `only the groups ${groupsText(expected)}`, show(metric), "group"));
    } else if (!sameSample(wanted.value, value)) {
      differences.push(
        difference(
          "logs-4.query",
          `${path}.value[1]`,
          `${wanted.value} for ${show(metric)}`,
          `${show(value)}${permuted || numberRelation(wanted.value, value)}`,
          "sample",
        ),
      );
    }
    if (seen.has(key)) differences.push(difference("logs-4.query", `${path}.metric`, "each group once", show(metric), "repeated"));
    seen.add(key);
  }
  const missing = `missing from the answer, which has ${expected.size - lost.length} of ${expected.size} groups`;
  for (const [key, { labels, value }] of expected)
    if (!seen.has(key) && value !== 0)
      differences.push(difference("logs-4.query", "data.result", `a sample ${value} for ${show(labels)}`, missing, "lost-group"));
  return differences;
}

/** Finds the missing group whose labels the service has probably changed: it has the same sample, and the most labels in common. */
function changedGroup(came: Group, lost: readonly (readonly [string, Group])[]): readonly [string, Group] | undefined {
  const alike = lost.filter(([, { value }]) => value !== 0 && sameSample(value, came.value));
  const common = ([, group]: readonly [string, Group]): number => commonLabels(group, came);
  const [nearest] = alike.toSorted((one, other) => common(other) - common(one));
  return nearest !== undefined && (alike.length === 1 || common(nearest) > 0) ? nearest : undefined;
}

/** Removes labels that were never pushed from the samples. If a service split a sample by such labels, its parts are summed. */
export function joinedByPushed(samples: readonly Sample[], pushed: readonly Stream[]): Sample[] {
  const names = new Set(pushed.flatMap(({ labels }) => Object.keys(labels)));
  const joined = new Map<string, Sample>();
  for (const sample of samples) {
    const metric = ownLabels(sample.metric, names);
    const key = labelKey(metric);
    joined.set(key, { ...sample, metric, value: (joined.get(key)?.value ?? 0) + sample.value });
  }
  return [...joined.values()];
}

/** Compares the samples of a query without aggregation. If a service split a sample by labels that it adds, its parts are summed. */
export function streamDifferences(
  samples: readonly Sample[],
  expected: ReadonlyMap<string, Group>,
  pushed: readonly Stream[],
): Difference[] {
  return groupDifferences(joinedByPushed(samples, pushed), expected, pushed);
}

const [SHOWN_GROUPS, SHOWN_LABELS] = [2, 80];

function groupsText(expected: ReadonlyMap<string, Group>): string {
  if (expected.size === 0) return "none";
  const shown = [...expected.values()].slice(0, SHOWN_GROUPS).map(({ labels }) => show(labels, SHOWN_LABELS));
  return expected.size > SHOWN_GROUPS ? `${shown.join(", ")} and ${expected.size - SHOWN_GROUPS} more` : shown.join(", ");
}

const UNITS_NS: readonly number[] = [1e9, 1e6, 1e3, 1];

/** Whether a timestamp is the requested time, in any unit, because the documents do not name the unit. */
function stands(timestamp: number, time: bigint): boolean {
  return UNITS_NS.some((unit) => Math.abs(timestamp * unit - Number(time)) <= 1e9);
}

/** Returns a difference for each sample whose timestamp is not the requested time. */
export function timestampDifferences(samples: readonly Sample[], time: bigint): Difference[] {
  return samples.flatMap(({ timestamp }, index) =>
    stands(Number(timestamp), time)
      ? []
      : [
          difference(
            "logs-4.query",
            `data.result[${index}].value[0]`,
            `the requested time ${time}, in any unit of time`,
            show(timestamp),
            "sample-time",
          ),
        ],
  );
}

/** Returns a difference for each pair whose parts are in the wrong order: the sample first, and the time second. */
export function swappedDifferences(samples: readonly Sample[], time: bigint): Difference[] {
  const swapped = samples.filter(({ timestamp, value }) => stands(value, time) && !stands(Number(timestamp), time));
  return swapped.map(({ timestamp, value }): Difference => ({
    clause: "logs-2.instant-result",
    path: "data.result[].value",
    expected: "a pair of the timestamp and the sample value",
    actual: `the sample before the timestamp: ${show([timestamp, value])}`,
  }));
}

export const AGGREGATES = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  avg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  count: (values) => values.length,
} satisfies Readonly<Record<string, (values: readonly number[]) => number>>;

export type Aggregate = keyof typeof AGGREGATES;

/** The operators. For subtraction and division, the order of the operands matters. */
export const CALCULATIONS = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
} satisfies Readonly<Record<string, (left: number, right: number) => number>>;

export type Operator = keyof typeof CALCULATIONS;
