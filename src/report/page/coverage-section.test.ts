import { expect, test } from "vitest";
import type { EngineCoverage } from "../../design/coverage.ts";
import type { Summary } from "../model.ts";
import { summarize } from "../summary.ts";
import { COVERAGE, settingsFor, withCoverage } from "../testing.ts";
import { coverageSection } from "./coverage-section.ts";

const sectionOf = (histories: EngineCoverage): string =>
  coverageSection(summarize([], [], settingsFor(), withCoverage(histories)).summary).text;

/** Returns the look and the letter of the square with the given title. */
function squareOf(title: string, page = sectionOf(COVERAGE)): readonly string[] {
  const square = page.split("<g ").find((part) => part.includes(`<title>${title}</title>`)) ?? "";
  return [/class="square ([a-z]+)"/.exec(square)?.[1] ?? "", /<text[^>]*>([^<]*)/.exec(square.split("</g>")[0] ?? "")?.[1] ?? ""];
}

test("the section has the totals, the names of the factors and a square for each pair", () => {
  const page = sectionOf(COVERAGE);
  expect(page).toContain(
    "<details open><summary>histories: 1,490 of 1,500 pairs of input values judged; 4 not judged, because the target refuses or does not show unusual (limit);",
  );
  expect([...page.matchAll(/<title>/g)]).toHaveLength(6);
  for (const name of COVERAGE.factors ?? []) expect(page).toContain(`>${name}</text>`);
});

test("masked, missing and other states differ in look and letter, and a square shows the worst one", () => {
  expect(squareOf("limit × direction: 1,200 of 1,200 pairs judged")).toEqual(["judged", ""]);
  expect(squareOf("window × direction: 97 of 100 pairs judged, 3 masked")).toEqual(["masked", "M"]);
  expect(squareOf("window × limit: 97 of 100 pairs judged, 1 masked, 2 hidden by a defect")).toEqual(["defect", "D"]);
  expect(squareOf("filter × direction: 48 of 50 pairs judged, 2 not evaluated")).toEqual(["unevaluated", "?"]);
  expect(squareOf("filter × limit: 48 of 50 pairs judged, 2 not tried, because a budget was too small")).toEqual(["cut", "×"]);
  expect(squareOf("filter × window: 0 of 0 pairs judged")).toEqual(["none", ""]);
});

/** Returns the looks of the squares in the legend of the page. */
function looks(page: string): string[] {
  const [legend = ""] = page.split('<div class="scroll">');
  return [...legend.matchAll(/class="square ([a-z]+)"/g)].map(([, look = ""]) => look);
}

test("the legend has each state that occurs, as it looks in the matrix", () => {
  expect(looks(sectionOf(COVERAGE))).toEqual(["judged", "masked", "defect", "unevaluated", "cut", "none"]);
  expect(looks(sectionOf({ ...COVERAGE, cells: [[1, 0, 9, 9, 0, 0, 0, 0]] }))).toEqual(["judged"]);
});

test("at strength 1 all squares are in one row", () => {
  const cells = [
    [0, 0, 3, 3, 0, 0, 0, 0],
    [1, 1, 5, 4, 1, 0, 0, 0],
  ] as const;
  const page = sectionOf({ ...COVERAGE, strength: 1, factors: ["direction", "limit"], cells });
  expect(squareOf("limit: 4 of 5 levels judged, 1 masked", page)).toEqual(["masked", "M"]);
  expect(new Set([...page.matchAll(/<rect x="[^"]*" y="([^"]*)"/g)].map(([, y]) => y)).size).toBe(1);
});

test("without cells the section has the totals only, and without an engine there is no section", () => {
  const { cells: _cells, factors: _factors, ...table } = COVERAGE;
  expect(sectionOf(table)).toMatch(/<details open><summary>histories: 1,490 of 1,500 [^<]*<\/summary><\/details>$/);
  expect(coverageSection({} as Summary).text).toBe("");
});
