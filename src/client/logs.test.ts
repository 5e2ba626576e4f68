import { expect, test } from "vitest";
import type { Stream } from "../model/logs.ts";
import { basic } from "./credentials.ts";
import { logsBench, type Received, serve } from "./testing.ts";

const TS = 1_730_812_800_123_456_789n;

function streams(name: string, line = "a line"): Stream[] {
  return [{ labels: { app: name }, entries: [{ ts: TS, line }] }];
}

/** Returns the `app` label of the first stream of each received push. */
function names(received: readonly { readonly body: string }[]): string[] {
  return received.map(({ body }) => (JSON.parse(body) as { streams: { stream: { app: string } }[] }).streams[0]?.stream.app ?? "");
}

test("a push has exactly the documented body, with timestamps to the nanosecond", async () => {
  const { url, received } = await serve(() => 204);
  await logsBench(url).client.push([
    {
      labels: { app: "é", job: 'say "hi"' },
      entries: [
        { ts: TS, line: "one\nline\t" },
        { ts: 0n, line: "" },
      ],
    },
    { labels: { app: "b" }, entries: [] },
  ]);
  expect(received[0]).toMatchObject({ method: "POST", url: "/logs/api/v1/push" });
  expect(received[0]?.body).toBe(
    String.raw`{"streams":[{"stream":{"app":"é","job":"say \"hi\""},"values":[["1730812800123456789","one\nline\t"],["0",""]]},{"stream":{"app":"b"},"values":[]}]}`,
  );
  expect(received[0]?.headers["content-type"]).toBe("application/json");
});

test("reads have exactly the documented parameters", async () => {
  const { url, received } = await serve(() => ({ status: 200, body: "{}" }));
  const { client } = logsBench(url, { segment: "my-logs" });
  await client.queryRange({ query: '{a="b c&d"} |= `+%`', start: TS, end: TS + 1n, limit: 5, direction: "forward" });
  await client.queryRange({ query: '{app="x"}', start: 0n, end: 1n });
  await client.query('sum(count_over_time({app="x"}[1m]))', TS);
  await client.labels();
  await client.labelValues("a/b");
  expect(received.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
    "GET /my-logs/api/v1/query_range?query=%7Ba%3D%22b%20c%26d%22%7D%20%7C%3D%20%60%2B%25%60&start=1730812800123456789&end=1730812800123456790&limit=5&direction=forward",
    "GET /my-logs/api/v1/query_range?query=%7Bapp%3D%22x%22%7D&start=0&end=1",
    "GET /my-logs/api/v1/query?query=sum(count_over_time(%7Bapp%3D%22x%22%7D%5B1m%5D))&time=1730812800123456789",
    "GET /my-logs/api/v1/labels",
    "GET /my-logs/api/v1/label/a%2Fb/values",
  ]);
});

test("without credentials and tenant neither header is sent", async () => {
  const { url, received } = await serve(() => 204);
  const { client } = logsBench(url);
  await client.push(streams("a"));
  await client.labels();
  for (const { headers } of received) {
    expect(headers.authorization).toBeUndefined();
    expect(headers["x-scope-orgid"]).toBeUndefined();
  }
});

test("each request has the configured credentials and tenant, unless a check sends others or none", async () => {
  const { url, received } = await serve(() => 204);
  const { client } = logsBench(url, {
    credentials: { user: "12345", token: "log-token-1234", tokenName: "LOGS_API_TOKEN" },
    tenantId: "one",
  });
  await client.push(streams("a"));
  await client.labels();
  await client.labels({ tenant: "one|two" });
  await client.labels({ tenant: null, credentials: null });
  await client.labels({ credentials: { user: "12345", token: "wrong", printed: "wrong" } });
  expect(received.map(({ headers }) => [headers.authorization, headers["x-scope-orgid"]])).toEqual([
    [basic("12345", "log-token-1234"), "one"],
    [basic("12345", "log-token-1234"), "one"],
    [basic("12345", "log-token-1234"), "one|two"],
    [undefined, undefined],
    [basic("12345", "wrong"), "one"],
  ]);
});

test.each([429, 503, "drop"] as const)("after %s all bodies are pushed again into new streams", async (answer) => {
  const { url, received } = await serve((_request, index) => (index === 1 ? answer : 204));
  const { client } = logsBench(url);
  const stored = await client.store((attempt) => [streams(`first-${attempt}`), streams(`second-${attempt}`)]);
  expect(names(received)).toEqual(["first-0", "second-0", "first-1", "second-1"]);
  expect(stored.attempt).toBe(1);
  expect(stored.exchanges.map(({ response }) => response.status)).toEqual([204, 204]);
});

test("a refusal of a push is a response, and the remaining bodies are not sent", async () => {
  const { url, received } = await serve(() => 400);
  const stored = await logsBench(url).client.store((attempt) => [streams(`first-${attempt}`), streams(`second-${attempt}`)]);
  expect(names(received)).toEqual(["first-0"]);
  expect(stored).toMatchObject({ attempt: 0, exchanges: [{ response: { status: 400 } }] });
});

test("a push that is never answered is given up", async () => {
  const { url, received } = await serve(() => 503);
  const storing = logsBench(url, {}, { retryMs: 1 }).client.store((attempt) => [streams(`s-${attempt}`)]);
  await expect(storing).rejects.toMatchObject({
    name: "Inconclusive",
    message: "push was not answered in 12 attempts: status 503 (12 times)",
  });
  expect(new Set(names(received)).size).toBe(12);
});

test("a single push is never repeated", async () => {
  const { url, received } = await serve(() => "drop");
  const { client } = logsBench(url);
  expect((await client.push(streams("a"))).response).toBeNull();
  await expect(client.probePush("a malformed push", "{")).rejects.toMatchObject({ name: "Unanswered" });
  expect(received).toHaveLength(2);
});

test("a refused token says nothing about the contract, and is counted", async () => {
  const { url } = await serve(() => 401);
  const { client } = logsBench(url);
  await expect(client.store(() => [streams("a")])).rejects.toThrow("does the token exist");
  await expect(client.labels()).rejects.toThrow("does the token exist");
});

test("a push takes the bytes of its lines from the budget, and is not sent if the budget is too small", async () => {
  const { url, received } = await serve(() => 204);
  const { client } = logsBench(url, {}, { budgets: { maxPushBytes: 10 } });
  await client.push(streams("a", "ééé"));
  await expect(client.push(streams("b", "12345"))).rejects.toThrow(/^budget exhausted: MAX_PUSH_BYTES \(10\)/);
  await client.push(streams("c", "1234"));
  await client.probePush("push (overload)", '{"streams":[]}');
  expect(received).toHaveLength(3);
});

test("a refused push takes nothing from the budget, and a large push leaves bytes for small ones", async () => {
  const { url } = await serve((_request, index) => (index === 0 ? 429 : 204));
  const { client } = logsBench(url, {}, { budgets: { maxPushBytes: 160_000 } });
  const large = "x".repeat(75_000);
  for (const name of ["refused", "taken"]) await client.push(streams(name, large));
  // The next push fits into the whole budget, but not into the part of it that large pushes may use.
  await expect(client.push(streams("too large", "x".repeat(83_000)))).rejects.toThrow("budget exhausted");
  for (const name of ["small", "next"]) await client.push(streams(name, "x".repeat(42_000)));
});

function entriesOf(received: readonly Received[]): number[] {
  return received.map(({ body }) => {
    const { streams: pushed } = JSON.parse(body) as { readonly streams: readonly { readonly values: readonly unknown[] }[] };
    return pushed.reduce((sum, { values }) => sum + values.length, 0);
  });
}

/** Returns two streams of 100 entries each. Each log line has `bytes` bytes. */
function hundreds(set: string, bytes: number): Stream[] {
  return ["a", "b"].map((stream) => ({
    labels: { plumbline_set: set, stream },
    entries: Array.from({ length: 100 }, (_, index) => ({ ts: BigInt(index), line: "x".repeat(bytes) })),
  }));
}

test("a push that was never sent gives its bytes back to the budget", async () => {
  const { client } = logsBench("http://127.0.0.1:9", {}, { budgets: { maxPushBytes: 100 } });
  for (let count = 0; count < 3; count += 1) expect((await client.push(streams("a", "x".repeat(60)))).error).toContain("ECONNREFUSED");
});

test("a push that is too large is sent in parts, in order", async () => {
  const { url, received } = await serve(({ body }) => (body.length > 8_000 ? 413 : 204));
  const { attempt, exchanges } = await logsBench(url).client.store((number) => [hundreds(`s-${number}`, 100)]);
  expect(attempt).toBe(0);
  expect(exchanges.map(({ response }) => response.status)).toEqual([204, 204, 204, 204]);
  expect(entriesOf(received)).toEqual([200, 100, 50, 50, 50, 50]);
});

test("a dataset that exceeds the burst and rate of a target is pushed more slowly", async () => {
  let [left, lastMs] = [2_200_000, performance.now()];
  const { url } = await serve(({ body }) => {
    const nowMs = performance.now();
    left = Math.min(2_200_000, left + (nowMs - lastMs) * 4_000);
    lastMs = nowMs;
    if (left < body.length) return 429;
    left -= body.length;
    return 204;
  });
  const { client } = logsBench(url, {}, { retryMs: 1, budgets: { maxPushBytes: 32_000_000 } });
  const { attempt } = await client.store((number) =>
    Array.from({ length: 5 }, (_, push) => streams(`s-${number}-${push}`, "x".repeat(1_000_000))),
  );
  expect(attempt).toBeLessThan(4);
});

test("if each push is answered 429, reads do not wait, and later pushes fail without a request", async () => {
  const { url, received } = await serve(({ method }) => (method === "POST" ? 429 : { status: 200, body: '{"data":[]}' }));
  const { client } = logsBench(url, {}, { retryMs: 8 });
  const storing = Array.from({ length: 4 }, async (_, number) => client.store((attempt) => [streams(`s-${number}-${attempt}`)]));
  for (const { reason } of await Promise.all(
    storing.map(async (one) =>
      one.then(
        () => ({ reason: "" }),
        (error: unknown) => ({ reason: String(error) }),
      ),
    ),
  ))
    expect(reason).toContain("the stream quota is probably used up");
  const pushed = received.length;
  await expect(client.store(() => [streams("later")])).rejects.toThrow("every push was answered 429");
  const started = performance.now();
  for (let read = 0; read < 20; read += 1) await client.labels();
  expect(received.length).toBeLessThanOrEqual(pushed + 21);
  // If reads waited for the stream quota, this read would wait for 10 s.
  expect(performance.now() - started).toBeLessThan(9_000);
});

test("a small push that is too large is refused", async () => {
  const { url, received } = await serve(() => 413);
  const { exchanges } = await logsBench(url).client.store((number) => [streams(`s-${number}`)]);
  expect(exchanges.map(({ response }) => response.status)).toEqual([413]);
  expect(received).toHaveLength(1);
});

test("a large push with the response 429 is sent again in parts, and later pushes are sent in parts too", async () => {
  const { url, received } = await serve(({ body }) => (body.length > 80_000 ? 429 : 204));
  const { client } = logsBench(url, {}, { retryMs: 1 });
  const { attempt } = await client.store((number) => [hundreds(`s-${number}`, 1_000)]);
  expect(attempt).toBe(2);
  await client.store(() => [hundreds("other", 1_000)]);
  expect(entriesOf(received)).toEqual([200, 100, 50, 50, 50, 50, 50, 50, 50, 50]);
});
