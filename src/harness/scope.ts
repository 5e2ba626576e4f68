/** The interface of assertions and fixtures: clients, shared fixtures, waiting, and inputs that depend only on SEED. */
import type fc from "fast-check";
import type { AdminClient } from "../client/admin.ts";
import type { CredentialTally } from "../client/credential-tally.ts";
import type { Exchange } from "../client/exchange.ts";
import type { Masked } from "../client/inconclusive.ts";
import type { LogsClient } from "../client/logs.ts";
import type { Redactor } from "../client/redact.ts";
import type { Transport } from "../client/transport.ts";
import type { Service } from "../contract/clause.ts";
import type { EngineCoverage } from "../design/coverage.ts";
import type { AdminTarget, LogsTarget, Profile, Settings } from "../settings/types.ts";
import type { FailingCase } from "./corpus.ts";
import type { EveryResponse } from "./every-response.ts";
import type { Finding } from "./finding.ts";
import { draw } from "./seed.ts";
import { type Eventually, eventually, type Haste, type Resource, type Settle, type Settled } from "./settle.ts";

/** An assertion: it sends requests, waits, traces the cause, and returns a finding. */
export type Assertion = (scope: Scope) => Promise<Finding>;

/** A fixture: a value that is built once per run and shared by checks. The fixture itself has no state, because the run keeps it. */
export interface Fixture<T> {
  readonly service: Service;
  readonly name: string;
  readonly build: (scope: Scope) => Promise<T>;
}

export function fixture<T>(service: Service, name: string, build: (scope: Scope) => Promise<T>): Fixture<T> {
  return { service, name, build };
}

/** The value of a fixture, with the exchanges that built it. */
export interface Built<T> {
  readonly value: T;
  readonly exchanges: readonly Exchange[];
}

/** The services that a run gives to its scopes. */
export interface RunServices {
  readonly settings: Settings;
  readonly runId: string;
  readonly redactor: Redactor;
  /** Cases that failed in earlier runs. */
  readonly corpus: readonly FailingCase[];
  readonly pollMs: number;
  /** The time after which a service has certainly read its limits again, in ms. */
  readonly refreshMs: number;
  readonly settle: (service: Service) => Settle;
  readonly transport: (service: Service) => Transport;
  readonly adminClient: (record: (exchange: Exchange) => void) => AdminClient;
  readonly logsClient: (record: (exchange: Exchange) => void, urgency: number) => LogsClient;
  /** Builds a fixture, or returns the existing fixture. `built` is null until the fixture is complete. */
  readonly shared: <T>(fixture: Fixture<T>, progress: Progress) => { readonly built: Built<T> | null; readonly promise: Promise<Built<T>> };
  /** Assertions that must still hold after everything has settled. */
  readonly revisits: Revisit[];
  /**
   * Assertions that were wrong for longer than writes usually take, and then right. The run repeats these assertions when no write can
   * still be late.
   */
  readonly suspects: Revisit[];
  /** The facts that all responses of the run have shown, whichever check sent the request. */
  readonly everyResponse: EveryResponse;
  /** The clauses that checks have found violated so far. */
  readonly failed: Set<string>;
  /** The parts that the target always refuses, and that the documents do not promise, by clause. */
  readonly masked: Map<string, Set<string>>;
  /** How many combinations of levels each engine judged, by the name of the engine. */
  readonly coverage: Map<string, EngineCoverage>;
  /**
   * `way` is the number of the first naming of instances that the service accepts. `left` is the number of creates that may still try other
   * namings.
   */
  readonly naming: { way: number; left: number };
  /** Whether the target accepts further instances. */
  readonly room: Room;
  /** Returns a number that no other call of this run returns. */
  readonly unique: () => number;
  /** The number of instances that the run has created, and the number that it may still create. */
  readonly instances: () => { readonly created: number; readonly left: number };
  /** The number of remaining requests, minus the requests that the unfinished checks probably need. Negative if too few requests remain. */
  readonly spare: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Waits for work, but at most until the end of the run. */
  readonly within: <T>(work: Promise<T>) => Promise<T>;
}

/** In a phase whose checks run one at a time: lets the other checks run first, while the writes of this check settle. */
export type OthersFirst = () => Promise<void>;

/** An assertion that is repeated later, and the resource it reads. */
export interface Revisit {
  readonly service: Service;
  readonly resource: Resource;
  /** The time of the last write that the assertion is about. After a later write the assertion is not repeated. */
  readonly lastWriteAt: number;
  readonly assertion: Assertion;
}

/**
 * The facts that show whether the target accepts further instances. A service may have a quota of instances, and the documents do not say
 * with which status it refuses further instances.
 */
export interface Room {
  /** Whether a create without limits was accepted. */
  isPlainAccepted: boolean;
  /**
   * A create without limits is the control request for a refused create. The control request is sent once for each kind of refusal. The key
   * is the status and the text of the refusal.
   */
  readonly controls: Map<string, Promise<Exchange>>;
  /** The refusal of a create without limits, or null while the target accepts instances. */
  full: Masked | null;
}

/** The number of requests that a check has sent or left out, including the fixtures that it was the first to use. */
export interface Progress {
  requests: number;
}

interface ScopeOptions {
  readonly haste?: Haste;
  readonly othersFirst?: OthersFirst;
  readonly progress?: Progress;
}

export class Scope {
  readonly run: RunServices;
  readonly service: Service;
  readonly exchanges: Exchange[];
  readonly othersFirst: OthersFirst;
  readonly progress: Progress;
  readonly #haste: Haste;
  readonly #urgency: number;
  readonly #record: (exchange: Exchange) => void;
  #admin: AdminClient | null = null;
  #logs: LogsClient | null = null;
  #borrowed = 0;

  /** `urgency` is the priority of the requests of this scope. */
  constructor(
    run: RunServices,
    service: Service,
    exchanges: Exchange[],
    urgency: number,
    { haste = "patient", othersFirst = async () => undefined, progress = { requests: 0 } }: ScopeOptions = {},
  ) {
    this.run = run;
    this.othersFirst = othersFirst;
    this.progress = progress;
    this.service = service;
    this.exchanges = exchanges;
    this.#haste = haste;
    this.#urgency = urgency;
    this.#record = (exchange) => {
      exchanges.push(exchange);
      progress.requests += 1;
    };
  }

  get admin(): AdminClient {
    this.#admin ??= this.run.adminClient(this.#record);
    return this.#admin;
  }

  get logs(): LogsClient {
    this.#logs ??= this.run.logsClient(this.#record, this.#urgency);
    return this.#logs;
  }

  get settings(): Settings {
    return this.run.settings;
  }

  /** The admin target. Throws if the admin API is not configured, which no check of the admin API allows. */
  get adminTarget(): AdminTarget {
    if (this.settings.admin === null) throw new Error("the admin API is not configured");
    return this.settings.admin;
  }

  /** The log target. Throws if the log API is not configured, which no check of the log API allows. */
  get logsTarget(): LogsTarget {
    if (this.settings.logs === null) throw new Error("the log API is not configured");
    return this.settings.logs;
  }

  get settle(): Settle {
    return this.run.settle(this.service);
  }

  get tally(): CredentialTally {
    return this.run.transport(this.service).tally;
  }

  /** A scope of the same run with its own list of exchanges. */
  fork(exchanges: Exchange[], haste: Haste): Scope {
    return new Scope(this.run, this.service, exchanges, this.#urgency, { haste, othersFirst: this.othersFirst, progress: this.progress });
  }

  /** Returns the value that `byProfile` has for the profile of this run. */
  pick<T>(byProfile: Readonly<Record<Profile, T>>): T {
    return byProfile[this.settings.profile];
  }

  /**
   * Resolves to the value of a fixture, which is built at its first use. Rejects with the reason if the fixture could not be built. A scope
   * that has borrowed an instance can use only existing fixtures. The construction of a new fixture may need an instance too, and would
   * then wait for this scope forever.
   */
  async use<T>(wanted: Fixture<T>): Promise<T> {
    const shared = this.run.shared(wanted, this.progress);
    if (this.#borrowed > 0 && shared.built === null)
      throw new Error(`the fixture "${wanted.name}" was requested while this check held an instance of the pool (a defect of the check)`);
    try {
      const { value, exchanges } = await shared.promise;
      this.#remember(exchanges);
      return value;
    } catch (error) {
      this.#remember(exchangesOf(error));
      throw error;
    }
  }

  /** Runs `work` while this scope has borrowed an instance. */
  async holding<T>(work: () => Promise<T>): Promise<T> {
    this.#borrowed += 1;
    try {
      return await work();
    } finally {
      this.#borrowed -= 1;
    }
  }

  /** Returns `count` values that depend only on SEED and `id`. */
  draw<T>(arbitrary: fc.Arbitrary<T>, id: string, count: number): T[] {
    return draw(arbitrary, this.settings.seed, id, count);
  }

  /** A number that is unique in this run. */
  unique(): number {
    return this.run.unique();
  }

  /** Reads until the response is right or certainly wrong, as `settle.ts` explains. */
  async eventually<T>(wanted: Eventually<T>): Promise<Settled<T>> {
    return eventually(wanted, { settle: this.settle, haste: this.#haste, pollMs: this.run.pollMs, pause: this.run.pause });
  }

  /** Waits until `ms` have passed since the last write to a resource. */
  async untilAfterWrite({ lastWriteAt }: Resource, ms: number): Promise<void> {
    const wait = lastWriteAt + ms - performance.now();
    if (wait > 0) await this.run.pause(wait + 1);
  }

  /** Records that `assertion` must also hold after `resource` has settled. The closing checks of the service repeat the assertion. */
  revisit(resource: Resource, assertion: Assertion): void {
    this.run.revisits.push({ service: this.service, resource, lastWriteAt: resource.lastWriteAt, assertion });
  }

  /**
   * Records that `assertion` was wrong for longer than writes usually take here. The closing checks repeat the assertion when no write can
   * still be late.
   */
  suspect(resource: Resource, assertion: Assertion): void {
    this.run.suspects.push({ service: this.service, resource, lastWriteAt: resource.lastWriteAt, assertion });
  }

  /**
   * Returns the clock of the target by its Date header, in milliseconds since 1970. Before the first response, returns the clock of this
   * machine.
   */
  targetNow(): number {
    return Date.now() + (this.run.transport(this.service).clockOffsetMs ?? 0);
  }

  /** Records a refusal of the target, so that the clause is reported as partly evaluated. */
  mask(masked: Masked): Masked {
    this.run.masked.set(masked.clause, (this.run.masked.get(masked.clause) ?? new Set()).add(masked.what));
    return masked;
  }

  #remember(exchanges: readonly Exchange[]): void {
    const known = new Set(this.exchanges);
    this.exchanges.push(...exchanges.filter((exchange) => !known.has(exchange)));
  }
}

const EXCHANGES = new WeakMap<Error, readonly Exchange[]>();

/** Attaches the exchanges that were made before an error to the error, so that a report can show these exchanges. */
export function withExchanges(error: unknown, exchanges: readonly Exchange[]): unknown {
  if (error instanceof Error && !EXCHANGES.has(error)) EXCHANGES.set(error, [...exchanges]);
  return error;
}

function exchangesOf(error: unknown): readonly Exchange[] {
  return error instanceof Error ? (EXCHANGES.get(error) ?? []) : [];
}
