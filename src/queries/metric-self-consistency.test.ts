import { expect, test } from "vitest";
import type { Sample } from "../model/samples.ts";
import type { Dataset } from "../datasets/datasets.ts";
import type { MetricAsked } from "./metrics.ts";
import { aggregateOf, extremesOf } from "./metric-self-consistency.ts";

const dataset: Dataset = {
  name: "some",
  streams: [],
  anchor: 0n,
  start: 0n,
  end: 60n,
  entries: 0,
  pushes: [],
  lastWriteAt: 0,
  matchers: [],
};
const asked: MetricAsked = {
  metric: "count_over_time",
  by: null,
  matchers: [],
  filters: [],
  window: { start: 0n, end: 60_000_000_000n },
};

/** Returns a sample of a stream that the service has split by labels of its own. */
function one(value: number, labels: Readonly<Record<string, string>>): Sample {
  return { metric: labels, timestamp: 60, value };
}

const own = [one(3, { g: "x", own: "1" }), one(3, { g: "x", own: "2" }), one(8, { g: "y" }), one(1, {})];

test("an aggregate is that of the target's own samples, in each group", () => {
  const greatest = aggregateOf("max", dataset, asked, ["g"]);
  expect(greatest.text).toBe("max by (g) (count_over_time({}[1m]))");
  expect(greatest.interrupted([one(8, { g: "y" }), one(3, { g: "x" }), one(1, {})], own)).toBeNull();
  expect(greatest.interrupted([one(8, { g: "y" }), one(6, { g: "x" }), one(1, {})], own)).toEqual({
    expected: 'one sample 3 for {"g":"x"}, the max of the 2 samples of the metric',
    actual: '[{"metric":{"g":"x"},"timestamp":60,"value":6}]',
  });
  expect(greatest.interrupted([one(8, { g: "y" }), one(3, { g: "x" })], own)?.actual).toBe("[]");
  expect(greatest.interrupted([...own, one(2, { g: "z" })], own)).not.toBeNull();
  expect(aggregateOf("count", dataset, asked).interrupted([one(4, {})], own)).toBeNull();
  expect(aggregateOf("avg", dataset, asked).interrupted([one(3.75, {})], own)).toBeNull();
  expect(aggregateOf("min", dataset, asked).interrupted([one(0, {})], own)?.expected).toContain("the min of the 4");
});

test("the greatest are samples of the metric, whichever of equal ones and in any order", () => {
  const two = extremesOf("greatest", 2, dataset, asked);
  expect(two.text).toBe("topk(2, count_over_time({}[1m]))");
  expect(two.interrupted([own[1], own[2]] as Sample[], own)).toBeNull();
  expect(two.interrupted([own[2], own[0]] as Sample[], own)).toBeNull();
  expect(two.interrupted([own[0], own[1]] as Sample[], own)).toEqual({ expected: "the 2 greatest of 4: 8, 3", actual: "3, 3" });
  expect(two.interrupted([one(8, { g: "y" }), one(3, { g: "nobody" })], own)?.expected).toBe(
    "only samples that the same query without topk or bottomk returns",
  );
  const least = extremesOf("least", 2, dataset, asked);
  expect(least.text).toBe("bottomk(2, count_over_time({}[1m]))");
  expect(least.interrupted([own[1], own[0]] as Sample[], own)?.actual).toBe("3, 3");
  const each = extremesOf("greatest", 1, dataset, asked, ["g"]);
  expect(each.interrupted([own[0], own[2], own[3]] as Sample[], own)).toBeNull();
  expect(each.interrupted([own[2]] as Sample[], own)?.actual).toBe("none");
});
