import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "dotenv";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { SETTING_NAMES } from "../settings/table.ts";
import { commandHelp, envExample, settingsTable } from "./help.ts";
import { RUN_COMMAND } from "./run.ts";

function textOf(file: string): string {
  return readFileSync(join(packageRoot(), file), "utf8");
}

/** Returns the cells of a Markdown table without the spaces that a formatter has added. */
function cells(table: string): string[][] {
  return table
    .trim()
    .split("\n")
    .filter((line) => !/^[|\s:-]+$/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
}

test(".env.example has each setting of the table, commented out", () => {
  expect(textOf(".env.example")).toBe(envExample());
  expect(parse(envExample())).toEqual({});
  const uncommented = parse(envExample().replaceAll(/^#([A-Z])/gm, "$1"));
  expect(Object.keys(uncommented)).toEqual([...SETTING_NAMES]);
});

test("docs/settings.md shows the table of settings", () => {
  const shown = /<!-- settings:begin -->([\s\S]*)<!-- settings:end -->/.exec(textOf("docs/settings.md"))?.[1] ?? "";
  expect(cells(shown)).toEqual(cells(settingsTable()));
});

test("the help names each setting with its flag, and no flag for tokens", () => {
  const help = commandHelp(RUN_COMMAND);
  for (const name of SETTING_NAMES) expect(help).toContain(`  ${name}  (`);
  expect(help).toContain("METRICS_BASE_URL  (--metrics-base-url)");
  expect(help).toContain("METRICS_API_TOKEN  (not a flag)");
});
