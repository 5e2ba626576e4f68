import { expect, test } from "vitest";
import { Locks } from "./locks.ts";

/**
 * Records updates of an instance. Each update is first refused, and then accepted `afterMs` ms after the previous update. Returns the time
 * of the last update.
 */
function met(locks: Locks, times: number, afterMs: number): number {
  locks.answered("x", 200, 0);
  for (let time = 1; time <= times; time += 1) {
    locks.answered("x", 409, (time - 1) * afterMs + afterMs / 4);
    locks.answered("x", 204, time * afterMs);
  }
  return times * afterMs;
}

test("if updates were often refused for some time, the next update of the same instance waits for that time", () => {
  const locks = new Locks();
  const last = met(locks, 3, 1_000);
  expect(locks.waitMs("x", last + 100)).toBe(900);
  expect(locks.waitMs("x", last + 1_500)).toBe(0);
  expect(locks.waitMs("y", last + 100)).toBe(0);
});

test("no update waits after few refusals, or after refusals with another reason", () => {
  const few = new Locks();
  expect(few.waitMs("x", met(few, 2, 1_000) + 100)).toBe(0);
  const others = new Locks();
  others.answered("x", 200, 0);
  for (let time = 0; time < 20; time += 1) others.answered("x", 400, time);
  expect(others.waitMs("x", 50)).toBe(0);
});

test("a refusal after a wait makes the next wait longer, unless the refusal came long after an update", () => {
  const locks = new Locks();
  const last = met(locks, 3, 1_000);
  locks.answered("x", 409, last + 1_200);
  expect(locks.waitMs("x", last + 1_200)).toBeCloseTo(120);
  locks.answered("x", 409, last + 5_000);
  expect(locks.waitMs("x", last + 1_200)).toBeCloseTo(120);
});
