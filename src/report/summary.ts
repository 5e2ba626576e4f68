/** Derives verdicts, totals and the exit code from the results of checks. All functions of this file are pure. */
import { SERVICES } from "../contract/clause.ts";
import { CLAUSES, isJudged, matchesGlob, type Clause } from "../contract/catalogue.ts";
import type { EngineCoverage } from "../design/coverage.ts";
import { isHidden, withHidden } from "../harness/hidden.ts";
import { isSelected } from "../harness/outcomes.ts";
import { judgedVerdict } from "../harness/judged.ts";
import { worstVerdict, type CheckResult, type ClauseOutcome, type Verdict, emptyResult } from "../harness/result.ts";
import { isCheckGlob } from "../settings/run-flags.ts";
import type { Settings } from "../settings/types.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import { isOrdinary } from "../model/difference.ts";
import { defectsOf } from "./defects.ts";
import { deviationSummaries, isToDelete } from "./deviations.ts";
import { idList } from "./not-evaluated.ts";
import { partlyOf } from "./partly.ts";
import { violated } from "./violated.ts";
import type {
  CheckSummary,
  ClauseSummary,
  ClauseVerdict,
  CoverageSummary,
  DefectSummary,
  FinishedRun,
  RunDetails,
  Signal,
  Summary,
  SuiteVerdict,
} from "./model.ts";

const EXIT_OF_VERDICT: Readonly<Record<SuiteVerdict, number>> = { conformant: 0, nonconformant: 1, inconclusive: 3 };

/** The exit code after each signal that ends a run: 128 plus the number of the signal. */
export const EXIT_OF_SIGNAL: Readonly<Record<Signal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Returns the documented exit code of a finished run. */
export function exitCodeOf(summary: Summary): number {
  if (summary.run.interrupted !== undefined) return EXIT_OF_SIGNAL[summary.run.interrupted];
  // A run cannot end with exit code 0 while the deviations file has an entry that must be deleted.
  if (summary.deviations.some(isToDelete)) return 1;
  if (summary.comparison?.gating === true) return 1;
  return EXIT_OF_VERDICT[summary.verdict];
}

/** Returns an inconclusive result for a planned check that never reported, which reports would otherwise leave out. */
function missingResult(check: PlannedCheck, { interrupted }: RunDetails): CheckResult {
  const ended = "the run ended before this check reported a result";
  const headline = interrupted === null ? ended : `the run was interrupted by ${interrupted} before this check ended`;
  return { ...unreported(check, headline), interrupted: true };
}

/** Returns an inconclusive result for a planned check that has no result. `headline` is the reason why it has none. */
export function unreported(check: PlannedCheck, headline: string): CheckResult {
  return emptyResult(check, "inconclusive", check.clauses, headline);
}

function reasonNotJudged(clause: Clause): string {
  if (clause.sameAs !== undefined) return `the same statement is judged as ${idList(clause.sameAs)}`;
  return clause.reason ?? "not judged";
}

function reasonUncovered(settings: Settings, plan: readonly PlannedCheck[], details: RunDetails): string {
  // If an internal error ended the run early, there is no plan.
  if (details.internalError !== null && plan.length === 0)
    return "the checks of this clause did not run because of an error of the suite itself";
  return settings.shard === null
    ? `profile ${settings.profile} has no check of this clause`
    : "the checks of this clause belong to another shard or to another profile";
}

function summarizeClause(
  clause: Clause,
  plan: readonly PlannedCheck[],
  byId: ReadonlyMap<string, CheckResult>,
  settings: Settings,
  details: RunDetails,
): ClauseSummary {
  const { id, document, section, level, statement } = clause;
  const base = { id, document, section, level, statement };
  if (!isJudged(clause)) return { ...base, verdict: "not-judged", reason: reasonNotJudged(clause), checks: [] };
  const checks: CheckSummary[] = [];
  const outcomes: ClauseOutcome[] = [];
  for (const check of plan) {
    const result = byId.get(check.id);
    // A check may report a violation of a clause that the check does not name, if a response shows that this violation is the cause.
    const isAsked = check.clauses.includes(id) && isSelected(settings.only, id, check.id);
    const found = result?.outcomes.find((outcome) => outcome.clause === id);
    if (result === undefined || (found === undefined && !isAsked)) continue;
    const headline = "the check ended without a verdict for this clause";
    const outcome: ClauseOutcome = found ?? { clause: id, verdict: "inconclusive", headline, message: headline };
    outcomes.push(outcome);
    const { verdict, message, violation: { difference: { kind } = {} } = {} } = outcome;
    const { durationMs, cases } = result;
    checks.push({ id: check.id, title: check.title, verdict, message, ...(kind === undefined ? {} : { kind }), durationMs, cases });
  }
  const worst = worstVerdict(outcomes.map((outcome) => outcome.verdict));
  // If the target refuses the requests of all checks of a clause, no check verified the clause, so it is inconclusive.
  const verdict = worst === "not-run" && outcomes.some(({ masked }) => masked === true) ? "inconclusive" : worst;
  if (checks.length === 0) return { ...base, verdict, reason: reasonUncovered(settings, plan, details), checks };
  if (verdict === "pass") {
    const partly = partlyOf(checks, details.end?.masked[id]);
    return { ...base, verdict, ...(partly === undefined ? {} : { partly }), checks };
  }
  const telling = outcomes.filter((outcome) => outcome.verdict === worst).toSorted((one, other) => oddness(one) - oddness(other));
  const reason = (telling.find((outcome) => !isHidden(outcome)) ?? telling[0])?.headline;
  return reason === undefined ? { ...base, verdict, checks } : { ...base, verdict, reason, checks };
}

/** Matches a side fact at the end of a headline, such as `; concurrent reads: 6`. */
const SIDE_FACT = /; (?:[a-z]+(?: [a-z]+)*: |meanwhile, |the queried entries )/;

/** The reasons with plain texts and without side facts come first, because unusual data is then not the cause. */
function oddness({ headline }: ClauseOutcome): number {
  const [told = "", rest = ""] = headline.split(", request: ", 2);
  return Number(!isOrdinary(told)) + Number(SIDE_FACT.test(rest));
}

/** The maximum share of the judged clauses of a service that accepted deviations may hide. */
const MOST_HIDDEN = 0.1;

/** Returns the services with too many hidden clauses. A clause counts if accepted deviations hid it in each check that could show it. */
function hiddenTooMuch(clauses: readonly ClauseSummary[], results: readonly CheckResult[]): NonNullable<Summary["hidden"]> {
  const shown = new Set(
    results.flatMap(({ outcomes }) =>
      outcomes.filter((outcome) => outcome.verdict !== "not-run" && !isHidden(outcome)).map(({ clause }) => clause),
    ),
  );
  const judged = clauses.filter(({ verdict }) => verdict !== "not-judged" && verdict !== "not-run");
  return SERVICES.flatMap((service) => {
    const own = judged.filter(({ id }) => id.startsWith(`${service}-`));
    const hidden = own.filter(({ id, verdict }) => verdict === "deviation" && !shown.has(id));
    return hidden.length > MOST_HIDDEN * own.length ? [{ service, clauses: hidden.length, judged: own.length }] : [];
  });
}

function verdictOf(totals: Summary["totals"], details: RunDetails, { idle, hidden }: { idle: boolean; hidden: boolean }): SuiteVerdict {
  if (totals.fail > 0) return "nonconformant";
  if (details.internalError !== null || totals.inconclusive > 0 || hidden) return "inconclusive";
  return totals.pass + totals.deviation > 0 || idle ? "conformant" : "inconclusive";
}

function targetsOf(settings: Settings): Summary["targets"] {
  const kind = settings.embedded ? "embedded" : "remote";
  return {
    admin: settings.admin === null ? null : { baseUrl: settings.admin.baseUrl, kind },
    logs: settings.logs === null ? null : { baseUrl: settings.logs.baseUrl, kind },
  };
}

/**
 * Returns the final numbers of requests and instances. After an abnormal end, the counters of the last check are used.
 * These counters may include a create that was still in flight, and failed later.
 */
function countersOf(results: readonly CheckResult[], { end }: RunDetails): { requests: number; instancesCreated: number } {
  if (end !== null) return { requests: end.requests, instancesCreated: end.instancesCreated };
  const most = (of: (counters: CheckResult["counters"]) => number): number => Math.max(0, ...results.map(({ counters }) => of(counters)));
  return { requests: most(({ requests }) => requests), instancesCreated: most(({ instancesCreated }) => instancesCreated) };
}

/** Combines the plan with the results. After an interrupt, a failed clause still decides the verdict, but not the exit code. */
export function summarize(
  found: readonly CheckResult[],
  plan: readonly PlannedCheck[],
  settings: Settings,
  details: RunDetails,
): FinishedRun {
  const reported = new Map(found.map((result) => [result.id, result]));
  const results = withHidden(plan.map((check) => reported.get(check.id) ?? missingResult(check, details)));
  const byId = new Map(results.map((result) => [result.id, result]));
  const told = new Set(results.flatMap(({ outcomes }) => outcomes.map(({ clause }) => clause)));
  const selected = ({ id }: Clause): boolean => {
    const { only } = settings;
    return only.length === 0 || only.some((glob) => matchesGlob(glob, id)) || (only.some(isCheckGlob) && told.has(id));
  };
  const judged = CLAUSES.filter(selected).map((clause) => summarizeClause(clause, plan, byId, settings, details));
  const marked = new Map(violated(judged).map((clause) => [clause.id, clause]));
  const clauses = judged.map((clause) => marked.get(clause.id) ?? clause);
  const totals = totalsOf(clauses.map(({ verdict }) => verdict));
  const hidden = hiddenTooMuch(clauses, results);
  // A shard without any clause to judge is not inconclusive, because the other shards judge all clauses.
  const idle = settings.shard !== null && results.every((result) => ["not-run", null].includes(judgedVerdict(result)));
  const defects = defectsOf(results, clauses, { run: details.runId, startedAt: details.startedAt });
  const coverage = Object.entries(details.end?.coverage ?? {}).map(([name, one]) => coverageSummary(name, one, defects));
  const summary: Summary = {
    schemaVersion: 1,
    suite: details.suite,
    verdict: verdictOf(totals, details, { idle, hidden: hidden.length > 0 }),
    run: {
      id: details.runId,
      seed: settings.seed,
      profile: settings.profile,
      startedAt: details.startedAt,
      durationMs: details.durationMs,
      ...countersOf(results, details),
      ...(details.interrupted === null ? {} : { interrupted: details.interrupted }),
      ...(details.internalError === null ? {} : { internalError: details.internalError }),
    },
    targets: targetsOf(settings),
    totals,
    deviations: deviationSummaries(settings, results),
    ...(hidden.length === 0 ? {} : { hidden }),
    flaky: clauses.flatMap(({ id }) =>
      results.some(({ outcomes }) => outcomes.some((one) => one.clause === id && one.flaky === true)) ? [id] : [],
    ),
    ...(details.end === null ? {} : { operations: details.end.operations, settling: details.end.settling }),
    coverage,
    cleanup: details.end?.cleanup ?? null,
    defects,
    clauses,
  };
  return { summary, plan, results, traffic: details.end?.traffic ?? null };
}

function coverageSummary(name: string, one: EngineCoverage, defects: readonly DefectSummary[]): CoverageSummary {
  const { engine, check, strength, possible, judged, maskedBy, hidden, notEvaluated, cut, factors, cells } = one;
  const cause = defects.find(({ checks }) => checks.includes(check));
  const hiddenBy = hidden === 0 ? [] : [{ defect: cause?.id ?? null, combinations: hidden }];
  const matrix = factors === undefined || cells === undefined || cells.length === 0 ? {} : { factors, cells };
  return { engine, name, strength, possible, judged, masked: maskedBy, hidden: hiddenBy, notEvaluated, cut, ...matrix };
}

/** Returns the number of checks with each verdict. Checks that only observe are not counted. */
export function checkTotals(results: readonly CheckResult[]): Summary["totals"] {
  return totalsOf(results.map(judgedVerdict));
}

function totalsOf(verdicts: readonly (ClauseVerdict | null)[]): Summary["totals"] {
  const count = (wanted: Verdict): number => verdicts.filter((verdict) => verdict === wanted).length;
  const [pass, fail, deviation] = [count("pass"), count("fail"), count("deviation")];
  return { pass, fail, deviation, inconclusive: count("inconclusive"), notRun: count("not-run") };
}
