import { expect, test } from "vitest";
import type { DifferenceKind } from "../model/kinds.ts";
import { isConsequence, orderedByCause } from "./causes.ts";

const order = (...violated: (readonly [clause: string, checks: number, kind?: DifferenceKind])[]): string[] =>
  orderedByCause(violated.map(([clause, checks, kind]) => ({ clause, checks, kinds: [kind] }))).map(({ clause, followsFrom }) =>
    followsFrom === undefined ? clause : `${clause} from ${followsFrom}`,
  );

test("a clause that other clauses depend on is listed before them", () => {
  expect(order(["logs-4.4", 1], ["logs-4.3", 2], ["logs-4.push", 3])).toEqual([
    "logs-4.push",
    "logs-4.3 from logs-4.push",
    "logs-4.4 from logs-4.push",
  ]);
});

test("of two clauses that depend on each other, the clause that more checks found violated is listed first", () => {
  expect(order(["logs-4.query_range", 1], ["logs-4.1", 8])).toEqual(["logs-4.1", "logs-4.query_range from logs-4.1"]);
  expect(order(["logs-4.query_range", 6], ["logs-4.1", 1])).toEqual(["logs-4.query_range", "logs-4.1 from logs-4.query_range"]);
});

test("a single violated limit points to its own clause, and several point to the clause on keeping or filling limits", () => {
  const [one, other] = ["admin-2.limit.ingestion_rate", "admin-2.limit.max_query_length"];
  expect(order(["admin-4.1", 1], [one, 5])).toEqual([one, `admin-4.1 from ${one}`]);
  expect(order([one, 1], ["admin-4.3", 4])).toEqual(["admin-4.3", `${one} from admin-4.3`]);
  expect(order([one, 1], [other, 1], ["admin-4.1", 2])).toEqual(["admin-4.1", `${one} from admin-4.1`, `${other} from admin-4.1`]);
});

test("data of another tenant is listed first, and missing data of a tenant follows from its cause", () => {
  expect(order(["logs-4.query_range", 3], ["logs-5.2a", 1, "other-tenant"])).toEqual(["logs-5.2a", "logs-4.query_range from logs-5.2a"]);
  expect(order(["logs-4.query_range", 3], ["logs-5.2a", 1, "lost"])).toEqual(["logs-4.query_range", "logs-5.2a from logs-4.query_range"]);
});

test("a violation is not said to follow from a clause that it does not depend on", () => {
  expect(order(["logs-4.labels", 1], ["admin-4.2", 1])).toEqual(["admin-4.2", "logs-4.labels"]);
  expect(isConsequence("admin-4.PUT", "admin-4.3")).toBe(true);
  expect(isConsequence("admin-4.POST", "admin-4.PUT")).toBe(false);
});
