/** Runs the generator of Allure in its own process, which can start before there are results. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";

/** The time after which a running generator is ended. Usually it needs about 1 s. */
const TIMEOUT_MS = 120_000;

/** The environment variables that the generator needs, none of which is a token. */
function generatorEnvironment(): NodeJS.ProcessEnv {
  // Allure needs the home folder when it is loaded, and the user of a container may have none.
  const { PATH, HOME = tmpdir(), TMPDIR, TEMP, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, TEMP, SystemRoot, NO_COLOR: "1" };
}

/** The work of the generator: a configuration of Allure, the working folder of the generator, and the folder with the results. */
export interface GeneratorWork {
  readonly config: unknown;
  readonly folder: string;
  readonly results: string;
}

/** The process, its output so far, and its exit code after its end. The process may end before it gets its work. */
interface Started {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly output: readonly string[];
  readonly ended: Promise<number | null>;
}

export class AllureGenerator {
  readonly #entry: string;
  #started: Started | null = null;
  readonly #stop = (): void => void this.#started?.child.kill("SIGKILL");

  constructor(entry = join(packageRoot(), "dist/src/report/allure-process.js")) {
    this.#entry = entry;
  }

  /** Starts the process early, because loading takes longer than generating. Does nothing if the process was already started. */
  warm(): void {
    this.#start();
  }

  /** Generates a report. If the process fails, rejects with the last lines of its output. */
  async run(work: GeneratorWork): Promise<void> {
    const { child, output, ended } = this.#start();
    const tooLate = setTimeout(this.#stop, TIMEOUT_MS);
    child.stdin.end(`${JSON.stringify(work)}\n`);
    const code = await ended;
    clearTimeout(tooLate);
    this.close();
    if (code !== 0)
      throw new Error(`the report generator ended with ${code ?? "a signal"}: ${output.join("").trim().split("\n").slice(-3).join(" ")}`);
  }

  /** Ends the process if it is still running. */
  close(): void {
    this.#stop();
    process.off("exit", this.#stop);
    this.#started = null;
  }

  #start(): Started {
    if (this.#started !== null) return this.#started;
    const child = spawn(process.execPath, [this.#entry], {
      env: generatorEnvironment(),
      stdio: ["pipe", "pipe", "pipe"],
      // Ctrl-C at the terminal interrupts the run, but the report is still written. So the signal of Ctrl-C must not reach the generator.
      detached: true,
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => void output.push(chunk));
    }
    child.stdin.on("error", () => undefined);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    // If the generator fails before `run` is called, its error must not end the program.
    ended.catch(() => undefined);
    this.#started = { child, output, ended };
    process.once("exit", this.#stop);
    return this.#started;
  }
}
