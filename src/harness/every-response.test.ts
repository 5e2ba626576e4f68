/** Tests the rules that every response must obey. */
import { expect, test } from "vitest";
import type { Exchange } from "../client/exchange.ts";
import type { Subject } from "../client/subject.ts";
import type { Difference } from "../model/difference.ts";
import { ALL_LIMITS, INSTANCE } from "../model/testing.ts";
import { EveryResponse } from "./every-response.ts";
import { TOLD } from "./testing.ts";

const { created_at: _created, name: NAME, ...PAYLOAD } = INSTANCE;
const CREATE: Subject = { kind: "create", name: NAME, body: { name: NAME, ...PAYLOAD }, documented: true };
const READ: Subject = { kind: "read", name: NAME };
const UPDATE: Subject = { kind: "update", name: NAME, body: PAYLOAD, documented: true };

const logsNow = (): number => 1_800_000_000_000;

function run(logsOffsetMs = 0): EveryResponse {
  return new EveryResponse({ defaults: {}, runId: "r1", settleTimeoutMs: 1_000, logsNow, logsOffsetMs: () => logsOffsetMs });
}

/** Records a request at the time `at` and its response. */
function ask(all: EveryResponse, subject: Subject, body: unknown, { status = 200, at = 0 } = {}): Exchange {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const exchange: Exchange = { ...TOLD, subject, endedAt: at, response: { status, headers: {}, body: text } };
  all.sending(subject);
  all.answered(exchange);
  return exchange;
}

/** Returns the clauses that these responses violate. For the admin API, an instance is created first. */
function clausesOf(
  service: "admin" | "logs",
  ...asked: readonly (readonly [subject: Subject, body: unknown, status?: number])[]
): string[] {
  const all = run();
  ask(all, CREATE, "");
  for (const [subject, body, status = 200] of asked) ask(all, { ...subject }, body, { status });
  return all.wrong(service, new Set()).map(({ clause }) => clause);
}

const { created_at: _stamp, ...UNSTAMPED } = INSTANCE;
const SHORT_SECONDS = { ...INSTANCE, created_at: "2026-01-02T03:04:5.123456789Z" };
const WITH_LIMITS: Subject = {
  ...UPDATE,
  kind: "update",
  name: NAME,
  body: { ...PAYLOAD, limits: { ingestion_rate: 350_000 } },
  documented: true,
};

test.each<[what: string, clauses: readonly string[], ...asked: (readonly [Subject, unknown, number?])[]]>([
  ["right responses", [], [READ, INSTANCE], [UPDATE, INSTANCE], [WITH_LIMITS, { ...INSTANCE, limits: ALL_LIMITS }]],
  ["a timestamp whose seconds have one digit", ["admin-2.field.created_at"], [READ, SHORT_SECONDS]],
  [
    "an update without limits whose response alone lacks a field",
    ["admin-4.2"],
    [READ, INSTANCE],
    [WITH_LIMITS, { ...INSTANCE, limits: ALL_LIMITS }],
    [UPDATE, UNSTAMPED],
  ],
  ["updates that lack a field", ["admin-4.PUT"], [READ, INSTANCE], [UPDATE, UNSTAMPED]],
  ["reads that lack a field", ["admin-4.GET"], [UPDATE, INSTANCE], [READ, UNSTAMPED]],
  ["a field that no response has", ["admin-2.field.created_at"], [READ, UNSTAMPED], [UPDATE, UNSTAMPED]],
  ["an update without limits that answers null limits", ["admin-2.field.limits", "admin-4.2"], [UPDATE, { ...INSTANCE, limits: null }]],
  ["limits that are not filled yet", [], [WITH_LIMITS, { ...INSTANCE, limits: { ingestion_rate: 350_000 } }]],
  ["a read that is no JSON", ["admin-4.json"], [READ, "<html>"]],
  ["what is refused", [], [READ, "<html>", 500], [READ, {}, 404]],
  ["an instance of somebody else", [], [{ kind: "read", name: "other" }, { nothing: 1 }]],
  ["an update outside the documents", [], [{ kind: "update", name: NAME, body: [], documented: false }, { nothing: 1 }]],
])("a response of the admin API is judged: %s", (_what, clauses, ...asked) => {
  expect(clausesOf("admin", ...asked)).toEqual(clauses);
});

const RANGE: Subject = { kind: "query_range", tenant: null, query: '{run="r1"}' };

test.each<[what: string, clauses: readonly string[], ...asked: (readonly [Subject, unknown])[]]>([
  ["right responses", [], [RANGE, { data: { result: [] } }], [{ kind: "labels", tenant: null }, { data: null }]],
  ["a log query without data", ["logs-4.query_range"], [RANGE, {}]],
  [
    "a metric query whose result is null",
    ["logs-2.instant-result"],
    [{ kind: "query", tenant: null, query: 'sum(rate({a="b"}[1m]))' }, { data: { result: null } }],
  ],
  ["a number without a selector", [], [{ kind: "query", tenant: null, query: "1 + 1" }, { data: { result: [1, "2"] } }]],
  ["a metric query on query_range", [], [{ ...RANGE, query: 'rate({a="b"}[1m])' }, { data: { result: 1 } }]],
  ["a list with a number", ["logs-4.label-values"], [{ kind: "label values", tenant: null, name: "a" }, { data: [1] }]],
  ["a list that is no JSON", ["logs-4.labels"], [{ kind: "labels", tenant: null }, "a,b"]],
])("a response of the log API is judged: %s", (_what, clauses, ...asked) => {
  expect(clausesOf("logs", ...asked)).toEqual(clauses);
});

test("a list that is requested more than SETTLE_TIMEOUT_MS after a push must have a name that a read has shown", () => {
  const streams = [{ labels: { plumbline_run: "r1", zone: "z" }, entries: [{ ts: 1_799_999_999_000_000_000n, line: "a" }] }];
  const values = [{ stream: streams[0]?.labels, values: [["1799999999000000000", "a"]] }];
  const all = run();
  ask(all, { kind: "push", tenant: null, sent: streams }, "", { status: 204 });
  ask(all, RANGE, { data: { result: values } }, { at: 10 });
  ask(all, { kind: "labels", tenant: null }, { data: ["plumbline_run"] }, { at: 900 });
  expect(all.wrong("logs", new Set())).toEqual([]);
  ask(all, { kind: "labels", tenant: null }, { data: ["plumbline_run"] }, { at: 1_100 });
  expect(all.wrong("logs", new Set()).map(({ clause, responses }) => [clause, responses])).toEqual([["logs-4.labels", 1]]);
  expect(all.wrong("logs", new Set(["logs-4.labels"]))).toEqual([]);
  // If a gateway with another clock writes the Date header, the age of the label is unknown.
  const unknown = run(660_000);
  ask(unknown, { kind: "push", tenant: null, sent: streams }, "", { status: 204 });
  ask(unknown, RANGE, { data: { result: values } }, { at: 10 });
  ask(unknown, { kind: "labels", tenant: null }, { data: ["plumbline_run"] }, { at: 1_100 });
  expect(unknown.wrong("logs", new Set())).toEqual([]);
});

test("a wrong value that may follow from a known violation is not reported again, and a wrong shape is", () => {
  const all = run();
  ask(all, CREATE, "");
  ask(all, READ, { ...SHORT_SECONDS, display_name: "nobody's" });
  const clauses = (...failed: readonly string[]): string[] => all.wrong("admin", new Set(failed)).map(({ clause }) => clause);
  expect(clauses()).toEqual(["admin-2.field.created_at", "admin-2.field.display_name"]);
  expect(clauses("admin-4.GET")).toEqual(["admin-2.field.created_at"]);
});

test("the held clauses are known, each with the response that showed it", () => {
  const all = run();
  ask(all, CREATE, "");
  const read = ask(all, READ, INSTANCE);
  expect(all.held("admin").get("admin-4.GET")).toBe(read);
  expect(all.held("admin").has("admin-4.2")).toBe(false);
  expect(all.judged("admin")).toBe(1);
});

test("a dataset that was not returned as pushed is reported, unless a check has reported the clause", () => {
  const all = run();
  const lost: Difference = {
    clause: "logs-4.push",
    path: "data.result",
    expected: "every entry",
    actual: "missing: 1 entry",
    kind: "lost",
  };
  all.noteDataset({ differences: [lost], exchanges: [TOLD] });
  expect(all.wrong("logs", new Set()).map(({ clause, responses }) => [clause, responses])).toEqual([["logs-4.push", 1]]);
  expect(all.wrong("logs", new Set(["logs-4.push"]))).toEqual([]);
  expect(all.wrong("admin", new Set())).toEqual([]);
});
