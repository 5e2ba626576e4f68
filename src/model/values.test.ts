/** Tests which durations, timestamps and limit values are equal. */
import { expect, test } from "vitest";
import { filledLimits, limitFindings, sameLimit, yearsThatFit } from "./limits.ts";
import { DOCUMENTED_DEFAULTS } from "../contract/limits.ts";
import { parseRfc3339, durationLength } from "./times.ts";

test.each([
  ["365d", "1y"],
  ["14d", "2w"],
  ["24h", "1d"],
  ["1y2d", "367d"],
  ["8760h0m0s", "365d"],
  ["1.5h", "90m"],
  ["0", "0s"],
  ["1000µs", "1ms"],
  ["P30D", "720h"],
  ["P1Y2DT3H", "367d3h"],
  ["PT0S", "0"],
])("%s and %s have the same length", (one, other) => {
  expect(durationLength(one)).not.toBeNull();
  expect(durationLength(one)).toBe(durationLength(other));
});

test.each(["", "5", "P", "PT", "P1M", "d", "5x", "1d ", "-1d", "1d2"])("%j is not a duration", (text) => {
  expect(durationLength(text)).toBeNull();
});

test.each([
  ["2026-01-02T03:04:05Z", 0],
  ["2026-01-02T03:04:05.1+02:00", 1],
  ["2026-01-02t03:04:05.123456789z", 9],
])("%s is RFC 3339 with %d fraction digits", (text, digits) => {
  expect(parseRfc3339(text)?.digits).toBe(digits);
});

test.each([
  "2026-01-02 03:04:05Z",
  "2026-01-02T03:04:05",
  "2026-01-02T03:04:05+0200",
  "2026-02-30T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-01-02T24:00:00Z",
  "2026-01-02T03:04:05.1234567890Z",
])("%s is not RFC 3339", (text) => {
  expect(parseRfc3339(text)).toBeNull();
});

test("the offset of a timestamp changes the instant", () => {
  expect(parseRfc3339("2026-01-02T03:04:05+02:00")?.epochNs).toBe(parseRfc3339("2026-01-02T01:04:05Z")?.epochNs);
});

test("limit values are compared by their meaning", () => {
  expect(sameLimit("drop_labels", null, [])).toBe(true);
  expect(sameLimit("drop_labels", ["a"], ["a"])).toBe(true);
  expect(sameLimit("drop_labels", ["a", "b"], ["b", "a"])).toBe(true);
  expect(sameLimit("drop_labels", ["a", "b"], ["a"])).toBe(false);
  expect(sameLimit("compactor_blocks_retention_period", 0, "0s")).toBe(true);
  expect(sameLimit("compactor_blocks_retention_period", "1y", 31_536_000_000_000_000)).toBe(true);
  expect(sameLimit("ingestion_rate", 1, "1")).toBe(false);
});

test.each<[written: string, shown: string, years: readonly number[]]>([
  ["1y", "365d", [365]],
  ["2y", "17532h0m0s", [365.25]],
  ["1y", "P366D", [366]],
  ["1y", "P1Y", [365, 365.25, 366]],
  ["30d", "P30D", [365, 365.25, 366]],
  ["1y", "364d", []],
  ["30d", "31d", []],
])("%s may be shown as %s if a year has %j days", (written, shown, years) => {
  expect(yearsThatFit(written, shown)).toEqual(years);
});

test("each wrong limit has a difference, and no other limit has one", () => {
  const right = { ...DOCUMENTED_DEFAULTS, max_series_per_query: 1, max_series_per_user: 2 };
  const expected = filledLimits({ ingestion_rate: 5 }, {});
  expect(limitFindings(expected, { ...right, ingestion_rate: 5 })).toEqual([]);
  const found = limitFindings(expected, {
    ...right,
    ingestion_rate: 5,
    max_query_lookback: 0,
    ha_max_clusters: 1,
    enforce_metric_name: undefined,
  });
  expect(found.map(({ name, problem }) => [name, problem])).toEqual([
    ["ha_max_clusters", "value"],
    ["enforce_metric_name", "absent"],
    ["max_query_lookback", "type"],
  ]);
});
