import { expect, test } from "vitest";
import { passes } from "./logs.ts";

const LINES = ["alpha", "beta", "a.b", "a...", "ALPHA mid", "x\ny", "", "a\\b"];

/** As the engine itself matches it. */
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
])("a line filter %s finds what its expression matches somewhere", (pattern) => {
  for (const [operator, expected] of [
    ["|~", found(pattern)],
    ["!~", LINES.filter((line) => !found(pattern).includes(line))],
  ] as const)
    expect(LINES.filter((line) => passes([{ operator, text: pattern }], line))).toEqual(expected);
});

test("an expression between any characters is not tried from each character of a long line", () => {
  const line = "no such word ".repeat(20_000);
  const began = performance.now();
  expect(passes([{ operator: "|~", text: ".*(?:sigma).*" }], line)).toBe(false);
  // From each it takes minutes.
  expect(performance.now() - began).toBeLessThan(60_000);
});
