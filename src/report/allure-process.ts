/**
 * Entry of the process that generates Allure's report: loads what it is going to need, then waits for its arguments, one line of JSON
 * on its input, and runs Allure's own program with them. An input that ends without a line ends the process.
 */
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** The modules that Allure's program loads last. Loading them early only saves time. */
const LOADED_EARLY = ["@allurereport/core", "@allurereport/plugin-awesome"] as const;

const program = new URL("../cli.js", import.meta.resolve("allure"));
const resolve = createRequire(program).resolve;
await Promise.all(LOADED_EARLY.map(async (name) => import(pathToFileURL(resolve(name)).href)));

for await (const line of createInterface({ input: process.stdin })) {
  // In place: Allure reads the list that was there when the process began.
  process.argv.splice(0, process.argv.length, process.execPath, program.pathname, ...(JSON.parse(line) as string[]));
  await import(program.href);
  break;
}
