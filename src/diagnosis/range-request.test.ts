import { expect, test } from "vitest";
import { lesser } from "./range-request.ts";

const matchers = [{ name: "a", operator: "=", value: "b" }] as const;
const filters = [{ operator: "|=", text: "c" }] as const;

test("a smaller query with the matchers has them in the same place", () => {
  const smaller = lesser({ matchers, ownLast: true, filters, cut: { limit: 5, direction: "forward" } }, false);
  const having = smaller.filter((one) => (one.matchers ?? []).length > 0);
  expect(having).toHaveLength(2);
  expect(having.every(({ ownLast }) => ownLast === true)).toBe(true);
});
