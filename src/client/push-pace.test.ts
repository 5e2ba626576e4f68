import { expect, test } from "vitest";
import { PushPace } from "./push-pace.ts";

const MIB = 1_048_576;

test("nothing waits until a target limits the volume", () => {
  const pace = new PushPace();
  pace.limitedAfter(MIB - 1);
  expect([pace.waitMs(8 * MIB, 0), pace.waitMs(8 * MIB, 1)]).toEqual([0, 0]);
});

test("after a limit each push waits for the bytes before it, of whatever set", () => {
  const pace = new PushPace();
  pace.limitedAfter(6 * MIB);
  expect([pace.waitMs(MIB, 100), pace.waitMs(MIB, 100), pace.waitMs(MIB, 900), pace.waitMs(MIB, 9_000)]).toEqual([0, 500, 200, 0]);
});

test("every further limit halves the pace, and it never ends altogether", () => {
  const pace = new PushPace();
  for (let answer = 0; answer < 9; answer += 1) pace.limitedAfter(6 * MIB);
  expect([pace.waitMs(MIB, 0), pace.waitMs(MIB, 0)]).toEqual([0, 4_000]);
});
