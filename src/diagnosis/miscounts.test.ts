/** Tests that a message names the way in which a service seems to have counted. */
import { expect, test } from "vitest";
import { perStream, type Stream, summed } from "../model/logs.ts";
import type { Sample } from "../model/samples.ts";
import { miscountText, shareText } from "./miscounts.ts";

const HOUR = 3_600_000_000_000;
const stream = (colour: string, ...entries: (readonly [ts: number, line: string])[]): Stream => ({
  labels: { colour },
  entries: entries.map(([ts, line]) => ({ ts: BigInt(ts), line })),
});

const blue = stream("blue", [1, "a"], [2, "b"], [3, "c"]);
const green = stream("green", [4, "d"], [5, "e"], [6, "f"]);

test.each([
  ["equal lines of a stream counted once", 5, [blue, stream("red", [7, "a"], [8, "a"], [9, "b"])]],
  ["entries of a stream at the same time counted once", 5, [blue, stream("red", [7, "a"], [7, "b"], [9, "c"])]],
  ["equal entries of different streams counted once", 4, [blue, stream("red", [3, "c"], [4, "a"])]],
  ["entries of different streams at the same time counted once", 4, [blue, stream("red", [3, "a"], [4, "b"])]],
  ["entries at the time of an entry of another stream did not count", 6, [blue, stream("red", [4, "a"], [4, "b"], [4, "c"], [3, "d"])]],
  ["entries exactly at a full hour counted twice", 6, [blue, stream("red", [HOUR, "a"], [1, "b"])]],
  ["only the stream with the most entries counted", 3, [stream("red", [7, "a"], [8, "b"]), blue]],
  ["one of several streams with equally many entries counted", 5, [blue, green, stream("red", [7, "a"], [8, "b"])]],
])("%s", (words, count, streams) => {
  const isEqual = (some: readonly Stream[]): boolean => [...summed("count_over_time", some, 1, []).values()][0]?.value === count;
  expect(miscountText("count_over_time", streams, isEqual)).toBe(`this is exactly the result if ${words}`);
});

test.each([
  ["each line counted as one byte", 1],
  ["each character counted as one byte", 8],
  ["each UTF-16 code unit counted as one byte", 9],
  ["each UTF-16 code unit counted as two bytes", 18],
  ["each line had one more byte", 14],
  ["a newline at the end of a line did not count", 12],
])("%s", (words, bytes) => {
  const isEqual = (some: readonly Stream[]): boolean => [...perStream("bytes_over_time", some, 1).values()][0]?.value === bytes;
  const told = miscountText("bytes_over_time", [stream("red", [1, "größe 😀\n"])], isEqual);
  expect(told).toBe(`this is exactly the result if ${words}`);
});

const sum = (value: number): Sample[] => [{ metric: {}, timestamp: 1, value }];

test("the number of counted streams is told only if each stream has several entries, and all have equally many", () => {
  expect(shareText([blue, green], sum(3))).toBe("this is the number of entries in 1 of the 2 streams");
  expect(shareText([stream("red", [1, "a"]), green], sum(3))).toBeUndefined();
  expect(shareText([stream("red", [1, "a"]), stream("blue", [1, "a"])], sum(1))).toBeUndefined();
});
