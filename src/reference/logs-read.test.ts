import { expect, test } from "vitest";
import { type Bench, linesIn, minutesAgo, samplesIn, streamsIn, withBench } from "./testing.ts";

const SECOND = 1_000_000_000n;

/** Pushes ten entries, 1 s apart, alternately to two streams. */
async function seeded(bench: Bench): Promise<bigint> {
  const at = minutesAgo(10);
  for (const [index, colour] of ["red", "blue"].entries()) {
    const pairs = Array.from({ length: 5 }, (_, step) => [at + BigInt(step * 2 + index) * SECOND, `line ${step * 2 + index}`] as const);
    await bench.push({ app: "a", colour }, pairs);
  }
  return at;
}

test("a window includes its start and excludes its end", async () => {
  await withBench({}, async (bench) => {
    const at = await seeded(bench);
    const answer = await bench.get("query_range", { query: '{app="a"}', start: `${at + 2n * SECOND}`, end: `${at + 5n * SECOND}` });
    expect(linesIn(answer).toSorted()).toEqual(["line 2", "line 3", "line 4"]);
  });
});

test("a limit selects the newest or oldest entries of all streams together", async () => {
  await withBench({}, async (bench) => {
    await seeded(bench);
    const ask = async (parameters: Record<string, string>): Promise<string[]> =>
      linesIn(await bench.get("query_range", { query: '{app="a"}', ...parameters }));
    expect((await ask({ limit: "3" })).toSorted()).toEqual(["line 7", "line 8", "line 9"]);
    expect((await ask({ limit: "3", direction: "forward" })).toSorted()).toEqual(["line 0", "line 1", "line 2"]);
    expect(await ask({ limit: "1", direction: "backward" })).toEqual(["line 9"]);
  });
});

test("without a limit the response has 100 entries", async () => {
  await withBench({}, async (bench) => {
    const at = minutesAgo(10);
    await bench.push(
      { app: "many" },
      Array.from({ length: 130 }, (_, index) => [at + BigInt(index), `${index}`] as const),
    );
    const lines = linesIn(await bench.get("query_range", { query: '{app="many"}' }));
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([100, "129", "30"]);
  });
});

const SELECTED: readonly (readonly [query: string, lines: readonly string[]])[] = [
  ['{app="a", colour="red"}', ["line 0", "line 2", "line 4", "line 6", "line 8"]],
  ['{app="a", colour!="red"} |= "3"', ["line 3"]],
  ['{app="a", colour=~"re"}', []],
  ['{colour=~"re.|x"} != "line 0" !~ "[24]"', ["line 6", "line 8"]],
  ['{app="a", colour!~"re.*"} |~ "[13]$"', ["line 1", "line 3"]],
  ['{app="a", none=""} |= `line 5`', ["line 5"]],
  ['{app="a", none!=""}', []],
  ['{app="a"} |= "LINE"', []],
  ['{app="a"} |~ "(?i)LINE 7"', ["line 7"]],
  ['# a comment\n({app="a"} |= "\\x6cine \\u0037")', ["line 7"]],
];

test.each(SELECTED)("the query %s returns the matching lines", async (query, lines) => {
  await withBench({}, async (bench) => {
    await seeded(bench);
    const answer = await bench.get("query_range", { query, direction: "forward" });
    expect(answer.status, answer.text).toBe(200);
    expect(linesIn(answer)).toEqual(lines);
  });
});

const EVALUATED: readonly (readonly [query: string, samples: readonly (readonly [metric: object, value: string])[]])[] = [
  ['sum(count_over_time({app="a"}[1m]))', [[{}, "10"]]],
  [
    'sum by (colour) (count_over_time({app="a"} |= "line" [1m]))',
    [
      [{ colour: "red" }, "5"],
      [{ colour: "blue" }, "5"],
    ],
  ],
  ['sum(rate({app="a"}[20s])) by (nothing)', [[{}, "0.5"]]],
  ['bytes_over_time({app="a", colour="red"}[1m])', [[{ app: "a", colour: "red" }, "30"]]],
  ['avg without (colour) (count_over_time({app="a"}[1m]))', [[{ app: "a" }, "5"]]],
  ['max(count_over_time({app="a"} != "line 1" [1m]))', [[{}, "5"]]],
  ['min(count_over_time({app="a"} != "line 1" [1m]))', [[{}, "4"]]],
  ['count(count_over_time({app="a"}[1m]))', [[{}, "2"]]],
  ['sum(sum by (colour) (rate({app="a"}[1h30m])))', [[{}, String(10 / 5400)]]],
  ['sum(count_over_time({app="none"}[1m]))', []],
];

test.each(EVALUATED)("the metric query %s returns its samples", async (query, samples) => {
  await withBench({}, async (bench) => {
    const at = await seeded(bench);
    const answer = await bench.get("query", { query, time: `${at + 15n * SECOND}` });
    expect(answer.status, answer.text).toBe(200);
    expect(samplesIn(answer).map(({ metric, value }) => [metric, value[1]])).toEqual(samples);
  });
});

test("the range of an instant query includes its end and excludes its start, and the timestamp is in seconds", async () => {
  await withBench({}, async (bench) => {
    const at = await seeded(bench);
    const time = at + 4n * SECOND;
    const [sample] = samplesIn(await bench.get("query", { query: 'sum(count_over_time({app="a"}[3s]))', time: `${time}` }));
    expect(sample?.value).toEqual([Number(time / 1_000_000n) / 1000, "3"]);
  });
});

const REFUSED: readonly (readonly [endpoint: string, parameters: Record<string, string>])[] = [
  ["query_range", {}],
  ["query_range", { query: "" }],
  ["query_range", { query: "{}" }],
  ["query_range", { query: '{app="a"' }],
  ["query_range", { query: '{app="a"} |= ' }],
  ["query_range", { query: '{app=~"("}' }],
  ["query_range", { query: 'rate({app="a"}[5m])' }],
  ["query_range", { query: '{app="a"}', start: "yesterday" }],
  ["query_range", { query: '{app="a"}', start: "2000000000000000000", end: "1000000000000000000" }],
  ["query_range", { query: '{app="a"}', limit: "0" }],
  ["query_range", { query: '{app="a"}', limit: "many" }],
  ["query_range", { query: '{app="a"}', direction: "sideways" }],
  ["query", {}],
  ["query", { query: '{app="a"}' }],
  ["query", { query: '{app="a"} |= "x"' }],
  ["query", { query: "rate({}[5m])" }],
  ["query", { query: 'rate({app="a"})' }],
  ["query", { query: 'rate({app="a"}[5m]' }],
  ["query", { query: 'rate({app="a"}[0s])' }],
  ["query", { query: 'rate({app="a"}[5m])', time: "now" }],
];

test.each(REFUSED)("%s with %o is refused with 400 and a sentence", async (endpoint, parameters) => {
  await withBench({}, async (bench) => {
    const { status, text } = await bench.get(endpoint, parameters);
    expect(status).toBe(400);
    expect(text.trim()).not.toBe("");
  });
});

test("streams without a selected entry are left out", async () => {
  await withBench({}, async (bench) => {
    await seeded(bench);
    expect(streamsIn(await bench.get("query_range", { query: '{app="a"} |= "line 3"' })).map(({ stream }) => stream)).toEqual([
      { app: "a", colour: "blue" },
    ]);
  });
});
