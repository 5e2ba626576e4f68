/**
 * The process that generates the report of Allure. The process first loads modules, then waits for its arguments as one line of JSON on
 * stdin, and runs the program of Allure with them. If stdin ends without a line, the process ends.
 */
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** The modules that the program of Allure loads last. Loading them early only saves time. */
const LOADED_EARLY = ["@allurereport/core", "@allurereport/plugin-awesome"] as const;

const program = new URL("../cli.js", import.meta.resolve("allure"));
const resolve = createRequire(program).resolve;
await Promise.all(LOADED_EARLY.map(async (name) => import(pathToFileURL(resolve(name)).href)));

for await (const line of createInterface({ input: process.stdin })) {
  // The list is changed in place, because Allure has read a reference to it.
  process.argv.splice(0, process.argv.length, process.execPath, program.pathname, ...(JSON.parse(line) as string[]));
  await import(program.href);
  break;
}
