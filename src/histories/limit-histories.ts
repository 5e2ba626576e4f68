/**
 * Instance histories: creates and updates with limits, as rows of a covering array, each followed by a read. A level that the target
 * refuses is masked. A row that it refuses as a whole is split into parts, because the documents do not say which values a target accepts
 * together.
 */
import { type Answered, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import { Inconclusive, Masked } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { LIMIT_NAMES, type LimitName, type Limits } from "../contract/limits.ts";
import { coverageOf, type LevelState } from "../design/coverage.ts";
import { coveringArray } from "../design/covering-array.ts";
import { minimise } from "../design/minimise.ts";
import { limitOf, type Operation, OPERATION_RULES, type Outcome as OutcomeOf } from "../diagnosis/limit-outcomes.ts";
import { sentDifferences, unsentDifferences } from "../diagnosis/filling.ts";
import { expecting } from "../harness/expect.ts";
import { derivedSeed } from "../harness/seed.ts";
import type { Finding } from "../harness/finding.ts";
import { leavesOutRow } from "../harness/property.ts";
import type { Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { isObject, type JsonObject, member } from "../model/json.ts";
import { globalDefaults, sameAsRead } from "../model/limits.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { change, CHANGE_NEEDS, type LimitsJudge, removedFrom } from "./changes.ts";
import { overridesOf, shownDefaults, updatePlainly } from "./filled-limits.ts";
import { createInstance, newName, update } from "./instances.ts";
import { poolSize, type PoolInstance, withInstance } from "./instance-pool.ts";
import { divided, halves } from "./limit-groups.ts";
import { type HistoryPlan, type HistoryRow, type LimitLevel, LimitRows, OPERATIONS, part } from "./limit-rows.ts";
import { bodyOf, limitsIn, reading, readSettled } from "./reading.ts";
import { unchangedSince } from "./unchanged-instances.ts";

type Outcome = OutcomeOf<Answered>;

/** The value of a limit after an update over limits that does not send it. */
export type OverLimits = "kept" | "reset to the default";

export interface Histories {
  readonly outcomes: readonly Outcome[];
  /** Smaller requests that repeat some wrong outcomes. They explain a violation, and do not decide which clause is violated. */
  readonly smaller: readonly Outcome[];
  /** The findings about updates without limits. */
  readonly removals: readonly Finding[];
  /** The findings about limits that the target refuses if an update adds one of them alone. */
  readonly refusedAlone: readonly Finding[];
  /** A refusal for each operation of which the target accepted no request. */
  readonly refused: readonly Masked[];
  /** The effects of updates over limits on the limits that they do not send. */
  readonly overLimits: ReadonlySet<OverLimits>;
  /** The reason why rows were left out, if it is not a refusal. Null if no row was left out for another reason. */
  readonly stopped: string | null;
}

/** The maximum number of requests in one run that find refused levels and combinations. */
const MOST_PROBES = 160;
/** The share of the run's time after which no more rows of the array are run, because other checks need time too. */
const MOST_TIME = 0.4;
/** This share of the rows of the array runs, also if other checks need the requests. */
const LEAST_ROWS = 0.5;
/** A row is an update and a read. */
const REQUESTS_OF_A_ROW = 2;
/** The maximum number of requests for one refused combination of levels. */
const MOST_SPLITS = 16;
/** After this many refusals of parts of a row with one level, the level is masked for the limits of each refused part. */
const MOST_REFUSED = 6;
/** A refused combination of at most this many levels is remembered. */
const MOST_TOGETHER = 3;
/** The number of updates without limits that are followed by a read. The responses to all of them are judged. */
const MOST_READ_REMOVALS = 12;
/** The instance with most updates runs each n-th row of the array that adds limits, and this is n. */
const ADDS_ON_FIRST = 3;
/** The number of times that the same limits are sent again. */
const EQUAL_UPDATES = { smoke: 0, release: 5, nightly: 9 };
const NOT_SENT = 0;
/** The requests of an operation if the target accepts none of them, as the end of "the target refuses". */
const REFUSED: Readonly<Record<Operation, string>> = {
  create: "each create with limits that the run tried",
  add: "each update that adds limits that the run tried",
  overwrite: "each update over existing limits that the run tried",
};
/** A refusal with 403, which a gateway may give to any input. */
const FORBIDDEN = "forbidden";

/** Runs the mandatory rows, then the rows of the array, on the instances of the pool. */
export async function runHistories(scope: Scope, plan: HistoryPlan): Promise<Histories> {
  for (const need of CHANGE_NEEDS) await scope.use(need);
  const known = { accepted: await scope.use(acceptedLimits), defaults: globalDefaults(overridesOf(scope)) };
  return new HistoryRun(scope, plan, new LimitRows(scope, plan, known)).run(
    await scope.use(shownDefaults),
    (await scope.use(poolSize)).count,
  );
}

class HistoryRun {
  readonly #scope: Scope;
  readonly #plan: HistoryPlan;
  readonly #rows: LimitRows;
  readonly #outcomes: Outcome[] = [];
  /** The limits of an instance in its last read. */
  readonly #shown = new WeakMap<PoolInstance, JsonObject>();
  readonly #overLimits = new Set<OverLimits>();
  readonly #refusals = new Map<Operation, Answered>();
  #probes = 0;
  #names = 0;
  readonly #removals: Finding[] = [];
  readonly #refusedAlone: Finding[] = [];
  #noLimits: LimitsJudge = () => [];
  /** Whether the mandatory rows have run. */
  #isArray = false;
  /** The number of rows of the array that were left out. `#mostLeftOut` is its maximum, unless the time is used up too. */
  #leftOut = 0;
  #mostLeftOut = 0;
  #stopped: string | null = null;
  #effective: Readonly<Record<LimitName, unknown>> = {} as Record<LimitName, unknown>;

  constructor(scope: Scope, plan: HistoryPlan, rows: LimitRows) {
    this.#scope = scope;
    this.#plan = plan;
    this.#rows = rows;
  }

  async run(effective: Readonly<Record<LimitName, unknown>>, overlap: number): Promise<Histories> {
    this.#effective = effective;
    this.#noLimits = await removedFrom(this.#scope);
    const { profile, seed } = this.#scope.settings;
    const mandatory = this.#rows.mandatory();
    const [creates, adds, overs] = (["create", "add", "overwrite"] as const).map((wanted) =>
      mandatory.filter(({ operation }) => operation === wanted),
    ) as [HistoryRow[], HistoryRow[], HistoryRow[]];
    const first = await this.#firstCreated(creates.shift() ?? null);
    const onFirst = async (rows: readonly HistoryRow[]): Promise<void> =>
      first === null ? this.#onBorrowed(rows) : this.#allUpdated(first, rows);
    // Rows with one level find the values that the target refuses, before levels are combined.
    await this.#runAll(
      [
        () => onFirst(overs),
        ...adds.map((row) => () => this.#onBorrowed([row])),
        ...creates.map((row, index) => () => (index === 0 ? this.#created(row) : this.#createdAndLeft(row))),
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
    const rows = coveringArray({
      sizes,
      strength,
      seed: derivedSeed(seed, "histories"),
      isAllowed: (levels) => levels.every((level, factor) => level === undefined || !isMasked(factor, level)),
      most: this.#plan.most[profile],
    }).map((row) => this.#rows.ofArray(row));
    this.#isArray = true;
    this.#mostLeftOut = rows.length * (1 - LEAST_ROWS);
    // A single instance gets as many updates as possible, because some servers fail after many. It gets all rows that overwrite limits,
    // because the run knows only the limits of this instance.
    const chain = rows.filter(isOnFirst).flatMap((row, index) => (index === 0 ? this.#equalRows(row) : [row]));
    const others = rows.filter((row, index) => !isOnFirst(row, index));
    await this.#runAll([() => onFirst(chain), ...others.map((row) => () => this.#onBorrowed([row]))], overlap + 1);
    if (first !== null) await this.#runAll([() => this.#removed(first)], 1);
    const outcomes = [...this.#outcomes];
    if (this.#stopped === null)
      this.#scope.run.coverage.set("histories", {
        ...coverageOf({ factors: ["operation", ...LIMIT_NAMES], sizes, strength, isMasked, isApart, rows: this.#judgedRows() }),
        maskedLevels: this.#rows.maskedLevels(),
      });
    await this.#runAll([() => this.#minimiseDefects()], 1);
    return {
      outcomes,
      smaller: this.#outcomes.slice(outcomes.length),
      removals: this.#removals,
      refusedAlone: this.#refusedAlone,
      refused: this.#refusedOperations(outcomes),
      overLimits: this.#overLimits,
      stopped: this.#stopped,
    };
  }

  #refusedOperations(outcomes: readonly Outcome[]): Masked[] {
    return [...this.#refusals]
      .filter(([operation]) => !outcomes.some((one) => one.operation === operation))
      .map(([operation, exchange]) => new Masked(OPERATION_RULES[operation], REFUSED[operation], exchange));
  }

  /** The same limits several times, like a client that writes its state every minute. */
  #equalRows(row: HistoryRow): HistoryRow[] {
    return [row, ...Array.from({ length: this.#scope.pick(EQUAL_UPDATES) }, (): HistoryRow => ({ ...row, operation: "overwrite" }))];
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
      this.#shown.delete(borrowed);
      await this.#allUpdated(borrowed, rows);
    });
  }

  async #allUpdated(borrowed: PoolInstance, rows: readonly HistoryRow[]): Promise<void> {
    for (const row of rows) {
      if (this.#stopped !== null) return;
      // If enough rows were left out already, no requests may be saved, and only a lack of time can leave out this row.
      const savedRequests = this.#leftOut < this.#mostLeftOut ? REQUESTS_OF_A_ROW : 0;
      if (this.#isArray && leavesOutRow(this.#scope, MOST_TIME, savedRequests)) this.#leftOut += 1;
      else await this.#updated(borrowed, row);
    }
  }

  /** The instance that most updates are sent to. Null if the target refuses to create one with limits. */
  async #firstCreated(row: HistoryRow | null): Promise<PoolInstance | null> {
    return row === null ? null : this.#created(row, true);
  }

  /** An instance that is created with limits. Null if the create is refused, because the documents do not say which values it must accept. */
  async #created(row: HistoryRow, isUpdated = false): Promise<PoolInstance | null> {
    const fitting = this.#rows.without(row);
    if (fitting.levels.size === 0) return null;
    this.#names += 1;
    const instance = await this.#unlessMasked(() => createInstance(this.#scope, `h${this.#names}`, fitting.sent));
    if (instance !== null && !isSuccess(instance.created)) this.#refusals.set("create", instance.created);
    if (instance === null || !isSuccess(instance.created)) return null;
    const firstRead = await readSettled(this.#scope, instance);
    const borrowed: PoolInstance = { instance, firstRead, createdAt: member(jsonOf(firstRead), "created_at"), bare: false };
    return (await this.#judgedCreate(borrowed, fitting, isUpdated)) ? borrowed : null;
  }

  /** Null if the target refuses the request with 403: a gateway may refuse some inputs, and a service may have a quota. */
  async #unlessMasked<T>(send: () => Promise<T>): Promise<T | null> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Masked)) throw error;
      this.#scope.mask(error);
      return null;
    }
  }

  /** Creates an instance with limits, overwrites them once, and does not update the instance again. */
  async #createdAndLeft(row: HistoryRow): Promise<void> {
    const borrowed = await this.#created(row, true);
    if (borrowed === null) return;
    const update = this.#rows.without({
      ...this.#rows.drawn("add", new Map(LIMIT_NAMES.map((name) => [name, this.#rows.ordinary]))),
      operation: "overwrite",
    });
    const before = this.#shown.get(borrowed) ?? {};
    if ((await this.#refusalOf(borrowed, update)) !== null) return;
    const outcome = this.#outcomes.find(({ sent }) => sent === update.sent);
    if (outcome?.differences.length !== 0) return;
    const judge = this.#judge(update, before);
    this.#leave(borrowed, "admin-4.PUT-over-limits", (body) => judge(body).map((one) => this.#laterClause(one, body, before)));
  }

  /**
   * The clause of a value that was right after an update over limits and is wrong later. The row of the limit is held. If the limit has its
   * value before the update, or its default, the update was lost. Otherwise the clause of reads is violated, because the value comes from
   * neither the update nor the state before it.
   */
  #laterClause(difference: Difference, { limits }: JsonObject, before: JsonObject): Difference {
    const name = limitOf(difference);
    if (name === null || difference.nature !== "value") return difference;
    const shown = isObject(limits) ? limits[name] : undefined;
    const isLost = sameAsRead(name, before[name], shown) || sameAsRead(name, this.#effective[name], shown);
    return { ...difference, clause: isLost ? "admin-4.PUT-over-limits" : "admin-4.GET" };
  }

  /** Schedules another read of the instance at the end of the run. The read must show the same state. */
  #leave({ instance }: PoolInstance, clause: ClauseId, judge: LimitsJudge): void {
    this.#scope.revisit(instance, expecting({ clauses: clause, of: instance, ask: reading(instance), expect: judge }));
  }

  /** Removes the limits of an instance that was created with limits. */
  async #removed(borrowed: PoolInstance): Promise<void> {
    const state = { displayName: newName(this.#scope), limits: this.#noLimits };
    const found = await change(this.#scope, borrowed, { state, clause: "admin-4.2" });
    this.#removals.push(found);
    if (found.differences.length === 0 && found.refused !== true) this.#leave(borrowed, "admin-4.2", this.#noLimits);
  }

  async #judgedCreate(borrowed: PoolInstance, row: HistoryRow, isUpdated: boolean): Promise<boolean> {
    const { instance } = borrowed;
    const settled = await this.#scope.eventually({
      resource: instance,
      read: () => this.#scope.admin.read(instance.name),
      judge: (exchange) => {
        const { body, differences } = bodyOf(exchange, "admin-4.GET");
        return body === null ? differences : this.#judge(row, null)(body);
      },
    });
    this.#note(borrowed, row, null, settled.differences, settled.value, [settled.value, instance.created], settled.attempts);
    const { body } = bodyOf(settled.value, "admin-4.GET");
    // The read is repeated later, because a service may truncate values only in its store, and not in memory.
    if (body !== null && settled.differences.length === 0 && !isUpdated) this.#scope.revisit(instance, unchangedSince(instance, body));
    return body !== null;
  }

  /** Sends the row as an update, and splits it into parts if the target refuses it. */
  async #updated(borrowed: PoolInstance, row: HistoryRow): Promise<void> {
    const parts = [this.#rows.without(row)];
    const isOneLevel = new Set(row.levels.values()).size === 1;
    for (let refused = 0, next = parts.shift(); next !== undefined; next = parts.shift()) {
      const refusal = next.levels.size === 0 ? null : await this.#refusalOf(borrowed, next);
      if (refusal === null) continue;
      refused += 1;
      const isKnown = isOneLevel && (next.levels.size === 1 || refused > MOST_REFUSED || this.#probes > MOST_PROBES);
      if (row.levels.size === 1 && row.operation === "add") await this.#judgeAlone(borrowed, next, refusal);
      else if (isKnown) this.#mask(next, refusal);
      else if (isOneLevel) parts.unshift(...divided([...next.levels.keys()]).map((names) => part(next, names)));
      else if (this.#probes <= MOST_PROBES) parts.unshift(...(await this.#apartFrom(borrowed, next)));
    }
  }

  /** Records that the target refuses the levels of a row. The documents do not say which values it must accept. */
  #mask(row: HistoryRow, refusal: Answered | typeof FORBIDDEN): void {
    this.#rows.mask(row);
    if (refusal === FORBIDDEN) return;
    // Levels that differ only in their number are rounds of one kind.
    for (const [name, level] of row.levels)
      this.#scope.mask(new Masked(`admin-2.limit.${name}`, `${level.name.replace(/ \d+$/, "")} values`, refusal));
  }

  /**
   * Judges the refusal of an update that adds one limit. The documents do not say which values a service must accept. But it must accept
   * the default of the limit, or the value that it accepted with others, because both give limits that it has accepted.
   */
  async #judgeAlone(borrowed: PoolInstance, { levels, sent }: HistoryRow, refusal: Answered | typeof FORBIDDEN): Promise<void> {
    const [name] = levels.keys();
    if (name === undefined || refusal === FORBIDDEN || (await updatePlainly(this.#scope, borrowed, sent)).taken !== null) return;
    const clause = `admin-2.limit.${name}` as const;
    const expected = `success (2xx) for an update that adds only ${name}, with ${show(sent[name])}, the default, or a value that was accepted with other limits`;
    const actual = `each of these updates is refused, first with status ${statusOf(refusal)}: ${show(refusal.response.body)}`;
    this.#refusedAlone.push({ clauses: [clause], differences: [{ clause, path: "status", expected, actual }], exchanges: [refusal] });
  }

  /** Repeats the smallest wrong update of each operation with fewer limits, as long as one of its wrong limits is still wrong. */
  async #minimiseDefects(): Promise<void> {
    for (const operation of OPERATIONS) {
      const wrong = this.#outcomes
        .filter((one) => one.operation === operation && wrongSent(one).length > 0)
        .toSorted((one, other) => one.levels.size - other.levels.size)[0];
      const [target] = wrong === undefined ? [] : wrongSent(wrong);
      if (wrong !== undefined && target !== undefined && wrong.levels.size > 1) await this.#minimiseDefect(wrong, target);
    }
  }

  async #minimiseDefect(wrong: Outcome, target: LimitName): Promise<void> {
    const row = this.#rows.again(wrong);
    await withInstance(this.#scope, async (borrowed) => {
      this.#shown.delete(borrowed);
      const fails = async (names: readonly LimitName[]): Promise<boolean> => {
        // A value that overwrites itself shows nothing, so another value is written first.
        if (row.operation === "overwrite")
          await this.#refusalOf(borrowed, this.#rows.drawn("add", new Map([[target, this.#rows.ordinary]])));
        const before = this.#outcomes.length;
        if ((await this.#refusalOf(borrowed, part(row, [target, ...names]))) !== null) return false;
        return this.#outcomes.slice(before).some((one) => wrongSent(one).includes(target));
      };
      if (!(await fails([])))
        await minimise(
          [...wrong.levels.keys()].filter((name) => name !== target),
          fails,
          MOST_SPLITS,
        );
    });
  }

  /** The parts that are tried after the target refused a combination of levels that it accepts alone. */
  async #apartFrom(borrowed: PoolInstance, row: HistoryRow): Promise<HistoryRow[]> {
    const names = [...row.levels.keys()];
    if (names.length === 1) return [];
    const { items } = await minimise(
      names,
      async (some) => {
        this.#probes += 1;
        const answer = await this.#unlessMasked(() => update(this.#scope, borrowed.instance, newName(this.#scope), part(row, some).sent));
        if (answer === null || !isSuccess(answer)) return true;
        borrowed.bare = false;
        this.#shown.delete(borrowed);
        return false;
      },
      MOST_SPLITS,
    );
    if (items.length > MOST_TOGETHER) return halves(names).map((half) => part(row, half));
    this.#rows.maskTogether(row, items);
    return [this.#rows.without(row)];
  }

  /** Sends an update, and judges its response and later reads. Returns the refusal if the target refuses it, otherwise null. */
  async #refusalOf(borrowed: PoolInstance, row: HistoryRow): Promise<Answered | typeof FORBIDDEN | null> {
    const scope = this.#scope;
    if (row.operation === "add" && !borrowed.bare) {
      const state = { displayName: newName(scope), limits: this.#noLimits };
      const isEnoughRead = this.#removals.length >= MOST_READ_REMOVALS;
      const removal = { state, clause: "admin-4.2", isResponseEnough: isEnoughRead, isWrongResponseEnough: isEnoughRead } as const;
      this.#removals.push(await change(scope, borrowed, removal));
      this.#shown.delete(borrowed);
    }
    const operation = borrowed.bare ? "add" : "overwrite";
    const before = operation === "add" ? null : (this.#shown.get(borrowed) ?? {});
    const asked = { ...row, operation } as const;
    const update = {
      state: { displayName: newName(scope), limits: this.#judge(asked, before) },
      limits: row.sent,
      clause: OPERATION_RULES[operation],
      isRefusalOpen: true,
      isRestOpen: operation === "overwrite",
      // Larger rows show whether a read agrees with the response.
      isResponseEnough: row.levels.size === 1,
    };
    const found = await this.#unlessMasked(() => change(scope, borrowed, update));
    if (found === null || found.refused === true) {
      this.#probes += 1;
      if (found === null) return FORBIDDEN;
      const refusal = found.exchanges[0] as Answered;
      this.#refusals.set(operation, refusal);
      return refusal;
    }
    const read = found.exchanges.find(({ operation: one }) => one === "read instance");
    this.#note(
      borrowed,
      asked,
      before,
      found.differences,
      (read ?? found.exchanges[0]) as Answered,
      found.exchanges as Answered[],
      found.attempts ?? [],
    );
    return null;
  }

  /** Returns the differences of the limits after a row. `before` has the limits until then, or null if there were none. */
  #judge({ operation, sent }: HistoryRow, before: JsonObject | null): LimitsJudge {
    const rule = OPERATION_RULES[operation];
    return (body) => {
      const { limits, differences } = limitsIn(body, rule);
      if (limits === null) return differences;
      const found = [
        ...sentDifferences(sent, limits, rule, () => true),
        ...unsentDifferences(sent, limits, (name) => this.#allowed(name, before), rule),
      ];
      // A read of the state before the update shows nothing about the update.
      if (found.length === 0) this.#observe(sent, before ?? {}, limits);
      return found;
    };
  }

  /** The values that a limit may have if it is not sent. Empty if they are unknown, and then the limit is not judged. */
  #allowed(name: LimitName, before: JsonObject | null): readonly unknown[] {
    if (this.#effective[name] === undefined || (before !== null && !Object.hasOwn(before, name))) return [];
    return before === null ? [this.#effective[name]] : [before[name], this.#effective[name]];
  }

  /** Records the values of limits that were not sent. */
  #observe(sent: Limits, before: JsonObject, limits: JsonObject): void {
    for (const name of LIMIT_NAMES) {
      const old = before[name];
      if (old === undefined || Object.hasOwn(sent, name) || sameAsRead(name, old, this.#effective[name])) continue;
      this.#overLimits.add(sameAsRead(name, limits[name], old) ? "kept" : "reset to the default");
    }
  }

  #note(
    borrowed: PoolInstance,
    { operation, levels, sent }: HistoryRow,
    before: JsonObject | null,
    differences: Outcome["differences"],
    last: Answered,
    exchanges: readonly Answered[],
    attempts: Outcome["attempts"],
  ): void {
    const { body } = bodyOf(last, "admin-4.GET");
    const limits = body?.["limits"];
    if (isObject(limits)) this.#shown.set(borrowed, limits);
    const names = new Map([...levels].map(([name, level]) => [name, level.name]));
    const open = new Set(LIMIT_NAMES.filter((name) => !Object.hasOwn(sent, name) && this.#allowed(name, before).length === 0));
    this.#outcomes.push({ operation, levels: names, sent, open, differences, isReadable: isObject(limits), exchanges, attempts });
  }

  /** The rows that were judged, with the state of each level, for the coverage. */
  #judgedRows(): { row: number[]; states: LevelState[] }[] {
    return this.#outcomes
      .filter(({ operation }) => operation !== "create")
      .map(({ operation, levels, open, differences, isReadable }) => {
        const wrong = new Set(differences.map(limitOf));
        const stateOf = (name: LimitName): LevelState =>
          !isReadable || open.has(name) ? "not evaluated" : wrong.has(name) ? "hidden" : "judged";
        return {
          row: [
            OPERATIONS.indexOf(operation),
            ...LIMIT_NAMES.map((name) => this.#rows.levelsOf(name).findIndex((level) => level.name === levels.get(name)) + 1),
          ],
          states: [isReadable ? "judged" : "not evaluated", ...LIMIT_NAMES.map(stateOf)],
        };
      });
  }
}

/** Whether the instance with most updates runs a row of the array. */
function isOnFirst({ operation }: HistoryRow, index: number): boolean {
  return operation === "overwrite" || index % ADDS_ON_FIRST === 0;
}

/** The sent limits that a response showed with another value. A wrong retention period is not one of them, because it violates a separate clause. */
function wrongSent({ sent, differences }: Outcome): LimitName[] {
  const wrong = differences.filter(({ clause }) => clause !== "admin-2.retention-format");
  return [...new Set(wrong.map(limitOf))].filter((name) => name !== null && Object.hasOwn(sent, name)) as LimitName[];
}
