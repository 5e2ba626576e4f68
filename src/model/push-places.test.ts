/** Tests that a message says where missing entries were in the pushes. */
import { expect, test } from "vitest";
import type { PlacedEntry, Stream } from "./logs.ts";
import { pushText, type SentPush } from "./push-places.ts";

const stream = (svc: string, ...times: readonly number[]): Stream => ({
  labels: { svc },
  entries: times.map((ts) => ({ ts: BigInt(ts), line: "x" })),
});
const push = (at: number, ...streams: readonly Stream[]): SentPush => ({ tenant: null, streams, at });

test.each([
  [[push(0, stream("a", 1), stream("b", 2), stream("c", 3))], [3], "all in the last of the 3 streams of a push"],
  [[push(0, stream("a", 1), stream("b", 2), stream("c", 3))], [2, 3], "the returned entries were in the first of the 3 streams of a push"],
  [[push(0, stream("a", 1), stream("b", 2), stream("c", 3))], [2], ""],
  [[push(0, stream("a", 1), stream("a", 2))], [2], "all in a second object with the same labels in one push"],
  [
    [push(0, stream("a", 1)), push(3_100, stream("a", 2))],
    [2],
    "each in a later push than the returned entries of its stream, 3.1 s later",
  ],
  [[push(0, stream("a", 1)), push(100, stream("a", 2))], [2], "each in a later push than the returned entries of its stream"],
  [[push(0, stream("a", 1)), push(100, stream("a", 2))], [1], "each in an earlier push than the returned entries of its stream"],
  [[push(0, stream("a", 1), stream("b", 3)), push(100, stream("a", 2))], [2, 3], ""],
  [[push(0, stream("a", 1, 2, 3))], [2, 3], ""],
  [[push(0, stream("a", 1, 2, 3), stream("b", 4, 5))], [1, 4], "each the first entry of its stream in a push"],
  [[push(0, stream("a", 1, 2, 3), stream("b", 4, 5))], [3, 5], "each the last entry of its stream in a push"],
  [[push(0, stream("a", 1, 2, 3), stream("b", 4, 5))], [2, 3, 5], "each after the first entry of its stream in a push"],
  [[push(0, stream("a", 1, 2, 3, 4), stream("b", 5, 6, 7))], [3, 4, 7], "each after the first 2 entries of its stream in a push"],
  [[push(0, stream("a", 1, 2, 3), stream("b", 4, 5))], [1, 5], ""],
  [[push(0, stream("a", 1), stream("b", 2, 3), stream("c", 4), stream("d", 5))], [1, 2], ""],
  [[push(0, stream("a", 1, 2, 3))], [1, 2, 3], ""],
] as const)("of %#", (pushes, times, expected) => {
  const all = pushes.flatMap(({ streams }) =>
    streams.flatMap(({ labels, entries }) => entries.map((one): PlacedEntry => ({ ...one, labels }))),
  );
  const isGone = ({ ts }: PlacedEntry): boolean => times.some((time) => BigInt(time) === ts);
  expect(
    pushText(
      all.filter(isGone),
      all.filter((one) => !isGone(one)),
      pushes,
    ),
  ).toBe(expected);
});
