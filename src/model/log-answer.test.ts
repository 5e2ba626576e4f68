/** Tests how a wrong response to a range query is diagnosed, and that a legal response has no difference. */
import { expect, test } from "vitest";
import { type AnsweredStream, entryDifferences, limitDifferences, orderDifferences, READ_BACK_CLAUSES, shownKept } from "./log-answer.ts";
import { type Labels, limited, type Stream } from "./logs.ts";

function stream(labels: Labels, ...entries: (readonly [ts: number, line: string])[]): Stream {
  return { labels, entries: entries.map(([ts, line]) => ({ ts: BigInt(ts), line })) };
}

const plain = stream({ set: "s" }, [1, "a"], [2, "b"]);
const red = stream({ set: "s", colour: "Red" }, [1, "a"], [3, "c"]);
const PUSHED: readonly Stream[] = [plain, red];

test.each<[what: string, answer: readonly AnsweredStream[]]>([
  ["as pushed, in any order of streams", [red, plain]],
  ["with a label of the service's own", [plain, { ...red, labels: { ...red.labels, level: "info" } }]],
  [
    "split by labels of the service's own",
    [
      stream({ set: "s", level: "info" }, [1, "a"]),
      stream({ set: "s", level: "warn" }, [2, "b"]),
      stream({ set: "s", colour: "Red", level: "info" }, [1, "a"]),
      stream({ set: "s", colour: "Red", level: "warn" }, [3, "c"]),
    ],
  ],
  ["with an object that has no entries", [plain, red, stream({ set: "other" })]],
])("an answer %s is right", (_what, answer) => {
  expect(entryDifferences(PUSHED, answer)).toEqual([]);
});

test.each<[what: string, clauses: readonly string[], answer: readonly AnsweredStream[]]>([
  ["an entry lost", ["logs-4.push"], [plain, stream(red.labels, [1, "a"])]],
  ["an entry too many", ["logs-4.query_range"], [plain, stream(red.labels, [1, "a"], [3, "c"], [4, "d"])]],
  ["a stream too many", ["logs-4.query_range"], [plain, red, stream({ set: "other" }, [9, "z"])]],
  ["an entry twice", ["logs-4.push"], [plain, stream(red.labels, [1, "a"], [3, "c"], [3, "c"])]],
  ["another timestamp", ["logs-2.1"], [plain, stream(red.labels, [1, "a"], [4, "c"])]],
  ["another line", ["logs-2.Entry"], [plain, stream(red.labels, [1, "a"], [3, "C"])]],
  ["an entry in another stream", ["logs-1.1"], [stream(plain.labels, [1, "a"], [2, "b"], [3, "c"]), stream(red.labels, [1, "a"])]],
  ["a label value altered", ["logs-2.Stream"], [plain, { ...red, labels: { set: "s", colour: "red" } }]],
  ["a label name altered", ["logs-2.Stream"], [plain, { ...red, labels: { set: "s", color: "Red" } }]],
  [
    "a label altered of a stream that shares its entries",
    ["logs-2.Stream"],
    [plain, stream({ set: "s", colour: "red" }, [1, "a"], [3, "c"])],
  ],
])("%s is blamed on %j", (_what, clauses, answer) => {
  expect(entryDifferences(PUSHED, answer).map(({ clause }) => clause)).toEqual(clauses);
});

test("a stream that the query does not select is reported, even if its entries are equal to those of a selected stream", () => {
  const blue = stream({ set: "s", colour: "blue" }, [1, "a"], [3, "c"]);
  const found = entryDifferences([red], [blue], undefined, [plain, red, blue]);
  expect(found.map(({ clause }) => clause)).toEqual(["logs-4.query_range", "logs-4.push"]);
});

const NUMBERED: readonly Stream[] = [
  stream({ set: "s" }, [1, "a"], [2, "b"], [3, "c"]),
  stream({ set: "s", colour: "Red" }, [4, "d"], [5, "e"]),
];

test.each<[what: string, clauses: readonly string[], answer: readonly AnsweredStream[]]>([
  ["the newest two", [], [stream({ set: "s", colour: "Red" }, [5, "e"], [4, "d"])]],
  ["the oldest two", ["logs-4.1"], [stream({ set: "s" }, [1, "a"], [2, "b"])]],
  ["the newest of each stream", ["logs-4.1"], [stream({ set: "s" }, [3, "c"]), stream({ set: "s", colour: "Red" }, [5, "e"])]],
  ["the newest two in another stream", ["logs-1.1", "logs-1.1"], [stream({ set: "s" }, [5, "e"], [4, "d"])]],
  ["one that nobody pushed", ["logs-2.Entry"], [stream({ set: "s", colour: "Red" }, [5, "e"], [4, "x"])]],
  ["one too few", ["logs-4.query_range"], [stream({ set: "s", colour: "Red" }, [5, "e"])]],
  ["one too many", ["logs-4.query_range"], [stream({ set: "s" }, [3, "c"]), stream({ set: "s", colour: "Red" }, [5, "e"], [4, "d"])]],
])("backward with limit 2, %s: %j", (_what, clauses, answer) => {
  expect(limitDifferences(limited(NUMBERED, 2, "backward"), NUMBERED, answer).map(({ clause }) => clause)).toEqual(clauses);
});

test("a missing entry is reported even if other entries with the last timestamp take its place", () => {
  const tied = [stream({ set: "s" }, [1, "a"], [1, "b"], [1, "c"], [2, "newest"])];
  const wanted = limited(tied, 2, "backward");
  expect(limitDifferences(wanted, tied, [stream({ set: "s" }, [2, "newest"], [1, "b"])])).toEqual([]);
  expect(limitDifferences(wanted, tied, [stream({ set: "s" }, [1, "a"], [1, "b"])]).map(({ clause }) => clause)).toEqual(["logs-4.1"]);
});

function actual(answer: readonly AnsweredStream[]): string | undefined {
  return limitDifferences(limited(NUMBERED, 1, "backward"), NUMBERED, answer)[0]?.actual;
}

test("a message about a limited response says which entries were returned in place of others", () => {
  expect(actual([stream({ set: "s" }, [1, "a"])])).toMatch(/^the oldest entries: \["1","a"\], in place of /);
  expect(actual([stream({ set: "s", colour: "Red" }, [4, "d"])])).toMatch(/^entries that are 1 ns older: \["4","d"\]/);
  expect(actual([stream({ set: "s" }, [3, "c"]), stream({ set: "s", colour: "Red" }, [5, "e"])])).toBe(
    "2 entries, at most 1 of each of 2 streams",
  );
});

test("an altered line in a limited response is compared with the pushed line at its time, unless that line was returned too", () => {
  const [altered] = limitDifferences(limited(NUMBERED, 2, "backward"), NUMBERED, [stream({ set: "s", colour: "Red" }, [5, "e"], [4, "x"])]);
  expect([altered?.expected, altered?.actual, altered?.kind]).toEqual(['the line "d"', '"x"', "line"]);
  const invented = limitDifferences(limited(NUMBERED, 2, "backward"), NUMBERED, [
    stream({ set: "s", colour: "Red" }, [5, "e"], [4, "d"], [4, "x"]),
  ]);
  expect(invented.map(({ actual }) => actual)).toContain('unexpected: ["4","x"]');
});

test("of several entries in a wrong stream, the one whose streams have the least similar labels is told first", () => {
  const known = ["1", "1.0", "blue"].map((colour, at) => stream({ colour }, [at, `line ${at}`]));
  const merged = stream({ colour: "1" }, [0, "line 0"], [1, "line 1"], [2, "line 2"]);
  expect(entryDifferences(known, [merged]).map(({ expected }) => expected)).toEqual([
    '["2","line 2"] in the stream with colour: "blue"',
    '["1","line 1"] in the stream with colour: "1.0"',
  ]);
});

test("a response without entries does not show that a clause about entries is held", () => {
  expect(shownKept(PUSHED, [], entryDifferences(PUSHED, []))).toEqual([]);
  expect(shownKept(PUSHED, PUSHED, [])).toEqual(READ_BACK_CLAUSES);
  const halved = [plain];
  expect(shownKept(PUSHED, halved, entryDifferences(PUSHED, halved))).toEqual(
    READ_BACK_CLAUSES.filter((clause) => clause !== "logs-4.push"),
  );
});

test("the order of entries is judged inside each returned object, not between objects", () => {
  const answer = [stream({ set: "s" }, [2, "b"], [1, "a"]), stream({ set: "t" }, [9, "y"], [8, "x"])];
  expect(orderDifferences(answer, "backward")).toEqual([]);
  expect(orderDifferences(answer, "forward").map(({ clause }) => clause)).toEqual(["logs-4.1", "logs-4.1"]);
  const [reversed] = orderDifferences([stream({ set: "s" }, [3, "c"], [2, "b"], [1, "a"])], "forward");
  expect(reversed?.actual).toBe('wrong order: all 3 entries are in the opposite order, such as ["3","c"] before ["2","b"]');
});
