/** The interface of a check: shared state, inputs, `verify`, which judges, and `probe`, which only observes. */
import type fc from "fast-check";
import { asEvidence, type Exchange } from "../client/exchange.ts";
import { Inconclusive, Interrupted, Masked } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Service } from "../contract/clause.ts";
import type { AdminTarget, LogsTarget, Profile, Settings } from "../settings/types.ts";
import { clausesToSee } from "./hidden.ts";
import { type PropertyOptions, runProperty } from "./property.ts";
import { CheckRecord } from "./record.ts";
import { type Assertion, type Fixture, type OthersFirst, type Progress, type RunServices, Scope } from "./scope.ts";

/** The error that ends a check whose subject was not requested. */
export class NotRun extends Error {
  override readonly name = "NotRun";
}

/** A row of a table of assertions. */
export interface AssertionRow {
  readonly clause: ClauseId;
  readonly assertion: Assertion;
  /**
   * Sends a request that the row needs. If the target refuses it, resolves to words that can follow "the target refuses", otherwise to
   * null.
   */
  readonly unless?: (scope: Scope) => Promise<string | null>;
}

/** Makes the assertions of one part of a table. */
export type TablePart = (t: CheckContext) => Promise<readonly Assertion[]>;

/** The number of rows of one table that are verified at the same time. */
const ROWS_AT_ONCE = 4;

/** The result of a probe, which is not judged. */
export interface Probed<T> {
  readonly seen: T;
  readonly exchanges: readonly Exchange[];
}

/** @deprecated The old name of the member `assertion`. Version 1.2 removes this name. */
type OldPropertyOptions<T> = Omit<PropertyOptions<T>, "assertion"> & { readonly trial: PropertyOptions<T>["assertion"] };

export class CheckContext {
  readonly checkId: string;
  readonly record = new CheckRecord();
  readonly #scope: Scope;

  constructor(run: RunServices, service: Service, checkId: string, othersFirst?: OthersFirst) {
    // All checks have the same priority, so an exhausted budget does not hit the checks that start late more than others.
    this.#scope = new Scope(run, service, [], 0, othersFirst === undefined ? {} : { othersFirst });
    this.checkId = checkId;
  }

  /** The state that the checks of a run share, in addition to the target. */
  get shared(): Pick<RunServices, "everyResponse" | "failed"> {
    return this.#scope.run;
  }

  /** The requests of this check so far, for the forecast of the run. */
  get progress(): Progress {
    return this.#scope.progress;
  }

  /** All exchanges of the check and of its fixtures so far. */
  get exchanges(): readonly Exchange[] {
    return this.#scope.exchanges;
  }

  get settings(): Settings {
    return this.#scope.settings;
  }

  get profile(): Profile {
    return this.#scope.settings.profile;
  }

  get adminTarget(): AdminTarget {
    return this.#scope.adminTarget;
  }

  get logsTarget(): LogsTarget {
    return this.#scope.logsTarget;
  }

  get runId(): string {
    return this.#scope.run.runId;
  }

  /** Returns the value that `byProfile` has for the profile of this run. */
  pick<T>(byProfile: Readonly<Record<Profile, T>>): T {
    return this.#scope.pick(byProfile);
  }

  /** Returns `count` values that depend only on SEED and `id`. */
  draw<T>(arbitrary: fc.Arbitrary<T>, id: string, count: number): T[] {
    return this.#scope.draw(arbitrary, id, count);
  }

  /** Resolves to the value of a fixture, which is built at its first use. Rejects with the reason if the fixture could not be built. */
  async use<T>(wanted: Fixture<T>): Promise<T> {
    return this.#scope.use(wanted);
  }

  /**
   * Runs an assertion and records its finding, as `expect.ts` explains. Resolves to whether all clauses of the assertion were held. A
   * request that the target refuses and the documents do not promise is left out.
   */
  async verify(assertion: Assertion): Promise<boolean> {
    try {
      return this.record.note(await assertion(this.#scope));
    } catch (error) {
      if (!(error instanceof Masked)) throw error;
      this.record.masked ??= this.#scope.mask(error).message;
      return true;
    }
  }

  /** Verifies the assertion that a probe returns. If the probe returns null, the check is not run, for this reason. */
  async verifyProbed(probe: (scope: Scope) => Promise<Assertion | null>, reason: string): Promise<void> {
    const { seen } = await this.probe(probe);
    if (seen === null) this.notRun(reason);
    else await this.verify(seen);
  }

  /**
   * Verifies the rows of a table. If a row cannot be evaluated, its clause stays unverified and the other rows still run, so a large table
   * can be one check.
   */
  async verifyRows(rows: readonly AssertionRow[]): Promise<void> {
    const waiting = [...rows];
    const lane = async (): Promise<void> => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await this.#verifyRow(row);
    };
    await Promise.all(Array.from({ length: ROWS_AT_ONCE }, lane));
  }

  /**
   * Makes the rows of each part of a table, and verifies them. If a part cannot make its rows, the clause stays unverified, and the other
   * parts still run. Parts that do not apply to this target are recorded as an observation. If no part applies, the check is not run.
   */
  async verifyParts(clause: ClauseId, parts: readonly TablePart[]): Promise<void> {
    const leftOut: string[] = [];
    const made = await Promise.all(
      parts.map(async (part): Promise<AssertionRow[]> => {
        try {
          return (await part(this)).map((assertion) => ({ clause, assertion }));
        } catch (error) {
          if (error instanceof NotRun) leftOut.push(error.message);
          else return [{ clause, assertion: () => Promise.reject(error instanceof Error ? error : new Error(String(error))) }];
          return [];
        }
      }),
    );
    const [reason] = leftOut;
    if (reason !== undefined && leftOut.length === parts.length) this.notRun(reason);
    if (reason !== undefined)
      this.observe(clause, `${this.checkId.split("/")[1] ?? ""}-left-out`, "the parts of a check that do not apply to the target", {
        seen: leftOut.toSorted(),
        exchanges: [],
      });
    await this.verifyRows(made.flat());
  }

  async #verifyRow({ clause, assertion, unless }: AssertionRow): Promise<void> {
    try {
      if (unless !== undefined) {
        const { seen: what, exchanges } = await this.probe(unless);
        const refusal = exchanges.at(-1);
        if (what !== null && refusal !== undefined) throw new Masked(clause, what, refusal);
      }
      await this.verify(assertion);
    } catch (error) {
      if (error instanceof Masked) {
        this.record.masked ??= this.masked(error).message;
        return;
      }
      if (!(error instanceof Inconclusive) || error instanceof Interrupted) throw error;
      this.record.noteNotEvaluated(clause, error.message, clausesToSee(error.message) as ClauseId[]);
    }
  }

  /** Records a part that the target refuses and that the documents do not promise. */
  masked(error: Masked): Masked {
    return this.#scope.mask(error);
  }

  /** Runs generated cases and judges each case, as `property.ts` explains. */
  async property<T>(options: PropertyOptions<T> | OldPropertyOptions<T>): Promise<void> {
    await runProperty(this.#scope, this.checkId, this.record, "trial" in options ? { ...options, assertion: options.trial } : options);
  }

  /** Sends requests without judging the responses. */
  async probe<T>(send: (scope: Scope) => Promise<T>): Promise<Probed<T>> {
    const exchanges: Exchange[] = [];
    const seen = await send(this.#scope.fork(exchanges, "patient"));
    this.#scope.exchanges.push(...exchanges);
    return { seen, exchanges };
  }

  /** @deprecated The old name of `probe`. Version 1.2 removes this name. */
  async look<T>(send: (scope: Scope) => Promise<T>): Promise<Probed<T>> {
    return this.probe(send);
  }

  /** Records behaviour about which the documents are silent. The observation is never judged. */
  observe(clause: ClauseId, slug: string, title: string, { seen, exchanges }: Probed<unknown>): void {
    this.record.noteObserved(clause, {
      id: `${clause}/${slug}`,
      clause,
      title,
      seen,
      exchanges: exchanges.slice(-1).map((exchange) => asEvidence(exchange, this.#scope.run.redactor)),
    });
  }

  /** Ends the check, because the settings do not request its subject, or because this target cannot show it. */
  notRun(reason: string): never {
    throw new NotRun(reason);
  }

  /** Ends the check, and reports its remaining clauses as inconclusive. */
  inconclusive(reason: string): never {
    throw new Inconclusive(reason);
  }
}
