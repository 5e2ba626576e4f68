import { expect, test } from "vitest";
import { editDistance, nearestName } from "./distance.ts";

test.each([
  ["SEED", "SEED", 0],
  ["SEEDS", "SEED", 1],
  ["SED", "SEED", 1],
  ["SAAD", "SEED", 2],
  ["", "SEED", 4],
  ["SEED", "", 4],
  ["METRICS_BASE_URI", "METRICS_BASE_URL", 1],
])("the distance between %s and %s is %i edits", (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
});

test("the nearest name within the limit is found, and no name beyond the limit", () => {
  expect(nearestName("PROFIL", ["SEED", "PROFILE"], 2)).toBe("PROFILE");
  expect(nearestName("PRFL", ["SEED", "PROFILE"], 2)).toBeNull();
});
