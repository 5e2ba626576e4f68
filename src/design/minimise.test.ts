import fc from "fast-check";
import { expect, test } from "vitest";
import { minimise } from "./minimise.ts";

test("the result still fails, and no item of it can be left out", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.uniqueArray(fc.nat(39), { minLength: 1, maxLength: 3 }), async (count, wanted) => {
      const items = Array.from({ length: count }, (_, index) => index);
      const guilty = wanted.map((one) => one % count);
      const fails = async (part: readonly number[]): Promise<boolean> => guilty.every((one) => part.includes(one));
      const { items: rest } = await minimise(items, fails, 1_000);
      expect(rest.toSorted((one, other) => one - other)).toEqual([...new Set(guilty)].toSorted((one, other) => one - other));
    }),
  );
});

test("it stops after the maximum number of attempts with the smallest part so far", async () => {
  let calls = 0;
  const fails = async (part: readonly number[]): Promise<boolean> => {
    calls += 1;
    return part.includes(3) && part.includes(30);
  };
  const { items, attempts } = await minimise(
    Array.from({ length: 47 }, (_, index) => index),
    fails,
    5,
  );
  expect([calls, attempts]).toEqual([5, 5]);
  expect(items).toEqual(expect.arrayContaining([3, 30]));
  expect(items.length).toBeLessThan(47);
});
