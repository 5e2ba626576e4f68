import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { emptyFolder, plumbline, programmeIn } from "./testing.ts";

test("a program runs the suite, gets the summary, and keeps its own signal listeners and output", async () => {
  const folder = emptyFolder();
  const ended = await programmeIn(
    folder,
    `import { exitCodeOf, run, SettingsError } from "plumbline-conformance";
     process.on("SIGINT", () => {});
     const refused = await run({ SEED: "x" }).catch((error) => error instanceof SettingsError && error.message);
     const summary = await run({ PROFILE: "smoke", REPORTS_DIR: "reports" }, { only: "admin-4.2" });
     console.log(JSON.stringify([refused, summary.verdict, exitCodeOf(summary), process.listenerCount("SIGINT")]));
     process.exit();`,
  );
  expect(ended.stderr).toBe("");
  expect(JSON.parse(ended.stdout)).toEqual(["SEED must be an integer; for example SEED=1729", "conformant", 0, 1]);
});

test("own checks of the user run beside the checks of the suite", async () => {
  const specs = join(packageRoot(), "recipes/checks");
  const { code, stdout } = await plumbline(["run", "--only", "logs-4.labels/own-*", "--specs", specs, "--verbose"]);
  expect(stdout).toContain("pass  logs-4.labels/own-data");
  expect(code).toBe(0);
  const folder = emptyFolder();
  writeFileSync(join(folder, "none.mjs"), "export const NOTHING = 1;");
  expect((await plumbline(["run", "--specs", folder, "--only", "logs-4.labels/own-*"])).code).toBe(2);
});

test.each([
  ["ts", "module"],
  ["mts", "commonjs"],
])("the examples of the page on own checks run as .%s files in a package of type %s", async (extension, type) => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
  const page = readFileSync(join(packageRoot(), "docs/own-checks.md"), "utf8");
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  for (const [index, text] of examples.entries()) writeFileSync(join(folder, `example-${index}.${extension}`), text);
  const { code, stdout, stderr } = await plumbline(["run", "--profile", "smoke", "--only", "*/own-*", "--specs", folder]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`clauses: ${examples.length} passed`);
});
