import { expect, test } from "vitest";
import { missingItemText } from "./missing-entries.ts";

test("a message about a missing item names an item that begins alike, and no other item", () => {
  expect(missingItemText(["svc_colour"], ["svc_color", "zone"])).toBe(
    'missing from the list ["svc_color","zone"]; the most similar item is "svc_color"',
  );
  expect(missingItemText(["host"], ["hour", "zone"])).toContain('"hour"');
  expect(missingItemText(["svc_colour"], ["zone"])).toBe('missing from the list ["zone"]');
  expect(missingItemText(["x"], [])).toBe("missing from the list []");
});

test("a message about missing items names their length if all listed items are shorter", () => {
  const [long, longer] = ["z".repeat(65), "y".repeat(70)];
  expect(missingItemText([long], ["zone", "x".repeat(64)])).toContain(
    "the longest listed item has 64 characters, and the missing item has 65",
  );
  expect(missingItemText([long, longer], ["zone", "x".repeat(64)])).toContain("the shortest of the 2 missing items has 65");
  expect(missingItemText([long, "x"], ["zone", "host"])).toBe('missing from the list ["zone","host"]');
});

test("a message says that missing items come after all listed items, if the list is not short", () => {
  const list = ["a", "b", "c", "d"];
  expect(missingItemText(["e"], list)).toBe("missing from a list of 4 items; in alphabetical order, it comes after each listed item");
  expect(missingItemText(["e", "f"], list)).toContain("they come after");
  expect(missingItemText(["e", "bb"], list)).not.toContain("after");
  expect(missingItemText(["e"], list.slice(1))).not.toContain("after");
});
