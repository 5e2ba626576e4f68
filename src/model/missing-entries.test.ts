/** Tests that a message about missing entries names the common properties of these entries. */
import { expect, test } from "vitest";
import type { PlacedEntry } from "./logs.ts";
import { missingText } from "./missing-entries.ts";

const entry = (ts: number, line = `line ${ts}`, svc = "a"): PlacedEntry => ({ ts: BigInt(ts), line, labels: { svc } });
const ALL = [1, 2, 3, 4, 5].map((ts) => entry(ts));
const OF_TWO_STREAMS = [entry(1), entry(2, "line 2", "b"), entry(3), entry(4, "line 4", "b"), entry(5), entry(6, "line 6", "b")];

const HOUR = 3_600_000_000_000;
const AT_HOURS = [entry(HOUR - 1), entry(HOUR), entry(HOUR + 1), entry(2 * HOUR), entry(2 * HOUR + 1)];
const OF_THREE_STREAMS = [entry(1, "x", "b"), entry(2, "x"), entry(3, "x", "c"), entry(4, "x")];
const SEVEN = [1, 2, 3, 4, 5, 6, 7].map((ts) => entry(ts));
const OF_18_EACH = [0, 100].flatMap((first) =>
  Array.from({ length: 18 }, (_, at) => entry(first + at + 1, `line ${at}`, `stream ${first}`)),
);
const MARKED = ["a", "1\\\n", "b\n", "c\\", "2\n\\", "dddd", "e", "f", "g", "h"].map((line, at) => entry(at + 1, line));

test.each([
  [AT_HOURS, [HOUR], "1 of 5 entries, number 2 from the oldest"],
  [AT_HOURS, [HOUR, 2 * HOUR], "2 of 5 entries, each exactly at a full hour"],
  [OF_THREE_STREAMS, [1, 3], "all entries of 2 of 3 streams"],
  [OF_THREE_STREAMS, [1, 2, 4], "all entries of 2 of 3 streams"],
  [AT_HOURS, [2 * HOUR, 2 * HOUR + 1], "the newest 2 of 5 entries, which are all entries of one full hour"],
  [AT_HOURS.slice(1), [2 * HOUR, 2 * HOUR + 1], "the newest 2 of 4 entries:"],
  [ALL, [1, 2, 3, 4, 5], "all 5 entries"],
  [[entry(1)], [1], "the only entry"],
  [[entry(1, "x"), entry(2, "y"), entry(3, "x"), entry(4, "z")], [3], "with the same line as a returned entry of its stream"],
  [["b", "c", "d", "e"].map((svc, index) => entry(index + 1, "x", svc)), [4], "(3 entries of 3 of 4 streams were returned)"],
  [ALL, [4, 5], "the newest 2 of 5 entries"],
  [ALL, [1], "the oldest of 5 entries"],
  [ALL, [2], "1 of 5 entries, number 2 from the oldest in its stream"],
  [ALL, [2, 3], "2 of 5 entries, all entries of a period of 1 ns:"],
  [[entry(1), entry(2), entry(2e9), entry(4e9)], [2, 2e9], "2 of 4 entries, all entries of a period of 2.0 s:"],
  [ALL, [2, 4], "2 of 5 entries:"],
  [SEVEN, [2, 4, 6], "3 of 7 entries, one in every 2 in the order of time, starting with number 2"],
  [SEVEN, [1, 3, 5], "3 of 7 entries:"],
  [OF_18_EACH, [8, 16, 108, 116], "4 of 36 entries, one in every 8 in the order of time, starting with number 8"],
  [OF_18_EACH, [8, 16, 108, 115], "4 of 36 entries:"],
  [[entry(HOUR), entry(HOUR + 1), entry(HOUR + 2)], [HOUR], "the oldest of 3 entries:"],
  [[...OF_TWO_STREAMS, entry(7)], [1, 2, 3, 4, 5], "5 of 7 entries; at most 1 entry of each stream was returned"],
  [MARKED, [2, 5], String.raw`2 of 10 entries, each with "\\" and "\n" in its line, unlike each returned line`],
  [OF_TWO_STREAMS, [2, 4, 6], 'all entries of the stream {"svc":"b"}'],
  [OF_TWO_STREAMS, [2, 4], 'all in the stream {"svc":"b"}, of which 1 entry was returned'],
  [
    [entry(1), entry(2, "x".repeat(200)), entry(3, "y".repeat(100)), entry(4, "x".repeat(300)), entry(5)],
    [2, 4],
    "each longer than the longest returned line (100",
  ],
  [[entry(1), entry(2), entry(2, "line 2 again"), entry(3)], [2], "the timestamp of a returned entry:"],
  [
    [entry(1), entry(2, "a line that begins with more words"), entry(2, "a line that begins with more words again"), entry(3)],
    [2],
    "the timestamp of a returned entry, whose line begins with the same 34 characters",
  ],
  [
    [entry(1), entry(2, "y".repeat(100), "b"), entry(3, "x".repeat(200), "b"), entry(4, "x".repeat(300), "b"), entry(5)],
    [3, 4],
    "each longer than the longest returned line (100",
  ],
])("of %#", (wanted, gone, share) => {
  const missing = wanted.filter(({ ts, line }) => gone.includes(Number(ts)) && !line.endsWith("again"));
  expect(missingText(missing, wanted)).toContain(share);
  expect(missingText(missing, wanted)).toContain(`["${gone[0]}",`);
});

test("a returned line with the same end is named", () => {
  const same = [entry(2, `one ${"x".repeat(31)}`), entry(2, `two ${"x".repeat(31)}`)];
  expect(missingText(same.slice(0, 1), [...same, entry(1)])).toContain("whose line ends with the same 32 characters");
});
