/** The object that assertions and fixtures work with: clients, shared fixtures, waiting, and inputs that depend only on SEED. */
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

/** A function that sends requests, waits, compares responses, traces differences to their cause, and returns a finding. */
export type Assertion = (scope: Scope) => Promise<Finding>;

/** A value that is built once per run and shared by checks. The run stores the value, and not the fixture. */
export interface Fixture<T> {
  readonly service: Service;
  readonly name: string;
  readonly build: (scope: Scope) => Promise<T>;
}

export function fixture<T>(service: Service, name: string, build: (scope: Scope) => Promise<T>): Fixture<T> {
  return { service, name, build };
}

export interface Built<T> {
  readonly value: T;
  readonly exchanges: readonly Exchange[];
}

/** A fixture that is built, or is being built. While it is being built, `built` is null. */
export interface Building<T> {
  readonly built: Built<T> | null;
  readonly promise: Promise<Built<T>>;
}

export interface RunServices {
  readonly settings: Settings;
  readonly runId: string;
  readonly redactor: Redactor;
  /** The generated cases that failed in earlier runs. */
  readonly corpus: readonly FailingCase[];
  readonly pollMs: number;
  /** The time after which a service has certainly read its limits again, in ms. */
  readonly refreshMs: number;
  readonly settle: (service: Service) => Settle;
  readonly transport: (service: Service) => Transport;
  readonly adminClient: (record: (exchange: Exchange) => void) => AdminClient;
  readonly logsClient: (record: (exchange: Exchange) => void, urgency: number) => LogsClient;
  /** Builds a fixture, or returns the existing fixture. */
  readonly shared: <T>(fixture: Fixture<T>, progress: Progress) => Building<T>;
  /** The assertions that the run repeats at its end, because they must still hold after all writes have settled. */
  readonly revisits: Revisit[];
  /** Assertions whose reads were wrong for an unusually long time, and then right. They are repeated when all writes must be visible. */
  readonly suspects: Revisit[];
  /** The object that judges every response of the run. */
  readonly everyResponse: EveryResponse;
  /** The clauses that checks have found violated so far. */
  readonly failed: Set<string>;
  /** For each clause, the parts of requests that the target always refuses and the documents do not promise. */
  readonly masked: Map<string, Set<string>>;
  /** For each engine, by name, how many combinations of levels the run judged. */
  readonly coverage: Map<string, EngineCoverage>;
  /** The form of instance names. `way` is the index of the form in use. `left` is the number of creates that may still try other forms. */
  readonly naming: { way: number; left: number };
  /** The facts that show whether the target accepts further instances. */
  readonly room: Room;
  /** Returns a number that no other call of this run returns. */
  readonly unique: () => number;
  /** The number of instances that the run has created, and the number that it may still create. */
  readonly instances: () => { readonly created: number; readonly left: number };
  /** Returns the number of remaining requests, minus the estimate for unfinished checks. A negative result means too few requests. */
  readonly spare: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Waits for the given work, but at most until the time limit of the run. */
  readonly within: <T>(work: Promise<T>) => Promise<T>;
}

/** Pauses a check while its writes settle, so that others run first. Used only in phases that run one check at a time. */
export type OthersFirst = () => Promise<void>;

/** An assertion that the run repeats later, and the resource that the assertion reads. */
export interface Revisit {
  readonly service: Service;
  readonly resource: Resource;
  /** The time of the last write that the assertion is about. After a later write to the resource, the assertion is not repeated. */
  readonly lastWriteAt: number;
  readonly assertion: Assertion;
}

/** Shows whether the target accepts further instances. A service may have a quota, and the documents do not say how it refuses then. */
export interface Room {
  /** Whether the service has accepted a create without limits. */
  isPlainAccepted: boolean;
  /** The control requests after refused creates: for each different status and text of a refusal, a create without limits. */
  readonly controls: Map<string, Promise<Exchange>>;
  /** The refusal of a create without limits, or null while the target accepts instances. */
  full: Masked | null;
}

/** The number of requests that a check has sent or skipped. It includes the requests of fixtures that the check was the first to use. */
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

  /** The admin target. Throws if the admin API is not configured. No check of the admin API runs then. */
  get adminTarget(): AdminTarget {
    if (this.settings.admin === null) throw new Error("the admin API is not configured");
    return this.settings.admin;
  }

  /** The log target. Throws if the log API is not configured. No check of the log API runs then. */
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

  /** Returns a scope of the same run that records its exchanges in the given list. */
  fork(exchanges: Exchange[], haste: Haste): Scope {
    return new Scope(this.run, this.service, exchanges, this.#urgency, { haste, othersFirst: this.othersFirst, progress: this.progress });
  }

  /** Returns the value that `byProfile` has for the profile of this run. */
  pick<T>(byProfile: Readonly<Record<Profile, T>>): T {
    return byProfile[this.settings.profile];
  }

  /**
   * Resolves to the value of a fixture. The first call builds the fixture. Rejects with the reason if this fails. A scope with a borrowed
   * instance may only use fixtures that exist: a new one may wait forever for another instance.
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

  /** Runs `work`. During this time, the scope counts as one that has borrowed an instance. */
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

  unique(): number {
    return this.run.unique();
  }

  /** Repeats a read until its response is right or certainly wrong, as `settle.ts` explains. */
  async eventually<T>(wanted: Eventually<T>): Promise<Settled<T>> {
    return eventually(wanted, { settle: this.settle, haste: this.#haste, pollMs: this.run.pollMs, pause: this.run.pause });
  }

  /** Waits until `ms` have passed since the last write to a resource. */
  async untilAfterWrite({ lastWriteAt }: Resource, ms: number): Promise<void> {
    const wait = lastWriteAt + ms - performance.now();
    if (wait > 0) await this.run.pause(wait + 1);
  }

  /** Records that `assertion` must also hold after `resource` has settled. The closing checks repeat this assertion. */
  revisit(resource: Resource, assertion: Assertion): void {
    this.run.revisits.push({ service: this.service, resource, lastWriteAt: resource.lastWriteAt, assertion });
  }

  /** Records that `assertion` was wrong for unusually long. The closing checks repeat this assertion when no write can still be late. */
  suspect(resource: Resource, assertion: Assertion): void {
    this.run.suspects.push({ service: this.service, resource, lastWriteAt: resource.lastWriteAt, assertion });
  }

  /** Returns the time at the target in ms since 1970, from its Date header. Before the first response, returns the time of this machine. */
  targetNow(): number {
    return Date.now() + (this.run.transport(this.service).clockOffsetMs ?? 0);
  }

  /** Records a part that the target refuses, so that the report shows the clause as partly evaluated. */
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

/** Adds the exchanges before an error to the error, so that a report can show them. */
export function withExchanges(error: unknown, exchanges: readonly Exchange[]): unknown {
  if (error instanceof Error && !EXCHANGES.has(error)) EXCHANGES.set(error, [...exchanges]);
  return error;
}

function exchangesOf(error: unknown): readonly Exchange[] {
  return error instanceof Error ? (EXCHANGES.get(error) ?? []) : [];
}
