import { expect, test } from "vitest";
import { linesOfItems, withoutComments } from "./jsonc.ts";

test("comments and trailing commas are removed, and similar text in a string is kept", () => {
  const text = '{ // why\n "a": "http://x/*y*/", /* two\nlines */ "b": [1, 2, ], "c": ",]" }';
  expect(JSON.parse(withoutComments(text))).toEqual({ a: "http://x/*y*/", b: [1, 2], c: ",]" });
  expect(withoutComments(text)).toHaveLength(text.length);
});

test("an apostrophe or a quote in a comment begins no string", () => {
  expect(JSON.parse(withoutComments('{ // don\'t "\n "a": 1 }'))).toEqual({ a: 1 });
});

test("the lines of each entry are found", () => {
  const text = '{\n  "deviations": [\n    // {\n    { "match": "a" },\n    {\n      "match": "{",\n      "more": {}\n    }\n  ]\n}\n';
  expect(linesOfItems(text)).toEqual([
    { first: 4, last: 4 },
    { first: 5, last: 8 },
  ]);
});
