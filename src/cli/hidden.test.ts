/** Judges a server whose only defect is an accepted deviation. Clauses that this defect hides must not fail the run. */
import { expect, test } from "vitest";
import { createRun } from "../harness/run.ts";
import { DEVIATION } from "../harness/testing.ts";
import { executeAll } from "../harness/schedule.ts";
import { FAULTS } from "../reference/faults/index.ts";
import { startReference } from "../reference/server.ts";
import type { Summary } from "../report/model.ts";
import { exitCodeOf, summarize } from "../report/summary.ts";
import { RUN_DETAILS } from "../report/testing.ts";
import { resolveSettings } from "../settings/resolve.ts";
import type { Deviation } from "../settings/types.ts";
import { CHECKS } from "../../specs/index.ts";

const TOKEN = "hidden-token-0123456789";

/** Returns the summary of a release run against an admin API that ignores the removal of limits. */
async function judged(deviations: readonly Deviation[]): Promise<Summary> {
  const server = await startReference({
    token: TOKEN,
    cluster: "c",
    behaviours: FAULTS.filter(({ id }) => id === "admin-removal-ignored"),
  });
  try {
    const env = { METRICS_BASE_URL: server.url, METRICS_API_TOKEN: TOKEN, METRICS_CLUSTER: "c", SETTLE_TIMEOUT_MS: "300" };
    const settings = { ...resolveSettings({ flags: new Map(), env, dotenv: {} }, null).settings, deviations };
    const timing = { minSettleMs: 60, pollMs: 8, retryMs: 8, refreshMs: 500 };
    const run = createRun({ settings, runId: "rhidden", suiteVersion: "0", checks: CHECKS, timing });
    const results = await executeAll(run);
    return summarize(results, run.plan, settings, { ...RUN_DETAILS, end: await run.close() }).summary;
  } finally {
    await server.close();
  }
}

test("a server that ignores the removal of limits passes if this violation is accepted", { timeout: 120_000 }, async () => {
  const violated = await judged([]);
  expect(violated.clauses.filter(({ verdict }) => verdict === "fail").map(({ id }) => id)).toEqual(["admin-4.2"]);
  expect(violated.clauses.find(({ id }) => id === "admin-4.PUT")).toMatchObject({ verdict: "inconclusive" });
  const accepted = await judged([DEVIATION]);
  expect(accepted.clauses.find(({ id }) => id === "admin-4.PUT")).toMatchObject({ verdict: "deviation", reason: "hidden by admin-4.2" });
  expect(exitCodeOf(accepted)).toBe(0);
  // A release run may send 3,000 requests. The checks of the log API need about 1,800, so the checks of the admin API must need fewer than
  // this.
  expect(accepted.run.requests).toBeLessThan(1_050);
});
