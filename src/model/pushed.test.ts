/** Tests which entries a read may show, and which labels a list must contain, after given pushes. */
import { expect, test } from "vitest";
import type { Labels, Stream } from "./logs.ts";
import { Pushed } from "./pushed.ts";

const NOW = 1_800_000_000_000_000_000n;
const MARK = ["run", "r1"] as const;

function stream(labels: Labels, ...entries: (readonly [age: bigint, line: string])[]): Stream {
  return { labels: { run: "r1", ...labels }, entries: entries.map(([age, line]) => ({ ts: NOW - age * 1_000_000_000n, line })) };
}

const RED = stream({ colour: "red" }, [60n, "a"], [50n, "b"]);

function pushed(...streams: readonly Stream[]): Pushed {
  const all = new Pushed();
  all.sending(null, streams);
  return all;
}

test.each<[what: string, shown: readonly Stream[]]>([
  ["entries that were pushed", [RED]],
  ["a part of them, with a label that the service added", [stream({ colour: "red", level: "info" }, [50n, "b"])]],
  ["entries of other writers", [{ labels: { app: "x" }, entries: [{ ts: 1n, line: "other" }] }]],
  ["a stream without entries", [stream({ colour: "green" })]],
])("a read may show %s", (_what, shown) => {
  expect(pushed(RED).invented(shown, MARK)).toEqual([]);
});

test("the size of the lines of a label counts each stream that has the label", () => {
  const all = pushed(RED, stream({ colour: "red", size: "l" }, [40n, "größe"]), stream({ colour: "blue" }, [30n, "c"]));
  expect(all.bytesOf("colour", "red")).toBe(2 + 7);
  expect(all.bytesOf("colour", "green")).toBe(0);
});

test.each<[what: string, clause: string, shown: Stream]>([
  ["a line that was never pushed", "logs-2.Entry", stream({ colour: "red" }, [50n, "B"])],
  ["a timestamp that was never pushed", "logs-2.1", stream({ colour: "red" }, [49n, "b"])],
  ["an entry of which nothing was pushed", "logs-4.query_range", stream({ colour: "red" }, [1n, "z"])],
  ["labels that were never pushed", "logs-2.Stream", stream({ colour: "Red" }, [50n, "b"])],
])("a read must not show %s", (_what, clause, shown) => {
  expect(
    pushed(RED)
      .invented([RED, shown], MARK)
      .map((one) => one.clause),
  ).toEqual([clause]);
});

test("a read may show any entry of a stream in an unreadable body, and only pushed entries of the other streams", () => {
  const all = pushed(RED);
  all.sending(null, '{"streams":[{"stream":{"run":"r1","colour":"blue"},"values":[["1","cut');
  expect(all.invented([stream({ colour: "blue" }, [1n, "z"])], MARK)).toEqual([]);
  expect(all.invented([stream({ colour: "red" }, [1n, "z"])], MARK)).toHaveLength(1);
  expect(all.invented([stream({ colour: "green" }, [1n, "z"])], MARK)).toHaveLength(1);
});

test("a list must have the labels of a stream if its push was acknowledged, a read showed it, and its newest entry is young", () => {
  const old = stream({ host: "old" }, [301n, "a"]);
  const [refused, notEvaluated, early] = [
    stream({ pod: "refused" }, [5n, "a"]),
    stream({ job: "unseen" }, [5n, "a"]),
    stream({ zone: "early" }, [20n, "a"]),
  ];
  const all = pushed(RED, old, refused, notEvaluated, early);
  all.acknowledged(null, [RED, old, notEvaluated], 10);
  all.acknowledged(null, [early], 30);
  all.shown(null, [RED, old, early]);
  const namesAt = (acknowledgedBy: number): string[] => [...all.names(null, { now: NOW, acknowledgedBy }).keys()].toSorted();
  expect(namesAt(9)).toEqual([]);
  expect(namesAt(10)).toEqual(["colour", "run"]);
  expect(namesAt(30)).toEqual(["colour", "run", "zone"]);
  expect([...all.values(null, "colour", { now: NOW, acknowledgedBy: 10 }).keys()]).toEqual(["red"]);
  expect([...all.names("other tenant", { now: NOW, acknowledgedBy: 10 }).keys()]).toEqual([]);
});

test("after another push a stream counts again only when a read has shown the newest entry", () => {
  const all = pushed(RED);
  all.acknowledged(null, [RED], 10);
  all.shown(null, [RED]);
  const more = stream({ colour: "red" }, [40n, "c"]);
  all.sending(null, [more]);
  all.acknowledged(null, [more], 20);
  expect(all.names(null, { now: NOW, acknowledgedBy: 20 }).size).toBe(0);
  all.shown(null, [more]);
  expect(all.names(null, { now: NOW, acknowledgedBy: 20 }).size).toBe(2);
});

test("if two label sets were merged, both are named", () => {
  const all = pushed(stream({ colour: "red", shape: "round" }, [60n, "a"]), stream({ colour: "blue", size: "big" }, [50n, "b"]));
  const [difference] = all.invented([stream({ colour: "red", size: "big" }, [60n, "a"])], MARK);
  expect(difference?.actual).toBe(
    '{"run":"r1","colour":"red","size":"big"}, which merges {"run":"r1","colour":"red","shape":"round"} and {"run":"r1","colour":"blue","size":"big"}',
  );
  const [other] = all.invented([stream({ colour: "green", size: "small" }, [60n, "a"])], MARK);
  expect(other?.actual).toBe('{"run":"r1","colour":"green","size":"small"}');
});
