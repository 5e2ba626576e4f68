import { connect } from "node:net";
import { expect, test } from "vitest";
import { basicHeader, linesIn, listIn, minutesAgo, TOKEN, withBench } from "./testing.ts";

const as = (tenant: string): Record<string, string> => ({ "x-scope-orgid": tenant });

test("a tenant reads only its own entries, and `a|b` reads the entries of both", async () => {
  await withBench({ tenancy: true }, async (bench) => {
    await bench.push({ app: "x" }, [[minutesAgo(2), "of a"]], as("a"));
    await bench.push({ app: "x", b: "1" }, [[minutesAgo(1), "of b"]], as("b"));
    const read = async (tenant: string): Promise<string[]> => linesIn(await bench.get("query_range", { query: '{app="x"}' }, as(tenant)));
    expect([await read("a"), await read("b"), await read("c")]).toEqual([["of a"], ["of b"], []]);
    expect((await read("a|b")).toSorted()).toEqual(["of a", "of b"]);
    expect(listIn(await bench.get("labels", {}, as("a")))).toEqual(["app"]);
    expect(listIn(await bench.get("labels", {}, as("b|a")))).toEqual(["app", "b"]);
  });
});

test("with tenants, a request without a tenant and a push for two tenants are refused", async () => {
  await withBench({ tenancy: true }, async (bench) => {
    expect((await bench.get("labels")).status).toBe(401);
    expect((await bench.push({ app: "x" }, [[minutesAgo(2), "line"]])).status).toBe(401);
    expect((await bench.push({ app: "x" }, [[minutesAgo(2), "line"]], as("a|b"))).status).toBe(400);
  });
});

test("with a user, the log API requires Basic authentication", async () => {
  await withBench({ logsUser: "4711" }, async (bench) => {
    expect((await bench.get("labels", {}, basicHeader("4711", TOKEN))).status).toBe(200);
    for (const headers of [{}, basicHeader("", TOKEN), basicHeader("4711", "wrong")]) {
      expect((await bench.get("labels", {}, headers)).status).toBe(401);
    }
  });
});

test("requests above the rate get 429, and later requests succeed again", async () => {
  let now = 1_800_000_000_000;
  await withBench({ rateLimit: { perSecond: 10, burst: 3 }, now: () => now }, async (bench) => {
    const statuses = [];
    for (let request = 0; request < 5; request += 1) statuses.push((await bench.get("labels")).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    now += 200;
    expect((await bench.get("labels")).status).toBe(200);
  });
});

test("the server uses the clock and the latency from its options", async () => {
  await withBench({ now: () => 1_800_000_000_000, latencyMs: 30 }, async (bench) => {
    const started = performance.now();
    const { headers } = await bench.get("labels");
    expect(performance.now() - started).toBeGreaterThanOrEqual(29);
    expect(headers.get("date")).toBe("Fri, 15 Jan 2027 08:00:00 GMT");
  });
});

test("the option `segment` changes the paths of the log API", async () => {
  await withBench({ segment: "loki" }, async (bench) => {
    expect((await bench.get("labels")).status).toBe(404);
    expect((await bench.send("GET", "/loki/api/v1/labels")).status).toBe(200);
  });
});

test("a body or a header that is too large is refused, and the server goes on", async () => {
  await withBench({}, async (bench) => {
    const body = `{"streams":[],"x":"${"x".repeat(5 * 1024 * 1024)}"}`;
    expect((await bench.send("POST", "/logs/api/v1/push", body, { "content-type": "application/json" })).status).toBe(413);
    expect((await bench.get("labels", { padding: "x".repeat(100_000) })).status).toBe(431);
    expect((await bench.get("labels")).status).toBe(200);
  });
});

async function rawAnswer(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      answer += chunk.toString("utf8");
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

test("input that is not an HTTP request gets a 400", async () => {
  await withBench({}, async (bench) => {
    expect(await rawAnswer(bench.reference.port, "nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    const escaped = "GET /logs/api/v1/label/%E0%A4%A/values HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    expect(await rawAnswer(bench.reference.port, escaped)).toMatch(/^HTTP\/1\.1 400 /);
    expect((await bench.get("labels")).status).toBe(200);
  });
});
