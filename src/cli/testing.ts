/** Runs the compiled program in tests as a user does: in its own process, with its own environment. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "../model/folder-testing.ts";
import { packageRoot } from "../model/schemas.ts";
import { FAULTS } from "../reference/faults/index.ts";
import { startReference } from "../reference/server.ts";

export { emptyFolder };

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly process: ChildProcess;
  /** Resolves when the program has written the given text to standard output. */
  readonly printed: (text: string) => Promise<void>;
  readonly ended: Promise<Ended>;
}

/** Starts `plumbline` with the given arguments. From the environment of the test, the program gets only PATH and HOME. */
export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd: string = emptyFolder()): Started {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(packageRoot(), "dist/src/cli/main.js"), ...args], {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    for (const watcher of watchers) watcher();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  const printed = async (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!stdout.includes(text)) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
      child.on("close", () => reject(new Error(`ended without printing ${JSON.stringify(text)}: ${stdout}${stderr}`)));
    });
  return { process: child, printed, ended };
}

export async function plumbline(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd?: string): Promise<Ended> {
  return start(args, env, cwd).ended;
}

/** Runs a program in a folder. From the environment of the test, the program gets only PATH and HOME. */
export async function ran(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: { PATH, HOME, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Runs the text of a module in a folder in which this package is installed. */
export async function programmeIn(folder: string, text: string): Promise<Ended> {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(packageRoot(), join(folder, "node_modules", "plumbline-conformance"));
  writeFileSync(join(folder, "program.mjs"), text);
  return ran(process.execPath, ["program.mjs"], folder);
}

/**
 * Starts a reference server with one fault or none, and returns the settings of a run against this server. The server stops when the test
 * ends.
 */
export async function target(finished: (end: () => Promise<void>) => void, fault?: string): Promise<Record<string, string>> {
  const behaviours = FAULTS.filter(({ id }) => id === fault);
  if (behaviours.length === 0 && fault !== undefined) throw new Error(`no fault ${fault}`);
  const token = "token-of-a-test";
  const server = await startReference({ token, cluster: "c", behaviours });
  finished(() => server.close());
  // A violation is confirmed after SETTLE_TIMEOUT_MS. A short SETTLE_TIMEOUT_MS is enough for a server in this process.
  return { BASE_URL: server.url, API_TOKEN: token, METRICS_CLUSTER: "c", SETTLE_TIMEOUT_MS: "1500" };
}
