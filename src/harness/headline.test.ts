import { expect, test } from "vitest";
import type { Exchange } from "../client/exchange.ts";
import { exchange } from "../client/testing.ts";
import type { Difference } from "../model/difference.ts";
import type { DifferenceKind } from "../model/kinds.ts";
import { distinct, headlineOf, levelsText } from "./headline.ts";

const PATH = "http://x/admin/api/v1/instances";

const WRONG: Difference = { clause: "admin-4.PUT", path: "display_name", expected: '"limits 388"', actual: '"refused 394"' };

test("a headline names the write before the read, and how it was answered", () => {
  const read = exchange("GET", `${PATH}/a`, 200, 5_000);
  const write = exchange("PUT", `${PATH}/a`, 400, 4_800, '{"display_name":"refused 394"}');
  expect(headlineOf("admin-4.PUT", [WRONG], [read, write])).toBe(
    `After PUT without limits was refused with 400, GET shows a wrong display_name: expected "limits 388", got "refused 394", request: GET /admin/api/v1/instances/a`,
  );
  const create = exchange("POST", PATH, 201, 1_000, '{"name":"a"}');
  expect(headlineOf("admin-4.PUT", [WRONG], [read, create])).toMatch(
    /^4\.0 s after POST without limits was answered 201, GET shows a wrong display_name: /,
  );
});

test("a headline leaves out a refused write that cannot explain the difference", () => {
  const read = exchange("GET", `${PATH}/a`, 200, 5_000);
  const refused = exchange("PUT", `${PATH}/a`, 400, 4_900, '{"display_name":"limits 388"}');
  const accepted = exchange("PUT", `${PATH}/a`, 200, 4_800, '{"display_name":"limits 388"}');
  expect(headlineOf("admin-4.PUT", [WRONG], [read, refused])).toMatch(/^GET shows a wrong display_name: /);
  expect(headlineOf("admin-4.PUT", [WRONG], [read, refused, accepted])).toMatch(
    /^After PUT without limits was answered 200, GET shows a wrong display_name: /,
  );
  const absent: Difference = { ...WRONG, path: "limits.ingestion_rate", actual: "absent" };
  expect(headlineOf("admin-4.PUT", [absent], [read, refused])).toMatch(
    /^After PUT without limits was refused with 400, GET shows no limits\.ingestion_rate: /,
  );
});

test("a headline says that a write of the same instance was in progress", () => {
  const [read, write] = [exchange("GET", `${PATH}/a`, 200, 5_000), { ...exchange("PUT", `${PATH}/a`, 200, 5_005, "{}"), durationMs: 50 }];
  expect(headlineOf("admin-4.GET", [WRONG], [read, write])).toMatch(/^While PUT was in progress, GET shows a wrong display_name: /);
});

test("a headline about a wrong status leaves out a write with refused credentials", () => {
  const read = exchange("GET", `${PATH}/a`, 200, 5_000);
  const status: Difference = { clause: "admin-5.1", path: "status", expected: "an error", actual: "status 200" };
  for (const denied of [401, 403].map((code) => exchange("PUT", `${PATH}/a`, code, 4_900, "{}")))
    expect(headlineOf("admin-5.1", [status], [read, denied])).toMatch(/^GET: expected an error, got status 200, request: /);
  const invalid = exchange("PUT", `${PATH}/a`, 400, 4_900, "{}");
  expect(headlineOf("admin-4.GET", [status], [read, invalid])).toMatch(/^After PUT without limits was refused with 400, GET: /);
});

test("a write of another instance, and a later write, are not mentioned", () => {
  const read = exchange("GET", `${PATH}/a`, 200, 5_000);
  const others = [exchange("PUT", `${PATH}/b`, 200, 4_000, "{}"), exchange("PUT", `${PATH}/a`, 200, 6_000, "{}")];
  expect(headlineOf("admin-4.PUT", [WRONG], [read, ...others])).toMatch(/^GET shows a wrong display_name: /);
});

test("the headline of a query names the endpoint, and of the pushes only a refused one", () => {
  const missing: Difference = {
    clause: "logs-4.push",
    path: "data.result",
    expected: "every entry",
    actual: 'missing from the answer: ["1","a"]',
    kind: "lost",
  };
  const read = exchange("GET", 'http://x/logs/api/v1/query_range?query={a="b"}', 200, 900);
  const pushes = [204, 400].map((status, index) => exchange("POST", "http://x/logs/api/v1/push", status, 100 + index, '{"a":"b"}'));
  expect(headlineOf("logs-4.push", [missing, missing], [read, ...pushes])).toBe(
    'After push was refused with 400, query_range does not return all entries: expected every entry; missing from the answer: ["1","a"] (in 2 responses), request: GET /logs/api/v1/query_range query={a="b"}',
  );
  const elsewhere = exchange("POST", "http://x/logs/api/v1/push", 400, 100, '{"a":"c"}');
  expect(headlineOf("logs-4.push", [missing], [read, elsewhere])).toMatch(/^query_range does not return all entries: /);
  const denied = exchange("POST", "http://x/logs/api/v1/push", 401, 100);
  expect(headlineOf("logs-4.push", [missing], [read, ...pushes.slice(0, 1), denied])).toMatch(/^query_range does not return all entries: /);
  const values = exchange("GET", "http://x/logs/api/v1/label/svc/values", 500, 900);
  const status: Difference = { clause: "logs-4.label-values", path: "status", expected: "success (2xx)", actual: "status 500" };
  expect(headlineOf("logs-4.label-values", [status], [values])).toMatch(
    /^label values: expected success \(2xx\), got status 500, request: /,
  );
});

test("a headline names the field status of an instance, and not the status of a response", () => {
  const read = exchange("GET", `${PATH}/a`, 200, 900);
  const difference: Difference = { clause: "admin-2.field.status", path: "status", expected: '"active"', actual: "null" };
  expect(headlineOf("admin-2.field.status", [difference], [read])).toMatch(
    /^GET shows a wrong status: expected "active", got null, request: /,
  );
});

test("a headline ends with a similar request that is answered correctly", () => {
  const read = exchange("GET", "http://x/api/v1/query_range", 200, 5_000);
  const lost: Difference = {
    clause: "logs-4.3",
    path: "data.result",
    expected: "2 entries",
    actual: "1 entry",
    contrast: "a plain query is right",
  };
  expect(headlineOf("logs-4.3", [lost, { ...lost, path: "data" }], [read])).toMatch(
    /got 1 entry \(and 1 more wrong value\); a plain query is right, /,
  );
});

function ofKind(kind: DifferenceKind, actual: string): Difference {
  return { clause: "logs-4.query", path: "data", expected: "7", actual, kind };
}

test("a headline counts the further differences by kind, and names the levels that fail together", () => {
  const query = exchange("GET", "http://x/logs/api/v1/query?query=sum", 200, 900);
  const minimal = { levels: { operation: "add", grouping: "by several labels" }, failing: 1, failingWithLevels: 1, rightWithout: 1 };
  const all = [ofKind("sample", "1"), ofKind("sample", "2"), ofKind("lost-group", "a"), ofKind("lost-group", "b"), ofKind("lost", "c")];
  expect(headlineOf("logs-4.query", all, [query], minimal)).toBe(
    "query returns a wrong sample value in an update of an instance without limits if grouping is by several labels: expected 7, got 1 (and 1 more wrong sample, 2 missing groups, missing entries in 1 response), request: GET /logs/api/v1/query query=sum",
  );
  expect(levelsText({ ingestion_rate: "ordinary" }, "limits.ingestion_rate")).toBe("");
});

test("of two equal differences, the first stays with its contrast", () => {
  const [own, other] = ["without a filter", "without the window"].map((contrast) => ({ ...WRONG, contrast }));
  expect(distinct([own, ofKind("lost", "a"), other].flatMap((one) => one ?? []))).toEqual([own, ofKind("lost", "a")]);
});

const EMPTY = { status: 200, headers: {}, body: "" };

function showing(one: Exchange, text: string): Exchange {
  return { ...one, response: { ...EMPTY, body: JSON.stringify({ display_name: text }) } };
}

test("a headline compares a read with the response to the update, and the response to an update with the next read", () => {
  const sent = JSON.stringify({ display_name: "limits 388" });
  const update = exchange("PUT", `${PATH}/a`, 200, 4_800, sent);
  const read = showing(exchange("GET", `${PATH}/a`, 200, 5_000), "refused 394");
  const texts = ["limits 388", "refused 394"].map((text) => headlineOf("admin-4.PUT", [WRONG], [read, showing(update, text)]));
  expect(texts[0]).toMatch(/^After PUT without limits was answered 200 with the right display_name, GET shows a wrong display_name: /);
  expect(texts[1]).toMatch(/^After PUT without limits was answered 200 with the same wrong display_name, GET shows a wrong display_name: /);
  expect(headlineOf("admin-4.PUT", [WRONG], [showing(update, "refused 394"), read])).toMatch(
    /; the next GET is wrong in the same way, request: /,
  );
  expect(headlineOf("admin-4.PUT", [WRONG], [showing(update, "refused 394"), showing(read, "limits 388")])).toMatch(
    /; the next GET is right, /,
  );
  const absent: Difference = { ...WRONG, path: "limits", expected: "absent, because", actual: "47 limits", kind: "present" };
  expect(headlineOf("admin-4.2", [absent], [read, showing(update, "")])).toMatch(
    /^After PUT without limits was answered 200 without limits, /,
  );
});

test("a headline about absent limits says that the update showed them, and names no ordinary values", () => {
  const update = { ...exchange("PUT", `${PATH}/a`, 200, 4_800), response: { status: 200, headers: {}, body: '{"limits":{"x":1}}' } };
  const absent: Difference = { ...WRONG, path: "limits", expected: "an object with all limits", actual: "absent" };
  expect(headlineOf("admin-4.3", [absent], [showing(exchange("GET", `${PATH}/a`, 200, 5_000), "a"), update])).toMatch(
    /^After PUT was answered 200 with limits, GET shows no limits: expected an object with all limits, request: /,
  );
  expect(levelsText({ ingestion_rate: "ordinary" }, "limits")).toBe("");
});

test("a headline counts the sent limits that a response shows", () => {
  const limits = { ingestion_rate: 1, ingestion_burst_size: 2, cardinality_limit: 3 };
  const create = exchange("POST", PATH, 201, 1_000, JSON.stringify({ name: "a", limits }));
  const read = exchange("GET", `${PATH}/a`, 200, 5_000);
  const wrong: Difference = { ...WRONG, path: "limits.cardinality_limit" };
  for (const [shown, words] of [
    [{ ...limits, cardinality_limit: 4 }, "; 2 of the 3 sent limits have the sent value, request: "],
    [limits, "; each of the 3 sent limits has the sent value, request: "],
    [{}, "; none of the 3 sent limits has the sent value, request: "],
  ] as const)
    expect(
      headlineOf("admin-4.1", [wrong], [{ ...read, response: { ...EMPTY, body: JSON.stringify({ limits: shown }) } }, create]),
    ).toContain(words);
});

test("a headline does not name a refused write if the deciding write sent the wrong value too", () => {
  const [refused, deciding] = [400, 200].map((status, at) => exchange("PUT", `${PATH}/a`, status, 4_000 + 100 * at, '{"x":"refused 394"}'));
  expect(
    headlineOf(
      "admin-2.3a",
      [WRONG],
      [deciding, refused].flatMap((one) => one ?? []),
    ),
  ).toMatch(/^PUT answers with a wrong display_name: /);
});
