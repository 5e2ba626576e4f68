import { expect, test } from "vitest";
import type { Operand, Query } from "./ast.ts";
import { durationNs } from "./duration.ts";
import { QueryError } from "./error.ts";
import { parseQuery } from "./parser.ts";
import { compileRegex } from "./regex.ts";

/** Parses `{a=<literal>}`, and returns the value of its matcher. */
function literal(text: string): string {
  const query = parseQuery(`{a=${text}}`);
  return query.kind === "log" ? (query.matchers[0]?.value ?? "") : "";
}

test.each([
  ['"plain"', "plain"],
  ['"say \\"hi\\" \\\\"', 'say "hi" \\'],
  ['"\\a\\b\\f\\n\\r\\t\\v"', "\u0007\b\f\n\r\t\v"],
  ['"\\x41\\101\\u00e9\\U0001F600"', "AAé😀"],
  ['"\\xc3\\xa9"', "é"],
  ['"größe 日本"', "größe 日本"],
  ['`raw \\n "`', 'raw \\n "'],
  ["`two\nlines`", "two\nlines"],
])("the literal %s has its value", (text, value) => {
  expect(literal(text)).toBe(value);
});

test.each(['"open', '"a\nb"', '"\\q"', '"\\x4"', '"\\uD800"', '"\\U00110000"', '"\\"', "`open", "'single'"])(
  "the text %s is not a literal",
  (text) => {
    expect(() => literal(text)).toThrow(QueryError);
  },
);

test.each([
  ["5m", 300_000_000_000n],
  ["1h30m", 5_400_000_000_000n],
  ["1y2w3d4h5m6s7ms", ((((365n + 14n + 3n) * 24n + 4n) * 60n + 5n) * 60n + 6n) * 1_000_000_000n + 7_000_000n],
  ["30m1h", undefined],
  ["5", undefined],
  ["", undefined],
])("the duration %s has its length", (text, ns) => {
  expect(durationNs(text)).toBe(ns);
});

test("expressions have the syntax of RE2: named groups, classes and flags, but no look-around", () => {
  expect(compileRegex("(?P<x>a)[[:digit:]]", true).test("a7")).toBe(true);
  expect(compileRegex("(?i)ERROR", false).test("an error")).toBe(true);
  expect(compileRegex(String.raw`a\-b\"`, false).test('a-b"')).toBe(true);
  expect(compileRegex("a.b", true).test("a\nb")).toBe(true);
  expect(compileRegex("a|b", true).test("ab")).toBe(false);
  for (const source of ["(?=a)", "(?<!a)", String.raw`(a)\1`, "(", "[[:nothing:]]"])
    expect(() => compileRegex(source, false)).toThrow(SyntaxError);
});

test("a metric query keeps its parts", () => {
  const query: Query = parseQuery('SUM by (b, c) (rate({a="1", b=~"x|y"} |= "z" [1m]))');
  expect(query).toMatchObject({
    kind: "vector",
    operator: "sum",
    grouping: { kind: "by", labels: ["b", "c"] },
    inner: {
      kind: "range",
      function: "rate",
      rangeNs: 60_000_000_000n,
      query: {
        matchers: [
          { name: "a", operator: "=", value: "1" },
          { name: "b", operator: "=~", value: "x|y" },
        ],
        filters: [{ operator: "|=", text: "z" }],
      },
    },
  });
});

test.each([
  'rate({a="b"}[1m] |= "x")',
  'rate(({a="b"} |= "x")[1m])',
  'rate(({a="b"} |= "x" [1m]))',
  '(rate({a="b"} |= "x" [1m]))',
  'rate((({a="b"}[1m] |= "x")))',
])("the query %s is the rate of one filtered stream", (text) => {
  expect(parseQuery(text)).toMatchObject({ kind: "range", query: { matchers: [{ name: "a" }], filters: [{ text: "x" }] } });
});

test("an offset follows the range, before or after the filters", () => {
  for (const text of ['rate({a="b"} |= "x" [1m] offset 90s)', 'rate({a="b"}[1m] offset 1m30s |= "x")'])
    expect(parseQuery(text)).toMatchObject({ kind: "range", rangeNs: 60_000_000_000n, offsetNs: 90_000_000_000n });
  expect(() => parseQuery('rate({a="b"}[1m] offset)')).toThrow(QueryError);
});

test("topk and bottomk select a number of samples of each group", () => {
  const x = 'rate({a="b"}[1m])';
  for (const text of [`topk by (c) (3, ${x})`, `topk(3, ${x}) by (c)`])
    expect(parseQuery(text)).toMatchObject({
      kind: "picking",
      operator: "topk",
      count: 3,
      grouping: { labels: ["c"] },
      inner: { kind: "range" },
    });
  for (const text of [`topk(${x})`, `topk(0, ${x})`, `topk(1.5, ${x})`, "topk(3)", `sum(3, ${x})`])
    expect(() => parseQuery(text), text).toThrow(QueryError);
});

test("an error gives its position", () => {
  expect(() => parseQuery('{a="b"} |= 5m')).toThrow("position 11");
  expect(() => parseQuery("(".repeat(1_000))).toThrow("too many parentheses");
});

test("bool follows a comparison, and no other operator", () => {
  const x = 'rate({a="b"}[1m])';
  expect(parseQuery(`${x} > bool ${x} * 2`)).toMatchObject({ kind: "binary", operator: ">", bool: true, right: { operator: "*" } });
  expect(parseQuery(`${x} > ${x}`)).not.toHaveProperty("bool");
  expect(() => parseQuery(`${x} + bool ${x}`)).toThrow(QueryError);
});

test("products bind closer than sums, and both group from the left", () => {
  const shape = (query: Query | Operand): string => {
    if (query.kind === "binary") return `(${shape(query.left)}${query.operator}${shape(query.right)})`;
    return query.kind === "number" ? String(query.value) : query.kind === "range" ? "x" : query.kind;
  };
  const x = 'rate({a="b"}[1m])';
  expect(shape(parseQuery(`${x} - ${x} * ${x} / ${x} + ${x}`))).toBe("((x-((x*x)/x))+x)");
  expect(shape(parseQuery(`(${x} - ${x}) * ${x}`))).toBe("((x-x)*x)");
  expect(shape(parseQuery(`10 - (${x} + 0.5) * 2`))).toBe("(10-((x+0.5)*2))");
  expect(() => parseQuery("10 - 2")).toThrow("a number is no metric query");
  expect(shape(parseQuery(`${x} - 1 / 2`))).toBe("(x-0.5)");
  expect(shape(parseQuery(`${x} * (7 - 2 ^ 3) + 1`))).toBe("((x*-1)+1)");
  expect(shape(parseQuery(`${x} / (3 % 2 - 1)`))).toBe("(x/0)");
  expect(() => parseQuery(`${x} * (1 > 2)`)).toThrow("two numbers");
  expect(shape(parseQuery(`${x} ^ ${x} ^ ${x}`))).toBe("(x^(x^x))");
  expect(shape(parseQuery(`${x} - -3 * ${x} * -0.5`))).toBe("(x-((-3*x)*-0.5))");
  expect(() => parseQuery(`-${x}`)).toThrow("a number");
  expect(shape(parseQuery(`3 * ${x} ^ 2 % 7`))).toBe("((3*(x^2))%7)");
  expect(shape(parseQuery(`${x} or ${x} and ${x} unless ${x}`))).toBe("(xor((xandx)unlessx))");
  expect(shape(parseQuery(`${x} - ${x} >= 5 and ${x}`))).toBe("(((x-x)>=5)andx)");
  expect(() => parseQuery(`5 and ${x}`)).toThrow("a number beside and");
});

test("a line filter may have several texts", () => {
  const query = parseQuery('{a="b"} |= "x" or "y" != "z"');
  expect(query.kind === "log" && query.filters).toEqual([
    { operator: "|=", text: "x", others: [{ operator: "|=", text: "y" }] },
    { operator: "!=", text: "z" },
  ]);
});

test("a group between two .* is found anywhere in a long line, without a search at each character", () => {
  const line = "xyz a ".repeat(600);
  const started = performance.now();
  expect([true, false].map((whole) => compileRegex(".*([ha-e]+.*qz).*", whole).test(line))).toEqual([false, false]);
  expect(compileRegex(String.raw`.*((a|\)) ?end|[(]).*`, true).test("(ab end")).toBe(true);
  expect(performance.now() - started).toBeLessThan(5_000);
});
