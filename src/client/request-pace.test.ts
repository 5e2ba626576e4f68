import { expect, test } from "vitest";
import { RequestPace } from "./request-pace.ts";

/** The result of consecutive requests to a simulated target. It refuses a request if `isTaken` returns false. */
interface Run {
  readonly refused: number;
  readonly endMs: number;
}

/** Sends requests until `answers` succeed. Each request takes `tripMs` ms, and each rest takes `restMs` ms. */
function run(answers: number, isTaken: (nowMs: number) => boolean, { tripMs = 2, restMs = 10 } = {}): Run {
  const pace = new RequestPace();
  let nowMs = 0;
  let refused = 0;
  for (let given = 0; given < answers && nowMs < 10_000_000;) {
    nowMs += pace.waitMs(nowMs) + tripMs;
    if (isTaken(nowMs)) {
      given += 1;
      pace.answered();
    } else {
      refused += 1;
      pace.limited(nowMs);
      nowMs += restMs;
    }
  }
  return { refused, endMs: nowMs };
}

/** Returns a limiter that accepts `perSecond` requests per second, and `burst` requests at once. */
function bucket(perSecond: number, burst: number): (nowMs: number) => boolean {
  let tokens = burst;
  let lastMs = 0;
  return (nowMs) => {
    tokens = Math.min(burst, tokens + ((nowMs - lastMs) / 1_000) * perSecond);
    lastMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

test("a target that never asks for a rest gets requests without pauses", () => {
  expect(run(3_000, () => true)).toEqual({ refused: 0, endMs: 6_000 });
});

test.each([
  [30, 15],
  [60, 60],
  [150, 10],
])("a target that accepts %i requests per second, and %i at once, refuses few requests and is used almost fully", (perSecond, burst) => {
  const { refused, endMs } = run(2_000, bucket(perSecond, burst));
  expect(refused).toBeLessThan(300);
  expect(endMs).toBeLessThan(((2_000 - burst) / perSecond) * 1_100);
});

test("a target that refuses a fixed share of all requests does not get a slower pace", () => {
  let asked = 0;
  const { refused, endMs } = run(2_000, () => (asked += 1) % 29 > 0);
  expect(endMs - 2_000 * 2 - refused * 12).toBeLessThan(1_000);
});

test("a pace has a lower bound, and is dropped if the target accepts more later", () => {
  const { endMs } = run(3_000, (nowMs) => nowMs > 60_000 || Math.floor(nowMs) % 400 < 4, { restMs: 50 });
  expect(endMs).toBeLessThan(120_000);
});
