/** Starts the reference server in its own process, so that its processor time does not count as that of the suite. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";

export const TOKEN = "bench-token-0123456789";

export interface Target {
  readonly url: string;
  /** The settings of a run against the started server. */
  readonly env: Readonly<Record<string, string>>;
  stop(): void;
}

export async function startTarget(latencyMs = 0): Promise<Target> {
  const main = join(packageRoot(), "dist/src/cli/main.js");
  const child = spawn(process.execPath, [main, "serve", "--port", "0", "--token", TOKEN, "--latency", String(latencyMs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error("the server to measure against did not start")));
  });
  return { url, env: { BASE_URL: url, API_TOKEN: TOKEN, METRICS_CLUSTER: "reference" }, stop: () => void child.kill("SIGTERM") };
}
