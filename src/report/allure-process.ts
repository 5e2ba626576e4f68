/**
 * The process that generates the Allure report. The process loads modules, and waits for its work as one line of JSON on stdin.
 * Allure's library is used, because Allure's program loads many more modules. Without a line on stdin, the process ends.
 */
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { GeneratorWork } from "./allure-generator.ts";

/** The part of Allure's library that this process uses. The package `allure` brings the library, but does not export its types. */
interface Core {
  readonly resolveConfig: (config: unknown, override: { readonly cwd: string }) => Promise<unknown>;
  readonly AllureReport: new (config: unknown) => {
    start(): Promise<void>;
    readDirectory(folder: string): Promise<void>;
    done(): Promise<void>;
  };
}

const { resolve } = createRequire(fileURLToPath(import.meta.resolve("allure")));
const load = async (name: string): Promise<unknown> => import(pathToFileURL(resolve(name)).href);
// Allure would load the plugins of the report only when the report is generated. Loading the plugins here saves time.
const [core] = await Promise.all(["@allurereport/core", "@allurereport/plugin-awesome", "@allurereport/plugin-dashboard"].map(load));
const { AllureReport, resolveConfig } = core as Core;

for await (const line of createInterface({ input: process.stdin })) {
  const { folder, config, results } = JSON.parse(line) as GeneratorWork;
  const report = new AllureReport(await resolveConfig(config, { cwd: folder }));
  await report.start();
  await report.readDirectory(results);
  await report.done();
  break;
}
