import { expect, test } from "vitest";
import { PushPace } from "./push-pace.ts";

const MIB = 1_048_576;

test("four megabytes are pushed immediately, and then three megabytes per second", () => {
  const pace = new PushPace();
  const waits = Array.from({ length: 7 }, () => Math.round(pace.waitMs(MIB, 5_000)));
  expect(waits).toEqual([0, 0, 0, 0, 333, 667, 1_000]);
  expect(pace.waitMs(MIB, 60_000)).toBe(0);
});

test("small pushes are counted and do not wait", () => {
  const pace = new PushPace();
  for (let push = 0; push < 64; push += 1) expect(pace.waitMs(65_536, 0)).toBe(0);
  expect(Math.round(pace.waitMs(65_537, 0))).toBe(333);
});

test("a 429 after little volume, or after volume of an earlier time, does not slow the pace", () => {
  const pace = new PushPace();
  pace.taken(MIB, 0);
  pace.taken(MIB / 16, 2_500);
  pace.limited(3_000);
  expect([pace.waitMs(3 * MIB, 3_000), pace.waitMs(MIB, 3_000)]).toEqual([0, 0]);
});

test("after a limit each push waits for all earlier bytes, of whichever dataset", () => {
  const pace = new PushPace();
  for (let push = 0; push < 6; push += 1) pace.taken(MIB, push);
  pace.limited(100);
  const rate = 1.5;
  const waits = [pace.waitMs(MIB, 100), pace.waitMs(MIB, 100), pace.waitMs(MIB, 900), pace.waitMs(MIB, 9_000)];
  expect(waits.map(Math.round)).toEqual([0, Math.round(1_000 / rate), Math.round(2_000 / rate) - 800, 0]);
});

test("if less than half the pace was accepted, the accepted rate becomes the pace", () => {
  const pace = new PushPace();
  pace.taken(MIB, 1_000);
  pace.limited(1_500);
  expect([pace.waitMs(MIB, 1_500), pace.waitMs(MIB, 1_500)]).toEqual([0, 2_000]);
});

test("each further limit halves the pace, and the pace has a lower bound", () => {
  const pace = new PushPace();
  for (let answer = 0; answer < 9; answer += 1) {
    pace.taken(6 * MIB, 0);
    pace.limited(0);
  }
  expect([pace.waitMs(MIB, 0), pace.waitMs(MIB, 0)]).toEqual([0, 16_000]);
});
