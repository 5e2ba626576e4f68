import { expect, test } from "vitest";
import { summarize } from "./summary.ts";
import { plannedCheck, resultOf, RUN_DETAILS, settingsFor } from "./testing.ts";
import { entersTrend, sinceFirstSeen, splitHistory, trendName, trendOf, withRecord } from "./trend.ts";

const line = (name: string, timestamp: number, ...statuses: readonly string[]): string =>
  `${JSON.stringify({ name, timestamp, testResults: Object.fromEntries(statuses.map((status, index) => [index, { fullName: `check ${index}`, status }])) })}\n`;

test("runs with another profile or target have another name", () => {
  const staging = { METRICS_BASE_URL: "https://staging.test", METRICS_API_TOKEN: "a-token-of-mine", METRICS_CLUSTER: "c" };
  const names = [settingsFor(), settingsFor(staging), { ...settingsFor(staging), profile: "nightly" as const }].map(trendName);
  expect(new Set(names).size).toBe(3);
  expect(names[0]).toContain("embedded reference server");
});

test("only a complete run enters a trend", () => {
  const whole = settingsFor();
  const { summary } = summarize([], [], whole, RUN_DETAILS);
  expect(entersTrend(whole, summary)).toBe(true);
  expect(entersTrend(settingsFor({}, ["admin-4.2"]), summary)).toBe(false);
  expect(entersTrend({ ...whole, shard: { index: 1, count: 2 } }, summary)).toBe(false);
  expect(entersTrend(whole, summarize([], [], whole, { ...RUN_DETAILS, interrupted: "SIGINT" }).summary)).toBe(false);
});

test("a history of several trends is separated by name, and a truncated line is left out", () => {
  const history = `${line("mine", 1, "passed")}${line("yours", 2, "failed")}{"name":"mi`;
  expect(splitHistory(history, "mine")).toEqual({ own: line("mine", 1, "passed"), others: line("yours", 2, "failed") });
});

test("of all other trends together a fixed number of the newest runs is kept", () => {
  const history = Array.from({ length: 100 }, (_, index) => line(`target ${index}`, index, "passed")).join("");
  const { others } = splitHistory(history, "mine");
  expect(others.split("\n")).toHaveLength(61);
  expect(others).toContain('"target 99"');
  expect(others).not.toContain('"target 39"');
});

test("a trend counts checks by verdict, with the oldest run first", () => {
  const history = line("mine", 60_000, "passed", "failed", "skipped") + line("mine", 0, "passed", "broken");
  const [older, newer] = trendOf(history);
  expect(older).toMatchObject({ at: "1970-01-01T00:00:00.000Z", passed: 1, failed: 0, inconclusive: 1 });
  expect(newer).toMatchObject({ at: "1970-01-01T00:01:00.000Z", passed: 1, failed: 1, inconclusive: 0 });
  expect([...(older?.statuses ?? [])]).toEqual([
    ["check 0", "passed"],
    ["check 1", "broken"],
  ]);
});

const runAt = (day: number) => ({ ...RUN_DETAILS, runId: `r${day}`, startedAt: `2026-11-0${day}T10:00:00.000Z` });

test("a defect was first seen in the earliest run of the same trend that had it", () => {
  const check = plannedCheck("admin-4.2");
  const settings = settingsFor();
  const judged = (day: number, verdict: "pass" | "fail") => summarize([resultOf(check, verdict)], [check], settings, runAt(day));
  const record = (name: string, day: number, verdict: "pass" | "fail") => withRecord(line(name, day), judged(day, verdict).summary);
  const mine = trendName(settings);
  const history = record("another target", 1, "fail") + record(mine, 2, "pass") + record(mine, 3, "fail") + record(mine, 4, "fail");
  const firstSeen = (past: string | null) =>
    sinceFirstSeen(judged(5, "fail"), settings, past).summary.defects?.map((one) => one.firstSeen.run);
  expect(firstSeen(history)).toEqual(["r3"]);
  expect(firstSeen(record(mine, 2, "pass"))).toEqual(["r5"]);
  expect(firstSeen(line(mine, 1, "failed"))).toEqual(["r5"]);
  expect(firstSeen(null)).toEqual(["r5"]);
});
