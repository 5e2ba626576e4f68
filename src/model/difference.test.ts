import { expect, test } from "vitest";
import { cutWith } from "./cut.ts";
import { abridged, difference, differenceText, isNeverLate, kindOf, show, showApart, showInvalid, shownFor } from "./difference.ts";

/** Returns a marked text as outputs show it. It has no secrets. */
function shown(text: string): string {
  return cutWith((whole, from, to) => whole.slice(from, to), text);
}

test("a long value is cut, and the message gives its length", () => {
  expect(shown(show("x".repeat(500)))).toBe(`"${"x".repeat(149)}… (500 characters)`);
  expect(show(undefined)).toBe("absent");
  expect(show({ at: 12n })).toBe('{"at":"12"}');
});

test("a text that is not JSON is shown with the position of the problem", () => {
  expect(showInvalid(`{"a":"b\u0001"}`)).toMatch(/\(Bad control character in string literal in JSON at position 7/);
  expect(showInvalid('{"token": secret-12345678}')).toBe(`${show('{"token": secret-12345678}')} (Unexpected token 's')`);
});

test("a value that is nested too deeply to be serialised is described instead", () => {
  expect(show(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)))).toBe("JSON that is nested too deeply to show");
});

test("a cut never splits a character", () => {
  expect(shown(abridged("ab😀cd", 3))).toBe("ab… (6 characters)");
  expect(shown(abridged("ab😀cd", 4))).toBe("ab😀… (6 characters)");
});

test("of two long values the part around the first difference is shown", () => {
  const { expected, actual } = showApart(`${"x".repeat(1_000)}one${"y".repeat(1_000)}`, `${"x".repeat(1_000)}two`);
  expect(shown(expected)).toMatch(/^…x{60}oney{87}… \(from character 941 of 2003\)$/);
  expect(shown(actual)).toMatch(/^…x{60}two" \(from character 941 of 1003\)$/);
  for (const shift of [0, 1]) {
    const text = `${"x".repeat(shift)}${"😀".repeat(300)}`;
    const apart = showApart(text, `${text}.`);
    expect(shown(apart.expected)).not.toMatch(/\p{Surrogate}/u);
    expect(shown(apart.actual)).toMatch(/^…(?:😀)+\." \(from character \d+ of 60\d\)$/u);
  }
});

test("short values, and long values that differ at the start, are shown from the start", () => {
  expect(showApart("one", undefined)).toEqual({ expected: '"one"', actual: "absent" });
  const [one, other] = ["1".repeat(300), "2".repeat(300)];
  expect(showApart(one, other)).toEqual({ expected: show(one), actual: show(other) });
  const long = "x".repeat(80);
  expect(showApart(`${long}1`, `${long}2`)).toEqual({ expected: `"${long}1"`, actual: `"${long}2"` });
});

test("invisible characters are shown as escapes", () => {
  expect(show("zero\u200bwidth \u2764\ufe0f a\u00a0b \u007f plain blank")).toBe(
    String.raw`"zero\u200bwidth ❤\ufe0f a\u00a0b \u007f plain blank"`,
  );
  expect(show("\u{e0041}")).toBe(String.raw`"\udb40\udc41"`);
});

test("a list that lacks items is described by the missing items", () => {
  expect(shownFor(["a", "b", "c"], ["a", "b"])).toBe("only the first 2 of 3 items");
  expect(shownFor(["a", "b", "c"], ["a", "c"])).toBe('a list without 1 of 3 items: ["b"]');
  expect(shownFor(["a", "b"], ["b", "a"])).toBe('["b","a"]');
  expect(shownFor(["a", "b"], ["a", "d"])).toBe('["a","d"]');
  expect(shownFor(["a"], [])).toBe("[]");
  expect(shownFor(3, 4)).toBe("4");
});

test("the counts of a long text count its own characters, without quotes and escapes", () => {
  expect(shown(show('"'.repeat(200)))).toMatch(/ \(200 characters\)$/);
  expect(shown(show(["x".repeat(300)]))).toMatch(/ \(304 characters\)$/);
  const { expected, actual } = showApart("x".repeat(300_000), "x".repeat(37_856));
  expect(shown(expected)).toMatch(/… \(300000 characters\)$/);
  expect(shown(actual)).toMatch(/^only its first 37856 of 300000 characters, without "x+… \(262144 characters\)$/);
  const apart = showApart(`${'"'.repeat(200)}a`, `${'"'.repeat(200)}b`);
  expect(shown(apart.expected)).toMatch(/ \(from character 171 of 201\)$/);
});

test("a text that is cut is described by its length", () => {
  expect(showApart("x".repeat(40), "x".repeat(20)).actual).toBe(`only its first 20 of 40 characters, without "${"x".repeat(20)}"`);
  expect(showApart("short text", "short").actual).toBe('"short"');
});

test.each([
  ["extra", true],
  ["order", true],
  ["other-tenant", true],
  ["too-many", true],
  ["too-few", false],
  ["lost", false],
] as const)("whether no late push can explain a difference of the kind %s: %s", (kind, isNever) => {
  expect(isNeverLate(difference("logs-4.push", "data.result", "20 entries", "others", kind))).toBe(isNever);
});

test.each([
  ["logs-4.query", "status 400", true],
  ["logs-4.query", "status 404", false],
  ["admin-4.GET", "status 400", false],
] as const)("whether no late write can explain that a valid request of %s gets %s: %s", (clause, actual, isNever) => {
  expect(isNeverLate(difference(clause, "status", "success (2xx)", actual))).toBe(isNever);
});

test("an own check need not name the kind of a difference", () => {
  const kinds = [
    ["name", "absent"],
    ["name", "7"],
    ["status", '"active"'],
    ["status", "status 404"],
  ] as const;
  expect(kinds.map(([path, actual]) => kindOf({ path, actual }))).toEqual(["absent", "value", "value", "status"]);
  expect(differenceText(difference("logs-4.push", "data.result", "3", "4"))).toBe("expected 3, got 4");
});
