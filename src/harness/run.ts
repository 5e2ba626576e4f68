/** Runs checks against two targets: an admin API and a log API. A run has no global state, so one process can have several runs. */
import type { EngineCoverage } from "../design/coverage.ts";
import { AdminClient, type AdminSession, nothingLearned } from "../client/admin.ts";
import { Budget, Gate } from "../client/budget.ts";
import { alteredTokens, extraPlaceholder } from "../client/credentials.ts";
import { asEvidence, type Exchange } from "../client/exchange.ts";
import { Interrupted, Masked } from "../client/inconclusive.ts";
import { LogsClient, type LogsSession } from "../client/logs.ts";
import { proxyFor } from "../client/proxy.ts";
import { PushPace } from "../client/push-pace.ts";
import { PushSizes } from "../client/push-parts.ts";
import { StreamQuota } from "../client/stream-quota.ts";
import { Redactor, type Secret } from "../client/redact.ts";
import { CredentialTally } from "../client/credential-tally.ts";
import { Transport } from "../client/transport.ts";
import type { Service } from "../contract/clause.ts";
import type { Settings } from "../settings/types.ts";
import { type Check } from "./check.ts";
import type { FailingCase } from "./corpus.ts";
import { CheckContext } from "./context.ts";
import { type CleanupReport, removeCreated } from "./cleanup.ts";
import { EveryResponse } from "./every-response.ts";
import { Latencies, type OperationStats } from "./latency.ts";
import { outcomesOf, selectedClauses } from "./outcomes.ts";
import { Forecast } from "./forecast.ts";
import { References } from "./references.ts";
import { type CheckResult, emptyResult, worstVerdict } from "./result.ts";
import {
  type Building,
  type Built,
  type Fixture,
  type OthersFirst,
  type Progress,
  type RunServices,
  Scope,
  withExchanges,
} from "./scope.ts";
import { Settle, type Settling } from "./settle.ts";
import { shownExchanges } from "./shown.ts";
import { type Traffic, TrafficCount } from "./traffic.ts";
import { budgetsOfShard, checksOfShard, costOf } from "./shard.ts";

/** How long a run waits, for example until writes have settled. Only runs against the fleet have shorter times than the defaults. */
export interface Timing {
  /** The minimum of W in ms (see `settle.ts`): the shortest time that the suite waits for a write to settle. */
  readonly minSettleMs: number;
  /** The first pause between two polls of a read, in ms. Later pauses are longer. */
  readonly pollMs: number;
  /** The first pause before a retry after 429, 5xx or a connection error, in ms. Later pauses are longer. */
  readonly retryMs: number;
  /** The time in ms after which a service has certainly loaded its limits again: the documented minute, and some seconds more. */
  readonly refreshMs: number;
}

/** If small pushes with pauses are refused for this time (in ms), the stream quota is used up. A rate limit would accept some. */
const QUOTA_AFTER_MS = 15_000;
/** The pause between pushes that test whether the stream quota has room again, in ms. */
const QUOTA_AGAIN_MS = 10_000;

/** The maximum number of creates that a run spends on trying other forms of instance names. */
const MOST_NAMINGS = 5;

/** The id of the opt-in check that sends more requests than the rate limit of the target allows. */
const OVERLOAD = "logs-7.429/overload-and-recover";

/** The share of MAX_REQUESTS that is reserved for the overload check. */
const OVERLOAD_SHARE = 0.02;

const TIMING: Timing = { minSettleMs: 2_000, pollMs: 50, retryMs: 250, refreshMs: 75_000 };

export interface RunInput {
  readonly settings: Settings;
  /** The id of the run: at most 16 lower-case letters and digits. No two runs have the same `runId`. */
  readonly runId: string;
  readonly suiteVersion: string;
  readonly checks: readonly Check[];
  /** The generated cases that failed in earlier runs. By default, there are none. */
  readonly corpus?: readonly FailingCase[];
  /** Called with the name of each instance before the run sends its POST. */
  readonly onCreate?: (created: { readonly name: string; readonly at: string }) => void;
  readonly timing?: Partial<Timing>;
}

export interface RunEnd {
  readonly requests: number;
  readonly instancesCreated: number;
  /** The result of the cleanup, or null unless CLEANUP is `delete`. */
  readonly cleanup: CleanupReport | null;
  /** The durations of each operation, such as `logs query_range`. */
  readonly operations: readonly OperationStats[];
  /** For each service, the delay until reads showed its writes. Null if the service was not judged, or if no read showed a write. */
  readonly settling: Readonly<Record<Service, Settling | null>>;
  /** For each clause, the parts of requests that the target always refuses and the documents do not promise. */
  readonly masked: Readonly<Record<string, readonly string[]>>;
  /** The numbers of requests in each slice of time, for the charts of the report. */
  readonly traffic: Traffic;
  /** For each engine, how many combinations of levels the run judged. */
  readonly coverage: Readonly<Record<string, EngineCoverage>>;
}

export interface Run {
  /** The checks of this run, selected by profile and `--only`. */
  readonly plan: readonly Check[];
  /** Runs a check. Never rejects: an internal error of the suite becomes an inconclusive result. */
  execute(check: Check, signal?: AbortSignal, othersFirst?: OthersFirst): Promise<CheckResult>;
  /** Deletes the instances of the run if CLEANUP is `delete`, and closes all connections. */
  close(): Promise<RunEnd>;
}

/** Returns the checks of a run with these settings: the checks of its profile and shard that judge a selected clause. */
export function planned(checks: readonly Check[], settings: Settings): Check[] {
  const { shard, budgets } = settings;
  return checksOfShard(wholePlan(checks, settings), { shard, maxInstances: budgets.maxInstances }, costIn(settings));
}

/** Returns a function that estimates how many requests a check needs with the given settings. */
function costIn(settings: Settings): (check: Check) => number {
  return (check) => (settings[check.service] === null || check.unless(settings) !== null ? 0 : costOf(check));
}

function wholePlan(checks: readonly Check[], settings: Settings): Check[] {
  return checks.filter((check) => check.profiles.includes(settings.profile) && selectedClauses(check, settings).length > 0);
}

export function createRun(input: RunInput): Run {
  const { runId } = input;
  const { shard, budgets } = input.settings;
  const settings = {
    ...input.settings,
    budgets: budgetsOfShard(wholePlan(input.checks, input.settings), budgets, shard, costIn(input.settings)),
  };
  const timing = { ...TIMING, ...input.timing };
  const budget = new Budget(settings.budgets);
  const gate = new Gate(settings.transport.concurrency);
  const redactor = new Redactor(secretsOf(settings));
  const userAgent = `plumbline/${input.suiteVersion} run/${runId}`;
  const everyResponse = new EveryResponse({
    defaults: settings.admin?.expectedDefaults.limits ?? {},
    runId,
    settleTimeoutMs: settings.settleTimeoutMs,
    logsNow: () => Date.now() + (transports.logs.clockOffsetMs ?? 0),
    logsOffsetMs: () => transports.logs.clockOffsetMs ?? 0,
  });
  const transportTo = (baseUrl: string | undefined, within = budget, service?: Service): Transport =>
    new Transport({
      // The costs of checks are those of a release run.
      ...(service === undefined || settings.profile !== "release"
        ? {}
        : { keptForOther: () => forecast.keptFrom(service, settings.budgets.maxRequests) }),
      settings: settings.transport,
      budget: within,
      gate,
      tally: new CredentialTally(),
      userAgent,
      retryMs: timing.retryMs,
      onSend: ({ subject }) => {
        if (subject !== undefined) everyResponse.sending(subject);
      },
      // Requests to the embedded server use no proxy, because the embedded server is in this process.
      proxy: baseUrl === undefined || settings.embedded ? null : proxyFor(baseUrl, settings.transport),
    });
  const transports = {
    admin: transportTo(settings.admin?.baseUrl, budget, "admin"),
    logs: transportTo(settings.logs?.baseUrl, budget, "logs"),
  };
  const settle = (): Settle => new Settle(timing.minSettleMs, settings.settleTimeoutMs);
  const settles = { admin: settle(), logs: settle() };
  const fixtures = new Map<Fixture<unknown>, Building<unknown>>();
  const { extraHeaders } = settings.transport;
  const adminSession: AdminSession | null =
    settings.admin === null
      ? null
      : {
          transport: transports.admin,
          target: settings.admin,
          extraHeaders,
          ...nothingLearned(settings.settleTimeoutMs),
          // Admin requests have priority. The updates of one instance are sent one after the other, so they determine how long a run takes.
          urgency: MOST_URGENT,
          onCreate: (name) => input.onCreate?.({ name, at: new Date().toISOString() }),
        };
  const logsSession: LogsSession | null =
    settings.logs === null
      ? null
      : {
          transport: transports.logs,
          target: settings.logs,
          extraHeaders,
          sizes: new PushSizes(),
          pace: new PushPace(),
          quota: new StreamQuota(QUOTA_AFTER_MS, QUOTA_AGAIN_MS),
          urgency: 0,
        };
  let serial = 0;
  const latencies = new Latencies();
  const traffic = new TrafficCount(Date.now());
  const noting = (service: Service, record: (exchange: Exchange) => void) => (exchange: Exchange) => {
    latencies.note(service, exchange);
    traffic.note(service, exchange);
    everyResponse.answered(exchange);
    forecast.answered(service, exchange);
    record(exchange);
  };

  const plan = planned(input.checks, input.settings);
  const cost = costIn(settings);
  // Disruptive checks run at the end, so enough requests are reserved for the overload check.
  let forOverload = settings.logs?.expectRateLimit === true ? OVERLOAD_SHARE * settings.budgets.maxRequests : 0;
  const disruptive = plan.filter(({ id, phase }) => phase === "disruptive" && id !== OVERLOAD);
  budget.reserve(Math.floor(forOverload + disruptive.reduce((sum, check) => sum + cost(check), 0)));
  // The overload check may use at least `forOverload` requests, and all requests that the other checks do not need.
  const forecast = new Forecast(
    plan.filter(({ id }) => id !== OVERLOAD),
    cost,
    (service) => settles[service].repeats + (service === "admin" ? (adminSession?.etags.lookups ?? 0) : 0),
  );
  const services: RunServices = {
    settings,
    runId,
    redactor,
    corpus: input.corpus ?? [],
    pollMs: timing.pollMs,
    refreshMs: timing.refreshMs,
    settle: (service) => settles[service],
    transport: (service) => transports[service],
    adminClient: (record) => new AdminClient(required(adminSession), noting("admin", record)),
    logsClient: (record, urgency) => new LogsClient({ ...required(logsSession), urgency }, noting("logs", record)),
    revisits: [],
    suspects: [],
    everyResponse,
    failed: new Set(),
    naming: { way: 0, left: MOST_NAMINGS },
    room: { isPlainAccepted: false, controls: new Map(), full: null },
    masked: new Map(),
    coverage: new Map(),
    unique: () => (serial += 1),
    instances: () => ({ created: budget.instances, left: budget.instancesLeft }),
    spare: () =>
      settings.profile === "release"
        ? budget.maxRequests - budget.requests - forOverload - forecast.remaining
        : budget.requestsLeft - budget.maxRequests * LEFT_FOR_OTHERS,
    pause: (ms) => budget.pause(ms),
    within: (work) => budget.within(work),
    shared<T>(wanted: Fixture<T>, progress: Progress) {
      const known = fixtures.get(wanted) ?? building(services, wanted, progress);
      fixtures.set(wanted, known);
      return known as Building<T>;
    },
  };

  const references = new References();
  const interrupt = (): void => budget.interrupt();
  return {
    plan,
    execute: async (check, signal, othersFirst) => {
      signal?.addEventListener("abort", interrupt, { once: true });
      if (signal?.aborted === true) interrupt();
      if (check.phase === "disruptive") {
        budget.release();
        forOverload = 0;
      }
      const result = await execute(check, services, (progress) => forecast.started(check, progress), othersFirst);
      forecast.ended(check);
      return references.checked(result);
    },
    close: async () => {
      const cleanup = settings.cleanup === "delete" && adminSession !== null ? await removeCreated(adminSession, transportTo) : null;
      await Promise.all([transports.admin.close(), transports.logs.close()]);
      const settling = (service: Service): Settling | null => (settings[service] === null ? null : settles[service].learned);
      return {
        requests: budget.requests,
        instancesCreated: budget.instances,
        cleanup,
        operations: latencies.stats(),
        traffic: traffic.counted(),
        settling: { admin: settling("admin"), logs: settling("logs") },
        masked: Object.fromEntries([...services.masked].map(([clause, what]) => [clause, [...what].toSorted()])),
        coverage: Object.fromEntries(services.coverage),
      };
    },
  };
}

/** The share of MAX_REQUESTS that a smoke run or a nightly run leaves for checks that have not ended. */
const LEFT_FOR_OTHERS = 1 / 12;

/** The priority of the requests of a fixture. It is the highest, because other checks wait for the fixture. */
const MOST_URGENT = Number.MAX_SAFE_INTEGER;

/** Builds a fixture. If this fails, the error has the exchanges until then. */
function building<T>(services: RunServices, wanted: Fixture<T>, progress: Progress): Building<T> {
  const exchanges: Exchange[] = [];
  const state: { built: Built<T> | null; readonly promise: Promise<Built<T>> } = {
    built: null,
    promise: wanted.build(new Scope(services, wanted.service, exchanges, MOST_URGENT, { progress })).then(
      (value) => (state.built = { value, exchanges }),
      (error: unknown) => Promise.reject(withExchanges(error, exchanges)),
    ),
  };
  // Each check that uses the fixture handles its rejection. This `catch` avoids an "unhandled rejection" if no check is waiting for it.
  state.promise.catch(() => null);
  return state;
}

function required<T>(session: T | null): T {
  if (session === null) throw new Error("a check used a service that is not configured");
  return session;
}

/** Runs a check. `onStart` gets the object in which the check counts its requests. */
async function execute(
  check: Check,
  services: RunServices,
  onStart: (progress: Progress) => void,
  othersFirst?: OthersFirst,
): Promise<CheckResult> {
  const started = performance.now();
  const { settings, redactor } = services;
  const target = settings[check.service];
  const reason =
    target === null ? `the ${check.service === "admin" ? "metrics admin" : "log"} API is not configured` : check.unless(settings);
  if (target === null || reason !== null) return notRunResult(check, reason ?? "", services, started);
  const t = new CheckContext(services, check.service, check.id, othersFirst);
  const { record } = t;
  onStart(t.progress);
  let ended: unknown = null;
  try {
    if (check.gate !== null) await services.within(t.use(check.gate));
    await services.within(check.run(t));
  } catch (error) {
    ended = error instanceof Masked ? t.masked(error) : error;
  }
  for (const { clause } of record.violations) services.failed.add(clause);
  const outcomes = outcomesOf(check, settings, {
    record,
    ended,
    answered: services.transport(check.service).tally.successes > 0,
    exchanges: t.exchanges,
    originsOf: (exchange) => services.everyResponse.originsOf(exchange),
    curlOf: (exchange) => asEvidence(exchange, redactor).curl,
  });
  const verdict = worstVerdict(outcomes.map((outcome) => outcome.verdict));
  const result: CheckResult = {
    id: check.id,
    title: check.title,
    verdict,
    outcomes,
    durationMs: Math.round(performance.now() - started),
    cases: record.cases,
    exchangesMade: t.exchanges.length + record.unkept,
    exchanges: shownExchanges(record, ended === null ? t.exchanges : t.exchanges.toReversed(), verdict, redactor),
    observations: record.observations,
    ...(record.failing.length === 0 ? {} : { failing: record.failing }),
    counters: countersOf(services),
    ...(ended instanceof Interrupted ? { interrupted: true } : {}),
  };
  return redactor.deep(result);
}

function countersOf(services: RunServices): CheckResult["counters"] {
  const { budget } = services.transport("admin");
  return { requests: budget.requests, instancesCreated: budget.instances };
}

function notRunResult(check: Check, reason: string, services: RunServices, started: number): CheckResult {
  const result = emptyResult(check, "not-run", selectedClauses(check, services.settings), reason);
  return { ...result, durationMs: Math.round(performance.now() - started), counters: countersOf(services) };
}

function secretsOf({ admin, logs, transport }: Settings): Secret[] {
  const targets = [admin === null ? null : { ...admin, user: "" }, logs?.credentials ?? null].filter((one) => one !== null);
  return [
    ...targets.flatMap(({ tokenName, token, user }) => tokenSecrets(`$${tokenName}`, token, user)),
    ...Object.entries(transport.extraHeaders).map(([name, value]) => ({ placeholder: extraPlaceholder(name), value })),
  ];
}

/** Returns a token, and its variations that a service must refuse. */
function tokenSecrets(placeholder: string, token: string, user: string): Secret[] {
  const altered = alteredTokens(token, placeholder).filter(({ printed }) => printed.startsWith("$"));
  return [{ placeholder, value: token, user }, ...altered.map(({ token: value, printed }) => ({ placeholder: printed, value, user }))];
}
