/** What assertions and fixtures work with: the run's clients, shared fixtures, waiting, and inputs that depend on SEED only. */
import type fc from "fast-check";
import type { AdminClient } from "../client/admin.ts";
import type { CredentialTally } from "../client/credential-tally.ts";
import type { Exchange } from "../client/exchange.ts";
import type { Masked } from "../client/inconclusive.ts";
import type { LogsClient } from "../client/logs.ts";
import type { Redactor } from "../client/redact.ts";
import type { Transport } from "../client/transport.ts";
import type { EngineCoverage } from "../design/coverage.ts";
import type { AdminTarget, LogsTarget, Profile, Settings } from "../settings/types.ts";
import type { Service } from "./check.ts";
import type { FailingCase } from "./corpus.ts";
import type { EveryResponse } from "./every-response.ts";
import type { Assertion } from "./finding.ts";
import { draw } from "./seed.ts";
import { type Eventually, eventually, type Haste, type Resource, type Settle, type Settled } from "./settle.ts";

/** Built once per run and shared by the checks that use it. It has no state, because the run has it. */
export interface Fixture<T> {
  readonly service: Service;
  readonly name: string;
  readonly build: (scope: Scope) => Promise<T>;
}

export function fixture<T>(service: Service, name: string, build: (scope: Scope) => Promise<T>): Fixture<T> {
  return { service, name, build };
}

/** A built fixture, with the exchanges of its construction. */
export interface Built<T> {
  readonly value: T;
  readonly exchanges: readonly Exchange[];
}

/** What a run gives to its scopes. */
export interface RunServices {
  readonly settings: Settings;
  readonly runId: string;
  readonly redactor: Redactor;
  /** Cases that failed in earlier runs. */
  readonly corpus: readonly FailingCase[];
  readonly pollMs: number;
  /** The time after which a service has certainly refreshed its instances, ms. */
  readonly refreshMs: number;
  readonly settle: (service: Service) => Settle;
  readonly transport: (service: Service) => Transport;
  readonly adminClient: (record: (exchange: Exchange) => void, urgency: number) => AdminClient;
  readonly logsClient: (record: (exchange: Exchange) => void, urgency: number) => LogsClient;
  /** Builds a fixture, or returns the existing one. `built` is null until it is complete. */
  readonly shared: <T>(fixture: Fixture<T>) => { readonly built: Built<T> | null; readonly promise: Promise<Built<T>> };
  /** Assertions that must still hold after everything has settled. */
  readonly revisits: Revisit[];
  /** Assertions that were wrong later than writes usually take, and then right. They are repeated when no write can still be late. */
  readonly suspects: Revisit[];
  /** What all responses of the run have shown, whichever check sent the request. */
  readonly everyResponse: EveryResponse;
  /** The clauses that checks have found violated so far. */
  readonly failed: Set<string>;
  /** What the target refuses although the documents do not promise it, by clause. */
  readonly masked: Map<string, Set<string>>;
  /** How many combinations of levels each engine judged, by the name of the engine. */
  readonly coverage: Map<string, EngineCoverage>;
  /** In which of several ways instances are named, the first that the service takes; and how many more creates may try other ways. */
  readonly naming: { way: number; left: number };
  /** A number that no other call of this run gets. */
  readonly unique: () => number;
  /** How many instances the run has created, and how many more it may create. */
  readonly instances: () => { readonly created: number; readonly left: number };
  readonly requestsLeft: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** An assertion that is repeated later, and the resource it reads. */
export interface Revisit {
  readonly service: Service;
  readonly resource: Resource;
  /** The last write that it is about. After another write it says nothing. */
  readonly lastWriteAt: number;
  readonly assertion: Assertion;
}

export class Scope {
  readonly run: RunServices;
  readonly service: Service;
  readonly exchanges: Exchange[];
  readonly #haste: Haste;
  readonly #urgency: number;
  readonly #record: (exchange: Exchange) => void;
  #admin: AdminClient | null = null;
  #logs: LogsClient | null = null;
  /** Instances of the pool that this scope has borrowed. */
  #loans = 0;

  /** `urgency`: the priority of its requests, compared with those of other scopes. */
  constructor(run: RunServices, service: Service, exchanges: Exchange[], urgency: number, haste: Haste = "patient") {
    this.run = run;
    this.service = service;
    this.exchanges = exchanges;
    this.#haste = haste;
    this.#urgency = urgency;
    this.#record = (exchange) => {
      exchanges.push(exchange);
    };
  }

  get admin(): AdminClient {
    this.#admin ??= this.run.adminClient(this.#record, this.#urgency);
    return this.#admin;
  }

  get logs(): LogsClient {
    this.#logs ??= this.run.logsClient(this.#record, this.#urgency);
    return this.#logs;
  }

  get settings(): Settings {
    return this.run.settings;
  }

  /** The admin target. A check of the admin API never runs without it. */
  get adminTarget(): AdminTarget {
    if (this.settings.admin === null) throw new Error("the admin API is not configured");
    return this.settings.admin;
  }

  /** The log target. A check of the log API never runs without it. */
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

  /** The same run with its own list of exchanges. */
  fork(exchanges: Exchange[], haste: Haste): Scope {
    return new Scope(this.run, this.service, exchanges, this.#urgency, haste);
  }

  /** The value for this run's profile. */
  pick<T>(byProfile: Readonly<Record<Profile, T>>): T {
    return byProfile[this.settings.profile];
  }

  /**
   * The value of a fixture, which is built at its first use. Rejects with the reason if it could not be built. While this scope has
   * borrowed an instance, only existing fixtures can be used, because building one may need an instance too, and would wait for this scope
   * forever.
   */
  async use<T>(wanted: Fixture<T>): Promise<T> {
    const shared = this.run.shared(wanted);
    if (this.#loans > 0 && shared.built === null)
      throw new Error(`the fixture "${wanted.name}" was requested while this check held an instance of the pool`);
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
    this.#loans += 1;
    try {
      return await work();
    } finally {
      this.#loans -= 1;
    }
  }

  /** `count` values that depend on SEED and `id` only. */
  draw<T>(arbitrary: fc.Arbitrary<T>, id: string, count: number): T[] {
    return draw(arbitrary, this.settings.seed, id, count);
  }

  /** A number that is unique in this run. */
  unique(): number {
    return this.run.unique();
  }

  /** Reads until the response is right, or wrong with certainty: see `settle.ts`. */
  async eventually<T>(wanted: Eventually<T>): Promise<Settled<T>> {
    return eventually(wanted, { settle: this.settle, haste: this.#haste, pollMs: this.run.pollMs, pause: this.run.pause });
  }

  /** Waits until `ms` have passed since the last write to a resource. */
  async untilAfterWrite({ lastWriteAt }: Resource, ms: number): Promise<void> {
    const wait = lastWriteAt + ms - performance.now();
    if (wait > 0) await this.run.pause(wait + 1);
  }

  /** Notes that `assertion` must also hold after `resource` has settled. The closing checks of the service repeat it. */
  revisit(resource: Resource, assertion: Assertion): void {
    this.run.revisits.push({ service: this.service, resource, lastWriteAt: resource.lastWriteAt, assertion });
  }

  /** Notes that `assertion` was wrong for longer than writes take here. The closing checks repeat it when no write can still be late. */
  suspect(resource: Resource, assertion: Assertion): void {
    this.run.suspects.push({ service: this.service, resource, lastWriteAt: resource.lastWriteAt, assertion });
  }

  /** The clock of the target in ms since the epoch, by its Date header. Before the first response, the clock of this machine. */
  targetNow(): number {
    return Date.now() + (this.run.transport(this.service).clockOffsetMs ?? 0);
  }

  /** Notes a refusal of the target, so that the clause is reported as partly evaluated. */
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

/** Attaches to an error the exchanges before it, so that a report can show them. */
export function withExchanges(error: unknown, exchanges: readonly Exchange[]): unknown {
  if (error instanceof Error && !EXCHANGES.has(error)) EXCHANGES.set(error, [...exchanges]);
  return error;
}

function exchangesOf(error: unknown): readonly Exchange[] {
  return error instanceof Error ? (EXCHANGES.get(error) ?? []) : [];
}
