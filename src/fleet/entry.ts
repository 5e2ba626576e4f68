/** Runs the suite against a server with a fault or a variant, in this process and without a test runner. */
import { CHECKS } from "../../specs/index.ts";
import { clauseOf, isJudged } from "../contract/catalogue.ts";
import type { Service } from "../contract/clause.ts";
import { createRun, type Timing } from "../harness/run.ts";
import { executeAll } from "../harness/schedule.ts";
import type { CheckResult } from "../harness/result.ts";
import type { BehaviourChange } from "../reference/behaviour.ts";
import type { DifferenceKind } from "../model/kinds.ts";
import type { ReferenceOptions } from "../reference/options.ts";
import { startReference } from "../reference/server.ts";
import { resolveSettings } from "../settings/resolve.ts";
import type { ExpectedDefaults, Profile, Settings } from "../settings/types.ts";

export interface Entry extends BehaviourChange {
  readonly options?: Partial<ReferenceOptions>;
  readonly settings?: Readonly<Record<string, string>>;
  /** The content of METRICS_EXPECTED_DEFAULTS for the run against this entry. */
  readonly expectedDefaults?: Readonly<Record<string, unknown>>;
  /** The value of SETTLE_TIMEOUT_MS in the run against this entry. */
  readonly settleMs?: number;
}

export interface RedClause {
  readonly clause: string;
  readonly checks: readonly string[];
  readonly headline: string;
  readonly message: string;
  readonly kind?: DifferenceKind;
}

/** The first check of a run that found a violation. */
export interface FirstFailure {
  readonly check: string;
  /** The number of requests that the run had sent when this check ended. */
  readonly requests: number;
  /** The number of generated cases of this check, or null if the check generates no cases. */
  readonly cases: number | null;
}

/** A clause that a check found to be held, and the operations whose exchanges show this. */
export interface PassedClause {
  readonly check: string;
  readonly clause: string;
  readonly operations: readonly string[];
}

export interface EntryOutcome {
  /** The passed clauses. The list is empty if `passes` was not set. */
  readonly passed: readonly PassedClause[];
  /** The first failed check, or null if no check failed. */
  readonly first: FirstFailure | null;
  readonly red: readonly RedClause[];
  readonly inconclusive: readonly { readonly check: string; readonly reason: string }[];
  readonly requests: number;
  readonly instances: number;
  readonly durationMs: number;
}

const TOKEN = "fleet-token-0123456789";

/** The waiting times of the fleet. They are short, because the server runs in this process. A slower entry sets `settleMs`. */
const TIMING: Timing = { minSettleMs: 60, pollMs: 8, retryMs: 8, refreshMs: 500 };
const SETTLE_MS = 300;
/** If SETTLE_TIMEOUT_MS of an entry is at least this, its delays are seconds, and a run polls as rarely as for a real deployment. */
const REALLY_SLOW_MS = 10_000;
const SLOW_TIMING: Timing = { ...TIMING, pollMs: 50 };

/** The default options of a server of the fleet: tenants, Basic credentials and all opt-ins. */
const MODE: ReferenceOptions = { token: TOKEN, cluster: "fleet", logsUser: "fleet", tenancy: true };

function settingsOf(url: string, mode: ReferenceOptions, entry: Entry, profile: Profile, seed: number): Settings {
  const env: Record<string, string> = {
    METRICS_BASE_URL: url,
    METRICS_API_TOKEN: TOKEN,
    METRICS_CLUSTER: mode.cluster ?? "fleet",
    METRICS_AUTH_ENFORCED: String(mode.authEnforced !== false),
    LOGS_BASE_URL: url,
    LOGS_PATH_SEGMENT: mode.segment ?? "logs",
    ...(mode.logsUser === null || mode.logsUser === undefined
      ? {}
      : { LOGS_USER: mode.logsUser, LOGS_API_TOKEN: TOKEN, LOGS_AUTH_ENFORCED: "true" }),
    ...(mode.tenancy === true ? { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two", LOGS_MULTI_TENANT_QUERIES: "true" } : {}),
    ...(mode.rateLimit === null || mode.rateLimit === undefined ? {} : { LOGS_EXPECT_RATE_LIMIT: "true" }),
    PROFILE: profile,
    SEED: String(seed),
    SETTLE_TIMEOUT_MS: String(entry.settleMs ?? SETTLE_MS),
    REQUEST_TIMEOUT_MS: "5000",
    ...entry.settings,
  };
  const { settings } = resolveSettings({ flags: new Map(), env, dotenv: {} }, null);
  if (entry.expectedDefaults === undefined || settings.admin === null) return settings;
  const { extra = {}, ...limits } = entry.expectedDefaults;
  return { ...settings, admin: { ...settings.admin, expectedDefaults: { limits, extra } as ExpectedDefaults } };
}

export interface EntryOptions {
  /** Globs of the clauses that the run judges. Without `only`, the run judges all clauses. */
  readonly only?: readonly string[];
  /** The clause whose violation ends the run. */
  readonly until?: string;
  readonly passes?: boolean;
  /** The only service that the run judges. Without `service`, the run judges both services. */
  readonly service?: Service;
}

/** Runs the checks of a profile against a server with a fault or variant. If `entry` is null, the server is the reference server. */
export async function runEntry(
  entry: Entry | null,
  profile: Profile,
  seed: number,
  { only = [], until, passes = false, service }: EntryOptions = {},
): Promise<EntryOutcome> {
  const mode = { ...MODE, ...entry?.options };
  const server = await startReference({ ...mode, behaviours: entry === null ? [] : [entry] });
  const started = performance.now();
  try {
    const both = { ...settingsOf(server.url, mode, entry ?? { id: "none", change: () => ({}) }, profile, seed), only };
    const settings = { ...both, admin: service === "logs" ? null : both.admin, logs: service === "admin" ? null : both.logs };
    const run = createRun({
      settings,
      runId: runIdOf(seed),
      suiteVersion: "fleet",
      checks: CHECKS,
      timing: settings.settleTimeoutMs >= REALLY_SLOW_MS ? SLOW_TIMING : TIMING,
    });
    const results = await executeAll(run, ({ outcomes }) => outcomes.some(({ clause, verdict }) => clause === until && verdict === "fail"));
    const { requests, instancesCreated } = await run.close();
    return {
      passed: passes ? passedClauses(results) : [],
      first: firstFailure(results),
      red: redClauses(results),
      inconclusive: inconclusives(results),
      requests,
      instances: instancesCreated,
      durationMs: Math.round(performance.now() - started),
    };
  } finally {
    await server.close();
  }
}

/** Returns a run id of the usual length. It need not be unique, because each run of the fleet has its own server. */
function runIdOf(seed: number): string {
  return `f${Math.abs(seed).toString(36).padStart(9, "0")}`;
}

function firstFailure(results: readonly CheckResult[]): FirstFailure | null {
  const [first] = results
    .filter(({ outcomes }) => outcomes.some(({ verdict }) => verdict === "fail"))
    .toSorted((one, other) => one.counters.requests - other.counters.requests);
  return first === undefined ? null : { check: first.id, requests: first.counters.requests, cases: first.cases };
}

function passedClauses(results: readonly CheckResult[]): PassedClause[] {
  return results.flatMap(({ id, outcomes, exchanges }) => {
    const operations = [...new Set(exchanges.filter(({ role }) => role !== "context").map(({ operation }) => operation))];
    return outcomes
      .filter(({ clause, verdict }) => verdict === "pass" && isJudged(clauseOf(clause)))
      .map(({ clause }) => ({ check: id, clause, operations }));
  });
}

function redClauses(results: readonly CheckResult[]): RedClause[] {
  const red = new Map<string, RedClause & { checks: string[] }>();
  for (const { id, outcomes } of results) {
    for (const { clause, verdict, headline, message, violation: { difference: { kind } = {} } = {} } of outcomes) {
      if (verdict !== "fail") continue;
      const known = red.get(clause);
      if (known === undefined) red.set(clause, { clause, checks: [id], headline, message, ...(kind === undefined ? {} : { kind }) });
      else known.checks.push(id);
    }
  }
  return [...red.values()];
}

function inconclusives(results: readonly CheckResult[]): { check: string; reason: string }[] {
  const shown = new Set(
    results.flatMap(({ outcomes }) => outcomes.filter(({ verdict }) => verdict !== "not-run").map(({ clause }) => clause)),
  );
  const masked = results.flatMap(({ id, outcomes }) =>
    outcomes.filter((one) => one.masked === true && !shown.has(one.clause)).map(({ headline }) => ({ check: id, reason: headline })),
  );
  const open = results.flatMap(({ id, outcomes }) =>
    outcomes
      .filter(({ clause, verdict }) => verdict === "inconclusive" && isJudged(clauseOf(clause)))
      .map(({ headline }) => ({ check: id, reason: headline })),
  );
  return [...open, ...masked];
}
