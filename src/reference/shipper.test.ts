/** Tests that a log shipper from another project can push to the reference server, and that a read returns exactly the pushed lines. */
import { once } from "node:events";
import { pinoLoki } from "pino-loki";
import { expect, test } from "vitest";
import { streamsIn, withBench } from "./testing.ts";

const MESSAGES = ["plain", 'quotes " and \\ backslashes', "two\nlines", "größe 日本 😀", "{}", ""];

test("pino-loki pushes, and a read returns its exact lines", async () => {
  await withBench({ segment: "loki", tenancy: true }, async (bench) => {
    const headers = { "x-scope-orgid": "shipper" };
    const shipper = pinoLoki({ host: bench.reference.url, labels: { app: "shipped" }, headers, propsToLabels: ["module"] });
    const started = Date.now();
    const records = MESSAGES.map((msg, index) => ({
      level: 30 + 10 * (index % 2),
      time: started + index,
      module: "m",
      msg,
      meta: { trace: index },
    }));
    for (const record of records) shipper.write(`${JSON.stringify({ ...record, hostname: "host" })}\n`);
    shipper.end();
    await once(shipper, "close");
    const parameters = new URLSearchParams({
      query: '{app="shipped", hostname="host", module="m"}',
      direction: "forward",
      end: `${started + 60_000}000000`,
    });
    const answer = await bench.send("GET", `/loki/api/v1/query_range?${parameters.toString()}`, undefined, headers);
    const entries = streamsIn(answer).flatMap(({ stream, values }) => values.map(([ts, line]) => ({ ts, line, level: stream["level"] })));
    const expected = records.map((record) => ({
      ts: `${record.time}000000`,
      line: JSON.stringify(record),
      level: record.level === 30 ? "info" : "warning",
    }));
    expect(entries.toSorted((one, other) => (one.ts < other.ts ? -1 : 1))).toEqual(expected);
  });
});
