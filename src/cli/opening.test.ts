import { expect, test } from "vitest";
import { settingsFor } from "../report/testing.ts";
import { openingLines } from "./opening.ts";

const SUITE = { name: "plumbline", version: "1.0.0" };

test("before the first write a run says what it will create, and on which target", () => {
  const env = { BASE_URL: "https://b", API_TOKEN: "s3cr3t-token", METRICS_CLUSTER: "prod", LOGS_TENANT_ID: "a" };
  const text = openingLines(settingsFor(env), "rabc", SUITE).join("\n");
  expect(text).toContain("run rabc · profile release · seed 1729");
  expect(text).toContain(
    'creates: at most 40 instances with rabc in their names in cluster "prod"; log streams labelled with rabc for tenant a; at most 8 MiB of log lines;',
  );
  expect(text).toContain("nothing is deleted afterwards");
  expect(text).not.toContain("s3cr3t");
});

test("a service that is not configured is not listed as a target of writes", () => {
  const text = openingLines(settingsFor({ LOGS_BASE_URL: "https://l" }), "rabc", SUITE).join("\n");
  expect(text).toContain("admin API: not configured");
  expect(text).not.toContain("instances with");
});
