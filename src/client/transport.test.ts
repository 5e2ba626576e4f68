import type { ServerResponse } from "node:http";
import { IN_CHUNKS } from "./bodies.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Gate } from "./budget.ts";
import type { Exchange } from "./exchange.ts";
import { Inconclusive, Interrupted, Unanswered } from "./inconclusive.ts";
import { type Answer, getting, serve, transport } from "./testing.ts";

const ignore = (): void => undefined;

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error: unknown) => error as Error,
  );
}

test("an exchange has the request and the response, and is recorded", async () => {
  const { url, received } = await serve(() => ({ status: 201, headers: { ETag: '"1"', "x-two": "a" }, body: "größer" }));
  const seen: Exchange[] = [];
  const call = getting(`${url}/p?a=b%20c`, { method: "POST", headers: { "content-type": "application/json" }, body: '{"ä":1}' });
  const exchange = await transport().once(call, (recorded) => seen.push(recorded));
  expect(exchange.response).toMatchObject({ status: 201, headers: { etag: '"1"', "x-two": "a" }, body: "größer" });
  expect(seen).toEqual([exchange]);
  expect(received).toMatchObject([{ method: "POST", url: "/p?a=b%20c", body: '{"ä":1}' }]);
  expect(received[0]?.headers).toMatchObject({
    "user-agent": "plumbline/0 run/test",
    "content-type": "application/json",
    "accept-encoding": "identity",
  });
});

test("after MAX_REQUESTS requests no request is sent", async () => {
  const { url, received } = await serve(() => 200);
  const sender = transport({ budgets: { maxRequests: 2 } });
  for (let count = 0; count < 2; count += 1) await sender.once(getting(url), ignore);
  expect(await failure(sender.once(getting(url), ignore))).toMatchObject({
    name: "BudgetExhausted",
    message: expect.stringContaining("MAX_REQUESTS (2)"),
  });
  expect(received).toHaveLength(2);
  expect(sender.budget.requests).toBe(2);
});

test("repeats count as requests", async () => {
  const { url } = await serve(() => 503);
  const sender = transport({ budgets: { maxRequests: 3 } });
  expect((await failure(sender.repeated(getting(url), ignore))).message).toContain("MAX_REQUESTS (3)");
});

test("at most as many requests as the gate allows are in flight, over all transports that share it", async () => {
  let inFlight = 0;
  let most = 0;
  const { url, received } = await serve(async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await sleep(10);
    inFlight -= 1;
    return 200;
  });
  const gate = new Gate(3);
  const senders = [transport({ gate, settings: { concurrency: 8 } }), transport({ gate, settings: { concurrency: 8 } })];
  await Promise.all(Array.from({ length: 12 }, async (_, index) => senders[index % 2]?.once(getting(url), ignore)));
  expect(received).toHaveLength(12);
  expect(most).toBe(3);
});

test("of the requests that wait at the gate the most urgent is sent first, and equal ones in the order of their arrival", async () => {
  const gate = new Gate(1);
  await gate.enter();
  const order: string[] = [];
  const entered = [
    ["first", 0],
    ["urgent", 2],
    ["second", 0],
    ["less urgent", 1],
  ].map(async ([name, urgency]) => {
    await gate.enter(Number(urgency));
    order.push(String(name));
    gate.leave();
  });
  gate.leave();
  await Promise.all(entered);
  expect(order).toEqual(["urgent", "less urgent", "first", "second"]);
});

test.each([
  ["never answers", () => undefined],
  ["answers with headers and then nothing", (response: ServerResponse) => void response.writeHead(200).write("a")],
  [
    "drips its body",
    (response: ServerResponse) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("."), 10);
      response.once("close", () => clearInterval(drip));
    },
  ],
])("the timeout of a request ends an exchange with a server that %s", async (_what, answer) => {
  const { url } = await serve(() => answer);
  const exchange = await transport({ settings: { requestTimeoutMs: 100 } }).once(getting(url), ignore);
  expect(exchange).toMatchObject({ response: null, error: "no complete answer within 100 ms" });
  expect(exchange.durationMs).toBeLessThan(9_000);
});

test("an exchange takes at most the remaining time of the run", async () => {
  const { url } = await serve(() => () => undefined);
  const sender = transport({ budgets: { runTimeoutMs: 60 } });
  const exchange = await sender.once(getting(url), ignore);
  expect(exchange.response).toBeNull();
  expect(exchange.durationMs).toBeLessThan(9_000);
  expect((await failure(sender.once(getting(url), ignore))).message).toContain("RUN_TIMEOUT_MS (60)");
});

test("a request waits if the target asks to slow down, even if a read alone would have given up", async () => {
  const { url, received } = await serve((_request, index) => (index < 8 ? 429 : 200));
  const answered = await transport({ retryMs: 1 }).repeated(getting(url), ignore);
  expect(answered.response.status).toBe(200);
  expect(received).toHaveLength(9);
});

test("a body that is sent in chunks arrives completely, without a content length", async () => {
  const { url, received } = await serve(() => 204);
  const body = `{"text":"${"指標".repeat(50)}"}`;
  const exchange = await transport().once({ ...getting(url), method: "POST", headers: IN_CHUNKS, body }, ignore);
  expect(exchange.response?.status).toBe(204);
  expect(received[0]?.body).toBe(body);
  expect(received[0]?.headers["transfer-encoding"]).toBe("chunked");
  expect(received[0]?.headers["content-length"]).toBeUndefined();
});

test("after three requests without a response later requests are given up earlier, until one is answered", async () => {
  /** The test server does not answer this number of next requests. */
  let hanging = Number.POSITIVE_INFINITY;
  const { url, received } = await serve(({ url: path }) => {
    if (path === "/" || hanging === 0) return 200;
    hanging -= 1;
    return () => undefined;
  });
  const sender = transport({ retryMs: 1, settings: { requestTimeoutMs: 60 } });
  const attempts = async (): Promise<number> => {
    // Because this request gets a response, the requests of its kind do not count as silent.
    await sender.repeated(getting(`${url}/`), ignore);
    const before = received.length;
    await failure(sender.repeated(getting(`${url}/hangs`), ignore));
    return received.length - before;
  };
  const counts: number[] = [];
  for (let series = 0; series < 5; series += 1) counts.push(await attempts());
  expect(counts).toEqual([6, 6, 6, 2, 2]);
  hanging = 1;
  await sender.repeated(getting(`${url}/hangs`), ignore);
  hanging = Number.POSITIVE_INFINITY;
  expect(await attempts()).toBe(6);
});

test("while the target asks for a rest, no request is sent", async () => {
  const times: number[] = [];
  const { url } = await serve((_request, index) => {
    times.push(performance.now());
    return index === 0 ? 429 : 200;
  });
  const sender = transport({ retryMs: 60 });
  await sender.once(getting(url), ignore);
  await sender.once(getting(url), ignore);
  // The bound is lower than the pause, because the random factor reduces a pause by at most a quarter.
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(40);
});

test.each([429, 503])("a target that answers %i to concurrent requests gets one request at a time in the end", async (refusal) => {
  let inFlight = 0;
  const statuses: number[] = [];
  const { url } = await serve(async () => {
    const status = inFlight > 0 ? refusal : 200;
    statuses.push(status);
    inFlight += 1;
    await sleep(5);
    inFlight -= 1;
    return status;
  });
  const sender = transport({ retryMs: 4, budgets: { maxRequests: 400 } });
  const answers = await Promise.all(Array.from({ length: 80 }, () => sender.repeated(getting(url), ignore)));
  expect(answers.map(({ response }) => response.status)).toEqual(Array.from({ length: 80 }, () => 200));
  // A few refusals are expected, because the transport sometimes tries two more concurrent requests.
  expect(statuses.slice(-20).filter((status) => status === refusal).length).toBeLessThan(3);
});

test("a target that sometimes answers 503 gets as many concurrent requests as before", async () => {
  let [inFlight, most, count] = [0, 0, 0];
  const { url } = await serve(async () => {
    inFlight += 1;
    most = count < 50 ? 0 : Math.max(most, inFlight);
    await sleep(2);
    inFlight -= 1;
    return (count += 1) % 7 === 0 ? 503 : 200;
  });
  const sender = transport({ retryMs: 1 });
  await Promise.all(Array.from({ length: 80 }, () => sender.repeated(getting(url), ignore)));
  expect(most).toBeGreaterThan(2);
});

test("a target with a limit per second refuses few of many requests, and all requests that ignore its pace", async () => {
  const perSecond = 200;
  let tokens = 10;
  let last = performance.now();
  const { url } = await serve(() => {
    const now = performance.now();
    tokens = Math.min(10, tokens + ((now - last) / 1_000) * perSecond);
    last = now;
    if (tokens < 1) return 429;
    tokens -= 1;
    return 200;
  });
  const sender = transport({ retryMs: 5, budgets: { maxRequests: 2_000 } });
  const statuses: (number | undefined)[] = [];
  const note = ({ response }: Exchange): number => statuses.push(response?.status);
  await Promise.all(Array.from({ length: 600 }, () => sender.repeated(getting(url), note)));
  expect(statuses.slice(200).filter((status) => status === 429).length).toBeLessThan(100);

  const started = performance.now();
  let sent = 0;
  while ((await sender.once({ ...getting(url), unpaced: true }, ignore)).response?.status !== 429) sent += 1;
  expect(sent).toBeLessThan(10 + (performance.now() - started) * (perSecond / 1_000) + 1);
});

test("the run keeps the rest that the target asks for", async () => {
  const times: number[] = [];
  const { url } = await serve((_request, index) => {
    times.push(performance.now());
    return index === 0 ? { status: 503, headers: { "retry-after": "1" } } : 200;
  });
  await transport({ retryMs: 1 }).repeated(getting(url), ignore);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(990);
});

test("a read is repeated after 5xx and dropped connections", async () => {
  const { url, received } = await serve((_request, index) => ([503, "drop", 500] as const)[index] ?? { status: 200, body: "at last" });
  const answered = await transport().repeated(getting(url), ignore);
  expect(answered.response.body).toBe("at last");
  expect(received).toHaveLength(4);
});

test("for a probe a 5xx is a response", async () => {
  const { url, received } = await serve(() => 500);
  expect((await transport().probed(getting(url), ignore)).response.status).toBe(500);
  expect(received).toHaveLength(1);
});

test("a read that is never answered is given up with a list of its outcomes", async () => {
  const { url, received } = await serve((_request, index) => (index < 2 ? 502 : 503));
  const error = await failure(transport().repeated(getting(url), ignore));
  expect(error).toBeInstanceOf(Inconclusive);
  expect(error.message).toBe("read was not answered in 6 attempts: status 502 (2 times), then status 503 (4 times)");
  expect(received).toHaveLength(6);
});

async function isRefused(answer: Answer): Promise<boolean> {
  const { url } = await serve(() => answer);
  const error = await failure(transport().repeated(getting(url), ignore));
  return error instanceof Unanswered && error.refused;
}

function breakOff(response: ServerResponse): void {
  response.writeHead(200, { "content-length": "100" });
  response.write("half", () => response.destroy());
}

test("500 and a connection that is closed immediately are refusals, and 503 and a response that is cut off are not", async () => {
  expect(await isRefused("drop")).toBe(true);
  expect(await isRefused(500)).toBe(true);
  expect(await isRefused(503)).toBe(false);
  expect(await isRefused(breakOff)).toBe(false);
});

test("if a quarter of all requests get a 5xx that passes, a request that always gets a 5xx is not certainly refused", async () => {
  const { url } = await serve(({ url: path }, index) => (path === "/refused" || index % 2 === 0 ? 500 : 200));
  const sender = transport({ retryMs: 0 });
  const isRefusal = async (): Promise<boolean> => {
    const error = await failure(sender.repeated(getting(`${url}/refused`), ignore));
    return error instanceof Unanswered && error.refused;
  };
  expect(await isRefusal()).toBe(true);
  for (let count = 0; count < 20; count += 1) await sender.repeated(getting(url), ignore);
  expect(sender.isTroubled).toBe(true);
  expect(await isRefusal()).toBe(false);
});

test("a request with a refused connection is given up with this reason", async () => {
  const error = await failure(transport().repeated(getting("http://127.0.0.1:9"), ignore));
  expect(error.message).toMatch(/^read was not answered in 6 attempts: ECONNREFUSED: .*\(6 times\)$/);
});

test("redirects are not followed", async () => {
  const { url, received } = await serve(() => ({ status: 302, headers: { location: "/elsewhere" } }));
  const answered = await transport().repeated(getting(url), ignore);
  expect(answered.response).toMatchObject({ status: 302, headers: { location: "/elsewhere" } });
  expect(received).toHaveLength(1);
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)("a response that is compressed with %s is decoded, although identity was requested", async (encoding, compress) => {
  const { url } = await serve(() => ({ status: 200, headers: { "content-encoding": encoding }, body: compress("the body") }));
  expect((await transport().once(getting(url), ignore)).response?.body).toBe("the body");
});

test("if a compressed response arrived completely without its end mark, its decoded part is the response", async () => {
  const body = gzipSync(`the body ${"that goes on ".repeat(9_000)}`).subarray(0, 200);
  const { url } = await serve(() => ({
    status: 200,
    headers: { "content-encoding": "gzip", "content-length": String(body.length) },
    body,
  }));
  const exchange = await transport().once(getting(url), ignore);
  expect(exchange.response?.body).toMatch(/^the body that goes on /);
});

test("a body with another encoding than its header says is no response", async () => {
  const { url } = await serve(() => ({ status: 200, headers: { "content-encoding": "gzip" }, body: "plain" }));
  expect(await transport().once(getting(url), ignore)).toMatchObject({
    response: null,
    error: expect.stringContaining("incorrect header check"),
  });
});

test("the first Date header gives the offset of the clock of the target", async () => {
  const dates = ["not a date", new Date(Date.now() + 3_600_000).toUTCString(), new Date(0).toUTCString()];
  const { url } = await serve((_request, index) => ({ status: 200, headers: { date: dates[index] ?? "" } }));
  const sender = transport();
  await sender.once(getting(url), ignore);
  expect(sender.clockOffsetMs).toBeNull();
  for (let count = 0; count < 2; count += 1) await sender.once(getting(url), ignore);
  expect(Math.abs((sender.clockOffsetMs ?? 0) - 3_600_000)).toBeLessThan(1_000);
});

test("a pause and a request in flight end when the run is interrupted", async () => {
  const { url } = await serve(() => () => undefined);
  const sender = transport();
  const waiting = [failure(sender.once(getting(url), ignore)), failure(sender.budget.pause(60_000))];
  setTimeout(() => sender.budget.interrupt(), 20);
  for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(Interrupted);
  expect(await failure(sender.once(getting(url), ignore))).toBeInstanceOf(Interrupted);
});

test("a pause ends when the time of the run is used up", async () => {
  const { budget } = transport({ budgets: { runTimeoutMs: 50 } });
  await budget.pause(5);
  const started = performance.now();
  const error = await failure(budget.pause(60_000));
  expect(error).toMatchObject({ name: "BudgetExhausted", message: expect.stringContaining("RUN_TIMEOUT_MS (50)") });
  expect(performance.now() - started).toBeLessThan(50_000);
});

test("waiting for a repeat ends when the time of the run is used up", async () => {
  const { url } = await serve(() => 503);
  const started = performance.now();
  const error = await failure(transport({ retryMs: 60_000, budgets: { runTimeoutMs: 100 } }).repeated(getting(url), ignore));
  expect(error.message).toContain("RUN_TIMEOUT_MS (100)");
  expect(performance.now() - started).toBeLessThan(50_000);
});

test("pauses grow, and a random factor changes them by at most a quarter", () => {
  const sender = transport({ retryMs: 100 });
  for (const [attempt, expected] of [100, 200, 400, 800].entries()) {
    const pauses = Array.from({ length: 50 }, () => sender.pauseAfter(attempt));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0.75 * expected);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1.25 * expected);
    expect(new Set(pauses).size).toBeGreaterThan(1);
  }
  expect(sender.pauseAfter(30)).toBeLessThanOrEqual(12_500);
});

test("if requests of a kind are unanswered for long, further requests of this kind are not sent, and others are", async () => {
  const { url, received } = await serve(({ url: path }) => (path === "/silent" ? () => undefined : 200));
  const sender = transport({ settings: { requestTimeoutMs: 30 } });
  const silent = { ...getting(`${url}/silent`), operation: "silent" };
  const asked = async (): Promise<string> => (await failure(sender.repeated(silent, ignore))).message;
  const messages = [await asked(), await asked(), await asked(), await asked()];
  expect(messages[0]).toMatch(/^silent was not answered in 6 attempts: .*; raise REQUEST_TIMEOUT_MS to wait longer for an answer$/);
  expect(messages.at(-1)).toMatch(/silent was not answered: no request of this kind has been answered for \d+ s/);
  expect(messages.at(-2)).toBe(messages.at(-1));
  expect(received.length).toBeLessThan(4 * 6);
  expect((await sender.repeated(getting(`${url}/other`), ignore)).response.status).toBe(200);
});

test("if connections are closed without a response, each write gets its own connection", async () => {
  const used = new WeakSet<object>();
  const { url } = await serve(() => (response) => {
    const { socket } = response;
    if (socket === null || used.has(socket)) response.destroy();
    else {
      used.add(socket);
      response.end("{}");
    }
  });
  const sender = transport();
  const statuses: (number | null)[] = [];
  for (let index = 0; index < 12; index += 1) {
    const call = getting(url, { method: "POST", body: "{}" });
    statuses.push((await sender.once(call, ignore)).response?.status ?? null);
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([null, null]);
});
