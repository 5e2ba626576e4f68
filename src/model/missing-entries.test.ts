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

test.each([
  [AT_HOURS, [HOUR], "1 of 5 entries, number 2 from the oldest"],
  [AT_HOURS, [HOUR, 2 * HOUR], "2 of 5 entries, each exactly at a full hour"],
  [OF_THREE_STREAMS, [1, 3], "all entries of 2 of 3 streams"],
  [OF_THREE_STREAMS, [1, 2, 4], "only one stream was returned (the last of 3 streams in the order of the push)"],
  [AT_HOURS, [2 * HOUR, 2 * HOUR + 1], "the newest 2 of 5 entries, which are all entries of one full hour"],
  [
    [...OF_THREE_STREAMS, entry(5, "y", "c")].toSorted((one, other) =>
      one.labels["svc"] === "c" ? 1 : other.labels["svc"] === "c" ? -1 : 0,
    ),
    [3, 5],
    "(the last of 3 streams in the order of the push)",
  ],
  [ALL, [1, 2, 3, 4, 5], "all 5 entries"],
  [[entry(1)], [1], "the only entry"],
  [[entry(1, "x"), entry(2, "y"), entry(3, "x"), entry(4, "z")], [3], "with the line of a returned entry of its stream"],
  [["b", "c", "d", "e"].map((svc, index) => entry(index + 1, "x", svc)), [4], "(3 entries of 3 of 4 streams were returned)"],
  [ALL, [4, 5], "the newest 2 of 5 entries"],
  [ALL, [1], "the oldest of 5 entries"],
  [ALL, [2], "1 of 5 entries, number 2 from the oldest in its stream"],
  [ALL, [2, 3], "2 of 5 entries:"],
  [ALL, [2, 4], "2 of 5 entries, one in every 2 in the order of time, starting with number 2"],
  [OF_TWO_STREAMS, [2, 4, 6], 'all entries of the stream {"svc":"b"}'],
  [OF_TWO_STREAMS, [2, 4], 'all in the stream {"svc":"b"}, of which 1 entry was returned'],
  [
    [entry(1), entry(2, "x".repeat(20)), entry(3), entry(4, "x".repeat(30)), entry(5)],
    [2, 4],
    "each longer than the longest returned line (6",
  ],
  [[entry(1), entry(2), entry(2, "line 2 again"), entry(3)], [2], "the timestamp of a returned entry:"],
  [
    [entry(1), entry(2, "a line that begins with more words"), entry(2, "a line that begins with more words again"), entry(3)],
    [2],
    "the timestamp of a returned entry, whose line begins with the same 34 characters",
  ],
  [
    [entry(1), entry(2, "line 2", "b"), entry(3, "x".repeat(20), "b"), entry(4, "x".repeat(30), "b"), entry(5)],
    [3, 4],
    "each longer than the longest returned line (6",
  ],
])("of %#", (wanted, gone, share) => {
  const missing = wanted.filter(({ ts, line }) => gone.includes(Number(ts)) && !line.endsWith("again"));
  expect(missingText(missing, wanted)).toContain(share);
  expect(missingText(missing, wanted)).toContain(`["${gone[0]}",`);
});

test("a returned line with the same end is named", () => {
  const same = [entry(2, `one ${"x".repeat(16)}`), entry(2, `two ${"x".repeat(16)}`)];
  expect(missingText(same.slice(0, 1), [...same, entry(1)])).toContain("whose line ends with the same 17 characters");
});
