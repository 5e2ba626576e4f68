import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FAILURE_PAGES, failurePath } from "../failure-pages.ts";
import { htmlPath, writeManual } from "./manual.ts";

test("the Allure report holds the contract with an anchor for each clause, and each failure page", () => {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-manual-"));
  writeManual(folder);
  const contract = readFileSync(join(folder, "docs/contract.html"), "utf8");
  expect(contract).toContain('<a id="logs-2.2"></a>');
  expect(contract).not.toMatch(/<(?:script|link|img)\b/);
  for (const page of FAILURE_PAGES) expect(existsSync(join(folder, htmlPath(failurePath(page)))), page).toBe(true);
  rmSync(folder, { recursive: true, force: true });
});
