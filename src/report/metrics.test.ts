import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { toPrometheus } from "./metrics.ts";
import { summarize } from "./summary.ts";
import { RUN_DETAILS, plannedCheck, resultOf, settingsFor } from "./testing.ts";

const PLAN = [plannedCheck("admin-4.1"), plannedCheck("admin-4.2")];

function text(): string {
  const results = [resultOf(plannedCheck("admin-4.1"), "pass"), resultOf(plannedCheck("admin-4.2"), "fail")];
  const { summary } = summarize(results, PLAN, settingsFor({}, ["admin-4.1", "admin-4.2"]), RUN_DETAILS);
  const operation = {
    service: "logs",
    operation: 'odd "name"\\',
    requests: 7,
    unanswered: 1,
    totalMs: 99,
    p50: 12.5,
    p90: null,
    p99: 40,
  } as const;
  return toPrometheus({ ...summary, operations: [operation] });
}

test("clauses by verdict, requests, latencies and duration are gauges with a help text", () => {
  const lines = text().split("\n");
  expect(lines).toContain('plumbline_clauses{target="embedded",profile="release",verdict="pass"} 1');
  expect(lines).toContain('plumbline_clauses{target="embedded",profile="release",verdict="fail"} 1');
  expect(lines).toContain('plumbline_verdict{target="embedded",profile="release",verdict="nonconformant"} 1');
  expect(lines).toContain('plumbline_requests{target="embedded",profile="release"} 10');
  expect(lines).toContain('plumbline_run_duration_seconds{target="embedded",profile="release"} 1.234');
  expect(lines).toContain(
    String.raw`plumbline_operation_latency_seconds{target="embedded",profile="release",service="logs",operation="odd \"name\"\\",quantile="0.5"} 0.0125`,
  );
  expect(text()).not.toContain('0.9"');
});

test("latencies are a summary with their sum and the number of responses", () => {
  const labels = String.raw`{target="embedded",profile="release",service="logs",operation="odd \"name\"\\"}`;
  const lines = text().split("\n");
  expect(lines).toContain("# TYPE plumbline_operation_latency_seconds summary");
  expect(lines).toContain(`plumbline_operation_latency_seconds_sum${labels} 0.099`);
  expect(lines).toContain(`plumbline_operation_latency_seconds_count${labels} 6`);
});

function labelled(env: Record<string, string>): string {
  const { summary } = summarize([], PLAN, settingsFor(env, ["admin-4.1"]), RUN_DETAILS);
  return /target="([^"]*)"/.exec(toPrometheus(summary))?.[1] ?? "";
}

test("the label of the targets has each address once", () => {
  const admin = { METRICS_BASE_URL: "https://m", METRICS_API_TOKEN: "a-token-of-mine", METRICS_CLUSTER: "c" };
  expect(labelled({ ...admin, LOGS_BASE_URL: "https://l" })).toBe("https://m,https://l");
  expect(labelled({ ...admin, LOGS_BASE_URL: "https://m" })).toBe("https://m");
  expect(labelled({ LOGS_BASE_URL: "https://l" })).toBe("https://l");
});

test.runIf(spawnSync("promtool", ["--version"]).status === 0)("promtool reports no problem", () => {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text(), encoding: "utf8" });
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: "" });
});

test("each line is a comment or one sample, and each family is named once", () => {
  const lines = text().trimEnd().split("\n");
  expect(lines.filter((line) => !/^(?:# (?:HELP|TYPE) \w+ .+|\w+\{(?:\w+="(?:[^"\\]|\\.)*",?)+\} -?[\d.]+)$/.test(line))).toEqual([]);
  const types = lines.filter((line) => line.startsWith("# TYPE"));
  expect(new Set(types).size).toBe(types.length);
});

interface Query {
  readonly expr: string;
  readonly legendFormat: string;
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly Query[] }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

/** Returns the names of the labels of each metric in `metrics.prom`, by the name of the metric. */
function labelsByMetric(): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>();
  for (const [, name = "", pairs = ""] of text().matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const known = labels.get(name) ?? new Set();
    for (const [, label = ""] of pairs.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label);
    labels.set(name, known);
  }
  return labels;
}

test("the Grafana dashboard uses each metric and label that a run writes, and no other", () => {
  const path = join(packageRoot(), "recipes/grafana-dashboard.json");
  const { panels, templating } = JSON.parse(readFileSync(path, "utf8")) as Dashboard;
  const labels = labelsByMetric();
  const used = new Set<string>();
  const ask = (query: string, more: readonly string[]): void => {
    const metrics = [...query.matchAll(/\b(plumbline_\w+)(?:\{([^}]*)\})?/g)];
    expect(metrics.length, query).toBeGreaterThan(0);
    for (const [, name = "", selector = ""] of metrics) {
      used.add(name);
      const wanted = [...selector.matchAll(/(\w+)\s*[=!]/g)].map(([, label = ""]) => label);
      expect([...(labels.get(name) ?? [])], query).toEqual(expect.arrayContaining([...wanted, ...more]));
    }
  };
  for (const { expr, legendFormat } of panels.flatMap(({ targets }) => targets))
    ask(
      expr,
      [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label),
    );
  for (const { definition } of templating.list) {
    const [, query, label] = /^label_values\((.*), (\w+)\)$/.exec(definition ?? "") ?? [];
    if (query !== undefined && label !== undefined) ask(query, [label]);
  }
  expect([...labels.keys()].filter((name) => !used.has(name))).toEqual([]);
  expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "target", "profile"]);
  const titles = panels.map(({ title }) => title);
  for (const title of ["Verdict", "Clauses by verdict", "Duration of the run", "Requests by operation"]) expect(titles).toContain(title);
  expect(titles.filter((title) => title.startsWith("Latency by operation"))).not.toEqual([]);
});
