import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../../model/folder-testing.ts";
import { FAILURE_PAGES, failurePath } from "../failure-pages.ts";
import { htmlPath, writeManual } from "./manual.ts";

test("the Allure report holds the contract with an anchor for each clause, and each failure page", () => {
  const folder = emptyFolder();
  writeManual(folder);
  const contract = readFileSync(join(folder, "docs/contract.html"), "utf8");
  expect(contract).toContain('<a id="logs-2.2"></a>');
  expect(contract).not.toMatch(/<(?:script|link|img)\b/);
  for (const page of FAILURE_PAGES) expect(existsSync(join(folder, htmlPath(failurePath(page)))), page).toBe(true);
});
