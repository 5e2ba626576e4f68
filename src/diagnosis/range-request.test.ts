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
  expect(contrastOf({ matchers })).toBe('the same query without the matcher a="b" is answered correctly');
  expect(contrastOf({ matchers, filters, cut })).toBe(
    'the same query without the line filter |= "c" is answered correctly, and so is the query with the line filter |= "c" but without the matcher a="b" and limit=100 and direction=backward',
  );
  expect(contrastOf({ matchers, cut })).toBe(
    'the query is answered correctly if it has only one of these parts: the matcher a="b", limit=100 and direction=backward',
  );
  expect(contrastOf({ cut: { ...cut, unsent: ["limit"] } })).toBe("the same query with limit is answered correctly");
});
