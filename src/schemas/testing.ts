/** Makes folders and runs programs for the tests of the schemas. */
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "../model/folder-testing.ts";
import { packageRoot } from "../model/schemas.ts";

/** Returns a folder with the installed packages of this project. The folder is removed when the test ends. */
export function folderWithPackages(): string {
  const folder = emptyFolder();
  symlinkSync(join(packageRoot(), "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Returns the command of a Python that has jsonschema, or null if there is none. The Python of Debian is tried first. */
export function pythonWithJsonschema(): string | null {
  const candidates = ["/usr/bin/python3", "python3"];
  return candidates.find((python) => spawnSync(python, ["-c", "import jsonschema"]).status === 0) ?? null;
}

export const NO_PYTHON = "skipped: not installed (python3-jsonschema)";

/** Runs a program in a folder, waits for its end, and returns its output. */
export function ran(
  folder: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8", env: { ...process.env, ...env } });
  return { status, stdout, stderr };
}
