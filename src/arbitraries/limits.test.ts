import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMIT_NAMES, LIMITS } from "../contract/limits.ts";
import { hasLimitType } from "../model/limits.ts";
import { everyLimit, largeValue, limitSubset, ordinaryValue, smallValue, threeHands, unusualValue } from "./limits.ts";

const ALL = { names: LIMIT_NAMES, valueOf: ordinaryValue };

test("an ordinary value has the type of its limit and differs from the default", () => {
  fc.assert(
    fc.property(everyLimit(ALL), (limits) => {
      for (const name of LIMIT_NAMES) {
        expect(hasLimitType(name, limits[name]), name).toBe(true);
        expect(limits[name], name).not.toEqual(LIMITS[name].default);
      }
    }),
  );
});

test("large and small integers are far apart", () => {
  const integers = LIMIT_NAMES.filter((name) => LIMITS[name].type === "integer");
  fc.assert(
    fc.property(everyLimit({ ...ALL, valueOf: largeValue }), everyLimit({ ...ALL, valueOf: smallValue }), (large, small) => {
      for (const name of integers) {
        expect(large[name], name).toBeGreaterThanOrEqual(1_500_000_000);
        expect(small[name], name).toBeLessThanOrEqual(1_000);
      }
    }),
  );
});

test("unusual values are at the edges of their types", () => {
  const [values = {}] = fc.sample(everyLimit({ names: LIMIT_NAMES, valueOf: unusualValue }), 1);
  const texts = Object.values(values).filter((value) => typeof value === "string");
  expect(Object.values(values)).toContain(Number.MAX_SAFE_INTEGER);
  expect(Math.max(...texts.map(({ length }) => length))).toBe(4_096);
  expect(texts.some((text) => text !== text.trim() && /\p{Script=Han}/u.test(text) && /\p{Emoji_Presentation}/u.test(text))).toBe(true);
  expect(texts.every((text) => text === text.normalize("NFC"))).toBe(true);
  expect(values.drop_labels).toHaveLength(40);
});

test("values and names are drawn from those that the target accepts", () => {
  const names = ["ha_max_clusters", "drop_labels"] as const;
  fc.assert(
    fc.property(limitSubset({ names, valueOf: (name) => fc.constant(name === "ha_max_clusters" ? 7 : ["a"]) }), (limits) => {
      expect([7, 0, undefined]).toContain(limits.ha_max_clusters);
      expect(Object.keys(limits).every((name) => names.some((known) => known === name))).toBe(true);
    }),
  );
});

test("the three parts together have each limit once, and never combine the two ingestion limits", () => {
  fc.assert(
    fc.property(threeHands(ALL), (hands) => {
      expect(hands.flatMap((hand) => Object.keys(hand)).toSorted()).toEqual(LIMIT_NAMES.toSorted());
      expect(hands.some((hand) => "ingestion_rate" in hand && "ingestion_burst_size" in hand)).toBe(false);
    }),
  );
});
