/** Tests that, at each minute of the hour, datasets contain no full or half hour, and are neither too old nor too young. */
import { expect, test } from "vitest";
import { HOUR } from "../model/times.ts";
import { clearOfHalfHours, HALF_HOUR, lastFullHour, SPAN } from "./placing.ts";

const START = 1_790_000_000n * 1_000_000_000n;
const MINUTE = 60_000_000_000n;

test("at every ten seconds of two hours a set lies within one half hour of the clock, one to twenty minutes ago", () => {
  for (let step = 0n; step < 720n; step += 1n) {
    const now = START + step * 10_000_000_000n + 123_456_789n;
    const anchor = clearOfHalfHours(now);
    expect((anchor - 2_000_000_000n) / HALF_HOUR, `${now}`).toBe((anchor + SPAN + 2_000_000_000n) / HALF_HOUR);
    expect(now - anchor, `${now}`).toBeLessThanOrEqual(20n * MINUTE);
    expect(now - anchor - SPAN, `${now}`).toBeGreaterThanOrEqual(MINUTE);
  }
});

test("the last full hour is at least two minutes and at most sixty-two ago", () => {
  for (let step = 0n; step < 720n; step += 1n) {
    const now = START + step * 10_000_000_000n;
    const hour = lastFullHour(now);
    expect(hour % HOUR).toBe(0n);
    expect(now - hour).toBeGreaterThanOrEqual(2n * MINUTE);
    expect(now - hour).toBeLessThan(62n * MINUTE);
  }
});
