#!/usr/bin/env node
// Starts the compiled program. A fresh clone has none yet, so the first start compiles it; the package holds it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const MAIN = new URL("../dist/src/cli/main.js", import.meta.url);

/** Ends with the code for an internal error, where Node would end with 1. */
function fail(reason) {
  process.stderr.write(`plumbline: internal error, nothing was judged: ${reason}\n`);
  process.exit(3);
}

if (!existsSync(MAIN)) {
  const { status } = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) fail("the program could not be compiled; npm ci installs what that needs");
}
try {
  await import(MAIN.href);
} catch (error) {
  fail(`the program could not be loaded: ${String(error).split("\n")[0]}`);
}
