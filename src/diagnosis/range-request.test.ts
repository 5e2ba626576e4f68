import { expect, test } from "vitest";
import { contrastOf, lesser } from "./range-request.ts";

const matchers = [{ name: "a", operator: "=", value: "b" }] as const;
const filters = [{ operator: "|=", text: "c" }] as const;

test("a smaller query with the matchers has them in the same place", () => {
  const smaller = lesser({ matchers, ownLast: true, filters, cut: { limit: 5, direction: "forward" } }, false);
  const having = smaller.filter((one) => (one.matchers ?? []).length > 0);
  expect(having).toHaveLength(2);
  expect(having.every(({ ownLast }) => ownLast === true)).toBe(true);
});

test("the comparison names the part that a smaller query lacks, or the parameters that it has", () => {
  const cut = { limit: 100, direction: "backward" } as const;
  expect(contrastOf({})).toBeUndefined();
  expect(contrastOf({ matchers })).toBe("the same query without the matcher of a is answered correctly");
  expect(contrastOf({ matchers, filters, cut })).toBe(
    "the same query without its line filter is answered correctly, and so is the query with its line filter but without the matcher of a and its limit and direction",
  );
  expect(contrastOf({ matchers, cut })).toBe(
    "the query is answered correctly if it has only one of these parts: the matcher of a, this limit and direction",
  );
  expect(contrastOf({ cut: { ...cut, unsent: ["limit"] } })).toBe("the same query with limit is answered correctly");
});
