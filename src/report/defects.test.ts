import { expect, test } from "vitest";
import type { CheckResult, ViolationFacts } from "../harness/result.ts";
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

const at = (path: string, expected: string, actual: string) => ({ difference: { path, expected, actual } });

test("violations of a clause with the same kind of difference are one defect, whatever their names, positions and values", () => {
  const defects = defectsIn(
    failing("logs-4.query", "one", at("data.result[0].value[1]", "36 for {}", "12")),
    failing("logs-4.query", "two", at("data.result[2].value[1]", '17 for {"a":"p"}', "7")),
    failing("logs-4.query", "edges", at("data.result[0].value[1]", "from 92 to 108, depending on the entries at the edges", "72")),
    failing("logs-4.query", "time", at("data.result[0].value[0]", "17", "18")),
    failing("logs-4.query", "gone", at("data.result", "every group", 'missing from the answer: {"a":"p"}')),
  );
  expect(defects.map(({ title, checks }) => [title, checks.length])).toEqual([
    ["GET: data.result[].value[1] has another value", 3],
    ["GET: data.result[].value[0] has another value", 1],
    ["GET: data.result lacks data", 1],
  ]);
  expect(new Set(defects.map(({ id }) => id)).size).toBe(3);
  const [limit] = defectsIn(failing("admin-2.limit.max_series_per_user", "row", at("limits.max_series_per_user", "20", '"20"')));
  expect(limit?.title).toBe("GET: limits.max_series_per_user has a value of another type");
});

test("defects that differ only in the limit are one defect if there are at least five", () => {
  const limits = ["max_series_per_user", "max_series_per_query", "ingestion_rate", "min_chunk_length", "cardinality_limit"];
  const rows = limits.map((name) => failing(`admin-2.limit.${name}`, "row", at(`limits.${name}`, "20", '"20"')));
  const [defect, ...others] = defectsIn(...rows);
  expect(others).toEqual([]);
  expect(defect?.title).toBe("limits.* has a value of another type (5 limits)");
  expect(defect?.clauses.toSorted()).toEqual(limits.map((name) => `admin-2.limit.${name}`).toSorted());
  expect(defectsIn(...rows.slice(1))).toHaveLength(4);
});

function titleOf(...difference: Parameters<typeof at>): string | undefined {
  return defectsIn(failing("admin-4.2", "check", at(...difference)))[0]?.title;
}

test("a title about a list names its items", () => {
  const [defect] = defectsIn(
    failing("logs-4.labels", "check", {
      asked: "labels",
      ...at("data (label names)", '"zone" in the list', "missing from a list of 3 items"),
    }),
  );
  expect(defect?.title).toBe("labels: names are missing");
});

test("a title says what happened where the kind of difference has no words", () => {
  expect(titleOf("limits", "absent: the instance has no limits", "47 limits")).toBe("GET: limits is present, but must be absent");
  expect(titleOf("body", "the instance object as JSON", "an empty body")).toBe("GET: body is not the instance object as JSON");
  expect(titleOf("data.result", "the 7 newest entries", "the oldest entries")).toBe("GET: data.result is not as promised");
});

function titleOfQuery(...difference: Parameters<typeof at>): string | undefined {
  return defectsIn(failing("logs-5.2a", "check", { asked: "query_range", ...at(...difference) }))[0]?.title;
}

test("a title names another tenant, a wrong timestamp, a cut list and different defaults", () => {
  expect(titleOfQuery("data.result", "only the tenant's own entries", '4 entries of the other tenant; the first is "a"')).toBe(
    "query_range: entries of another tenant are returned",
  );
  expect(titleOfQuery("data.result", "timestamp 17", 'timestamp 10 for the line "a"')).toBe(
    "query_range: data.result has wrong timestamps",
  );
  expect(titleOf("limits.drop_labels", '["a","b"]', "only the first 1 of 2 items")).toBe("GET: limits.* is cut off");
  expect(titleOf("limits.ingestion_rate", "the same global default in every instance", "1 and 2")).toBe(
    "GET: limits.* differs between instances",
  );
});

test("a title about entries says in which way they are wrong", () => {
  const edge = ["all of the 4 entries exactly at start (17), or none of them", 'only some entries; missing from the answer: ["17","a"]'];
  const stream = ['["17","a"] in {"a":"b"}', 'in {"a":"c"}'];
  const label = ['["17","a"] in svc_zz: "b"', 'in svc_zz: "c"'];
  for (const [expected = "", actual = "", title] of [
    [...edge, "query_range: entries with one timestamp are returned only in part"],
    [...stream, "query_range: entries are in a wrong stream"],
    [...label, "query_range: entries are in a wrong stream"],
    ["the newest 2 selected entries", "other entries with the last timestamp", "query_range: entries are not the newest or the oldest"],
    ["all 9 entries of 3 pushes that were accepted", "8 entries", "query_range: entries are missing"],
    ["an entry that is hours old", "none", "query_range: entries are missing"],
    [
      "the 5 entries of this hour: reads showed them",
      '2 of these entries are missing; the first is "a"',
      "query_range: entries are missing",
    ],
    ["only entries from 17", 'also an entry outside the window: ["16","a"]', "query_range: entries are returned that must not be returned"],
    ["nothing, because this tenant never pushed", '"a"', "query_range: entries are returned that must not be returned"],
    ["no entry of a refused push", "3 entries", "query_range: entries are returned that must not be returned"],
    ["a count of 9 entries", "8", "query_range: data.result has another value"],
  ])
    expect(titleOfQuery("data.result", expected, actual)).toBe(title);
});

function idOf(clause: string, ...difference: Parameters<typeof at>): string {
  return defectsIn(failing(clause, "check", at(...difference)))[0]?.id ?? "";
}

test("the id of a defect is the same in a run with other names and values, and another one for another clause or kind", () => {
  const id = idOf("admin-4.3", "limits.ruler_max_rules", "20", "absent");
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(idOf("admin-4.3", "limits.max_series_per_user (in the response)", "70 (not sent)", "absent")).toBe(id);
  expect(idOf("admin-4.1", "limits.ruler_max_rules", "20", "absent")).not.toBe(id);
  expect(idOf("admin-4.3", "limits.ruler_max_rules", "20", '"20"')).not.toBe(id);
});

test("if an engine states the levels, they name the defect, and the id does not depend on the kind of difference", () => {
  const minimal = { levels: { limit: "2", direction: "forward" }, failing: 18, failingWithLevels: 18, rightWithout: 212 };
  const [defect, ...more] = defectsIn(
    failing("logs-4.1", "plain", at("data.result", "a", "wrong order: b")),
    failing("logs-4.1", "cases", { ...at("data.result", "a", "wrong order: b"), minimal }),
  );
  expect(more).toEqual([]);
  expect(defect).toMatchObject({
    title: "GET: data.result is in the wrong order with direction: forward, limit: 2",
    levels: minimal.levels,
    checks: ["logs-4.1/cases", "logs-4.1/plain"],
    failing: 19,
    failingWithLevels: 18,
    rightWithout: 212,
  });
  expect(supportText(defect as DefectSummary)).toBe(
    "18 cases with this combination failed. 212 cases without this combination were right.",
  );
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
  const lost = failing("logs-4.push", "back", at("data.result", "every entry", "missing from the answer: x"));
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
