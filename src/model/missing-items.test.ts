import { expect, test } from "vitest";
import { missingItemText } from "./missing-items.ts";

test("a message about a missing item names an item that begins alike, and no other item", () => {
  expect(missingItemText("svc_colour", ["svc_color", "zone"])).toBe('missing from a list of 2 items; the most similar item is "svc_color"');
  expect(missingItemText("host", ["hour", "zone"])).toContain('"hour"');
  expect(missingItemText("svc_colour", ["zone"])).toBe("missing from a list of 1 items");
  expect(missingItemText("x", [])).toBe("missing from a list of 0 items");
});
