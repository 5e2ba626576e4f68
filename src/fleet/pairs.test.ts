import { expect, test } from "vitest";
import { drawnPairs, runPairs } from "./pairs.ts";
import { pairServers } from "./pair-servers.ts";

const ids = (seed: number): string[] => drawnPairs(9, seed).map(({ id }) => id);

test("the same seed draws the same servers, as many for each engine", () => {
  expect(ids(3)).toEqual(ids(3));
  expect(ids(3)).not.toEqual(ids(4));
  expect(ids(3).map((id) => id.split(":")[0])).toEqual(["range queries", "metric queries", "histories"].flatMap((one) => [one, one, one]));
});

test("each server has an id of its own, and no pair has two levels of one factor", () => {
  const all = pairServers().flatMap((servers) => servers.map(({ id }) => id));
  expect(new Set(all).size).toBe(all.length);
  const pairs = all.map((id) => /^[\w ]+: (\w+).* \+ (\w+)/.exec(id)).filter((found) => found?.[1] === found?.[2]);
  // The test compares only the first words of the names of factors, and some different factors begin with the same word, such as `first`.
  expect(pairs.every((found) => ["first", "second", "third"].includes(found?.[1] ?? ""))).toBe(true);
});

test("a release run catches servers that misbehave only where two levels meet", { timeout: 120_000 }, async () => {
  const outcomes = await runPairs(6, 5);
  expect(outcomes).toHaveLength(6);
  expect(outcomes.filter(({ result }) => result === "missed")).toEqual([]);
  expect(outcomes.some(({ result }) => result === "caught by an engine")).toBe(true);
});
