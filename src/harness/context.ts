/** The object that a check works with: fixtures, inputs, `verify` to judge responses, and `probe` to only observe them. */
import type fc from "fast-check";
import { asEvidence, type Exchange } from "../client/exchange.ts";
import { Inconclusive, Interrupted, Masked } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Service } from "../contract/clause.ts";
import type { AdminTarget, LogsTarget, Profile, Settings } from "../settings/types.ts";
import { clausesToSee } from "./hidden.ts";
import { leavesOutRow, type PropertyOptions, runProperty } from "./property.ts";
import { CheckRecord } from "./record.ts";
import { type Assertion, type Fixture, type OthersFirst, type Progress, type RunServices, Scope } from "./scope.ts";

/** The error that ends a check as `not run`, for example because the settings do not ask for the behaviour that it tests. */
export class NotRun extends Error {
  override readonly name = "NotRun";
}

/** A case in a list of cases that a check verifies one by one: its title and its assertion. */
export interface AssertionRow {
  readonly clause: ClauseId;
  readonly assertion: Assertion;
  /** If the target refuses a request that this case needs, resolves to the name of the request for a message. Otherwise null. */
  readonly unless?: (scope: Scope) => Promise<string | null>;
}

/** A function that makes the assertions of one part of a table. */
export type TablePart = (t: CheckContext) => Promise<readonly Assertion[]>;

const ROWS_AT_ONCE = 4;

/** The result of a case. `CoverageCounts` has a count with the same name for each result. */
type RowState = "judged" | "masked" | "hidden" | "notEvaluated";

/** The minimum number of cases of a list that run, even if other checks need the remaining requests. */
export const LEAST_ROWS = 8;
/** After this share of the time of a run, checks skip cases of their lists, because other checks need time too. */
const MOST_TIME = 0.5;

/** The result of a probe, with the exchanges of the probe. The suite does not judge this result. */
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
    // All checks have the same priority. Otherwise, checks that start late would be the first to fail if a budget is used up.
    this.#scope = new Scope(run, service, [], 0, othersFirst === undefined ? {} : { othersFirst });
    this.checkId = checkId;
  }

  /** The state that all checks of a run share: the object that judges every response, and the clauses that were violated so far. */
  get shared(): Pick<RunServices, "everyResponse" | "failed"> {
    return this.#scope.run;
  }

  /** The number of requests that this check has sent so far. The run uses it to estimate how many more requests it will need. */
  get progress(): Progress {
    return this.#scope.progress;
  }

  /** All exchanges that the check and its fixtures have made so far. */
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

  /** Resolves to the value of a fixture. The first call builds the fixture. Rejects with the reason if the fixture could not be built. */
  async use<T>(wanted: Fixture<T>): Promise<T> {
    return this.#scope.use(wanted);
  }

  /**
   * Runs an assertion and records its finding. Resolves to true if all its clauses were held. Also resolves to true if they were not
   * judged, because the target refuses a request that the documents do not promise.
   */
  async verify(assertion: Assertion): Promise<boolean> {
    const state = await this.#verified(assertion);
    return state === "judged" || state === "masked";
  }

  async #verified(assertion: Assertion): Promise<RowState> {
    try {
      const finding = await assertion(this.#scope);
      if (this.record.note(finding)) return "judged";
      return finding.differences.length > 0 ? "hidden" : "notEvaluated";
    } catch (error) {
      if (!(error instanceof Masked)) throw error;
      this.record.masked ??= this.#scope.mask(error).message;
      return "masked";
    }
  }

  /** Verifies the assertion that a probe returns. If the probe returns null, the check ends as `not run` with the given reason. */
  async verifyProbed(probe: (scope: Scope) => Promise<Assertion | null>, reason: string): Promise<void> {
    const { seen } = await this.probe(probe);
    if (seen === null) this.notRun(reason);
    else await this.verify(seen);
  }

  /**
   * Verifies each case of a list. If a case cannot be evaluated, its clause stays unverified, and the other cases still run. After `least`
   * cases, a release run skips further cases if other checks need the requests. The coverage counts skipped cases.
   */
  async verifyRows(rows: readonly AssertionRow[], least = rows.length): Promise<void> {
    const waiting = [...rows];
    const counts = { judged: 0, masked: 0, hidden: 0, notEvaluated: 0, cut: 0 };
    const lane = async (): Promise<void> => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
        const mayLeaveOut = this.profile === "release" && rows.length - waiting.length > least;
        counts[mayLeaveOut && leavesOutRow(this.#scope, MOST_TIME, 1) ? "cut" : await this.#verifyRow(row)] += 1;
      }
    };
    await Promise.all(Array.from({ length: ROWS_AT_ONCE }, lane));
    if (counts.cut === 0) return;
    const maskedBy =
      counts.masked === 0 ? [] : [{ levels: {}, combinations: counts.masked, reason: "the target refuses requests of this kind" }];
    const engine = this.checkId.startsWith("admin-") ? "histories" : "queries";
    this.#scope.run.coverage.set(`rows of ${this.checkId}`, {
      engine,
      check: this.checkId,
      strength: 1,
      possible: rows.length,
      ...counts,
      maskedBy,
    });
  }

  /**
   * Makes and verifies the cases of each part of a list. If a part fails, the clause stays unverified, and the other parts still run. An
   * observation lists the parts that do not apply to this target. If no part applies, the check ends as `not run`.
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
    await this.verifyRows(made.flat(), LEAST_ROWS);
  }

  async #verifyRow({ clause, assertion, unless }: AssertionRow): Promise<RowState> {
    try {
      if (unless !== undefined) {
        const { seen: what, exchanges } = await this.probe(unless);
        const refusal = exchanges.at(-1);
        if (what !== null && refusal !== undefined) throw new Masked(clause, what, refusal);
      }
      return await this.#verified(assertion);
    } catch (error) {
      if (error instanceof Masked) {
        this.record.masked ??= this.masked(error).message;
        return "masked";
      }
      if (!(error instanceof Inconclusive) || error instanceof Interrupted) throw error;
      this.record.noteNotEvaluated(clause, error.message, clausesToSee(error.message) as ClauseId[]);
      return "notEvaluated";
    }
  }

  /** Records a request, or a part of a request, that the target refuses and the documents do not promise. */
  masked(error: Masked): Masked {
    return this.#scope.mask(error);
  }

  /** Runs generated cases and judges the responses of each case, as `property.ts` explains. */
  async property<T>(options: PropertyOptions<T> | OldPropertyOptions<T>): Promise<void> {
    await runProperty(this.#scope, this.checkId, this.record, "trial" in options ? { ...options, assertion: options.trial } : options);
  }

  /** Sends requests and returns the responses without judging them. */
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

  /** Records behaviour about which the documents are silent. A recorded observation is never judged. */
  observe(clause: ClauseId, slug: string, title: string, { seen, exchanges }: Probed<unknown>): void {
    this.record.noteObserved(clause, {
      id: `${clause}/${slug}`,
      clause,
      title,
      seen,
      exchanges: exchanges.slice(-1).map((exchange) => asEvidence(exchange, this.#scope.run.redactor)),
    });
  }

  /** Ends the check as `not run`: the settings do not ask for the behaviour, or this target cannot show it. */
  notRun(reason: string): never {
    throw new NotRun(reason);
  }

  /** Ends the check. Each of its clauses that has no verdict yet becomes inconclusive, with the given reason. */
  inconclusive(reason: string): never {
    throw new Inconclusive(reason);
  }
}
