import { expect, test } from "vitest";
import { passes } from "./logs.ts";

const LINES = ["alpha", "beta", "a.b", "a...", "ALPHA mid", "x\ny", "", "a\\b"];

/** Returns the lines in which the JavaScript engine finds a match of the expression. */
function found(pattern: string): string[] {
  const plain = new RegExp(pattern.replaceAll("(?i)", ""), pattern.includes("(?i)") ? "ui" : "u");
  return LINES.filter((line) => plain.test(line));
}

test.each([
  ".*alpha.*",
  ".*(?:beta).*",
  ".*alpha|beta.*",
  ".*?b",
  "a\\.*",
  "a\\\\.*",
  ".*",
  ".*.*",
  "(?i).*alpha.*",
  ".*(?i)alpha.*",
  "^.*a$",
  "x.*y",
  "[.*]",
])("a line filter %s finds the lines in which its expression matches somewhere", (pattern) => {
  for (const [operator, expected] of [
    ["|~", found(pattern)],
    ["!~", LINES.filter((line) => !found(pattern).includes(line))],
  ] as const)
    expect(LINES.filter((line) => passes([{ operator, text: pattern }], line))).toEqual(expected);
});

test("an expression with `.*` at both ends is not tried from each character of a long line", () => {
  const line = "no such word ".repeat(20_000);
  const began = performance.now();
  expect(passes([{ operator: "|~", text: ".*(?:sigma).*" }], line)).toBe(false);
  // An engine that starts a search at each character of the line takes minutes, so this bound notices it.
  expect(performance.now() - began).toBeLessThan(60_000);
});
