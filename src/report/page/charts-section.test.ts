import { expect, test } from "vitest";
import type { Traffic } from "../../harness/traffic.ts";
import { durationsSection, trafficSection, trendSection } from "./charts-section.ts";

const TRAFFIC: Traffic = {
  sliceMs: 500,
  slices: [
    [4, 0, 0],
    [10, 3, 2],
  ],
  durations: { "logs push": [0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
};
const OPERATION = { service: "logs", operation: "push", requests: 6, unanswered: 0, totalMs: 9, p50: 2, p90: 2, p99: 9_000 } as const;
const POINT = { at: "2026-11-01T02:00:00.000Z", passed: 10, failed: 0, inconclusive: 0, statuses: new Map<string, string>() };

/** Returns the heights of the bars of the given look. */
const heights = (page: string, look: string): string[] =>
  [...page.matchAll(new RegExp(`class="${look}"[^>]*height="([^"]*)"`, "g"))].map(([, height = ""]) => height);

test("the requests over time mark those that were answered 429 and 5xx", () => {
  const { text } = trafficSection(TRAFFIC);
  expect(text).toContain("<title>0.5 s: 10 requests, 3 answered 429, 2 answered 5xx</title>");
  expect(heights(text, "ok")).toEqual(["40.0", "50.0"]);
  expect([heights(text, "limited"), heights(text, "failed")]).toEqual([["30.0"], ["20.0"]]);
  expect(text).toContain("Requests answered 429: 3. Requests answered 5xx: 2.");
  expect(trafficSection(null).text).toBe("");
});

test("each operation has a histogram of its durations", () => {
  const { text } = durationsSection([OPERATION], TRAFFIC);
  expect(text).toContain("<title>at most 2 ms: 5 responses</title>");
  expect(text).toContain("<title>more than 5 s: 1 response</title>");
  expect(heights(text, "ok")).toEqual(["100.0", "20.0"]);
  expect(durationsSection([OPERATION]).text).not.toContain("<svg");
  expect(durationsSection().text).toBe("");
});

test("the trend has the defects and the duration of each run, also of runs that did not record them", () => {
  const old = { ...POINT, defects: null, durationMs: null };
  const { text } = trendSection([old, { ...POINT, failed: 1, defects: 2, durationMs: 4_000 }, { ...POINT, defects: 1, durationMs: 1_000 }]);
  expect(text).toContain("<title>2026-11-01 02:00 UTC: not recorded</title>");
  expect(text).toContain("<title>2026-11-01 02:00 UTC: 2 defects</title>");
  expect(heights(text, "failed")).toEqual(["100.0", "50.0"]);
  expect(heights(text, "ok")).toEqual(["100.0", "25.0"]);
  expect(text).toContain("<figcaption>Duration, at most 4.0 s</figcaption>");
  expect(trendSection([old]).text).toBe("");
});
