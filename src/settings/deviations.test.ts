import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { isDate, parseDeviations } from "./deviations.ts";

const ENTRY = { match: "logs-4.2", owner: "team logs", reason: "known defect of 2.2", expires: "2027-01-31" };

function parsed(entries: readonly unknown[], today = "2026-11-21"): ReturnType<typeof parseDeviations> {
  return parseDeviations(JSON.stringify({ deviations: entries }), today);
}

test("an entry is read with its lines, from a file with comments", () => {
  const text = `{ // accepted\n  "deviations": [\n    /* one */\n    ${JSON.stringify({ ...ENTRY, target: "https://l.example.com/x/", link: "https://t/1" })},\n  ]\n}`;
  expect(parseDeviations(text, "2026-11-21")).toEqual([
    { ...ENTRY, target: "https://l.example.com/x", link: "https://t/1", expired: false, lines: { first: 4, last: 4 } },
  ]);
});

test("an entry is valid on its last day and expired on the day after", () => {
  expect(parsed([ENTRY], "2027-01-31")).toMatchObject([{ expired: false }]);
  expect(parsed([ENTRY], "2027-02-01")).toMatchObject([{ expired: true }]);
});

test.each([
  [[{ ...ENTRY, owner: "" }], /entry 1 \(line 1\) needs owner/],
  [[ENTRY, { ...ENTRY, expires: "2027-02-30" }], /entry 2 .* not a date/],
  [[{ ...ENTRY, expire: "x" }], /unknown field "expire"/],
  [[{ ...ENTRY, target: "host" }], /has a target that is not a URL/],
  [["x"], /entry 1 .* is not an object/],
])("the entry %j is refused", (entries, message) => {
  expect(parsed(entries)).toMatch(message);
});

test("a file without a list of entries is refused", () => {
  expect(parseDeviations("[]", "2026-11-21")).toMatch(/without a list "deviations"/);
  expect(parseDeviations("{", "2026-11-21")).toMatch(/not JSON/);
});

test("dates must be days of the calendar", () => {
  expect(["2026-02-28", "2028-02-29"].map(isDate)).toEqual([true, true]);
  expect(["2026-02-29", "2026-2-1", "tomorrow", "2026-13-01"].map(isDate)).toEqual([false, false, false, false]);
});

test("the schema for editors and the reader accept the same entries", () => {
  const schema = JSON.parse(readFileSync(join(packageRoot(), "schemas/report/deviations.json"), "utf8")) as object;
  const valid = new Ajv2020().compile(schema);
  for (const entry of [ENTRY, { ...ENTRY, link: "https://t/1" }, { ...ENTRY, owner: "" }, { ...ENTRY, expire: "x" }, { match: "x" }, "x"]) {
    expect(valid({ deviations: [entry] }), JSON.stringify(entry)).toBe(typeof parsed([entry]) !== "string");
  }
});
