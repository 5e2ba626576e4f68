/** Runs the generator of the Allure report in a process of its own. This process can start before there are results. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";

/** The time after which a generator that still runs is stopped. A generator usually needs about 1 s. */
const TIMEOUT_MS = 120_000;

/** Returns the environment variables that the generator needs. No token is among these variables. */
function generatorEnvironment(): NodeJS.ProcessEnv {
  // Allure reads the path of the home folder when Allure is loaded, but the user of a container may have no home folder.
  const { PATH, HOME = tmpdir(), TMPDIR, TEMP, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, TEMP, SystemRoot, NO_COLOR: "1" };
}

export interface GeneratorWork {
  readonly config: unknown;
  readonly folder: string;
  readonly results: string;
}

/** A started generator. The process may end before it gets any work. */
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

  /** Starts the process before there are results, because loading Allure takes longer than generating a report. */
  warm(): void {
    this.#start();
  }

  /** Generates a report. If the generator's process fails, `run` rejects with the last lines of its output. */
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
    // The generator may fail before `run` is called, and its error must not end the program then.
    ended.catch(() => undefined);
    this.#started = { child, output, ended };
    process.once("exit", this.#stop);
    return this.#started;
  }
}
