/** The charts of the Allure report and of the dashboard: titles, order, and corrections of wrong numbers of Allure. */
import type { Settings } from "../settings/types.ts";
import { KEPT_RUNS, type TrendPoint } from "./trend.ts";

const FAILED = ["failed", "broken"] as const;

const STABILITY = { type: "stabilityDistribution", threshold: 95 } as const;

const CHARTS = {
  current: { type: "currentStatus", title: "Current status: judged checks, and the share that passed" },
  runs: { type: "statusDynamics", title: `Status over ${KEPT_RUNS} runs`, limit: KEPT_RUNS },
  // This chart shows only failed checks, because one failed check would be invisible in a chart with hundreds of passed checks.
  failures: {
    type: "statusDynamics",
    title: `Failures over ${KEPT_RUNS} runs: failed and inconclusive checks`,
    limit: KEPT_RUNS,
    statuses: FAILED,
  },
  transitions: { type: "statusTransitions", title: "Status transitions: checks that changed since the run before", limit: KEPT_RUNS },
  documents: { ...STABILITY, title: "Stability by document: how often a check kept its status", groupBy: "epic" },
  sections: { ...STABILITY, title: "Stability by section: how often a check kept its status", groupBy: "feature" },
  success: { type: "successRateDistribution", title: "Success rate by document, section and clause: 0% if not all passed" },
  // Allure reads only one run for this chart, because the function `ages` computes its rows from all runs.
  age: { type: "statusAgePyramid", title: "Age of failures: the run in which each present failure began", limit: 1 },
  durations: { type: "durations", title: "Durations of checks" },
  duration: { type: "durationDynamics", title: "Duration dynamics: how long each run took", limit: KEPT_RUNS },
  growth: { type: "testBaseGrowthDynamics", title: "Growth of checks: added and removed checks", limit: KEPT_RUNS },
} as const;

type ChartName = keyof typeof CHARTS;

/** In the dashboard of a release run, the charts of the present run come first, because a release waits for the result of this run. */
const GATE: readonly ChartName[] = [
  ...(["current", "success", "age", "transitions", "failures", "runs"] as const),
  ...(["documents", "sections", "duration", "growth"] as const),
];

/** In the dashboard of a nightly run, the charts over many runs come first, because the reader looks for changes. */
const NIGHTLY: readonly ChartName[] = [
  ...(["failures", "runs", "transitions", "age", "documents", "sections"] as const),
  ...(["duration", "growth", "current", "success"] as const),
];

const REPORT: readonly ChartName[] = ["current", "failures", "transitions", "durations"];

type ChartOptions = (typeof CHARTS)[ChartName];

/** The charts of the Allure report, which has fewer charts than the dashboard, because the report also lists the checks. */
export const REPORT_CHARTS: readonly ChartOptions[] = REPORT.map((name) => CHARTS[name]);

/** Returns the charts of the dashboard, in the order in which the dashboard shows them. */
export function dashboardCharts({ profile }: Pick<Settings, "profile">): readonly ChartOptions[] {
  return (profile === "nightly" ? NIGHTLY : GATE).map((name) => CHARTS[name]);
}

interface Chart {
  readonly type: string;
  readonly title?: string;
  readonly data?: unknown;
  readonly [member: string]: unknown;
}

export interface ChartsFile {
  readonly general: Readonly<Record<string, Chart>>;
}

const JUDGED: readonly string[] = ["passed", ...FAILED];

/** Returns the chart of judged checks. Allure also counts checks that did not run, and shows less than 100 % for a conformant run. */
function judgedOnly(chart: Chart): Chart {
  const counts = Object.entries(chart.data as Readonly<Record<string, number>>).filter(([status]) => JUDGED.includes(status));
  return { ...chart, data: { ...Object.fromEntries(counts), total: counts.reduce((sum, [, count]) => sum + count, 0) } };
}

/** Returns the share of successive runs in which checks kept their status. Allure shows 100 % even for changing statuses. */
function stability(chart: Chart, runs: readonly TrendPoint[]): Chart {
  const pattern = chart.title === CHARTS.documents.title ? /^\w+/ : /^\w+-\d+/;
  const pairs = new Map<string, { kept: number; all: number }>();
  for (const [index, { statuses }] of runs.slice(1).entries()) {
    for (const [check, status] of statuses) {
      const before = runs[index]?.statuses.get(check) ?? "";
      const group = pattern.exec(check)?.[0];
      if (group === undefined || !JUDGED.includes(status) || !JUDGED.includes(before)) continue;
      const { kept, all } = pairs.get(group) ?? { kept: 0, all: 0 };
      pairs.set(group, { kept: kept + Number(status === before), all: all + 1 });
    }
  }
  const groups = [...pairs.keys()].toSorted();
  return {
    ...chart,
    keys: Object.fromEntries(groups.map((group) => [group, group])),
    data: groups.map((id) => {
      const { kept = 0, all = 1 } = pairs.get(id) ?? {};
      // The share is rounded down, so that 100 % means that the status of no check changed.
      return { id, stabilityRate: Math.floor((10_000 * kept) / all) / 100 };
    }),
  };
}

/** Returns the index of the run in which a check got its present status, if it has had this status in each later run. */
function begin(runs: readonly TrendPoint[], check: string, status: string): number {
  let index = runs.length - 1;
  while (index > 0 && runs[index - 1]?.statuses.get(check) === status) index -= 1;
  return index;
}

/**
 * Counts each failed check once, at the run in which its failure began.
 * Allure shows a row for each run, and also counts checks that did not run and failures that have ended.
 */
function ages(chart: Chart, runs: readonly TrendPoint[]): Chart {
  const counts = runs.map(() => ({ failed: 0, broken: 0 }));
  for (const [check, status] of runs.at(-1)?.statuses ?? []) {
    const began = counts[begin(runs, check, status)];
    for (const failed of FAILED) if (began !== undefined && status === failed) began[failed] += 1;
  }
  const rows = runs.map(({ at }, index) => ({
    id: index === runs.length - 1 ? "current" : String(index),
    timestamp: Date.parse(at),
    ...(counts[index] ?? { failed: 0, broken: 0 }),
  }));
  return { ...chart, statuses: FAILED, data: rows.filter(({ id, failed, broken }) => id === "current" || failed + broken > 0) };
}

interface TreeNode {
  readonly eligibleCount: number;
  readonly passedTests: number;
  /** The colour of the node, as a number from 0 (red) to 1 (green). */
  readonly colorValue: number;
  readonly children?: readonly TreeNode[];
}

/**
 * Returns the tree with violated and inconclusive clauses in red, even if most of their checks passed.
 * Clauses that did not run are left out, because Allure shows them as if all their checks had failed.
 */
function judgedTree(node: TreeNode): TreeNode {
  if (node.children === undefined) return { ...node, colorValue: node.passedTests === node.eligibleCount ? 1 : 0 };
  return { ...node, children: node.children.filter(({ eligibleCount }) => eligibleCount > 0).map(judgedTree) };
}

interface StatusRow {
  readonly statistic: { readonly failed?: number; readonly broken?: number };
}

/** Returns totals of failures only, so that the axis fits them. Each total is at least 1, because Allure hides a run whose total is 0. */
function failuresOnly(chart: Chart): Chart {
  const data = (chart.data as readonly StatusRow[]).map((row) => {
    const { failed = 0, broken = 0 } = row.statistic;
    return { ...row, statistic: { failed, broken, total: Math.max(1, failed + broken) } };
  });
  return { ...chart, data };
}

/** Returns the time that passed during each run. Allure shows the sum of concurrent checks, which is longer. */
function elapsed(chart: Chart): Chart {
  const data = chart.data as readonly { readonly id: string; readonly timestamp: number; readonly duration: number }[];
  return { ...chart, data: data.map(({ id, timestamp, duration }) => ({ id, timestamp, duration })) };
}

/** Returns the charts with corrected numbers. The last of `runs` is the present run, and `runs` may be empty. */
export function corrected({ general, ...rest }: ChartsFile, runs: readonly TrendPoint[]): ChartsFile {
  const correct = (chart: Chart): Chart => {
    if (chart.type === CHARTS.current.type) return judgedOnly(chart);
    if (chart.title === CHARTS.failures.title) return failuresOnly(chart);
    if (chart.type === CHARTS.success.type)
      return { ...chart, treeMap: { ...judgedTree(chart["treeMap"] as TreeNode), id: "Both documents" } };
    if (chart.type === CHARTS.duration.type) return elapsed(chart);
    if (chart.type === CHARTS.documents.type) return stability(chart, runs);
    // If `runs` is empty, the chart of ages stays unchanged, and Allure says that there is no history.
    return chart.type === CHARTS.age.type && runs.length > 0 ? ages(chart, runs) : chart;
  };
  return { ...rest, general: Object.fromEntries(Object.entries(general).map(([id, chart]) => [id, correct(chart)])) };
}
