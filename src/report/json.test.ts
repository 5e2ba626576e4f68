import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { emptyFolder } from "../model/folder-testing.ts";
import { RUN_END } from "../harness/testing.ts";
import type { CheckResult } from "../harness/result.ts";
import { readSchema } from "../model/schemas.ts";
import { observationsOf, writeSummary } from "./json.ts";
import { outputsIn } from "./outputs.ts";
import { summarize } from "./summary.ts";
import { COVERAGE, FULL_PLAN, plannedCheck, resultOf, RUN_DETAILS, settingsFor, withCoverage } from "./testing.ts";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
const isSummary = ajv.compile(readSchema("report/summary.json"));
const isObservations = ajv.compile(readSchema("report/observations.json"));

function observing(slug: string, id: string, seen: unknown): CheckResult {
  const observation = { id, clause: "admin-4.4", title: "Status of create", seen, exchanges: [] };
  return { ...resultOf(plannedCheck("admin-4.1", slug), "pass"), observations: [observation] };
}

const { factors: _factors, cells: _cells, ...TABLE } = COVERAGE;

test("each kind of summary is valid by its schema", () => {
  const verdicts = ["pass", "fail", "inconclusive", "not-run"] as const;
  const results = FULL_PLAN.map((check, index) => resultOf(check, verdicts[index % 4] ?? "pass"));
  const remote = settingsFor({ LOGS_BASE_URL: "https://l.example.com" });
  const cleanup = { deleted: ["a"], failed: [{ name: "b", reason: "status 405" }] };
  for (const details of [
    RUN_DETAILS,
    withCoverage(COVERAGE),
    withCoverage(TABLE),
    { ...RUN_DETAILS, end: null, interrupted: "SIGINT" as const },
    {
      ...RUN_DETAILS,
      internalError: "crash",
      end: { ...RUN_END, cleanup },
    },
  ]) {
    const { summary } = summarize(results, FULL_PLAN, remote, details);
    isSummary(JSON.parse(JSON.stringify(summary)));
    expect(isSummary.errors).toBeNull();
  }
});

test("the schema refuses a cell of another length, and a number that is negative", () => {
  for (const cell of [
    [1, 0, 4, 4, 0, 0, 0],
    [1, 0, 4, 5, -1, 0, 0, 0],
  ]) {
    const cells = [cell] as unknown as NonNullable<typeof COVERAGE.cells>;
    expect(isSummary(summarize([], [], settingsFor(), withCoverage({ ...COVERAGE, cells })).summary)).toBe(false);
  }
});

test("summary.json has each cell of the coverage on one line", () => {
  const outputs = outputsIn(emptyFolder());
  const finished = summarize([], [], settingsFor(), withCoverage(COVERAGE));
  writeSummary(outputs, finished);
  const text = readFileSync(outputs.summary, "utf8");
  expect(JSON.parse(text)).toEqual(finished.summary);
  expect(text).toMatch(/^ *\[2, 0, 100, 97, 3, 0, 0, 0\],$/m);
});

test("the schema refuses a summary without a verdict", () => {
  const { verdict: _left, ...rest } = summarize([], [], settingsFor(), RUN_DETAILS).summary;
  expect(isSummary(rest)).toBe(false);
});

test("observations are ordered by id and valid by their schema", () => {
  const plan = [plannedCheck("admin-4.1", "one"), plannedCheck("admin-4.1", "two")];
  const results = [observing("one", "admin-4.4/z", { status: 201 }), observing("two", "admin-4.4/a", null)];
  const file = JSON.parse(JSON.stringify(observationsOf(summarize(results, plan, settingsFor(), RUN_DETAILS)))) as {
    observations: { id: string }[];
  };
  isObservations(file);
  expect(isObservations.errors).toBeNull();
  expect(file.observations.map(({ id }) => id)).toEqual(["admin-4.4/a", "admin-4.4/z"]);
});
