import { expect, test } from "vitest";
import { RequestPace } from "./request-pace.ts";

/** How a run of requests one after the other went, of which a target refuses those for which `isTaken` is false. */
interface Run {
  readonly refused: number;
  readonly endMs: number;
}

/** Until `answers` are given, each request takes `tripMs`, and each rest `restMs`. */
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

/** Takes `perSecond` requests, and `burst` at once. */
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

test("a target that never asks for a rest is never waited for", () => {
  expect(run(3_000, () => true)).toEqual({ refused: 0, endMs: 6_000 });
});

test.each([
  [30, 15],
  [60, 60],
  [150, 10],
])("a target that takes %i requests a second, %i at once, refuses few, and is used as far as it goes", (perSecond, burst) => {
  const { refused, endMs } = run(2_000, bucket(perSecond, burst));
  expect(refused).toBeLessThan(300);
  expect(endMs).toBeLessThan(((2_000 - burst) / perSecond) * 1_100);
});

test("a target that refuses one request in so many is not asked more slowly for it", () => {
  let asked = 0;
  const { refused, endMs } = run(2_000, () => (asked += 1) % 29 > 0);
  expect(endMs - 2_000 * 2 - refused * 12).toBeLessThan(1_000);
});

test("a pace never ends altogether, and is left behind where the target takes more again", () => {
  const { endMs } = run(3_000, (nowMs) => nowMs > 60_000 || Math.floor(nowMs) % 400 < 4, { restMs: 50 });
  expect(endMs).toBeLessThan(120_000);
});
