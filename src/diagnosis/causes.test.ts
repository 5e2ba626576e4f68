import { expect, test } from "vitest";
import { isConsequence, orderedByCause } from "./causes.ts";

const order = (...violated: (readonly [clause: string, checks: number])[]): string[] =>
  orderedByCause(violated.map(([clause, checks]) => ({ clause, checks }))).map(({ clause, followsFrom }) =>
    followsFrom === undefined ? clause : `${clause} from ${followsFrom}`,
  );

test("the clause that others are seen through stands first", () => {
  expect(order(["logs-4.4", 1], ["logs-4.3", 2], ["logs-4.push", 3])).toEqual([
    "logs-4.push",
    "logs-4.3 from logs-4.push",
    "logs-4.4 from logs-4.push",
  ]);
});

test("of clauses that are seen through each other, the one that more checks found violated stands first", () => {
  expect(order(["logs-4.query_range", 1], ["logs-4.1", 8])).toEqual(["logs-4.1", "logs-4.query_range from logs-4.1"]);
  expect(order(["logs-4.query_range", 6], ["logs-4.1", 1])).toEqual(["logs-4.query_range", "logs-4.1 from logs-4.query_range"]);
});

test("one limit is its row's matter, several are the matter of the rule that fills or keeps them", () => {
  const [one, other] = ["admin-2.limit.ingestion_rate", "admin-2.limit.max_query_length"];
  expect(order(["admin-4.1", 1], [one, 5])).toEqual([one, `admin-4.1 from ${one}`]);
  expect(order([one, 1], [other, 1], ["admin-4.1", 2])).toEqual(["admin-4.1", `${one} from admin-4.1`, `${other} from admin-4.1`]);
});

test("violations that have nothing to do with each other are not said to follow", () => {
  expect(order(["logs-4.labels", 1], ["admin-4.2", 1])).toEqual(["admin-4.2", "logs-4.labels"]);
  expect(isConsequence("admin-4.PUT", "admin-4.3")).toBe(true);
  expect(isConsequence("admin-4.POST", "admin-4.PUT")).toBe(false);
});
