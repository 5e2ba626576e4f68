import { expect, test } from "vitest";
import { toPrometheus } from "./metrics.ts";
import { summarize } from "./summary.ts";
import { FACTS, plannedCheck, resultOf, settingsFor } from "./testing.ts";

const PLAN = [plannedCheck("admin-4.1"), plannedCheck("admin-4.2")];

function text(): string {
  const results = [resultOf(plannedCheck("admin-4.1"), "pass"), resultOf(plannedCheck("admin-4.2"), "fail")];
  const { summary } = summarize(results, PLAN, settingsFor({}, ["admin-4.1", "admin-4.2"]), FACTS);
  const operation = { service: "logs", operation: 'odd "name"\\', requests: 7, unanswered: 1, p50: 12.5, p90: null, p99: 40 } as const;
  return toPrometheus({ ...summary, operations: [operation] });
}

test("clauses by verdict, requests, latencies and duration are gauges with their help", () => {
  const lines = text().split("\n");
  expect(lines).toContain('plumbline_clauses{profile="release",verdict="pass"} 1');
  expect(lines).toContain('plumbline_clauses{profile="release",verdict="fail"} 1');
  expect(lines).toContain('plumbline_verdict{profile="release",verdict="nonconformant"} 1');
  expect(lines).toContain('plumbline_requests{profile="release"} 10');
  expect(lines).toContain('plumbline_run_duration_seconds{profile="release"} 1.234');
  expect(lines).toContain(
    String.raw`plumbline_operation_latency_seconds{profile="release",service="logs",operation="odd \"name\"\\",quantile="0.5"} 0.0125`,
  );
  expect(text()).not.toContain('0.9"');
});

test("every line is a comment or one sample, and every family is named once", () => {
  const lines = text().trimEnd().split("\n");
  expect(lines.filter((line) => !/^(?:# (?:HELP|TYPE) \w+ .+|\w+\{(?:\w+="(?:[^"\\]|\\.)*",?)+\} -?[\d.]+)$/.test(line))).toEqual([]);
  const types = lines.filter((line) => line.startsWith("# TYPE"));
  expect(new Set(types).size).toBe(types.length);
});
