/** Helpers for the tests of the harness: settings of a run that reaches no server, and simple checks. */
import type { ClauseId } from "../contract/catalogue.ts";
import type { Deviation, Settings } from "../settings/types.ts";
import type { Check } from "./check.ts";
import { logsTarget, TOLD, TRANSPORT_SETTINGS } from "../client/testing.ts";
import type { Difference } from "../model/difference.ts";
import type { CheckContext } from "./context.ts";
import { type Finding, found } from "./finding.ts";
import type { CheckResult } from "./result.ts";
import { createRun, type RunEnd } from "./run.ts";
import { type Assertion, fixture } from "./scope.ts";

export { TOLD };

/** Settings of a release run against a server that does not exist. */
export function settingsFor(baseUrl = "http://127.0.0.1:9", overrides: Partial<Settings> = {}): Settings {
  return {
    embedded: false,
    admin: {
      baseUrl,
      token: "secret-token-1234",
      tokenName: "METRICS_API_TOKEN",
      cluster: "c1",
      expectedDefaults: { limits: {}, extra: {} },
      authEnforced: false,
    },
    logs: logsTarget(baseUrl),
    transport: { ...TRANSPORT_SETTINGS, requestTimeoutMs: 500 },
    settleTimeoutMs: 400,
    profile: "release",
    seed: 7,
    budgets: { runTimeoutMs: 60_000, maxRequests: 100, maxInstances: 2, maxPushBytes: 1_000_000 },
    cleanup: "none",
    reportsDir: "reports",
    only: [],
    deviations: [],
    shard: null,
    specsDir: null,
    given: { environment: [], flags: [] },
    ...overrides,
  };
}

export function checkOf(
  run: (t: CheckContext) => Promise<void>,
  clauses: readonly [ClauseId, ...ClauseId[]] = ["admin-4.PUT"],
  overrides: Partial<Check> = {},
): Check {
  return {
    id: `${clauses[0]}/made-up`,
    title: "a made-up check",
    clauses,
    service: "admin",
    phase: "main",
    profiles: ["smoke", "release", "nightly"],
    unless: () => null,
    gate: null,
    run,
    ...overrides,
  };
}

export const DEVIATION: Deviation = {
  match: "admin-4.2",
  target: null,
  owner: "o",
  reason: "r",
  link: null,
  expires: "2099-01-01",
  expired: false,
  lines: { first: 1, last: 1 },
};

/** The end of a run that sent nothing. */
export const RUN_END: RunEnd = {
  requests: 0,
  instancesCreated: 0,
  cleanup: null,
  operations: [],
  traffic: { sliceMs: 125, slices: [], durations: {} },
  settling: { admin: null, logs: null },
  masked: {},
  coverage: {},
};

export function finding(
  clauses: ClauseId | readonly ClauseId[],
  differences: readonly Difference[],
  rest: Partial<Finding> = {},
): Assertion {
  return found(clauses, differences, { exchanges: [TOLD], ...rest });
}

/** Runs a single check. With `answered`, the run has already recorded that the service accepts its credentials. */
export async function resultOf(check: Check, settings: Settings = settingsFor(), answered = true): Promise<CheckResult> {
  const run = createRun({
    settings,
    runId: "test",
    suiteVersion: "0",
    checks: [check],
    timing: { minSettleMs: 50, pollMs: 1, retryMs: 1 },
  });
  const gate = fixture("admin", "told", async ({ tally }) => tally.count(TOLD));
  const result = await run.execute(answered ? { ...check, gate } : check);
  await run.close();
  return result;
}
