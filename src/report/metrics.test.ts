import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
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

test("clauses by verdict, requests, latencies and duration are gauges with their help", () => {
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

test("latencies are a summary with its sum and the count of the answers", () => {
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

test("the label of the targets is their addresses, each once", () => {
  const admin = { METRICS_BASE_URL: "https://m", METRICS_API_TOKEN: "a-token-of-mine", METRICS_CLUSTER: "c" };
  expect(labelled({ ...admin, LOGS_BASE_URL: "https://l" })).toBe("https://m,https://l");
  expect(labelled({ ...admin, LOGS_BASE_URL: "https://m" })).toBe("https://m");
  expect(labelled({ LOGS_BASE_URL: "https://l" })).toBe("https://l");
});

test.runIf(spawnSync("promtool", ["--version"]).status === 0)("promtool finds nothing to say", () => {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text(), encoding: "utf8" });
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: "" });
});

test("every line is a comment or one sample, and every family is named once", () => {
  const lines = text().trimEnd().split("\n");
  expect(lines.filter((line) => !/^(?:# (?:HELP|TYPE) \w+ .+|\w+\{(?:\w+="(?:[^"\\]|\\.)*",?)+\} -?[\d.]+)$/.test(line))).toEqual([]);
  const types = lines.filter((line) => line.startsWith("# TYPE"));
  expect(new Set(types).size).toBe(types.length);
});
