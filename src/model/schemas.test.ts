/** The schemas stand by themselves, name a clause everywhere, and agree with the limits table and the types. */
import { expect, test } from "vitest";
import { clauseOf } from "../contract/catalogue.ts";
import { DOCUMENTED_DEFAULTS, LIMIT_NAMES, LIMITS } from "../contract/limits.ts";
import { isObject } from "./json.ts";
import { readSchema, SCHEMA_FILES, schemaDifferences } from "./schemas.ts";

const INSTANCE = { name: "a", display_name: "A", created_at: "2026-01-02T03:04:05.123456789Z", status: "active", cluster: "c" };
const ALL_LIMITS = { ...DOCUMENTED_DEFAULTS, max_series_per_query: 1, max_series_per_user: 2 };

/** Every schema object inside `value`. */
function schemasIn(value: unknown, key = ""): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap((item) => schemasIn(item, key));
  if (!isObject(value)) return [];
  const own = key !== "properties" && ("type" in value || "$ref" in value || "anyOf" in value || "not" in value) ? [value] : [];
  return [...own, ...Object.entries(value).flatMap(([name, item]) => (name === "anyOf" || name === "not" ? [] : schemasIn(item, name)))];
}

test.each(SCHEMA_FILES)("%s names a known clause in every constraint and has a title", (file) => {
  const schema = readSchema(file);
  expect(schema["title"]).toEqual(expect.any(String));
  const constraints = schemasIn(schema);
  expect(constraints.length).toBeGreaterThan(0);
  for (const constraint of constraints) {
    if (constraint["$comment"] === undefined && isObject(constraint["items"])) continue;
    expect(() => clauseOf(String(constraint["$comment"])), JSON.stringify(constraint).slice(0, 200)).not.toThrow();
  }
});

test("the limits schema has the 47 rows of the table with their defaults", () => {
  const schema = readSchema("admin/limits.json");
  const properties = schema["properties"] as Record<string, { $comment: string; default?: unknown; type?: string }>;
  expect(LIMIT_NAMES).toHaveLength(47);
  expect(Object.keys(properties)).toEqual(LIMIT_NAMES);
  expect(schema["required"]).toEqual(LIMIT_NAMES);
  for (const name of LIMIT_NAMES) {
    expect(properties[name]?.$comment).toBe(`admin-2.limit.${name}`);
    expect(properties[name]?.default).toEqual(LIMITS[name].default);
    const plain = ["integer", "boolean", "string"].includes(LIMITS[name].type);
    expect(properties[name]?.type).toBe(plain ? LIMITS[name].type : LIMITS[name].type === "duration" ? "string" : undefined);
  }
});

test.each([
  ["admin/instance.json", INSTANCE, []],
  ["admin/instance.json", { ...INSTANCE, limits: ALL_LIMITS, extra: 1 }, []],
  [
    "admin/instance.json",
    {
      ...INSTANCE,
      limits: { ...ALL_LIMITS, plumb: 1, compactor_blocks_retention_period: "8760h0m0s", reject_old_samples_max_age: 1.2096e15 },
    },
    [],
  ],
  ["admin/instance.json", { ...INSTANCE, created_at: "2026-01-02 03:04:05Z" }, ["admin-2.field.created_at"]],
  ["admin/instance.json", { ...INSTANCE, created_at: "2026-01-02T03:04:05+0200" }, ["admin-2.field.created_at"]],
  ["admin/instance.json", { ...INSTANCE, limits: { ...ALL_LIMITS, ingestion_rate: "350000" } }, ["admin-2.limit.ingestion_rate"]],
  ["admin/instance.json", { ...INSTANCE, limits: { ...ALL_LIMITS, drop_labels: "a" } }, ["admin-2.limit.drop_labels"]],
  ["admin/create-request.json", { name: "a", display_name: "A", status: "active", cluster: "c", limits: { ingestion_rate: 1 } }, []],
  ["admin/update-request.json", { name: "a", display_name: "A", status: "active", cluster: "c" }, ["admin-2.field.name"]],
  ["logs/range-response.json", { data: { result: [] } }, []],
  ["logs/range-response.json", { data: { result: [{ stream: { a: "b" }, values: [["1", "x"]] }] } }, []],
  ["logs/range-response.json", { data: { result: [{ stream: { a: 1 }, values: [["1", "x"]] }] } }, ["logs-2.Stream"]],
  ["logs/range-response.json", { data: { result: [{ stream: {}, values: [[1, "x"]] }] } }, ["logs-2.1"]],
  ["logs/range-response.json", { data: { result: [{ stream: {}, values: [["1", 2]] }] } }, ["logs-2.Entry"]],
  ["logs/range-response.json", { data: { result: [{ stream: {}, values: [["1", "x", "y"]] }] } }, ["logs-2.Entry"]],
  ["logs/range-response.json", { data: { result: null } }, ["logs-2.range-result"]],
  ["logs/range-response.json", { data: [] }, ["logs-4.query_range"]],
  ["logs/instant-response.json", { data: { result: [{ metric: {}, value: [1.5, "3"] }] } }, []],
  ["logs/instant-response.json", { data: { result: [{ metric: {}, value: ["1500", "3e+00"] }] } }, []],
  ["logs/instant-response.json", { data: { result: [{ metric: {}, value: [1.5, 3] }] } }, ["logs-2.instant-result"]],
  ["logs/instant-response.json", { data: { result: [{ metric: {}, value: [1.5, "three"] }] } }, ["logs-2.instant-result"]],
  ["logs/labels-response.json", { data: ["a", 1] }, ["logs-4.labels"]],
  ["logs/label-values-response.json", { data: "a" }, ["logs-4.label-values"]],
] as const)("%s judges %j by the clauses %j", (file, value, clauses) => {
  expect(schemaDifferences(file, value).map(({ clause }) => clause)).toEqual(clauses);
});

test("a missing limit blames its row", () => {
  const { ingestion_rate: _left, ...rest } = ALL_LIMITS as Record<string, unknown>;
  expect(schemaDifferences("admin/limits.json", rest).map(({ clause, actual }) => [clause, actual])).toEqual([
    ["admin-2.limit.ingestion_rate", "absent"],
  ]);
});
