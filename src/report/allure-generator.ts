/** Allure's own generator in a process of its own, which can be started before there are results. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";

/** The generator needs about 1 s. After this time it is ended. */
const TIMEOUT_MS = 120_000;

/** The environment variables that the generator needs. Tokens are not among them. */
function generatorEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, TEMP, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, TEMP, SystemRoot, NO_COLOR: "1" };
}

export class AllureGenerator {
  #child: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  readonly #stop = (): void => void this.#child?.kill("SIGKILL");

  /** Starts the process early, because it takes longer to load than to generate. Does nothing if it has been started. */
  warm(): void {
    this.#started();
  }

  /** Runs Allure's program with `args`. Rejects with its last lines of output if it fails. */
  async run(args: readonly string[]): Promise<void> {
    const child = this.#started();
    const tooLate = setTimeout(this.#stop, TIMEOUT_MS);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => {
        said += chunk;
      });
    }
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${JSON.stringify(args)}\n`);
    const code = await ended;
    clearTimeout(tooLate);
    this.close();
    if (code !== 0)
      throw new Error(`the report generator ended with ${code ?? "a signal"}: ${said.trim().split("\n").slice(-3).join(" ")}`);
  }

  /** Ends the process if it is still there. */
  close(): void {
    this.#stop();
    process.off("exit", this.#stop);
    this.#child = null;
  }

  #started(): ChildProcessByStdio<Writable, Readable, Readable> {
    if (this.#child !== null) return this.#child;
    this.#child = spawn(process.execPath, [join(packageRoot(), "dist/src/report/allure-process.js")], {
      env: generatorEnvironment(),
      stdio: ["pipe", "pipe", "pipe"],
      // Ctrl-C at the terminal interrupts the run, but its report is still written.
      detached: true,
    });
    process.once("exit", this.#stop);
    return this.#child;
  }
}
