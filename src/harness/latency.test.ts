import { expect, test } from "vitest";
import { Latencies } from "./latency.ts";

const ANSWER = { status: 200, headers: {}, body: "" };

test("operations are counted under their own name, and a request without a response has no duration", () => {
  const latencies = new Latencies();
  for (let ms = 1; ms <= 100; ms += 1) latencies.note("logs", { operation: "push (tenant a)", durationMs: ms, response: ANSWER });
  latencies.note("logs", { operation: "push", durationMs: 9_999, response: null });
  latencies.note("admin", { operation: "read", durationMs: 5, response: null });
  expect(latencies.stats()).toEqual([
    { service: "admin", operation: "read", requests: 1, unanswered: 1, totalMs: 0, p50: null, p90: null, p99: null },
    { service: "logs", operation: "push", requests: 101, unanswered: 1, totalMs: 5050, p50: 51, p90: 91, p99: 100 },
  ]);
});
