/** Merges the shards of a run into one run. All functions of this file are pure. */
import { grouped } from "../model/grouped.ts";
import type { RunEnd } from "../harness/run.ts";
import { joinedTraffic } from "../harness/traffic.ts";
import type { OperationStats } from "../harness/latency.ts";
import { type CheckResult, type ClauseOutcome, worstVerdict } from "../harness/result.ts";
import type { Settling } from "../harness/settle.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import { SettingsError } from "../settings/error.ts";
import type { Settings } from "../settings/types.ts";
import type { FinishedRun, RunDetails } from "./model.ts";
import type { ShardFile } from "./shard-file.ts";
import { summarize, unreported } from "./summary.ts";

/** The properties that all shards of a run must have in common. Each key is the name that a message gives to the property. */
const COMMON: Readonly<Record<string, (file: ShardFile) => unknown>> = {
  "run id": ({ details }) => details.runId,
  seed: ({ settings }) => settings.seed,
  profile: ({ settings }) => settings.profile,
  "suite version": ({ details }) => details.suite.version,
  "number of shards": ({ settings }) => settings.shard?.count,
  "--only": ({ settings }) => settings.only,
  "admin API": ({ settings }) => (settings.embedded ? "embedded" : settings.admin?.baseUrl),
  "log API": ({ settings }) => (settings.embedded ? "embedded" : settings.logs?.baseUrl),
};

/** Matches the reason of a closing check with nothing to judge, because the checks whose reads it repeats ran in other shards. */
const NOTHING_TO_LOOK_AT = /^precondition not met: /;

/** Throws a `SettingsError` if the shards belong to different runs. */
export function refuseMixed(files: readonly ShardFile[], labels: readonly string[]): void {
  for (const [what, of] of Object.entries(COMMON)) {
    const odd = files.findIndex((file) => JSON.stringify(of(file)) !== JSON.stringify(files[0] === undefined ? null : of(files[0])));
    if (odd > 0) throw new SettingsError(`${labels[0] ?? ""} and ${labels[odd] ?? ""} are not parts of one run: their ${what} differs`);
  }
  const indexes = files.map(({ settings }) => settings.shard?.index);
  const twice = indexes.findIndex((index, position) => indexes.indexOf(index) !== position);
  if (twice > 0) throw new SettingsError(`${labels[twice] ?? ""} is shard ${indexes[twice] ?? ""} again; name each shard once`);
}

/** Joins the results of the same check from several shards into one result. */
function joined(results: readonly [CheckResult, ...CheckResult[]]): CheckResult {
  const [first] = results;
  if (results.length === 1) return first;
  const clauses = [...new Set(results.flatMap(({ outcomes }) => outcomes.map(({ clause }) => clause)))];
  const outcomes = clauses.flatMap((clause): ClauseOutcome[] => {
    const all = results.flatMap((result) => result.outcomes.filter((outcome) => outcome.clause === clause));
    const telling = all.filter(({ verdict, headline }) => !(verdict === "inconclusive" && NOTHING_TO_LOOK_AT.test(headline)));
    const counted = telling.length === 0 ? all : telling;
    const worst = worstVerdict(counted.map(({ verdict }) => verdict));
    return counted.filter(({ verdict }) => verdict === worst).slice(0, 1);
  });
  const verdict = worstVerdict(outcomes.map((outcome) => outcome.verdict));
  const telling = results.find((result) => result.verdict === verdict) ?? first;
  const observations = [...new Map(results.flatMap((result) => result.observations).map((one) => [one.id, one])).values()];
  return { ...telling, verdict, outcomes, observations, durationMs: Math.max(...results.map(({ durationMs }) => durationMs)) };
}

/** Returns the operations of all shards: sums of requests, and averages of quantiles, weighted by requests. */
function operationsOf(all: readonly (readonly OperationStats[])[]): OperationStats[] {
  const byName = grouped(all.flat(), ({ service, operation }) => `${service} ${operation}`);
  return [...byName.values()].map((same) => {
    const sum = (of: (one: OperationStats) => number): number => same.reduce((total, one) => total + of(one), 0);
    const mean = (of: (one: OperationStats) => number | null): number | null => {
      const known = same.filter((one) => of(one) !== null);
      const weight = known.reduce((total, { requests }) => total + requests, 0);
      return weight === 0 ? null : Math.round((known.reduce((total, one) => total + (of(one) ?? 0) * one.requests, 0) / weight) * 10) / 10;
    };
    return {
      ...same[0],
      requests: sum((one) => one.requests),
      unanswered: sum((one) => one.unanswered),
      totalMs: sum((one) => one.totalMs),
      p50: mean((one) => one.p50),
      p90: mean((one) => one.p90),
      p99: mean((one) => one.p99),
    };
  });
}

/** Returns the slowest settling of all shards, because each shard measured its own settling. */
function slowest(all: readonly (Settling | null)[]): Settling | null {
  const known = all.flatMap((one) => one ?? []);
  if (known.length === 0) return null;
  const most = (of: (one: Settling) => number): number => Math.max(...known.map(of));
  return { slowestMs: most((one) => one.slowestMs), windowMs: most((one) => one.windowMs) };
}

/** Returns, for each clause, the parts of requests that the target refused in any shard. */
function joinedMasks(all: readonly Readonly<Record<string, readonly string[]>>[]): Record<string, string[]> {
  const clauses = [...new Set(all.flatMap((one) => Object.keys(one)))];
  return Object.fromEntries(clauses.map((clause) => [clause, [...new Set(all.flatMap((one) => one[clause] ?? []))].toSorted()]));
}

function detailsOf(files: readonly [ShardFile, ...ShardFile[]]): RunDetails {
  const details = files.map((file) => file.details);
  const starts = details.map(({ startedAt }) => Date.parse(startedAt));
  const ends = details.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  const ended = details.flatMap(({ end }) => end ?? []);
  const cleanups = ended.flatMap(({ cleanup }) => cleanup ?? []);
  return {
    ...files[0].details,
    startedAt: new Date(Math.min(...starts)).toISOString(),
    durationMs: Math.max(...ends) - Math.min(...starts),
    end: {
      requests: ended.reduce((sum, { requests }) => sum + requests, 0),
      instancesCreated: ended.reduce((sum, { instancesCreated }) => sum + instancesCreated, 0),
      traffic: joinedTraffic(
        ended.map(({ traffic }) => traffic),
        details.filter(({ end }) => end !== null).map(({ startedAt }) => Date.parse(startedAt)),
      ),
      operations: operationsOf(ended.map(({ operations }) => operations)),
      // Each engine runs in one shard only, so no two shards have the coverage of the same engine.
      coverage: Object.assign({}, ...ended.map(({ coverage }) => coverage)) as RunEnd["coverage"],
      masked: joinedMasks(ended.map(({ masked }) => masked)),
      settling: {
        admin: slowest(ended.map(({ settling }) => settling.admin)),
        logs: slowest(ended.map(({ settling }) => settling.logs)),
      },
      cleanup:
        cleanups.length === 0
          ? null
          : { deleted: cleanups.flatMap(({ deleted }) => deleted), failed: cleanups.flatMap(({ failed }) => failed) },
    },
    interrupted: details.find(({ interrupted }) => interrupted !== null)?.interrupted ?? null,
    internalError: details.find(({ internalError }) => internalError !== null)?.internalError ?? null,
  };
}

export interface Merged {
  readonly settings: Settings;
  readonly finished: FinishedRun;
  /** The indexes of the shards whose files are missing. */
  readonly missing: readonly number[];
}

/** Joins the results of the shards into one run. `whole` is the plan of all shards. A check that no shard reports is inconclusive. */
export function merge(files: readonly [ShardFile, ...ShardFile[]], whole: readonly PlannedCheck[]): Merged {
  const [first] = files;
  const settings: Settings = { ...first.settings, shard: null };
  const known = new Map(whole.map((check) => [check.id, check]));
  for (const check of files.flatMap(({ plan }) => plan)) if (!known.has(check.id)) known.set(check.id, check);
  const plan = [...known.values()];
  const present = new Set(files.map((file) => file.settings.shard?.index));
  const missing = Array.from({ length: first.settings.shard?.count ?? 1 }, (_, index) => index + 1).filter((index) => !present.has(index));
  const names = `shard ${missing.join(", ")} of ${first.settings.shard?.count ?? 1} is missing`;
  const results = plan.map((check): CheckResult => {
    const [one, ...more] = files.flatMap((file) => file.results.filter(({ id }) => id === check.id));
    return one === undefined
      ? unreported(check, missing.length > 0 ? names : "no shard reported a result of this check")
      : joined([one, ...more]);
  });
  const details = detailsOf(files);
  const { requests = 0, instancesCreated = 0 } = details.end ?? {};
  const counted = results.map((result) => ({ ...result, counters: { requests, instancesCreated } }));
  return { settings, finished: summarize(counted, plan, settings, details), missing };
}
