import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.parse("Sun, 06 Nov 1994 08:49:37 GMT");

test.each([
  ["no header", undefined, 0],
  ["none", "0", 0],
  ["seconds", "7", 7_000],
  ["seconds among blanks", " 7 ", 7_000],
  ["more seconds than anybody waits", "86400", 30_000],
  ["a number that no clock holds", "9".repeat(400), 30_000],
  ["a date", "Sun, 06 Nov 1994 08:49:40 GMT", 3_000],
  ["a date of the old forms", "Sunday, 06-Nov-94 08:49:40 GMT", 3_000],
  ["a date that is over", "Sun, 06 Nov 1994 08:40:00 GMT", 0],
  ["a date far ahead", "Sun, 06 Nov 2094 08:49:40 GMT", 30_000],
  ["a negative number", "-7", 0],
  ["a fraction", "1.5", 0],
  ["words", "soon", 0],
  ["nothing", "", 0],
])("the right pause follows from a Retry-After header of this kind: %s", (_what, header, expected) => {
  expect(retryAfterMs(header === undefined ? {} : { "retry-after": header }, NOW)).toBe(expected);
});
