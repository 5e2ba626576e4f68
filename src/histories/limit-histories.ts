/**
 * Instance histories: creates and updates with combinations of values, each followed by a read. Values that the target refuses are not sent
 * again. If it refuses a combination, smaller parts are sent, because the documents do not say which values a target accepts together.
 */
import { Inconclusive, Masked } from "../client/inconclusive.ts";
import { LIMIT_NAMES, type LimitName } from "../contract/limits.ts";
import { coverageOf, type LevelState } from "../design/coverage.ts";
import { coveringArray } from "../design/covering-array.ts";
import { limitOf, type Operation, OPERATION_RULES } from "../diagnosis/limit-outcomes.ts";
import { derivedSeed } from "../harness/seed.ts";
import type { Finding } from "../harness/finding.ts";
import { leavesOutRow } from "../harness/property.ts";
import type { Scope } from "../harness/scope.ts";
import { globalDefaults } from "../model/limits.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { CHANGE_NEEDS } from "./changes.ts";
import { overridesOf } from "./filled-limits.ts";
import { poolSize, type PoolInstance, withInstance } from "./instance-pool.ts";
import { type Outcome, type OverLimits, RowSender, RowDivision } from "./row-sender.ts";
import { type HistoryPlan, type HistoryRow, type LimitLevel, LimitRows, OPERATIONS } from "./limit-levels.ts";

export interface Histories {
  readonly outcomes: readonly Outcome[];
  /** Smaller requests that repeat some wrong outcomes. They help to explain a violation, but do not change the verdict of its clause. */
  readonly smaller: readonly Outcome[];
  readonly removals: readonly Finding[];
  /** The findings about limits that the target refuses if an update adds only one limit. */
  readonly refusedAlone: readonly Finding[];
  /** For each operation whose requests were all refused, one of the refusals. */
  readonly refused: readonly Masked[];
  /** The effects that updates of instances with limits have had on limits that they did not send. */
  readonly overLimits: ReadonlySet<OverLimits>;
  /** The reason why requests were skipped, or null. Requests that the target refuses do not count as skipped. */
  readonly stopped: string | null;
}

/** When the run has used this share of its time, no further combinations are sent, because other checks need time too. */
const MOST_TIME = 0.4;
/** At least this share of the combinations is sent, even if other checks need the requests. */
const LEAST_ROWS = 0.5;
/** Each combination needs an update and a read. */
const REQUESTS_OF_A_ROW = 2;
/** The instance with the most updates gets one in three of the updates that add limits. */
const ADDS_ON_FIRST = 3;
/** The number of times that the same limits are sent again. */
const EQUAL_UPDATES = { smoke: 0, release: 5, nightly: 9 };
const NOT_SENT = 0;
/** If the target accepts no request of an operation, these words follow "the target refuses" in the message. */
const REFUSED: Readonly<Record<Operation, string>> = {
  create: "each create with limits that the run tried",
  add: "each update with added limits that the run tried",
  overwrite: "each update over existing limits that the run tried",
};

/** Sends combinations to the instances of the pool: first the fixed combinations of each run, and then the generated ones. */
export async function runHistories(scope: Scope, plan: HistoryPlan): Promise<Histories> {
  for (const need of CHANGE_NEEDS) await scope.use(need);
  const known = { accepted: await scope.use(acceptedLimits), defaults: globalDefaults(overridesOf(scope)) };
  const rows = new LimitRows(scope, plan, known);
  return new HistoryRun(scope, plan, rows, await RowSender.of(scope)).run((await scope.use(poolSize)).count);
}

class HistoryRun {
  readonly #scope: Scope;
  readonly #plan: HistoryPlan;
  readonly #rows: LimitRows;
  readonly #sender: RowSender;
  readonly #division: RowDivision;
  /** True after the fixed combinations of each run have been sent. */
  #isArray = false;
  /** The number of generated combinations that were skipped: at most `#mostLeftOut`, unless the time is used up. */
  #leftOut = 0;
  #mostLeftOut = 0;
  #stopped: string | null = null;

  constructor(scope: Scope, plan: HistoryPlan, rows: LimitRows, sender: RowSender) {
    this.#scope = scope;
    this.#plan = plan;
    this.#rows = rows;
    this.#sender = sender;
    this.#division = new RowDivision(scope, rows, sender);
  }

  async run(overlap: number): Promise<Histories> {
    const { profile, seed } = this.#scope.settings;
    const mandatory = this.#rows.mandatory();
    const [creates, adds, overs] = (["create", "add", "overwrite"] as const).map((wanted) =>
      mandatory.filter(({ operation }) => operation === wanted),
    ) as [HistoryRow[], HistoryRow[], HistoryRow[]];
    const first = await this.#firstCreated(creates.shift() ?? null);
    const onFirst = async (rows: readonly HistoryRow[]): Promise<void> =>
      first === null ? this.#onBorrowed(rows) : this.#allUpdated(first, rows);
    // Requests in which all limits have the same kind of value come first. They show which values the target refuses, before kinds are
    // combined.
    await this.#runAll(
      [
        () => onFirst(overs),
        ...adds.map((row) => () => this.#onBorrowed([row])),
        ...creates.map((row, index) => () => (index === 0 ? this.#sender.created(this.#rows.without(row)) : this.#createdAndLeft(row))),
      ],
      overlap + 1,
    );
    const strength = profile === "smoke" ? 1 : 2;
    const sizes = [OPERATIONS.length, ...LIMIT_NAMES.map((name) => this.#rows.levelsOf(name).length + 1)];
    const levelAt = (factor: number, level: number): readonly [LimitName, LimitLevel | undefined] => {
      const name = LIMIT_NAMES[factor - 1] as LimitName;
      return [name, level === NOT_SENT || factor === 0 ? undefined : this.#rows.levelsOf(name)[level - 1]];
    };
    const isMasked = (factor: number, level: number): boolean =>
      factor > 0 && level !== NOT_SENT && this.#rows.isMasked(...levelAt(factor, level));
    const isApart = (factor: number, level: number, other: number, second: number): boolean =>
      this.#rows.areApart(levelAt(factor, level), levelAt(other, second));
    // The requests that are always sent have covered some pairs already.
    const covered = this.#judgedRows().flatMap(({ row, states }) => (states.includes("not evaluated") ? [] : [row]));
    const rows = coveringArray({
      sizes,
      strength,
      seed: derivedSeed(seed, "histories"),
      isAllowed: (levels) => levels.every((level, factor) => level === undefined || !isMasked(factor, level)),
      mandatory: covered,
      most: covered.length + this.#plan.most[profile],
    })
      .slice(covered.length)
      .map((row) => this.#rows.ofArray(row));
    this.#isArray = true;
    this.#mostLeftOut = rows.length * (1 - LEAST_ROWS);
    // A single instance gets as many updates as possible, because some servers fail after many updates of one instance. It also gets all
    // updates that overwrite limits, because the run knows the limits of this instance only.
    const chain = rows.filter(isOnFirst).flatMap((row, index) => (index === 0 ? this.#equalRows(row) : [row]));
    const others = rows.filter((row, index) => !isOnFirst(row, index));
    await this.#runAll([() => onFirst(chain), ...others.map((row) => () => this.#onBorrowed([row]))], overlap + 1);
    if (first !== null) await this.#runAll([() => this.#sender.removed(first)], 1);
    const outcomes = [...this.#sender.outcomes];
    if (this.#stopped === null)
      this.#scope.run.coverage.set("histories", {
        engine: "histories",
        check: "admin-4.3/histories",
        ...coverageOf({
          factors: ["operation", ...LIMIT_NAMES],
          levelName: (factor, level) => (factor === 0 ? (OPERATIONS[level] ?? "") : (levelAt(factor, level)[1]?.name ?? "not sent")),
          sizes,
          strength,
          isMasked,
          isApart,
          rows: this.#judgedRows(),
        }),
      });
    await this.#runAll([() => this.#division.minimiseDefects()], 1);
    return {
      outcomes,
      smaller: this.#sender.outcomes.slice(outcomes.length),
      removals: this.#sender.removals,
      refusedAlone: this.#division.refusedAlone,
      refused: this.#refusedOperations(outcomes),
      overLimits: this.#sender.overLimits,
      stopped: this.#stopped,
    };
  }

  #refusedOperations(outcomes: readonly Outcome[]): Masked[] {
    return [...this.#sender.refusals]
      .filter(([operation]) => !outcomes.some((one) => one.operation === operation))
      .map(([operation, exchange]) => new Masked(OPERATION_RULES[operation], REFUSED[operation], exchange));
  }

  /** Returns the request, and then updates with the same limits, as some clients send them every minute. The last two bodies are equal. */
  #equalRows(row: HistoryRow): HistoryRow[] {
    const again: HistoryRow = { ...row, operation: "overwrite" };
    const count = this.#scope.pick(EQUAL_UPDATES);
    return [row, ...Array.from({ length: count }, (_, index) => (index === count - 1 ? { ...again, isSameName: true as const } : again))];
  }

  async #runAll(tasks: readonly (() => Promise<unknown>)[], overlap: number): Promise<void> {
    const waiting = [...tasks];
    const lane = async (): Promise<void> => {
      for (let task = waiting.shift(); task !== undefined && this.#stopped === null; task = waiting.shift()) {
        try {
          await task();
        } catch (error) {
          if (!(error instanceof Inconclusive)) throw error;
          this.#stopped = error.message;
        }
      }
    };
    await Promise.all(Array.from({ length: overlap }, lane));
  }

  async #onBorrowed(rows: readonly HistoryRow[]): Promise<void> {
    await withInstance(this.#scope, async (borrowed) => {
      // Other checks have updated the instance since it was borrowed last.
      this.#sender.forget(borrowed);
      await this.#allUpdated(borrowed, rows);
    });
  }

  async #allUpdated(borrowed: PoolInstance, rows: readonly HistoryRow[]): Promise<void> {
    for (const row of rows) {
      if (this.#stopped !== null) return;
      // If the run has already skipped the maximum number of requests, it skips this request only if there is no time left.
      const savedRequests = this.#leftOut < this.#mostLeftOut ? REQUESTS_OF_A_ROW : 0;
      if (this.#isArray && leavesOutRow(this.#scope, MOST_TIME, savedRequests)) this.#leftOut += 1;
      else await this.#division.updated(borrowed, row);
    }
  }

  /** Resolves to the instance that gets most updates, or to null if the target refuses to create an instance with limits. */
  async #firstCreated(row: HistoryRow | null): Promise<PoolInstance | null> {
    return row === null ? null : this.#sender.created(this.#rows.without(row), true);
  }

  async #createdAndLeft(row: HistoryRow): Promise<void> {
    const all = this.#rows.drawn("add", new Map(LIMIT_NAMES.map((name) => [name, this.#rows.ordinary])));
    await this.#sender.createdAndLeft(this.#rows.without(row), this.#rows.without({ ...all, operation: "overwrite" }));
  }

  /** Returns the judged requests, with the state of each level, for the coverage. */
  #judgedRows(): { row: number[]; states: LevelState[] }[] {
    return this.#sender.outcomes
      .filter(({ operation }) => operation !== "create")
      .map(({ operation, levels, open, differences, isReadable }) => {
        const wrong = new Set(differences.map(limitOf));
        const levelOf = (name: LimitName): number => this.#rows.levelsOf(name).findIndex((level) => level.name === levels.get(name)) + 1;
        // Some levels occur only in the fixed requests, and never in generated combinations.
        const isOther = (name: LimitName): boolean => levels.has(name) && levelOf(name) === NOT_SENT;
        const stateOf = (name: LimitName): LevelState =>
          !isReadable || open.has(name) || isOther(name) ? "not evaluated" : wrong.has(name) ? "hidden" : "judged";
        return {
          row: [OPERATIONS.indexOf(operation), ...LIMIT_NAMES.map(levelOf)],
          states: [isReadable ? "judged" : "not evaluated", ...LIMIT_NAMES.map(stateOf)],
        };
      });
  }
}

/** Whether a generated combination goes to the instance with the most updates. */
function isOnFirst({ operation }: HistoryRow, index: number): boolean {
  return operation === "overwrite" || index % ADDS_ON_FIRST === 0;
}
