import { expect, test } from "vitest";
import { CLAUSES, clauseOf } from "./catalogue.ts";
import { SECTIONS, sectionName } from "./sections.ts";

test("each clause belongs to a section of its document", () => {
  const known = new Set(SECTIONS.map(({ document, number }) => `${document} ${number}`));
  expect(CLAUSES.filter(({ document, section }) => !known.has(`${document} ${section}`)).map(({ id }) => id)).toEqual([]);
});

test("the name of a section has its number and title", () => {
  expect(sectionName(clauseOf("admin-4.2"))).toBe("Section 4: Endpoints");
  expect(sectionName(clauseOf("logs-7.400"))).toBe("Section 7: Errors");
});
