import { expect, test } from "vitest";
import type { CheckResult, ViolationFacts } from "../harness/result.ts";
import type { DifferenceKind } from "../model/kinds.ts";
import { defectsText, supportText } from "./defects.ts";
import type { DefectSummary } from "./model.ts";
import { summarize } from "./summary.ts";
import { COVERAGE, plannedCheck, resultOf, RUN_DETAILS, settingsFor, VIOLATION, withCoverage } from "./testing.ts";

function failing(clause: string, slug: string, facts: Partial<ViolationFacts> = {}): CheckResult {
  const result = resultOf(plannedCheck(clause, slug), "fail");
  return { ...result, outcomes: result.outcomes.map((outcome) => ({ ...outcome, violation: { ...VIOLATION, ...facts } })) };
}

function defectsIn(...results: readonly CheckResult[]): readonly DefectSummary[] {
  const plan = results.map(({ id }) => plannedCheck(id.split("/")[0] ?? "", id.split("/")[1]));
  return summarize(results, plan, settingsFor(), RUN_DETAILS).summary.defects ?? [];
}

const at = (path: string, expected: string, actual: string, kind?: DifferenceKind) => ({
  difference: { path, expected, actual, ...(kind === undefined ? {} : { kind }) },
});

test("violations of a clause with the same kind of difference are one defect, whatever their names, positions and values", () => {
  const defects = defectsIn(
    failing("logs-4.query", "one", at("data.result[0].value[1]", "36 for {}", "12")),
    failing("logs-4.query", "two", at("data.result[2].value[1]", '17 for {"a":"p"}', "7")),
    failing("logs-4.query", "edges", at("data.result[0].value[1]", "from 92 to 108, depending on the entries at the edges", "72")),
    failing("logs-4.query", "time", at("data.result[0].value[0]", "17", "18")),
    failing("logs-4.query", "gone", at("data.result", "every group", 'missing from the answer: {"a":"p"}', "lost-group")),
  );
  expect(defects.map(({ title, checks }) => [title, checks.length])).toEqual([
    ["GET: data.result[].value[1] has another value", 3],
    ["GET: data.result[].value[0] has another value", 1],
    ["GET: data.result lacks data", 1],
  ]);
  expect(new Set(defects.map(({ id }) => id)).size).toBe(3);
  const [limit] = defectsIn(failing("admin-2.limit.max_series_per_user", "row", at("limits.max_series_per_user", "20", '"20"', "type")));
  expect(limit?.title).toBe("GET: limits.max_series_per_user has a value of another type");
});

test("defects that differ only in the limit are one defect if there are at least five", () => {
  const limits = ["max_series_per_user", "max_series_per_query", "ingestion_rate", "min_chunk_length", "cardinality_limit"];
  const rows = limits.map((name) => failing(`admin-2.limit.${name}`, "row", at(`limits.${name}`, "20", '"20"', "type")));
  const [defect, ...others] = defectsIn(...rows);
  expect(others).toEqual([]);
  expect(defect?.title).toBe("limits.* has a value of another type (5 limits)");
  expect(defect?.clauses.toSorted()).toEqual(limits.map((name) => `admin-2.limit.${name}`).toSorted());
  expect(defectsIn(...rows.slice(1))).toHaveLength(4);
});

function titleOf(...difference: Parameters<typeof at>): string | undefined {
  return defectsIn(failing("admin-4.2", "check", at(...difference)))[0]?.title;
}

test("a title about a refused limit names the limit", () => {
  const refused = at("status", "success (2xx)", "status 400: no", "status");
  const [limit] = defectsIn(failing("admin-2.limit.drop_labels", "row", { asked: "PUT", ...refused }));
  expect(limit?.title).toBe("PUT for limits.drop_labels is answered with status 400");
});

test("a title about a list names its items", () => {
  const [defect] = defectsIn(
    failing("logs-4.labels", "check", {
      asked: "labels",
      ...at("data (label names)", '"zone" in the list', "missing from a list of 3 items", "lost"),
    }),
  );
  expect(defect?.title).toBe("labels does not return all names");
});

test("a title says that a value is present or invalid, and an own check need not name the kind", () => {
  expect(titleOf("limits", "absent, because the last write sent no limits", "47 limits", "present")).toBe(
    "GET: limits is present, but must be absent",
  );
  expect(titleOf("body", "the instance object as JSON", "an empty body", "form")).toBe("GET: body is not the instance object as JSON");
  expect(titleOf("data.result", "the 7 newest entries", "the oldest entries")).toBe("GET: data.result has another value");
});

function titleOfQuery(...difference: Parameters<typeof at>): string | undefined {
  return defectsIn(failing("logs-5.2a", "check", { asked: "query_range", ...at(...difference) }))[0]?.title;
}

test("a title about the result of a query says in which way its items are wrong", () => {
  for (const [kind, title] of [
    ["lost", "query_range does not return all entries"],
    ["other-tenant", "query_range returns entries of another tenant"],
    ["timestamp", "query_range returns entries with wrong timestamps"],
    ["edge", "query_range returns only some entries with one timestamp"],
    ["misplaced", "query_range returns entries in a wrong stream"],
    ["wrong-choice", "query_range does not return the wanted entries"],
    ["foreign", "query_range returns entries that must not be returned"],
    ["sample", "query_range returns a wrong sample value"],
  ] as const)
    expect(titleOfQuery("data.result", "one", "other", kind)).toBe(title);
  expect(titleOf("limits.ingestion_rate", "the same global default in every instance", "1 and 2", "differing")).toBe(
    "GET: limits.* differs between instances",
  );
});

function idOf(clause: string, ...difference: Parameters<typeof at>): string {
  return defectsIn(failing(clause, "check", at(...difference)))[0]?.id ?? "";
}

test("the id of a defect is the same in a run with other names and values, and another one for another clause or kind", () => {
  const id = idOf("admin-4.3", "limits.ruler_max_rules", "20", "absent");
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(idOf("admin-4.3", "limits.max_series_per_user (in the response)", "70 (not sent)", "absent")).toBe(id);
  expect(idOf("admin-4.1", "limits.ruler_max_rules", "20", "absent")).not.toBe(id);
  expect(idOf("admin-4.3", "limits.ruler_max_rules", "20", '"20"', "type")).not.toBe(id);
});

test("if an engine states the levels, they name the defect, and the id does not depend on the kind of difference", () => {
  const minimal = { levels: { limit: "2", direction: "forward" }, failing: 18, failingWithLevels: 18, rightWithout: 212 };
  const [defect, ...more] = defectsIn(
    failing("logs-4.1", "plain", at("data.result", "a", "wrong order: b", "order")),
    failing("logs-4.1", "cases", { ...at("data.result", "a", "wrong order: b", "order"), minimal }),
  );
  expect(more).toEqual([]);
  expect(defect).toMatchObject({
    title: "GET: data.result is in the wrong order if direction is forward and limit is 2",
    levels: minimal.levels,
    checks: ["logs-4.1/cases", "logs-4.1/plain"],
    failing: 19,
    failingWithLevels: 18,
    rightWithout: 212,
  });
  expect(supportText(defect as DefectSummary)).toBe("18 cases with this input failed. 212 cases without it were right.");
  const [other] = defectsIn(failing("logs-4.1", "cases", { ...at("data.result[3]", "1", "absent"), minimal }));
  expect(other?.id).toBe(defect?.id);
});

test("a violation that is known to follow from another one says so, and comes later", () => {
  const defects = defectsIn(failing("logs-4.4", "pages"), failing("logs-4.push", "back"));
  expect(defects.map(({ clauses, followsFrom }) => [clauses[0], followsFrom])).toEqual([
    ["logs-4.push", undefined],
    ["logs-4.4", "logs-4.push"],
  ]);
});

test("an accepted violation is no defect", () => {
  const result = failing("admin-4.2", "check");
  const accepted = { ...result, outcomes: result.outcomes.map((outcome) => ({ ...outcome, verdict: "deviation" as const })) };
  expect(defectsIn(accepted)).toEqual([]);
});

test("a sentence counts the defects and says what the worst ones do", () => {
  const lost = failing("logs-4.push", "back", at("data.result", "every entry", "missing from the answer: x", "lost"));
  expect(defectsText(defectsIn(lost))).toBe("1 defect; the defect loses acknowledged entries");
  expect(defectsText(defectsIn(lost, failing("logs-4.4", "pages"), failing("admin-4.2", "removal")))).toBe(
    "2 defects, and 1 more that may follow from these defects; 1 of the defects loses acknowledged entries",
  );
  expect(defectsText(defectsIn(failing("logs-5.2a", "tenants"), failing("admin-4.2", "removal")))).toBe(
    "2 defects; 1 of the defects breaks the isolation of tenants",
  );
  expect(defectsText(defectsIn(failing("admin-5.1", "token"), failing("logs-5.3", "token")))).toBe(
    "2 defects; 2 of the defects concern authentication",
  );
});

const hiddenFor = (check: string) => {
  const result = failing("admin-4.2", "row");
  const details = withCoverage({ ...COVERAGE, check });
  const { coverage = [], defects = [] } = summarize([result], [plannedCheck("admin-4.2", "row")], settingsFor(), details).summary;
  return { hidden: coverage[0]?.hidden, id: defects[0]?.id };
};

test("combinations that a defect hides name the defect that the same check found", () => {
  const { hidden, id } = hiddenFor("admin-4.2/row");
  expect(hidden).toEqual([{ defect: id, combinations: 2 }]);
  expect(hiddenFor("admin-4.3/histories").hidden).toEqual([{ defect: null, combinations: 2 }]);
});
