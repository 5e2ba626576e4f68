import { expect, test } from "vitest";
import { exchange } from "../client/testing.ts";
import type { ExchangeEvidence } from "./result.ts";
import { evidenceOf, inOrder, lineOf, scriptOf } from "./timeline.ts";

const INSTANCES = "http://x/admin/api/v1/instances";

const evidence = (sequence: number, ms: number, more: Partial<ExchangeEvidence> = {}): ExchangeEvidence => ({
  sequence,
  startedAt: new Date(ms).toISOString(),
  durationMs: 100,
  operation: "read instance",
  role: "judged",
  request: { method: "GET", url: "http://x", headers: {}, body: null },
  response: { status: 200, headers: {}, body: "" },
  error: null,
  curl: `curl ${sequence}`,
  ...more,
});

test("the evidence has the judged exchanges and the last writes of the same instance before, and no other ones", () => {
  const read = exchange("GET", `${INSTANCES}/a`, 200, 500);
  const judged = [read, exchange("GET", `${INSTANCES}/b`, 200, 400)];
  const writes = [exchange("POST", INSTANCES, 200, 100, '{"name":"a"}'), exchange("PUT", `${INSTANCES}/a`, 200, 300, "{}")];
  const others = [exchange("PUT", `${INSTANCES}/c`, 200, 200, "{}"), exchange("PUT", `${INSTANCES}/a`, 200, 600, "{}")];
  expect(evidenceOf(judged, [...others, ...writes.toReversed(), ...judged])).toEqual([...judged, ...writes]);
});

test("a line has the elapsed time, and says which response is wrong", () => {
  const all = inOrder([evidence(9, 1_500, { role: "deciding" }), evidence(2, 1_000, { alike: 2 }), evidence(4, 1_200, { response: null })]);
  expect(all.map((one) => lineOf(one, all[0] as ExchangeEvidence))).toEqual([
    "0.0 s read instance → 200 (repeated 2 times, with the same response)",
    "0.2 s read instance → no response",
    "0.5 s read instance → 200: wrong",
  ]);
});

function line(operation: string, body: string): string {
  const one = evidence(1, 0, { operation, request: { method: "PUT", url: "http://x", headers: {}, body } });
  return lineOf(one, one);
}

test("a line about a create or an update says whether it has limits, also if its body is cut", () => {
  expect(line("update instance", '{"limits":{"a":1}}')).toBe("0.0 s update instance with limits → 200");
  expect(line("update instance", '{"display_name":"limits"}')).toBe("0.0 s update instance without limits → 200");
  expect(line("create instance", '{"l\\u0069mits":{}}')).toBe("0.0 s create instance with limits → 200");
  expect(line("create instance", '{"limits":{"a":… (900 characters)')).toBe("0.0 s create instance with limits → 200");
  expect(line("create instance", '{"display_name":"… (900 characters)')).toBe("0.0 s create instance → 200");
  expect(line("push", '{"limits":1}')).toBe("0.0 s push → 200");
});

test("the script repeats the requests with their long pauses", () => {
  expect(scriptOf([evidence(1, 0), evidence(2, 200), evidence(3, 2_800)])).toBe(
    [
      "#!/bin/sh",
      "# 0.0 s read instance → 200\ncurl 1\necho",
      "# 0.2 s read instance → 200\ncurl 2\necho",
      "sleep 2.5\n# 2.8 s read instance → 200\ncurl 3\necho",
      "",
    ].join("\n"),
  );
});
