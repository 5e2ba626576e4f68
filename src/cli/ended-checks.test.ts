import { expect, test } from "vitest";
import { CHECKS } from "../../specs/index.ts";
import { firstIdOf, namesOf } from "../contract/ended-checks.ts";
import { matchesDeviation } from "../harness/deviate.ts";
import { isSelected } from "../harness/outcomes.ts";
import { refuseEmptyGlobs } from "../settings/run-flags.ts";

test("each ended check has one successor that exists, and no check has an ended id", () => {
  const ids = CHECKS.map(({ id }) => id);
  const ended = ids.flatMap((id) => namesOf(id).slice(1));
  expect(ended.filter((id) => ids.includes(id))).toEqual([]);
  expect(ended).toHaveLength(new Set(ended).size);
  expect(ended).toContain("admin-2.limit.ingestion_rate/written");
});

test("--only and deviations accept the id of an ended check for its successor", () => {
  const successor = "admin-4.3/histories";
  expect(() => refuseEmptyGlobs(["admin-4.2/removes"], [successor])).not.toThrow();
  expect(isSelected(["admin-4.2/removes"], "admin-4.2", successor)).toBe(true);
  expect(isSelected(["admin-4.2/removes"], "admin-4.2", "admin-4.2/left-alone")).toBe(false);
  expect(isSelected(["admin-2.limit.*/written"], "admin-4.3", successor)).toBe(true);
  expect(isSelected(["logs-*/own-*"], "logs-4.label-values", "logs-4.label-values/pushed-values")).toBe(false);
  expect(matchesDeviation({ match: "admin-2.limit.*/written" }, "admin-4.3", successor)).toBe(true);
});

test("the Allure history of a successor goes on where its longest-lived predecessor ended", () => {
  expect(firstIdOf("admin-4.3/histories")).toBe("admin-4.3/any-subset");
  expect(firstIdOf("admin-4.2/left-alone")).toBe("admin-4.2/left-alone");
});
