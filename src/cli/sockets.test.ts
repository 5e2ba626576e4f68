/**
 * Tests runs against servers that misbehave on their sockets. Each run must end in time with the expected verdict, and show no token. All
 * servers are judged in this process. A third of them, or with `SOCKETS=all` all of them, are also judged with the command line.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKS } from "../../specs/index.ts";
import { judgedVerdict } from "../harness/judged.ts";
import type { Verdict } from "../harness/result.ts";
import { createRun } from "../harness/run.ts";
import { executeAll } from "../harness/schedule.ts";
import { packageRoot } from "../model/schemas.ts";
import { startReference } from "../reference/server.ts";
import type { Summary } from "../report/model.ts";
import { resolveSettings } from "../settings/resolve.ts";
import { SOCKET_BEHAVIOURS } from "./sockets-testing.ts";
import { emptyFolder, plumbline, start } from "./testing.ts";

const TOKEN = "a-token-that-shows-nowhere";
/** The RUN_TIMEOUT_MS of each run, by the expected verdict. A run against a server that never answers uses all of this time. */
const RUN_TIMEOUT_MS = { conformant: 30_000, nonconformant: 15_000, inconclusive: 6_000 } as const satisfies Partial<
  Record<Summary["verdict"], number>
>;
/** The RUN_TIMEOUT_MS of each run in this process, by the expected verdict. It is shorter, because no process must be started. */
const HERE_MS = { ...RUN_TIMEOUT_MS, inconclusive: 3_000 } as const;
/**
 * A run may take at most this number of ms longer than RUN_TIMEOUT_MS. On an idle machine 2 s are enough, but other tests keep the machine
 * busy.
 */
const OVERRUN_MS = 20_000;
/** An interrupted run must end within this number of ms. On an idle machine 3 s are enough. */
const INTERRUPTED_MS = 15_000;

function settingsFor(url: string, runTimeoutMs: number): Readonly<Record<string, string>> {
  return {
    BASE_URL: url,
    API_TOKEN: TOKEN,
    METRICS_CLUSTER: "bench",
    PROFILE: "smoke",
    REQUEST_TIMEOUT_MS: "400",
    // On a busy machine, some pushes get no response in this time, and are repeated.
    MAX_PUSH_BYTES: "4194304",
    SETTLE_TIMEOUT_MS: "400",
    RUN_TIMEOUT_MS: String(runTimeoutMs),
    // The budget is higher than usual, because refused requests are repeated.
    MAX_REQUESTS: "400",
  };
}

/** The judged clauses: some of both services, about writes and about reads. */
const ONLY = "admin-4.POST,admin-4.GET,admin-4.json,logs-4.push,logs-4.labels,logs-4.query_range";

function textsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "utf8"));
}

/** Returns the verdict of a run in this process, without a test runner and without reports. */
async function verdictHere(url: string, runTimeoutMs: number): Promise<Summary["verdict"]> {
  const { settings } = resolveSettings({ flags: new Map(), env: settingsFor(url, runTimeoutMs), dotenv: {} }, null);
  const run = createRun({ settings: { ...settings, only: ONLY.split(",") }, runId: "rsockets", suiteVersion: "test", checks: CHECKS });
  const results = await executeAll(run);
  await run.close();
  const found = new Set<Verdict | null>(results.map(judgedVerdict));
  return found.has("fail") ? "nonconformant" : found.has("inconclusive") ? "inconclusive" : "conformant";
}

test.concurrent.for(SOCKET_BEHAVIOURS)("the verdict on a server that $what is $verdict", async ({ serve, verdict }) => {
  const reference = await startReference({ token: TOKEN, cluster: "bench" });
  const server = await serve(reference.url);
  const found = await verdictHere(server.url, HERE_MS[verdict]);
  await server.close();
  await reference.close();
  expect(found).toBe(verdict);
});

test.concurrent.for(SOCKET_BEHAVIOURS.filter((_behaviour, index) => process.env["SOCKETS"] === "all" || index % 3 === 0))(
  "the command line judges a server that $what in time as $verdict, and writes no token",
  async ({ serve, verdict }, { onTestFinished }) => {
    const folder = emptyFolder(onTestFinished);
    const reference = await startReference({ token: TOKEN, cluster: "bench" });
    const server = await serve(reference.url);
    const { code, stdout, stderr } = await plumbline(["run", "--only", ONLY], settingsFor(server.url, RUN_TIMEOUT_MS[verdict]), folder);
    await server.close();
    await reference.close();
    const summary = JSON.parse(readFileSync(join(folder, "reports/summary.json"), "utf8")) as Summary;
    expect(summary.verdict, stdout).toBe(verdict);
    expect(code).toBe({ conformant: 0, nonconformant: 1, inconclusive: 3 }[verdict]);
    expect(summary.run.durationMs).toBeLessThan(RUN_TIMEOUT_MS[verdict] + OVERRUN_MS);
    const encoded = Buffer.from(TOKEN).toString("base64").slice(4, -4);
    for (const text of [stdout, stderr, ...textsBelow(join(folder, "reports"))]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(encoded);
    }
  },
);

test.concurrent.for(SOCKET_BEHAVIOURS.filter(({ what }) => /never answers|one byte|429 for ever|answers null/.test(what)))(
  "an interrupt ends a run against a server that $what within three seconds",
  async ({ serve }, { onTestFinished }) => {
    const server = await serve("");
    const settings = { ...settingsFor(server.url, 60_000), REQUEST_TIMEOUT_MS: "10000", SETTLE_TIMEOUT_MS: "15000" };
    const { process: child, printed, ended } = start(["run"], settings, emptyFolder(onTestFinished));
    await printed("checks\n");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const interruptedAt = performance.now();
    child.kill("SIGINT");
    const { code } = await ended;
    await server.close();
    expect(code).toBe(130);
    expect(performance.now() - interruptedAt).toBeLessThan(INTERRUPTED_MS);
  },
);

test("the table in docs lists the tested servers, each with its verdict and a reason", () => {
  const page = readFileSync(join(packageRoot(), "docs/sockets.md"), "utf8").replaceAll(/ +\|/g, " |");
  const rows = [...page.matchAll(/^\| (.+) \| ((?:in|non)?con\w+) \| \S.* \|$/gm)].map(([, what, verdict]) => [what, verdict]);
  expect(rows).toEqual(SOCKET_BEHAVIOURS.map(({ what, verdict }) => [what, verdict]));
});
