import { expect, test } from "vitest";
import { linesIn, listIn, minutesAgo, streamsIn, withBench } from "./testing.ts";

const JSON_TYPE = { "content-type": "application/json" };

test("a read returns pushed entries to the nanosecond, in streams by their labels", async () => {
  await withBench({}, async (bench) => {
    const at = minutesAgo(5) + 123n;
    const pushed = await bench.push({ app: "one", b: 'q"\\' }, [
      [at, "größe 😀"],
      [at + 1n, ""],
    ]);
    expect([pushed.status, pushed.text]).toEqual([204, ""]);
    await bench.push({ b: 'q"\\', app: "one" }, [[at + 2n, "third"]]);
    await bench.push({ app: "one" }, [[at + 2n, "other"]]);
    const all = await bench.get("query_range", { query: '{app="one"}', direction: "forward" });
    const shown = streamsIn(all).map(({ stream, values }) => [Object.keys(stream).length, values]);
    expect(shown.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
      [1, [[`${at + 2n}`, "other"]]],
      [
        2,
        [
          [`${at}`, "größe 😀"],
          [`${at + 1n}`, ""],
          [`${at + 2n}`, "third"],
        ],
      ],
    ]);
  });
});

test("entries may be pushed in any order, entries with equal times keep different lines, and exact duplicates are merged", async () => {
  await withBench({}, async (bench) => {
    const at = minutesAgo(5);
    await bench.push({ app: "a" }, [
      [at + 3n, "d"],
      [at, "a"],
      [at + 1n, "b"],
      [at + 1n, "c"],
      [at, "a"],
    ]);
    expect(linesIn(await bench.get("query_range", { query: '{app="a"}', direction: "forward" }))).toEqual(["a", "b", "c", "d"]);
    expect(linesIn(await bench.get("query_range", { query: '{app="a"}' }))).toEqual(["d", "c", "b", "a"]);
  });
});

test("the label names and values are those of the stored entries", async () => {
  await withBench({}, async (bench) => {
    await bench.push({ app: "a", pl_x: "1 / 2" }, [[minutesAgo(1), "line"]]);
    await bench.push({ app: "b" }, [[minutesAgo(1), "line"]]);
    await bench.push({ unused: "b" }, []);
    expect(listIn(await bench.get("labels"))).toEqual(["app", "pl_x"]);
    expect(listIn(await bench.get("label/app/values"))).toEqual(["a", "b"]);
    expect(listIn(await bench.get("label/pl_x/values"))).toEqual(["1 / 2"]);
    expect(listIn(await bench.get("label/constructor/values"))).toEqual([]);
  });
});

const stream = (values: unknown, labels: unknown = { app: "a" }): unknown => ({ streams: [{ stream: labels, values }] });

const REFUSED: readonly (readonly [what: string, body: unknown])[] = [
  ["no streams", {}],
  ["streams that are no list", { streams: {} }],
  ["a stream without labels", stream([], {})],
  ["a label that is a number", stream([], { app: 1 })],
  ["a label name with a dash", stream([], { "a-b": "1" })],
  ["values that are no list", stream({})],
  ["an entry that is an object", stream([{ ts: "1", line: "a" }])],
  ["a timestamp that is a number", stream([[1, "a"]])],
  ["a timestamp in RFC 3339", stream([["2026-01-01T00:00:00Z", "a"]])],
  ["a timestamp past 64 bits", stream([["9999999999999999999", "a"]])],
  ["a line that is a number", stream([["1", 1]])],
  ["an entry of four", stream([["1", "a", {}, ""]])],
];

test.each(REFUSED)("a push with %s is refused with 400 and a sentence", async (_what, body) => {
  await withBench({}, async (bench) => {
    const { status, text, headers } = await bench.send("POST", "/logs/api/v1/push", JSON.stringify(body), JSON_TYPE);
    expect(status).toBe(400);
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
    expect(text.trim()).not.toBe("");
  });
});

test("a push needs JSON and the JSON content type", async () => {
  await withBench({}, async (bench) => {
    const body = JSON.stringify(stream([["1", "a"]]));
    expect((await bench.send("POST", "/logs/api/v1/push", body, { "content-type": "text/plain" })).status).toBe(400);
    expect((await bench.send("POST", "/logs/api/v1/push", "{", JSON_TYPE)).status).toBe(400);
    expect((await bench.send("POST", "/logs/api/v1/push", body, { "content-type": "application/json; charset=utf-8" })).status).toBe(204);
    expect((await bench.send("GET", "/logs/api/v1/push")).status).toBe(405);
  });
});
