import { expect, test } from "vitest";
import { joinedTraffic, type Traffic, TrafficCount } from "./traffic.ts";

const exchange = (startedAt: number, status: number | null, durationMs = 3, operation = "push") => ({
  operation,
  startedAt,
  durationMs,
  response: status === null ? null : { status, headers: {}, body: "" },
});

test("requests are counted per slice, with those that were answered 429 and 5xx", () => {
  const count = new TrafficCount(1_000);
  for (const [at, status] of [
    [1_000, 204],
    [1_100, 429],
    [1_300, 503],
    [1_310, null],
  ] as const)
    count.note("logs", exchange(at, status));
  expect(count.counted()).toMatchObject({
    sliceMs: 125,
    slices: [
      [2, 1, 0],
      [0, 0, 0],
      [2, 0, 1],
    ],
  });
});

test("a long run has at most 120 slices and loses no request", () => {
  const count = new TrafficCount(0);
  for (let at = 0; at < 100_000; at += 50) count.note("logs", exchange(at, 200));
  const { sliceMs, slices } = count.counted();
  expect(sliceMs).toBe(1_000);
  expect(slices).toHaveLength(100);
  expect(slices.every(([requests]) => requests === 20)).toBe(true);
});

test("durations are counted in classes per operation, without the addition of a check", () => {
  const count = new TrafficCount(0);
  for (const ms of [0.5, 1, 1.5, 60_000]) count.note("logs", exchange(0, 200, ms, "push (tenant b)"));
  count.note("logs", exchange(0, null, 9));
  expect(count.counted().durations).toEqual({ "logs push": [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] });
});

test("the traffic of shards is added at the times at which they ran", () => {
  const one: Traffic = {
    sliceMs: 250,
    slices: [
      [1, 0, 0],
      [2, 1, 0],
    ],
    durations: { "logs push": [1, 2] },
  };
  const other: Traffic = {
    sliceMs: 125,
    slices: [
      [1, 0, 0],
      [1, 0, 1],
      [5, 0, 0],
    ],
    durations: { "logs push": [3, 0], "logs labels": [1, 0] },
  };
  expect(joinedTraffic([one, other], [1_000, 1_250])).toEqual({
    sliceMs: 250,
    slices: [
      [1, 0, 0],
      [4, 1, 1],
      [5, 0, 0],
    ],
    durations: { "logs push": [4, 2], "logs labels": [1, 0] },
  });
});
