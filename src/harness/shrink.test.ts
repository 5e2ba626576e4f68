/** Tests how small the shrinking makes an input, and how many attempts the shrinking needs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { limitSubset, ordinaryValue } from "../arbitraries/limits.ts";
import { fewer, list, text } from "../arbitraries/lists.ts";
import { payload, type Payload } from "../arbitraries/streams.ts";
import { LIMIT_NAMES } from "../contract/limits.ts";
import { smallestFailing } from "./shrink.ts";

/** Shrinks the first input of `arbitrary` that `isWrong` accepts. Returns the smallest input and the number of attempts. */
async function shrinkFirst<T>(
  arbitrary: fc.Arbitrary<T>,
  isWrong: (input: T) => boolean,
  { most = Number.POSITIVE_INFINITY, seed = 7 }: { readonly most?: number; readonly seed?: number } = {},
): Promise<{ input: T | undefined; attempts: number }> {
  const index = fc.sample(arbitrary, { seed, numRuns: 200 }).findIndex(isWrong);
  expect(index).not.toBe(-1);
  let attempts = 0;
  const smallest = await smallestFailing(
    arbitrary,
    { seed, index },
    async (input) => {
      attempts += 1;
      return isWrong(input) ? "wrong" : null;
    },
    () => attempts < most,
  );
  return { input: smallest?.input, attempts };
}

test("a list loses its last item too, down to its minimum length", async () => {
  const numbers = list(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 8 }), 1);
  expect((await shrinkFirst(numbers, ([first = 0]) => first >= 3)).input).toEqual([3]);
  expect((await shrinkFirst(numbers, (items) => items.length >= 2)).input).toHaveLength(2);
  const names = fewer(fc.shuffledSubarray(["a", "b", "c", "d", "e"], { minLength: 1 }), 1);
  expect((await shrinkFirst(names, (chosen) => chosen.includes("c"))).input).toEqual(["c"]);
});

test("a text keeps the characters that matter and no others", async () => {
  const words = text(fc.constantFrom("x", "y", "\t", "é"), fc.nat({ max: 40 }), 0);
  expect((await shrinkFirst(words, (word) => word.includes("\t"))).input).toBe("\t");
  expect((await shrinkFirst(words, (word) => [...word].length > 16)).input).toHaveLength(17);
});

function hasLine(wanted: (line: string) => boolean): (input: Payload) => boolean {
  return ({ pushes }) => pushes.some((streams) => streams.some(({ entries }) => entries.some(({ line }) => wanted(line))));
}

test("payloads shrink to one stream with one entry, most of them within forty attempts", async () => {
  const all: number[] = [];
  for (const seed of [1, 2, 3, 4, 5, 6, 7]) {
    const { input, attempts } = await shrinkFirst(
      payload,
      hasLine((line) => line.includes("\t")),
      { seed },
    );
    expect(input?.pushes).toHaveLength(1);
    expect(input?.pushes[0]).toMatchObject([{ labels: {}, entries: [{ line: "\t" }] }]);
    all.push(attempts);
  }
  expect(Math.max(...all)).toBeLessThan(200);
  const [, , , median] = all.toSorted((one, other) => one - other);
  expect(median).toBeLessThan(40);
});

test("of many limits only one remains, with the value that matters", async () => {
  const writable = { names: LIMIT_NAMES, valueOf: ordinaryValue };
  const { input, attempts } = await shrinkFirst(limitSubset(writable), (limits) => Number(limits.ingestion_burst_size) >= 1_000);
  expect(input).toEqual({ ingestion_burst_size: 1_000 });
  expect(attempts).toBeLessThan(150);
});

test("no input is tried twice, and no input is tried after the limit of attempts", async () => {
  const seen = new Set<string>();
  const lines = hasLine((line) => line.length > 20);
  await shrinkFirst(payload, (input) => {
    const key = fc.stringify(input);
    if (seen.has(key)) throw new Error(`tried twice: ${key}`);
    return lines(input);
  });
  const { attempts } = await shrinkFirst(payload, lines, { most: 5 });
  expect(attempts).toBe(5);
});
