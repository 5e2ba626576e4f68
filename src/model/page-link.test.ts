import { expect, test } from "vitest";
import { contractLink, repositoryBase } from "./page-link.ts";

test.each([
  [undefined, ""],
  ["", ""],
  ["git@example.com:some/where.git", ""],
  ["github:some/where", "https://github.com/some/where/blob/HEAD/"],
  ["some/where", "https://github.com/some/where/blob/HEAD/"],
  ["https://code.example.com/some/where/", "https://code.example.com/some/where/blob/HEAD/"],
  [{ url: "git+https://code.example.com/some/where.git" }, "https://code.example.com/some/where/blob/HEAD/"],
])("the link works for a package whose repository is %j", (repository, base) => {
  expect(repositoryBase(repository === undefined ? {} : { repository })).toBe(base);
});

test("each clause has an anchor on the page", () => {
  expect(contractLink("admin-2.limit.ingestion_rate")).toMatch(/docs\/contract\.md#admin-2\.limit\.ingestion_rate$/);
});
