/** Sample values of requests and responses, with the clauses that each value must violate. */
import type { ClauseId } from "../contract/catalogue.ts";
import { DOCUMENTED_DEFAULTS } from "../contract/limits.ts";
import type { SchemaFile } from "./schemas.ts";

export const INSTANCE = { name: "a", display_name: "A", created_at: "2026-01-02T03:04:05.123456789Z", status: "active", cluster: "c" };
export const ALL_LIMITS = { ...DOCUMENTED_DEFAULTS, max_series_per_query: 1, max_series_per_user: 2 };

const UPDATE = { display_name: "A", status: "active", cluster: "c" };
const CREATE = { name: "a", ...UPDATE };

function instance(change: object): object {
  return { ...INSTANCE, ...change };
}

function withLimits(change: object): object {
  return instance({ limits: { ...ALL_LIMITS, ...change } });
}

function range(stream: unknown, ...values: unknown[]): object {
  return { data: { result: [{ stream, values }] } };
}

function sample(...value: unknown[]): object {
  return { data: { result: [{ metric: {}, value }] } };
}

/** The sample values: each has a schema file, a value, and the clauses that the value violates. */
export const SAMPLES: readonly (readonly [file: SchemaFile, value: unknown, clauses: readonly ClauseId[]])[] = [
  ["admin/instance.json", INSTANCE, []],
  ["admin/instance.json", withLimits({ plumb: 1 }), []],
  ["admin/instance.json", withLimits({ compactor_blocks_retention_period: "8760h0m0s", reject_old_samples_max_age: 1.2096e15 }), []],
  ["admin/instance.json", withLimits({ drop_labels: ["a"], max_query_lookback: "1d12h" }), []],
  ["admin/instance.json", instance({ extra: 1, created_at: "2017-01-01t05:29:60+05:30" }), []],
  ["admin/instance.json", instance({ created_at: "yesterday" }), ["admin-2.field.created_at"]],
  ["admin/instance.json", instance({ created_at: "2026-01-02 03:04:05Z" }), ["admin-2.field.created_at"]],
  ["admin/instance.json", instance({ created_at: "2026-01-02T03:04:05+0200" }), ["admin-2.field.created_at"]],
  ["admin/instance.json", instance({ created_at: "2026-01-02T03:04:05.1234567890Z" }), ["admin-2.field.created_at"]],
  ["admin/instance.json", instance({ created_at: 1_767_323_045 }), ["admin-2.field.created_at"]],
  ["admin/instance.json", UPDATE, ["admin-2.field.name", "admin-2.field.created_at"]],
  ["admin/instance.json", instance({ limits: null }), ["admin-2.field.limits"]],
  ["admin/instance.json", withLimits({ ingestion_rate: "350000" }), ["admin-2.limit.ingestion_rate"]],
  ["admin/instance.json", withLimits({ ingestion_rate: 1.5 }), ["admin-2.limit.ingestion_rate"]],
  ["admin/instance.json", withLimits({ drop_labels: "a" }), ["admin-2.limit.drop_labels"]],
  ["admin/instance.json", withLimits({ drop_labels: [1] }), ["admin-2.limit.drop_labels"]],
  ["admin/instance.json", withLimits({ max_query_lookback: 0 }), ["admin-2.limit.max_query_lookback"]],
  ["admin/instance.json", withLimits({ compactor_blocks_retention_period: "P30D" }), []],
  ["admin/instance.json", withLimits({ compactor_blocks_retention_period: true }), ["admin-2.limit.compactor_blocks_retention_period"]],
  ["admin/create-request.json", { ...CREATE, limits: { ingestion_rate: 1 } }, []],
  ["admin/create-request.json", UPDATE, ["admin-2.field.name"]],
  ["admin/create-request.json", { ...CREATE, created_at: INSTANCE.created_at }, ["admin-2.field.created_at"]],
  ["admin/create-request.json", { ...CREATE, limits: { INGESTION_RATE: 1 } }, ["admin-2.3a"]],
  ["admin/create-request.json", { ...CREATE, limits: { compactor_blocks_retention_period: 0 } }, ["admin-2.retention-format"]],
  ["admin/update-request.json", { ...UPDATE, limits: { compactor_blocks_retention_period: "2y", drop_labels: null } }, []],
  ["admin/update-request.json", { ...UPDATE, limits: { max_query_lookback: "1d12h" } }, []],
  ["admin/update-request.json", { ...UPDATE, limits: { max_query_lookback: "12 hours" } }, ["admin-2.limit.max_query_lookback"]],
  ["admin/update-request.json", CREATE, ["admin-2.field.name"]],
  ["admin/update-request.json", { ...UPDATE, limits: { plumb: 1 } }, ["admin-2.3a"]],
  ["admin/instance-parameters.json", { name: "a" }, []],
  ["admin/instance-parameters.json", { name: "" }, ["admin-2.field.name"]],
  ["logs/push-request.json", { streams: [{ stream: { a: "b" }, values: [["1", "x"]] }] }, []],
  ["logs/push-request.json", { streams: [{ stream: { a: "b" }, values: [[1, "x"]] }] }, ["logs-2.1"]],
  ["logs/push-request.json", { streams: [{ stream: { a: "b" }, values: [["1", "x", { trace: "7" }]] }] }, ["logs-2.Entry"]],
  ["logs/push-request.json", {}, ["logs-4.push"]],
  ["logs/range-parameters.json", { query: '{a="b"}', start: "1", end: "2", limit: 5, direction: "forward" }, []],
  ["logs/range-parameters.json", { start: "1", end: "2" }, ["logs-4.query_range"]],
  ["logs/range-parameters.json", { query: "{}" }, ["logs-2.2"]],
  ["logs/range-parameters.json", { query: '{a!~"b"}', start: 1 }, ["logs-2.1"]],
  ["logs/range-parameters.json", { query: '{a=~"b"}', direction: "sideways", limit: "many" }, ["logs-8.default-limit", "logs-4.1"]],
  ["logs/instant-parameters.json", { query: 'sum(count_over_time({a="b"}[5m]))', time: "1700000000000000000" }, []],
  ["logs/instant-parameters.json", { query: 'rate({a="b"}[5m])', time: "now" }, ["logs-2.1"]],
  ["logs/label-values-parameters.json", { name: "a" }, []],
  ["logs/label-values-parameters.json", {}, ["logs-4.label-values"]],
  ["logs/range-response.json", { data: { result: [] } }, []],
  ["logs/range-response.json", range({ a: "b" }, ["1", "x"]), []],
  ["logs/range-response.json", range({ a: 1 }, ["1", "x"]), ["logs-2.Stream"]],
  ["logs/range-response.json", range({}, [1, "x"]), ["logs-2.1"]],
  ["logs/range-response.json", range({}, ["1", 2]), ["logs-2.Entry"]],
  ["logs/range-response.json", range({}, ["1", "x", "y"]), ["logs-2.Entry"]],
  ["logs/range-response.json", { data: { result: null } }, ["logs-2.range-result"]],
  ["logs/range-response.json", { data: [] }, ["logs-4.query_range"]],
  ["logs/instant-response.json", sample(1.5, "3"), []],
  ["logs/instant-response.json", sample("1500", "3e+00"), []],
  ["logs/instant-response.json", sample(1, "-Inf"), []],
  ["logs/instant-response.json", sample(1.5, 3), ["logs-2.instant-result"]],
  ["logs/instant-response.json", sample(1.5, "three"), ["logs-2.instant-result"]],
  ["logs/instant-response.json", sample("now", "3"), ["logs-2.instant-result"]],
  ["logs/labels-response.json", { data: ["a"] }, []],
  ["logs/labels-response.json", { data: null }, []],
  ["logs/labels-response.json", {}, []],
  ["logs/labels-response.json", { data: ["a", 1] }, ["logs-4.labels"]],
  ["logs/labels-response.json", [], ["logs-4.labels"]],
  ["logs/label-values-response.json", { data: [] }, []],
  ["logs/label-values-response.json", { data: "a" }, ["logs-4.label-values"]],
];
