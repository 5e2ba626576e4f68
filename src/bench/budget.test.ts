import { expect, test } from "vitest";
import { overBudget, overBudgetTwice } from "./budget.ts";

test("a ratio is over budget if it is more than a quarter above the committed ratio, or if nobody committed it", () => {
  expect(overBudget({ read: 2.5 }, { read: 2 })).toEqual([]);
  expect(overBudget({ read: 2.51 }, { read: 2 })).toEqual(["read: 2.51 times the bare loop, and the budget is 2 times"]);
  expect(overBudget({ write: 1 }, {})).toEqual(["write: measured 1, committed never"]);
  expect(overBudget({}, { read: 2 })).toEqual(["read: measured never, committed 2"]);
});

const measuring =
  (...ratios: number[]) =>
  async (): Promise<{ read: number }> => ({ read: ratios.shift() ?? 0 });

test("a single bad measurement does not fail, and two in a row do", async () => {
  expect(await overBudgetTwice(measuring(9, 1), { read: 2 })).toEqual([]);
  expect(await overBudgetTwice(measuring(9, 9), { read: 2 })).toHaveLength(1);
});
