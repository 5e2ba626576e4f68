#!/usr/bin/env node
/** `npm run size` prints how large the suite is. Tests, and files that only tests use, are not counted. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKS } from "../../specs/index.ts";
import { packageRoot } from "../model/schemas.ts";

const LOG_ENGINE = ["src/datasets", "src/queries", "src/scenarios"];
const ENGINES = ["src/histories", ...LOG_ENGINE];

function filesBelow(folder: string): string[] {
  return readdirSync(join(packageRoot(), folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !/(^|[/-])testing\.ts$/.test(file))
    .map((file) => join(packageRoot(), folder, file));
}

function line(what: string, folders: readonly string[]): string {
  const files = folders.flatMap(filesBelow);
  const lines = files.reduce((sum, file) => sum + readFileSync(file, "utf8").split("\n").length - 1, 0);
  return `${what}: ${lines} lines in ${files.length} files\n`;
}

process.stdout.write(
  [
    line("all source", ["src", "specs"]),
    line("specs and scenario code", ["specs", ...ENGINES]),
    line("  of the admin API", ["specs/admin", "src/histories"]),
    line("  of the log API", ["specs/logs", ...LOG_ENGINE]),
    `checks: ${CHECKS.length}, ${CHECKS.filter(({ service }) => service === "admin").length} of the admin API\n`,
  ].join(""),
);
