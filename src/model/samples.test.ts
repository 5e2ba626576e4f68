/** Tests that a sample with changed labels is compared with the group whose labels the service has probably changed. */
import { expect, test } from "vitest";
import { labelKey, type Labels } from "./logs.ts";
import { groupDifferences } from "./samples.ts";

const GROUPS: readonly { readonly labels: Labels; readonly value: number }[] = [
  { labels: { svc_a: "red", svc_b: "1" }, value: 5 },
  { labels: { svc_a: "blue", svc_b: "2" }, value: 5 },
  { labels: { svc_a: "blue", svc_b: "3" }, value: 7 },
];

function compared(metrics: readonly (readonly [Labels, number])[]): string[] {
  const expected = new Map(GROUPS.map((group) => [labelKey(group.labels), group]));
  const samples = metrics.map(([metric, value]) => ({ metric, value, timestamp: 1 }));
  const pushed = GROUPS.map(({ labels }) => ({ labels, entries: [] }));
  return groupDifferences(samples, expected, pushed).map(({ path, expected: wanted, actual }) => `${path}: ${wanted}; ${actual}`);
}

const [RED, SECOND, THIRD] = GROUPS.map(({ labels, value }) => [labels, value] as const) as [
  readonly [Labels, number],
  readonly [Labels, number],
  readonly [Labels, number],
];

test("right samples have no differences", () => {
  expect(compared([RED, SECOND, THIRD])).toEqual([]);
});

test("a changed label is named once, with the value that was pushed", () => {
  expect(compared([RED, [{ svc_a: "blu", svc_b: "2" }, 5], THIRD])).toEqual([
    'data.result[1].metric: the labels svc_a: "blue" for the sample 5; svc_a: "blu"',
  ]);
});

test("a sample that no missing group has is an unexpected group", () => {
  expect(compared([RED, [{ svc_a: "green", svc_b: "9" }, 6], THIRD])).toEqual([
    'data.result[1].metric: only the groups {"svc_a":"red","svc_b":"1"}, {"svc_a":"blue","svc_b":"2"} and 1 more; {"svc_a":"green","svc_b":"9"}',
    'data.result: a sample 5 for {"svc_a":"blue","svc_b":"2"}; missing from the answer, which has 2 of 3 groups',
  ]);
});

test("a message says that samples have the labels of other samples", () => {
  const [first] = compared([[RED[0], 7], SECOND, [THIRD[0], 5]]);
  expect(first).toBe(
    `data.result[0].value[1]: 5 for {"svc_a":"red","svc_b":"1"}; 7 (the response has each right value, but with the labels of other values)`,
  );
});
