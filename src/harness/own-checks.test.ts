import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../model/folder-testing.ts";
import { SettingsError } from "../settings/error.ts";
import { ownChecks } from "./own-checks.ts";

/** Writes a new folder with the given files, as a package of the given module type. */
function folderOf(type: "module" | "commonjs" | null, files: Readonly<Record<string, string>>): string {
  const root = emptyFolder();
  if (type !== null) writeFileSync(join(root, "package.json"), JSON.stringify({ type }));
  const folder = join(root, "checks");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const JAVASCRIPT = `
  import { logsCheck } from "plumbline-conformance/checks";
  import { SLUG } from "./shared.SUFFIX";
  export const CHECKS = [logsCheck({ slug: SLUG, title: "t", clauses: ["logs-4.labels"], run: async () => {} })];`;

const TYPESCRIPT = JAVASCRIPT.replace("import { logsCheck }", "import { type Check, logsCheck }").replace(
  "CHECKS",
  "CHECKS: readonly Check[]",
);

test.each(["ts", "mts", "js", "mjs"].flatMap((suffix) => ([null, "module", "commonjs"] as const).map((type) => [suffix, type] as const)))(
  "a .%s module in a package of type %s is loaded, with the files that it imports",
  async (suffix, type) => {
    const text = (suffix.endsWith("ts") ? TYPESCRIPT : JAVASCRIPT).replace("SUFFIX", suffix);
    const annotation = suffix.endsWith("ts") ? ": string" : "";
    const parts = { checks: text, shared: `export const SLUG${annotation} = "own"; export const CHECKS = [];` };
    const files = Object.fromEntries(Object.entries(parts).map(([name, content]) => [`${name}.${suffix}`, content]));
    const folder = folderOf(type, files);
    expect((await ownChecks(folder, [])).map(({ id }) => id)).toEqual(["logs-4.labels/own"]);
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(files).toSorted());
  },
);

test.each([
  ["export const CHECKS = [;", /^the module a\.ts of --specs cannot be loaded: .+$/],
  ["throw new Error('first\\nsecond');", /^the module a\.ts of --specs cannot be loaded: first$/],
  ["import 'not-installed-anywhere';", /^the module a\.ts of --specs cannot be loaded: .*not-installed-anywhere/],
  [
    "module.exports = { CHECKS: [] };",
    /^the module a\.ts of --specs cannot be loaded: module is not defined.*\. Write the file as an ES module/,
  ],
  ["export const OTHER = [];", /^the module a\.ts of --specs exports no list of checks named CHECKS$/],
])("a module with %j is refused in one line", async (text, message) => {
  const error: unknown = await ownChecks(folderOf(null, { "a.ts": text }), []).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SettingsError);
  expect((error as SettingsError).message.split("\n")).toHaveLength(1);
  expect((error as SettingsError).message).toMatch(message);
});

test("tests and declarations are not loaded as modules of checks", async () => {
  const folder = folderOf(null, { "a.test.ts": "throw 1;", "a.d.ts": "export {};", "b.txt": "" });
  await expect(ownChecks(folder, [])).rejects.toThrow("has no module with checks (.ts, .mts, .js or .mjs)");
});
