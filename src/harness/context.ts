/** Everything a check may touch: the run's clients, fixtures, waiting, inputs, and the ways to say what was found. */
import type fc from "fast-check";
import type { AdminClient } from "../client/admin.ts";
import { asEvidence, type Exchange } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { LogsClient } from "../client/logs.ts";
import type { Redactor } from "../client/redact.ts";
import type { Tally } from "../client/tally.ts";
import type { Transport } from "../client/transport.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { blamed, type Difference } from "../model/difference.ts";
import type { AdminTarget, LogsTarget, Profile, Settings } from "../settings/types.ts";
import type { Service } from "./check.ts";
import type { Violation } from "./message.ts";
import { type PropertyOptions, type PropertyOutcome, runProperty } from "./property.ts";
import type { Observation } from "./result.ts";
import { draw } from "./seed.ts";
import { type Eventually, eventually, type Patience, type Resource, type Settle, type Settled, type Sighting } from "./settle.ts";

/** Something built once per run and shared by the checks that use it. It holds no state: the run does. */
export interface Fixture<T> {
  readonly service: Service;
  readonly name: string;
  readonly build: (scope: Scope) => Promise<T>;
}

export function fixture<T>(service: Service, name: string, build: (scope: Scope) => Promise<T>): Fixture<T> {
  return { service, name, build };
}

/** What a run gives to its scopes. */
export interface RunServices {
  readonly settings: Settings;
  readonly runId: string;
  readonly redactor: Redactor;
  readonly pollMs: number;
  readonly patience: (service: Service) => Settle;
  readonly transport: (service: Service) => Transport;
  readonly adminClient: (record: (exchange: Exchange) => void) => AdminClient;
  readonly logsClient: (record: (exchange: Exchange) => void) => LogsClient;
  readonly shared: <T>(fixture: Fixture<T>) => Promise<{ readonly value: T; readonly exchanges: readonly Exchange[] }>;
  /** Resources that are re-read once they have settled. */
  readonly settled: SettledRead[];
  /** A name that no other call of this run gets. */
  readonly unique: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** A read that must still be right when its resource has settled. */
export interface SettledRead {
  readonly service: Service;
  readonly resource: Resource;
  readonly read: (scope: Scope) => Promise<readonly Difference[]>;
}

export class Scope {
  readonly run: RunServices;
  readonly service: Service;
  readonly exchanges: Exchange[];
  readonly #record: (exchange: Exchange) => void;
  #admin: AdminClient | null = null;
  #logs: LogsClient | null = null;
  readonly #deadline: Patience["deadline"];

  constructor(run: RunServices, service: Service, exchanges: Exchange[], deadline: Patience["deadline"] = "full") {
    this.run = run;
    this.service = service;
    this.exchanges = exchanges;
    this.#deadline = deadline;
    this.#record = (exchange) => {
      exchanges.push(exchange);
    };
  }

  get admin(): AdminClient {
    this.#admin ??= this.run.adminClient(this.#record);
    return this.#admin;
  }

  get logs(): LogsClient {
    this.#logs ??= this.run.logsClient(this.#record);
    return this.#logs;
  }

  get settings(): Settings {
    return this.run.settings;
  }

  /** The admin target; a check of the admin API never runs without one. */
  get adminTarget(): AdminTarget {
    if (this.settings.admin === null) throw new Error("no admin target");
    return this.settings.admin;
  }

  /** The log target; a check of the log API never runs without one. */
  get logsTarget(): LogsTarget {
    if (this.settings.logs === null) throw new Error("no log target");
    return this.settings.logs;
  }

  /** The same run with a record of its own, waiting as long as `deadline` says. */
  fork(exchanges: Exchange[], deadline: Patience["deadline"]): Scope {
    return new Scope(this.run, this.service, exchanges, deadline);
  }

  /** The value for this run's profile. */
  pick<T>(byProfile: Readonly<Record<Profile, T>>): T {
    return byProfile[this.settings.profile];
  }

  /** The value of a fixture; it is built at its first use. Rejects with the reason why it could not be built. */
  async use<T>(wanted: Fixture<T>): Promise<T> {
    const { value, exchanges } = await this.run.shared(wanted);
    this.exchanges.push(...exchanges.filter((exchange) => !this.exchanges.includes(exchange)));
    return value;
  }

  /** `count` values that depend on SEED and `id` only. */
  draw<T>(arbitrary: fc.Arbitrary<T>, id: string, count: number): T[] {
    return draw(arbitrary, this.settings.seed, id, count);
  }

  /** Reads until right, or judged wrong: see `settle.ts`. */
  async eventually<T>(wanted: Eventually<T>): Promise<Settled<T>> {
    return eventually(wanted, {
      settle: this.run.patience(this.service),
      deadline: this.#deadline,
      pollMs: this.run.pollMs,
      pause: this.run.pause,
    });
  }

  /** Notes that `read` must hold once `resource` has settled; the closing checks of the service re-read it. */
  revisit(resource: Resource, read: (scope: Scope) => Promise<readonly Difference[]>): void {
    this.run.settled.push({ service: this.service, resource, read });
  }

  /** The target's clock in milliseconds since the epoch, by its Date header (this machine's until one was seen). */
  targetNow(): number {
    return Date.now() + (this.run.transport(this.service).clockOffsetMs ?? 0);
  }

  get tally(): Tally {
    return this.run.transport(this.service).tally;
  }
}

/** Ends a check whose subject was not asked for. */
export class NotRun extends Error {
  override readonly name = "NotRun";
}

export interface JudgementEvidence {
  readonly sightings?: readonly Sighting[];
  readonly input?: NonNullable<Violation["input"]>;
  readonly exchanges?: readonly Exchange[];
}

export class CheckContext extends Scope {
  readonly checkId: string;
  readonly judged = new Set<string>();
  readonly violations = new Map<string, Violation>();
  /** Exchanges that show a violation; they come first in the evidence. */
  readonly telling: Exchange[] = [];
  readonly observations: Observation[] = [];
  cases: number | null = null;

  constructor(run: RunServices, service: Service, checkId: string) {
    super(run, service, []);
    this.checkId = checkId;
  }

  /**
   * Judges `clauses`: each of them passes unless one of `differences` names it. A difference may also blame a clause that is
   * not listed, when the answer shows that that one is the cause.
   */
  judge(clauses: ClauseId | readonly ClauseId[], differences: readonly Difference[], evidence: JudgementEvidence = {}): void {
    for (const clause of typeof clauses === "string" ? [clauses] : clauses) this.judged.add(clause);
    for (const clause of blamed(differences)) {
      const own = differences.filter((difference) => difference.clause === clause);
      this.judged.add(clause);
      const known = this.violations.get(clause);
      this.violations.set(
        clause,
        known === undefined ? { ...evidence, clause, differences: own } : { ...known, differences: [...known.differences, ...own] },
      );
    }
    if (differences.length > 0) this.telling.push(...(evidence.exchanges ?? this.exchanges.slice(-3)));
  }

  /** Runs generated cases: see `property.ts`. Judges `clauses` by every case. */
  async property<T>(options: PropertyOptions<T>): Promise<PropertyOutcome> {
    const outcome = await runProperty(this, options);
    this.cases = (this.cases ?? 0) + outcome.cases;
    for (const { clause, differences, input, exchanges, sightings } of outcome.counterexamples) {
      this.judge(clause, differences, { input, exchanges, ...(sightings === undefined ? {} : { sightings }) });
    }
    if (outcome.shortfall !== null) throw new Inconclusive(outcome.shortfall);
    for (const clause of options.clauses) this.judged.add(clause);
    return outcome;
  }

  /** Records what the documents leave open; never judged. */
  observe(clause: ClauseId, slug: string, title: string, seen: unknown, exchanges: readonly Exchange[] = this.exchanges.slice(-1)): void {
    this.judged.add(clause);
    this.observations.push({
      id: `${clause}/${slug}`,
      clause,
      title,
      seen,
      exchanges: exchanges.map((exchange) => asEvidence(exchange, this.run.redactor)),
    });
  }

  /** Ends the check: what it is about was not asked for, or cannot be asked of this target. */
  notRun(reason: string): never {
    throw new NotRun(reason);
  }

  /** Ends the check: what is still unjudged could not be verified. */
  inconclusive(reason: string): never {
    throw new Inconclusive(reason);
  }
}
