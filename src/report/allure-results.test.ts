import type { TestResult } from "allure-js-commons";
import { expect, test } from "vitest";
import { allureIdOf } from "../harness/vitest-allure.ts";
import { testName } from "../harness/vitest-types.ts";
import { AllureRepair, environmentOf } from "./allure-results.ts";
import { RUN_DETAILS, plannedCheck, resultOf, settingsFor } from "./testing.ts";

const CHECK = plannedCheck("admin-4.2");

function written(change: Partial<TestResult> = {}): TestResult {
  const labels = [
    { name: "package", value: "vitest.js" },
    { name: "epic", value: "Metrics admin API" },
  ];
  return {
    uuid: "u",
    name: testName(CHECK),
    statusDetails: {},
    stage: "finished",
    steps: [],
    attachments: [],
    parameters: [],
    labels,
    links: [],
    ...change,
  } as TestResult;
}

function repaired(result: TestResult, verdict?: "pass" | "not-run"): TestResult {
  const repair = new AllureRepair();
  repair.onPlan([CHECK]);
  if (verdict !== undefined) repair.onResult(resultOf(CHECK, verdict, "LOGS_USER is not set"));
  repair.repair(result);
  return result;
}

test("a result is listed at the place of its check, in whichever file it ran", () => {
  const result = repaired(written({ testCaseId: allureIdOf(CHECK.id), fullName: "a.js#main x" }), "pass");
  expect(result.fullName).toBe("admin-4.2/check");
  expect(result.titlePath).toEqual(["1. Metrics admin API", "Section 4: Endpoints", "admin-4.2"]);
  expect(result.labels).toEqual([{ name: "epic", value: "Metrics admin API" }]);
});

test("a result begins when its check began, and not when its test began to wait", () => {
  expect(repaired(written({ testCaseId: allureIdOf(CHECK.id), start: 100, stop: 900 }), "pass")).toMatchObject({ start: 895, stop: 900 });
});

test("a check that was not run has a reason", () => {
  expect(repaired(written({ testCaseId: allureIdOf(CHECK.id) }), "not-run").statusDetails).toEqual({ message: "LOGS_USER is not set" });
});

test("a check without a result has the status broken, and keeps its identity", () => {
  const result = repaired(written());
  expect(result).toMatchObject({ fullName: "admin-4.2/check", name: CHECK.title, status: "broken", stage: "interrupted" });
  expect([result.testCaseId, result.historyId]).toEqual([allureIdOf(CHECK.id), allureIdOf(CHECK.id)]);
});

test("a violation that may follow from another violation names it", () => {
  const [cause, effect] = [plannedCheck("logs-4.push"), plannedCheck("logs-4.4")];
  const repair = new AllureRepair();
  repair.onPlan([cause, effect]);
  for (const check of [cause, effect]) repair.onResult(resultOf(check, "fail", "lost"));
  const messageOf = (id: string): string | undefined => {
    const result = { ...written({ testCaseId: allureIdOf(id) }), statusDetails: { message: "lost" } };
    repair.repair(result);
    return result.statusDetails.message;
  };
  expect(messageOf(effect.id)).toBe("lost\n\nlogs-4.4 may follow from the violation of logs-4.push. Correct logs-4.push first.");
  expect(messageOf(cause.id)).toBe("lost");
});

test("the environment has the targets and versions, and no credential", () => {
  const settings = settingsFor({ BASE_URL: "https://b", API_TOKEN: "s3cr3t-token", METRICS_CLUSTER: "c", LOGS_USER: "u" });
  const environment = environmentOf(settings, RUN_DETAILS);
  expect(environment).toMatchObject({ "Admin API": "https://b", Seed: "1729", Suite: "plumbline 1.0.0" });
  expect(JSON.stringify(environment)).not.toContain("s3cr3t");
});
