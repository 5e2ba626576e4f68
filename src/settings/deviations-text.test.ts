import { expect, test } from "vitest";
import { EMPTY_DEVIATIONS, withEntries } from "./deviations-text.ts";
import { parseDeviations } from "./deviations.ts";

const ENTRY = { match: "logs-4.2", owner: "o", reason: 'it said "no, [really]"', expires: "2027-01-01" };

function matchesIn(text: string): string[] {
  const deviations = parseDeviations(text, "2026-11-21");
  if (typeof deviations === "string") throw new Error(`${deviations}: ${text}`);
  return deviations.map(({ match }) => match);
}

test("entries are added to an empty file, and after existing entries", () => {
  const one = withEntries(EMPTY_DEVIATIONS, [ENTRY]);
  expect(matchesIn(one)).toEqual(["logs-4.2"]);
  expect(
    matchesIn(
      withEntries(one, [
        { ...ENTRY, match: "a" },
        { ...ENTRY, match: "b" },
      ]),
    ),
  ).toEqual(["logs-4.2", "a", "b"]);
});

test.each([
  ["a comment behind the last entry", `{"deviations": [${JSON.stringify(ENTRY)} // why, and when\n]}`],
  ["a trailing comma", `{"deviations": [${JSON.stringify(ENTRY)},\n  /* more, later */\n]}`],
  ["a list before", `{"$schema": "x", "deviations": [\n${JSON.stringify(ENTRY)}]}`],
])("%s stays unchanged", (_what, text) => {
  const written = withEntries(text, [{ ...ENTRY, match: "new" }]);
  expect(matchesIn(written)).toEqual(["logs-4.2", "new"]);
  for (const comment of text.match(/\/\/[^\n]*|\/\*.*?\*\//g) ?? []) expect(written).toContain(comment);
});
