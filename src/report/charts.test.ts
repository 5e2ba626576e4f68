import { expect, test } from "vitest";
import { corrected, dashboardCharts, REPORT_CHARTS } from "./charts.ts";
import type { TrendPoint } from "./trend.ts";

const TYPES = [
  "currentStatus",
  "durationDynamics",
  "stabilityDistribution",
  "stabilityDistribution",
  "statusAgePyramid",
  "statusDynamics",
  "statusDynamics",
  "statusTransitions",
  "successRateDistribution",
  "testBaseGrowthDynamics",
];

function run(day: number, statuses: Readonly<Record<string, string>>): TrendPoint {
  return {
    at: `2026-11-0${day}T02:00:00.000Z`,
    passed: 0,
    failed: 0,
    inconclusive: 0,
    defects: 0,
    durationMs: 0,
    statuses: new Map(Object.entries(statuses)),
  };
}

const RUNS = [
  run(1, { "admin-4.2/a": "passed", "admin-2.1/b": "passed", "logs-4.4/c": "failed", "logs-7.429/d": "skipped" }),
  run(2, { "admin-4.2/a": "failed", "admin-2.1/b": "passed", "logs-4.4/c": "failed", "logs-7.429/d": "skipped" }),
  run(3, { "admin-4.2/a": "passed", "admin-2.1/b": "broken", "logs-4.4/c": "failed", "logs-7.429/d": "skipped" }),
];

/** Returns the corrected chart whose title begins with `title`. */
function chart(title: string, members: Readonly<Record<string, unknown>>, runs = RUNS): Readonly<Record<string, unknown>> | undefined {
  const option = [...dashboardCharts({ profile: "release" }), ...REPORT_CHARTS].find((one) => one.title.startsWith(title));
  return corrected({ general: { id: { type: "none", ...option, ...members } } }, runs).general["id"];
}

test.each(["smoke", "release", "nightly"] as const)("the dashboard of a %s run has each chart, with thirty runs", (profile) => {
  const charts = dashboardCharts({ profile });
  expect(charts.map(({ type }) => type).toSorted()).toEqual(TYPES);
  expect(new Set(charts.map(({ title }) => title)).size).toBe(charts.length);
  expect(charts.filter(({ type }) => type.endsWith("Dynamics")).map((one) => ("limit" in one ? one.limit : 0))).toEqual([30, 30, 30, 30]);
});

test("a gate begins with this run, and a nightly run begins with the runs before it", () => {
  expect(dashboardCharts({ profile: "release" })[0]?.type).toBe("currentStatus");
  expect(dashboardCharts({ profile: "smoke" })).toEqual(dashboardCharts({ profile: "release" }));
  expect(dashboardCharts({ profile: "nightly" })[0]?.type).toBe("statusDynamics");
});

test("checks that did not run have no part in the share of passed checks", () => {
  const data = { passed: 8, failed: 1, broken: 1, skipped: 5, total: 15 };
  expect(chart("Current status", { data })).toMatchObject({ data: { passed: 8, failed: 1, broken: 1, total: 10 } });
});

test("a status that changes in each run is not stable, and a status that never changes is stable", () => {
  expect(chart("Stability by section", {})?.["data"]).toEqual([
    { id: "admin-2", stabilityRate: 50 },
    { id: "admin-4", stabilityRate: 0 },
    { id: "logs-4", stabilityRate: 100 },
  ]);
  expect(chart("Stability by document", {})).toMatchObject({
    keys: { admin: "admin", logs: "logs" },
    data: [
      { id: "admin", stabilityRate: 25 },
      { id: "logs", stabilityRate: 100 },
    ],
  });
});

test("each present failure is counted once, at the run in which it began, and no other check is counted", () => {
  expect(chart("Age of failures", {})?.["data"]).toEqual([
    { id: "0", timestamp: Date.parse("2026-11-01T02:00:00Z"), failed: 1, broken: 0 },
    { id: "current", timestamp: Date.parse("2026-11-03T02:00:00Z"), failed: 0, broken: 1 },
  ]);
  expect(chart("Age of failures", { data: "of Allure" }, [])?.["data"]).toBe("of Allure");
});

function leaf(id: string, passedTests: number, eligibleCount: number): Readonly<Record<string, unknown>> {
  return { id, passedTests, eligibleCount, colorValue: 0.5 };
}

test("no title says that a clause is violated, because inconclusive checks are in the same charts", () => {
  expect(dashboardCharts({ profile: "release" }).filter(({ title }) => title.includes("violated"))).toEqual([]);
});

test("in the tree a clause with one failed check is red, and a clause that did not run is absent", () => {
  const children = [leaf("admin-4.2", 1, 2), leaf("admin-4.3", 2, 2), leaf("logs-7.429", 0, 0)];
  const treeMap = { id: "root", eligibleCount: 4, passedTests: 3, colorValue: 0.75, children };
  expect(chart("Success rate", { treeMap })?.["treeMap"]).toEqual({
    ...treeMap,
    id: "Both documents",
    children: [
      { ...children[0], colorValue: 0 },
      { ...children[1], colorValue: 1 },
    ],
  });
});

test("the axis of failures ends at the greatest number of failures, and the axis of durations at the time that passed", () => {
  const rows = [
    { id: "a", statistic: { failed: 2, passed: 90, total: 92 } },
    { id: "current", statistic: { passed: 92, total: 92 } },
  ];
  expect(chart("Failures", { data: rows })?.["data"]).toEqual([
    { id: "a", statistic: { failed: 2, broken: 0, total: 2 } },
    { id: "current", statistic: { failed: 0, broken: 0, total: 1 } },
  ]);
  const data = [{ id: "a", timestamp: 1, duration: 7, sequentialDuration: 900, speedup: 128 }];
  expect(chart("Duration dynamics", { data })?.["data"]).toEqual([{ id: "a", timestamp: 1, duration: 7 }]);
});

test("all other charts are unchanged", () => {
  expect(chart("Durations of checks", { data: [1] })).toMatchObject({ type: "durations", data: [1] });
});
