/**
 * Tests that the shards of a release run with one API together pass the same clauses as the whole run, and keep their budgets. Also tests
 * that the whole run has full coverage.
 */
import { expect, test } from "vitest";
import type { EngineCoverage } from "../design/coverage.ts";
import { createRun } from "../harness/run.ts";
import { executeAll } from "../harness/schedule.ts";
import { startReference } from "../reference/server.ts";
import { resolveSettings } from "../settings/resolve.ts";
import type { Shard } from "../settings/types.ts";
import { CHECKS } from "../../specs/index.ts";

const TOKEN = "shards-token-0123456789";

const TARGETS: Readonly<Record<"admin" | "logs", (url: string) => Readonly<Record<string, string>>>> = {
  admin: (url) => ({ METRICS_BASE_URL: url, METRICS_API_TOKEN: TOKEN, METRICS_CLUSTER: "c" }),
  logs: (url) => ({ LOGS_BASE_URL: url, LOGS_USER: "u", LOGS_API_TOKEN: TOKEN }),
};

interface Results {
  readonly verdicts: Readonly<Record<string, string>>;
  /** The coverage of the engines that did not judge all combinations. */
  readonly partlyJudged: readonly EngineCoverage[];
}

/** Returns the results of one shard, or of the whole run. */
async function resultsOf(service: keyof typeof TARGETS, shard: Shard | null): Promise<Results> {
  const server = await startReference({ token: TOKEN, cluster: "c" });
  try {
    const env = { ...TARGETS[service](server.url), SETTLE_TIMEOUT_MS: "2000" };
    const settings = { ...resolveSettings({ flags: new Map(), env, dotenv: {} }, null).settings, shard };
    const timing = { minSettleMs: 60, pollMs: 8, retryMs: 8, refreshMs: 500 };
    const run = createRun({ settings, runId: `rshards${shard?.index ?? 0}`, suiteVersion: "0", checks: CHECKS, timing });
    const results = await executeAll(run);
    const { coverage } = await run.close();
    return {
      verdicts: Object.fromEntries(results.filter(({ verdict }) => verdict !== "not-run").map(({ id, verdict }) => [id, verdict])),
      partlyJudged: Object.values(coverage).filter(({ judged, possible }) => judged < possible),
    };
  } finally {
    await server.close();
  }
}

test.each([
  ["admin", 8],
  ["logs", 8],
] as const)(
  "with the API %s alone %i shards each have work and pass together what one run passes",
  { timeout: 120_000 },
  async (service, count) => {
    const shards = [];
    for (let index = 1; index <= count; index += 1) shards.push((await resultsOf(service, { index, count })).verdicts);
    for (const results of shards) expect(Object.keys(results)).not.toEqual([]);
    expect(await resultsOf(service, null)).toEqual({ verdicts: Object.assign({}, ...shards) as unknown, partlyJudged: [] });
  },
);
