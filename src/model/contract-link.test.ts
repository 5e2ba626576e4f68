import { expect, test } from "vitest";
import { contractBase, contractLink } from "./contract-link.ts";

test.each([
  [undefined, "docs/contract.md"],
  ["", "docs/contract.md"],
  ["git@example.com:some/where.git", "docs/contract.md"],
  ["github:some/where", "https://github.com/some/where/blob/HEAD/docs/contract.md"],
  ["some/where", "https://github.com/some/where/blob/HEAD/docs/contract.md"],
  ["https://code.example.com/some/where/", "https://code.example.com/some/where/blob/HEAD/docs/contract.md"],
  [{ url: "git+https://code.example.com/some/where.git" }, "https://code.example.com/some/where/blob/HEAD/docs/contract.md"],
])("the link works for a package whose repository is %j", (repository, base) => {
  expect(contractBase(repository === undefined ? {} : { repository })).toBe(base);
});

test("each clause has an anchor on the page", () => {
  expect(contractLink("admin-2.limit.ingestion_rate")).toMatch(/docs\/contract\.md#admin-2\.limit\.ingestion_rate$/);
});
