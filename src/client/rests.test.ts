import { expect, test } from "vitest";
import { Rests } from "./rests.ts";

/** Returns how many times each of `times` rests was doubled. After each rest, the target answers `between(doublings)` requests. */
function doublings(times: number, between: (doublings: number) => number): number[] {
  const rests = new Rests();
  const seen: number[] = [];
  for (let time = 0; time < times; time += 1) {
    for (let answer = between(seen.at(-1) ?? 0); answer > 0; answer -= 1) rests.answered();
    seen.push(rests.asked());
  }
  return seen;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

test("a target that answers nothing for some time gets longer and longer rests", () => {
  expect(doublings(6, () => 0)).toEqual([1, 2, 3, 4, 4, 4]);
});

test("a target that refuses a fixed share of all requests does not get longer rests", () => {
  expect(Math.max(...doublings(30, () => 12))).toBe(1);
});

test.each([1, 2])("a target that answers more after a longer rest gets long rests, even if it answers %i at first", (first) => {
  expect(mean(doublings(40, (doubled) => first * 2 ** doubled).slice(10))).toBeGreaterThan(2.5);
});

test("rests are short again when the target answers again", () => {
  let asked = 0;
  // After the fifth rest and the next two rests, the target answers no request.
  const seen = doublings(20, () => ((asked += 1) >= 5 && asked < 8 ? 0 : 12));
  expect(seen.slice(4, 7)).toEqual([1, 2, 3].map((vain) => vain + (seen[3] ?? 0)).map((all) => Math.min(all, 4)));
  expect(Math.max(...seen.slice(7))).toBe(1);
});

test("many consecutive responses make rests short again", () => {
  const rests = new Rests();
  for (let time = 0; time < 6; time += 1) {
    for (let answer = 0; answer < 2 ** time; answer += 1) rests.answered();
    rests.asked();
  }
  const well = Array.from({ length: 200 }, () => rests.answered()).filter(Boolean);
  expect(well).toHaveLength(5);
  rests.asked();
  expect(rests.asked()).toBeLessThan(3);
});
