/** Tests that a message says where the wrong value in a response comes from. */
import { expect, test } from "vitest";
import type { Exchange } from "../client/exchange.ts";
import type { Subject } from "../client/subject.ts";
import type { Difference } from "../model/difference.ts";
import { EveryResponse } from "./every-response.ts";
import { TOLD } from "./testing.ts";

const all = new EveryResponse({
  defaults: {},
  runId: "r1",
  settleTimeoutMs: 1_000,
  logsNow: () => 1_800_000_000_000,
  logsOffsetMs: () => 0,
});

function send(subject: Subject): void {
  all.sending(subject);
  all.answered({ ...TOLD, subject, response: { status: 204, headers: {}, body: "" } });
}

for (const [name, display_name, ingestion_rate] of [
  ["a", "first", 111_111],
  ["b", "second", 222_222],
] as const)
  send({
    kind: "create",
    name,
    body: { name, display_name, status: "active", cluster: "c", limits: { ingestion_rate } },
    documented: true,
  });
send({ kind: "update", name: "a", body: { display_name: "third", status: "active", cluster: "c" }, documented: true });
for (const tenant of ["one", "two"])
  send({
    kind: "push",
    tenant,
    sent: [
      {
        labels: { plumbline_run: "r1" },
        entries: [
          { ts: 7n, line: `of "${tenant}"` },
          { ts: 8n, line: "of both" },
        ],
      },
    ],
  });

const wrong = (path: string, actual: string, expected = "another value"): Difference => ({ clause: "admin-4.PUT", path, expected, actual });
const originIn = (subject: Subject, difference: Difference): string => all.originsOf({ ...TOLD, subject }).of(difference);

test.each([
  ["limits.ingestion_rate", "350000", " (its global default)"],
  ["limits.ingestion_rate (in the response)", "111111", ""],
  ["limits.ingestion_rate", "222222", " (the value of instance b)"],
  ["limits.ingestion_burst_size", "111111", " (the value of ingestion_rate)"],
  ["display_name", '"first"', " (a value that an earlier request sent)"],
  ["display_name", '"second"', " (the value of instance b)"],
  ["name", '"b"', ""],
  ["limits.ingestion_rate", "7", ""],
  ["limits.ingestion_rate", "7700", ""],
  ["limits.ingestion_rate", "777777", " (no instance of this run was given this value)"],
  ["limits.accept_ha_samples", "true", ""],
  ["limits.ingestion_rate", "absent", ""],
  ["status", "status 404", ""],
])("the origin of %s %s is %j", (path, actual, origin) => {
  expect(originIn({ kind: "read", name: "a" }, wrong(path, actual))).toBe(origin);
});

/** Returns the origin of limits that a read of instance a shows although it must have none. */
function limitsOrigin(limits: unknown): string {
  const response = { status: 200, headers: {}, body: JSON.stringify({ limits }) };
  return all.originsOf({ ...TOLD, subject: { kind: "read", name: "a" }, response }).of({ ...wrong("limits", "limits"), kind: "present" });
}

test("unexpected limits are named by the instance to which they were sent", () => {
  expect(limitsOrigin({ ingestion_rate: 111_111, accept_ha_samples: true })).toBe(" (the limits that it had before)");
  expect(limitsOrigin({ ingestion_rate: 222_222 })).toBe(" (the limits of instance b)");
  expect(limitsOrigin({ ingestion_rate: 333_333 })).toBe("");
  expect(limitsOrigin({})).toBe("");
});

test("a number that the expected value names needs no origin", () => {
  const difference = wrong("limits.ingestion_rate", "777777", "a value other than 777777, which was sent as INGESTION_RATE");
  expect(originIn({ kind: "read", name: "a" }, difference)).toBe("");
});

test("an unexpected entry of another tenant is named as such, and an entry that both tenants pushed is not", () => {
  const read = { kind: "query_range", tenant: "one" } as const;
  const origin = (ts: bigint, line: string): string => originIn(read, { ...wrong("data.result", "unexpected"), entry: { ts, line } });
  expect(origin(7n, 'of "two"')).toBe(' (pushed by tenant "two")');
  expect(origin(7n, 'of "one"')).toBe("");
  expect(origin(8n, "of both")).toBe("");
  expect(originIn(read, wrong("data.result", "missing"))).toBe("");
});

/** Returns the exchange of a query whose response has the given result. */
function query(parameters: string, tenant: string, result: string, kind: "query" | "query_range" = "query_range"): Exchange {
  const subject = { kind, tenant } as const;
  const request = { ...TOLD.request, url: `http://x/logs/api/v1/${kind}?${parameters}`, headers: { "x-scope-orgid": tenant } };
  const exchange: Exchange = {
    ...TOLD,
    subject,
    request,
    response: { status: 200, headers: {}, body: `{"data":{"result":${result},"stats":{"ms":${Math.random()}}}}` },
  };
  return exchange;
}

/** Remembers the right response to a query. */
function right(...query_: Parameters<typeof query>): void {
  all.noteRight(query(...query_));
}

test("a response that is the right response to a query with one other parameter says so", () => {
  const result = `[{"stream":{"a":"1"},"values":[${'["1","x"],'.repeat(4)}["1","x"]]}]`;
  const equalTo = (parameters: string, tenant = "one"): string | null => all.originsOf(query(parameters, tenant, result)).equalTo;
  expect(equalTo("query=q&limit=9&start=1")).toBeNull();
  right("query=q&limit=5&start=1", "one", result);
  expect(equalTo("query=q&limit=5&start=1")).toBeNull();
  expect(equalTo("query=q&limit=9&start=1")).toBe(
    "this is the right response to the same request with limit=5, which was answered 0 ms before",
  );
  expect(equalTo("query=q&limit=5&start=1&end=2")).toBe(
    "this is the right response to the same request without end, which was answered 0 ms before",
  );
  expect(equalTo("query=q&limit=5&start=1", "two")).toBe(
    "this is the right response to the same request with tenant one, which was answered 0 ms before",
  );
  expect(equalTo("query=q&limit=5&start=1&end=2", "two")).toBeNull();
  expect(equalTo("query=r&limit=5&start=1")).toBeNull();
  // A query that sends the default of a parameter means the same as a query without the parameter.
  expect(equalTo("query=q&limit=5&start=1&direction=backward")).toBeNull();
  // Neither the limit 5 nor the limit 6 cuts this result.
  const small = '[{"stream":{"a":"2"},"values":[["2","x"]]}]';
  right("query=q&limit=6&start=2", "one", small);
  expect(all.originsOf(query("query=q&limit=7&start=2", "one", small)).equalTo).toBeNull();
});

function sum(time: number, ...counts: readonly number[]): Parameters<typeof query> {
  const samples = counts.map((count, index) => `{"metric":{"a":"${index}"},"value":[${time},"${count}"]}`);
  return [`query=sum&time=${time}`, "one", `[${samples.join()}]`, "query"];
}

test("equal samples say so only if there are several, because a single sample may be equal by coincidence", () => {
  right(...sum(1, 24));
  right(...sum(1, 24, 25));
  expect(all.originsOf(query(...sum(2, 24))).equalTo).toBeNull();
  expect(all.originsOf(query(...sum(2, 24, 25))).equalTo).toBe(
    "this is the right response to the same request with time=1, which was answered 0 ms before",
  );
});

test("the beginning of the expected text is named as such, and is no value of another instance", () => {
  const cut = wrong("display_name", '"second"', '"second name"');
  expect(originIn({ kind: "read", name: "a" }, cut)).toBe(" (the beginning of the right value)");
});

function refused(name: string, endedAt: number, body = "left over"): Exchange {
  const response = { status: 400, headers: {}, body };
  return { ...query(`query=${name}`, "one", ""), endedAt, durationMs: 1, response };
}

test("an error response names an earlier request with another query that got the same response", () => {
  for (const exchange of [refused("invalid", 10), refused("q", 20), refused("other", 19, "another text")]) all.answered(exchange);
  expect(all.originsOf(refused("q", 20)).equalTo).toMatch(/^another request got the same response 9 ms before: GET .*query=invalid$/);
  expect(all.originsOf(refused("q", 9_000)).equalTo).toBeNull();
});

test("a message says how other responses show a limit", () => {
  const every = new EveryResponse({ defaults: {}, runId: "r1", settleTimeoutMs: 1_000, logsNow: Date.now, logsOffsetMs: () => 0 });
  const body = { name: "c", display_name: "third", status: "active", cluster: "c" };
  const create: Subject = { kind: "create", name: "c", body: { ...body, limits: { ingestion_burst_size: 7 } }, documented: true };
  every.sending(create);
  every.answered({ ...TOLD, subject: create, response: { status: 201, headers: {}, body: "" } });
  const read = (limits: object): Exchange => ({
    ...TOLD,
    subject: { kind: "read", name: "c" },
    response: { status: 200, headers: {}, body: JSON.stringify({ ...body, limits }) },
  });
  const first = read({ ingestion_burst_size: 7, max_global_series_per_user: "1", cardinality_limit: "2" });
  every.answered(first);
  const of = (path: string, actual: string, kind?: "type"): string =>
    every
      .originsOf(first)
      .of({ ...wrong(path, actual, "5 (an integer; not sent: the global default)"), ...(kind === undefined ? {} : { kind }) });
  expect(of("limits.ingestion_rate", "absent")).toBe(" (from each of the 1 responses with limits)");
  expect(of("limits.ingestion_burst_size", "8")).toBe(" (sent values of this limit are kept)");
  expect(of("limits.cardinality_limit", '"2"', "type")).toBe(" (a string; max_global_series_per_user has a wrong type too)");
  every.answered(read({ ingestion_rate: 350_000 }));
  expect(of("limits.ingestion_burst_size", "absent")).toBe(" (from 1 of the 2 responses with limits)");
  expect(of("limits", "absent")).toBe("");
});

test("a message says that another instance was written at the same time", () => {
  const every = new EveryResponse({ defaults: {}, runId: "r1", settleTimeoutMs: 1_000, logsNow: Date.now, logsOffsetMs: () => 0 });
  const creates = ["d", "e"].map((name): Subject => ({
    kind: "create",
    name,
    body: { name, display_name: `of ${name}` },
    documented: true,
  }));
  for (const subject of creates) every.sending(subject);
  const answer = { ...TOLD, endedAt: performance.now() + 1, response: { status: 201, headers: {}, body: "" } };
  for (const subject of creates) every.answered({ ...answer, subject });
  const read: Exchange = { ...TOLD, endedAt: performance.now() + 9, subject: { kind: "read", name: "d" } };
  expect(every.originsOf(read).of(wrong("display_name", '"of e"'))).toBe(" (the value of instance e, which was written at the same time)");
  expect(every.originsOf(read).of(wrong("name", '"e"'))).not.toContain("at the same time");
});

test("a message names the pushed line in place of which a response shows another type", () => {
  const body = JSON.stringify({
    data: {
      result: [
        {
          values: [
            ["7", null],
            ["8", null],
          ],
        },
      ],
    },
  });
  const read: Exchange = { ...TOLD, subject: { kind: "query_range", tenant: null }, response: { status: 200, headers: {}, body } };
  const of = (at: number): string => all.originsOf(read).of({ ...wrong(`data.result[0].values[${at}][1]`, "null"), kind: "type" });
  expect([0, 1, 2].map(of)).toEqual(["", ' (in place of the pushed line "of both")', ""]);
});

test("a message counts the display names that reads have shown, and says that two writes have the same body", () => {
  const every = new EveryResponse({ defaults: {}, runId: "r1", settleTimeoutMs: 1_000, logsNow: Date.now, logsOffsetMs: () => 0 });
  const write = (name: string, isRead = true, more = {}): void => {
    const body = { name: "f", display_name: name, status: "active", cluster: "c", ...more };
    const subjects: Subject[] = [
      { kind: name === "0" ? "create" : "update", name: "f", body, documented: true },
      { kind: "read", name: "f" },
    ];
    for (const subject of subjects.slice(0, isRead ? 2 : 1)) {
      every.sending(subject);
      every.answered({ ...TOLD, subject, response: { status: 200, headers: {}, body: JSON.stringify(body) } });
    }
  };
  const of = (path: string, actual: string): string =>
    every.originsOf({ ...TOLD, endedAt: performance.now(), subject: { kind: "read", name: "f" } }).of(wrong(path, actual));
  for (const name of ["0", "1", "2", "3", "4"]) write(name);
  write("5", false);
  expect(of("display_name", '"4"')).toBe(" (the value before the last write; reads have shown 5 display names of this instance)");
  write("5", false);
  expect(of("limits", "absent")).toBe(" (the last two writes of this instance have the same body)");
  write("6", false);
  expect(of("limits", "absent")).toBe("");
  write("6", false, { limits: {} });
  expect(of("limits", "absent")).toBe(" (the last two writes of this instance have the same display name)");
});
