/** Measures a whole process: wall time, processor time with all child processes, and peak memory. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../model/schemas.ts";

export interface Usage {
  readonly wallMs: number;
  /** The user time plus the system time of the command and its child processes, in ms. */
  readonly processorMs: number;
  /** The peak memory in MB of the command's own process. The report generator is another process, and is not included. */
  readonly peakMb: number;
  readonly stdout: string;
}

/** Returns the sum, in ms, of the times in a line such as `0m1.250s 0m0.300s`. A shell prints such lines. */
function shellTimesMs(line: string): number {
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1_000 * Number(seconds),
    0,
  );
}

/** Runs `node` with `args`. Rejects if the exit code is not 0. */
export async function usageOf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-bench-"));
  const peak = join(folder, "peak");
  const { PATH, HOME } = process.env;
  const noting = pathToFileURL(join(packageRoot(), "dist/src/bench/peak.js")).href;
  const started = performance.now();
  // A shell starts the command, because a shell can print the processor time of all its descendant processes.
  const child = spawn("sh", ["-c", '"$@"; code=$?; times; exit $code', "sh", process.execPath, "--import", noting, ...args], {
    cwd: folder,
    env: { PATH, HOME, BENCH_PEAK_FILE: peak, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      said[name] += chunk;
    });
  }
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${said.stdout}${said.stderr}`);
    const wallMs = performance.now() - started;
    const lines = said.stdout.trimEnd().split("\n");
    return {
      wallMs,
      processorMs: shellTimesMs(lines.at(-1) ?? ""),
      peakMb: Number(readFileSync(peak, "utf8")) / 1_024,
      stdout: lines.slice(0, -2).join("\n"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Runs a command `times` times, and resolves to the medians of its measurements. */
export async function medianUsage(times: number, run: () => Promise<Usage>): Promise<Omit<Usage, "stdout">> {
  const all: Usage[] = [];
  for (let time = 0; time < times; time += 1) all.push(await run());
  return {
    wallMs: median(all.map(({ wallMs }) => wallMs)),
    processorMs: median(all.map(({ processorMs }) => processorMs)),
    peakMb: median(all.map(({ peakMb }) => peakMb)),
  };
}
