/** Tests the speed of the server. The bounds are far from the real numbers, so that the tests pass on a busy machine. */
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { linesIn, minutesAgo, samplesIn, withBench } from "./testing.ts";

/**
 * The program of a client in its own thread. For `seconds` seconds, it sends small requests one after the other on each of several TCP
 * sockets.
 */
const CLIENT = `
const { connect } = require("node:net");
const { parentPort, workerData: { port, connections, seconds } } = require("node:worker_threads");
const request = Buffer.from("GET /logs/api/v1/labels HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n");
const deadline = Date.now() + seconds * 1000;
let answered = 0;
let open = connections;
for (let index = 0; index < connections; index += 1) {
  const socket = connect(port, "127.0.0.1", () => socket.write(request));
  socket.setNoDelay(true);
  // An answer is complete when its body ends in a brace, because an answer may arrive in two pieces.
  socket.on("data", (chunk) => {
    if (chunk.at(-1) !== 125) return;
    answered += 1;
    if (Date.now() < deadline) socket.write(request);
    else socket.end();
  });
  socket.on("close", () => { open -= 1; if (open === 0) parentPort.postMessage(answered); });
}
`;

test("the server answers at least 500 small requests per second of processor time", async () => {
  await withBench({}, async (bench) => {
    await bench.push({ app: "a" }, [[minutesAgo(1), "line"]]);
    const seconds = 1;
    // The test measures processor time, because other processes may delay this process. It includes that of the client, which is in the
    // same process.
    const before = process.cpuUsage();
    const worker = new Worker(CLIENT, { eval: true, workerData: { port: bench.reference.port, connections: 16, seconds } });
    const answered = await new Promise<number>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    const { user, system } = process.cpuUsage(before);
    const used = (user + system) / 1_000_000;
    process.stdout.write(`reference server: ${Math.round(answered / used)} small requests per second of processor time\n`);
    expect(answered / used).toBeGreaterThan(500);
    await worker.terminate();
  });
});

test("a store of 100,000 entries does not make queries on one stream slower", async () => {
  await withBench({}, async (bench) => {
    const at = minutesAgo(20);
    const streams = Array.from({ length: 100 }, (_, stream) => ({
      stream: { app: "load", stream: `${stream}` },
      values: Array.from({ length: 1_000 }, (_item, index) => [
        `${at + BigInt(index * 100 + stream) * 1_000_000n}`,
        `line ${index} of stream ${stream}`,
      ]),
    }));
    for (let first = 0; first < 100; first += 20) {
      const body = JSON.stringify({ streams: streams.slice(first, first + 20) });
      expect((await bench.send("POST", "/logs/api/v1/push", body, { "content-type": "application/json" })).status).toBe(204);
    }
    const query = '{app="load", stream="42"} |= "line 99"';
    const started = performance.now();
    for (let round = 0; round < 100; round += 1) {
      expect(linesIn(await bench.get("query_range", { query, start: `${at}`, limit: "5", direction: "forward" }))).toHaveLength(5);
    }
    const each = (performance.now() - started) / 100;
    const counted = await bench.get("query", { query: 'sum(count_over_time({app="load"}[1h]))' });
    expect(samplesIn(counted)[0]?.value[1]).toBe("100000");
    process.stdout.write(`reference server: ${each.toFixed(2)} ms per query on one stream among 100,000 entries\n`);
    // A query that read all entries would take seconds.
    expect(each).toBeLessThan(1_000);
  });
});
