/**
 * Instance histories: creates and updates with limits, as rows of a covering array, each followed by a read. A level that the target
 * refuses is masked. A row that it refuses as a whole is taken apart, because the documents do not say which values go together.
 */
import type fc from "fast-check";
import type { Writable } from "../../arbitraries/limits.ts";
import { type Answered, isSuccess, jsonOf } from "../../client/exchange.ts";
import { Inconclusive, Masked } from "../../client/inconclusive.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import { LIMIT_NAMES, type LimitName, type Limits, type LimitValue } from "../../contract/limits.ts";
import { coverageOf, type LevelState } from "../../design/coverage.ts";
import { coveringArray, type Row } from "../../design/covering-array.ts";
import { minimise } from "../../design/minimise.ts";
import { limitOf, type Operation, OPERATION_RULES, type Outcome as OutcomeOf } from "../../diagnosis/limit-outcomes.ts";
import { sentDifferences, unsentDifferences } from "../../diagnosis/filling.ts";
import type { Check } from "../../harness/check.ts";
import { expecting } from "../../harness/expect.ts";
import { derivedSeed } from "../../harness/seed.ts";
import type { Finding } from "../../harness/finding.ts";
import { isEnough, isLate } from "../../harness/property.ts";
import type { Scope } from "../../harness/scope.ts";
import type { Difference } from "../../model/difference.ts";
import { isObject, type JsonObject, member } from "../../model/json.ts";
import { globalDefaults, sameAsRead } from "../../model/limits.ts";
import { acceptedLimits, type AcceptedLimits } from "./accepted-limits.ts";
import { change, CHANGE_NEEDS, type LimitsJudge, removedFrom } from "./change.ts";
import { overridesOf, shownDefaults } from "./filled-limits.ts";
import { createInstance, newName, update } from "./instances.ts";
import { type LoanedInstance, loanCount, withLoan } from "./loans.ts";
import { bodyOf, limitsIn, reading, readSettled } from "./reading.ts";
import { unchangedSince } from "./untouched.ts";

type Outcome = OutcomeOf<Answered>;

/** What the values of a level depend on. */
export interface Known {
  readonly accepted: AcceptedLimits & Writable;
  readonly defaults: Readonly<Record<LimitName, LimitValue | undefined>>;
}

/** A level of all limits that have it. */
export interface LimitLevel {
  readonly name: string;
  /** The values of a limit at this level. Null if the limit does not have the level. */
  readonly valuesOf: (name: LimitName, known: Known) => fc.Arbitrary<LimitValue> | null;
}

/** A row in which each of `names` has the same level, and the other limits are not sent. */
export interface MandatoryRow {
  readonly operation: Operation;
  readonly level: LimitLevel;
  readonly names: readonly LimitName[];
  readonly profiles: Check["profiles"];
}

interface HistoryRow {
  readonly operation: Operation;
  /** The level of each limit that is sent. */
  readonly levels: ReadonlyMap<LimitName, LimitLevel>;
  readonly sent: Limits;
}

/** What becomes of a limit that an update over limits does not send. */
export type OverLimits = "kept" | "reset to the default";

export interface Histories {
  readonly outcomes: readonly Outcome[];
  /** Smaller requests that repeat some wrong outcomes. They explain a violation, and do not decide which clause is violated. */
  readonly smaller: readonly Outcome[];
  /** The findings about updates without limits. */
  readonly removals: readonly Finding[];
  /** For each operation of which the target accepted no request: a refusal. */
  readonly refused: readonly Masked[];
  /** What updates over limits do to limits that they do not send. */
  readonly overLimits: ReadonlySet<OverLimits>;
  /** Why rows were left out, other than refusals. Null if none was. */
  readonly stopped: string | null;
}

/** The requests that finding refused levels and combinations may use in one run. */
const MOST_PROBES = 160;
/** The share of the run's time after which no more rows of the array are run, because other checks need time too. */
const MOST_TIME = 0.4;
/** The maximum number of requests for one refused combination of levels. */
const MOST_SPLITS = 16;
/** After this many refusals of parts of a row with one level, the level is masked for the limits of each refused part. */
const MOST_REFUSED = 12;
/** A refused combination of at most this many levels is remembered. */
const MOST_TOGETHER = 3;
/** How many updates without limits are followed by a read. The responses to all of them are judged. */
const MOST_READ_REMOVALS = 12;
/** How often the same limits are sent again. */
const EQUAL_UPDATES = { smoke: 0, release: 5, nightly: 9 };
/** How many values of a limit there are at each level. */
const DRAWN_VALUES = 31;
const NOT_SENT = 0;
const OPERATIONS: readonly Operation[] = ["add", "overwrite"];

export interface HistoryPlan {
  readonly levels: readonly LimitLevel[];
  readonly mandatory: readonly MandatoryRow[];
  /** The maximum number of rows of the array, by profile. Mandatory rows are not counted. */
  readonly most: Readonly<Record<Check["profiles"][number], number>>;
}

/** Runs the mandatory rows, then the rows of the array, on the instances of the pool. */
export async function runHistories(scope: Scope, plan: HistoryPlan): Promise<Histories> {
  for (const need of CHANGE_NEEDS) await scope.use(need);
  return new HistoryRun(scope, plan, {
    accepted: await scope.use(acceptedLimits),
    defaults: globalDefaults(overridesOf(scope)),
  }).run(await scope.use(shownDefaults), await scope.use(loanCount));
}

class HistoryRun {
  readonly #scope: Scope;
  readonly #plan: HistoryPlan;
  readonly #known: Known;
  readonly #outcomes: Outcome[] = [];
  readonly #levels = new Map<LimitName, readonly LimitLevel[]>();
  readonly #values = new Map<string, readonly LimitValue[]>();
  /** Limits and the names of their levels that the target refuses, also alone. */
  readonly #masked = new Map<LimitName, Set<string>>();
  /** Levels that the target refuses only together. */
  readonly #apart: (readonly (readonly [LimitName, LimitLevel])[])[] = [];
  /** What reads last showed of the limits of an instance. */
  readonly #shown = new WeakMap<LoanedInstance, JsonObject>();
  readonly #overLimits = new Set<OverLimits>();
  readonly #refusals = new Map<Operation, Answered>();
  #probes = 0;
  #drawn = 0;
  #names = 0;
  readonly #removals: Finding[] = [];
  #noLimits: LimitsJudge = () => [];
  /** Whether the mandatory rows have run. */
  #isArray = false;
  #stopped: string | null = null;
  #effective: Readonly<Record<LimitName, unknown>> = {} as Record<LimitName, unknown>;

  constructor(scope: Scope, plan: HistoryPlan, known: Known) {
    this.#scope = scope;
    this.#plan = plan;
    this.#known = known;
  }

  async run(effective: Readonly<Record<LimitName, unknown>>, overlap: number): Promise<Histories> {
    this.#effective = effective;
    this.#noLimits = await removedFrom(this.#scope);
    const { profile, seed } = this.#scope.settings;
    const mandatory = this.#plan.mandatory
      .filter(({ profiles }) => profiles.includes(profile))
      .map(({ operation, level, names }) => this.#drawnRow(operation, new Map(names.map((name) => [name, level]))));
    const [creates, adds, overs] = (["create", "add", "overwrite"] as const).map((wanted) =>
      mandatory.filter(({ operation }) => operation === wanted),
    ) as [HistoryRow[], HistoryRow[], HistoryRow[]];
    const first = await this.#firstCreated(creates.shift() ?? null);
    const onFirst = async (rows: readonly HistoryRow[]): Promise<void> =>
      first === null ? this.#onBorrowed(rows) : this.#allUpdated(first, rows);
    // Rows with one level find out what the target refuses, before levels are combined.
    await this.#runAll(
      [
        () => onFirst(overs),
        ...adds.map((row) => () => this.#onBorrowed([row])),
        ...creates.map((row, index) => () => (index === 0 ? this.#created(row) : this.#createdAndLeft(row))),
      ],
      overlap + 1,
    );
    const strength = profile === "smoke" ? 1 : 2;
    const sizes = [OPERATIONS.length, ...LIMIT_NAMES.map((name) => this.#levelsOf(name).length + 1)];
    const isMasked = (factor: number, level: number): boolean => {
      const name = LIMIT_NAMES[factor - 1];
      return name !== undefined && level !== NOT_SENT && this.#isMasked(name, this.#levelsOf(name)[level - 1]);
    };
    const rows = coveringArray({
      sizes,
      strength,
      seed: derivedSeed(seed, "histories"),
      isAllowed: (levels) => levels.every((level, factor) => level === undefined || !isMasked(factor, level)),
      most: this.#plan.most[profile],
    }).map((row) => this.#rowOf(row));
    this.#isArray = true;
    // One instance has as many updates as possible, because some servers fail after many.
    const middle = Math.ceil(rows.length / 2);
    const chain = rows.slice(0, middle).flatMap((row, index) => (index === 0 ? this.#equalRows(row) : [row]));
    await this.#runAll([() => onFirst(chain), ...rows.slice(middle).map((row) => () => this.#onBorrowed([row]))], overlap + 1);
    if (first !== null) await this.#runAll([() => this.#removed(first)], 1);
    const outcomes = [...this.#outcomes];
    if (this.#stopped === null)
      this.#scope.run.coverage.set("histories", {
        ...coverageOf({ sizes, strength, isMasked, rows: this.#judgedRows() }),
        maskedLevels: this.#maskedLevels(),
      });
    await this.#runAll([() => this.#minimiseDefects()], 1);
    return {
      outcomes,
      smaller: this.#outcomes.slice(outcomes.length),
      removals: this.#removals,
      refused: this.#refusedOperations(outcomes),
      overLimits: this.#overLimits,
      stopped: this.#stopped,
    };
  }

  #refusedOperations(outcomes: readonly Outcome[]): Masked[] {
    return [...this.#refusals]
      .filter(([operation]) => !outcomes.some((one) => one.operation === operation))
      .map(
        ([operation, exchange]) =>
          new Masked(OPERATION_RULES[operation], `each combination of limits that was tried (${operation})`, exchange),
      );
  }

  #maskedLevels(): Record<string, LimitName[]> {
    const names = [...new Set([...this.#masked.values()].flatMap((levels) => [...levels]))];
    return Object.fromEntries(names.map((level) => [level, LIMIT_NAMES.filter((name) => this.#masked.get(name)?.has(level) === true)]));
  }

  #rowOf([operation = 0, ...levels]: Row): HistoryRow {
    const wanted = levels.flatMap((level, index): [LimitName, LimitLevel][] => {
      const name = LIMIT_NAMES[index] as LimitName;
      const chosen = this.#levelsOf(name)[level - 1];
      return chosen === undefined ? [] : [[name, chosen]];
    });
    return this.#drawnRow(OPERATIONS[operation] ?? "add", new Map(wanted));
  }

  /** The same limits several times, as a client sends them that writes its state every minute. */
  #equalRows(row: HistoryRow): HistoryRow[] {
    return [row, ...Array.from({ length: this.#scope.pick(EQUAL_UPDATES) }, (): HistoryRow => ({ ...row, operation: "overwrite" }))];
  }

  #levelsOf(name: LimitName): readonly LimitLevel[] {
    const levels = this.#levels.get(name) ?? this.#plan.levels.filter(({ valuesOf }) => valuesOf(name, this.#known) !== null);
    this.#levels.set(name, levels);
    return levels;
  }

  /** The values of a limit at a level. They are drawn together, because each draw is slow. */
  #valuesOf(name: LimitName, level: LimitLevel): readonly LimitValue[] {
    const key = `${name} ${level.name}`;
    const arbitrary = this.#values.has(key) ? null : level.valuesOf(name, this.#known);
    const values = this.#values.get(key) ?? (arbitrary === null ? [] : this.#scope.draw(arbitrary, `histories ${key}`, DRAWN_VALUES));
    this.#values.set(key, values);
    return values;
  }

  #isMasked(name: LimitName, level: LimitLevel | undefined): boolean {
    return level !== undefined && this.#masked.get(name)?.has(level.name) === true;
  }

  /** A row with values for its levels. Limits without the level are not sent. */
  #drawnRow(operation: Operation, wanted: ReadonlyMap<LimitName, LimitLevel>): HistoryRow {
    this.#drawn += 1;
    const chosen = [...wanted].flatMap(([name, level]) => {
      const values = this.#valuesOf(name, level);
      const value = values[this.#drawn % values.length];
      return value === undefined ? [] : [{ name, level, value }];
    });
    return {
      operation,
      levels: new Map(chosen.map(({ name, level }) => [name, level])),
      sent: Object.fromEntries(chosen.map(({ name, value }) => [name, value])),
    };
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
    await withLoan(this.#scope, async (loan) => this.#allUpdated(loan, rows));
  }

  async #allUpdated(loan: LoanedInstance, rows: readonly HistoryRow[]): Promise<void> {
    for (const row of rows) {
      if (this.#stopped !== null || (this.#isArray && this.#isBudgetLow())) return;
      await this.#updated(loan, row);
    }
  }

  /** Whether the remaining rows are cut. Only a nightly run has so many rows that they could use up the requests. */
  #isBudgetLow(): boolean {
    return this.#scope.settings.profile === "nightly" ? isEnough(this.#scope) : isLate(this.#scope, MOST_TIME);
  }

  /** The instance that most updates are sent to. Null if the target refuses to create one with limits. */
  async #firstCreated(row: HistoryRow | null): Promise<LoanedInstance | null> {
    return row === null ? null : this.#created(row, true);
  }

  /** An instance that is created with limits. Null if the create is refused, because the documents do not say which values it must accept. */
  async #created(row: HistoryRow, isUpdated = false): Promise<LoanedInstance | null> {
    const fitting = this.#without(row);
    if (fitting.levels.size === 0) return null;
    this.#names += 1;
    const instance = await this.#unlessMasked(() => createInstance(this.#scope, `h${this.#names}`, fitting.sent));
    if (instance !== null && !isSuccess(instance.created)) this.#refusals.set("create", instance.created);
    if (instance === null || !isSuccess(instance.created)) return null;
    const firstRead = await readSettled(this.#scope, instance);
    const loan: LoanedInstance = { instance, firstRead, createdAt: member(jsonOf(firstRead), "created_at"), bare: false };
    return (await this.#judgedCreate(loan, fitting, isUpdated)) ? loan : null;
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

  /** Creates an instance with limits, writes others over them once, and leaves it so until the end of the run. */
  async #createdAndLeft(row: HistoryRow): Promise<void> {
    const loan = await this.#created(row, true);
    if (loan === null) return;
    const update = this.#without({
      ...this.#drawnRow("add", new Map(LIMIT_NAMES.map((name) => [name, this.#ordinary]))),
      operation: "overwrite",
    });
    const before = this.#shown.get(loan) ?? {};
    if (await this.#accepted(loan, update)) this.#leave(loan, "admin-4.PUT-over-limits", this.#judge(update, before));
  }

  /** Has the instance read again at the end of the run: it must still be as it is. */
  #leave({ instance }: LoanedInstance, clause: ClauseId, judge: LimitsJudge): void {
    const expect = (body: JsonObject): readonly Difference[] => judge(body);
    this.#scope.revisit(instance, expecting({ clauses: clause, of: instance, ask: reading(instance), expect }));
  }

  /** Removes the limits of an instance that was created with limits. */
  async #removed(loan: LoanedInstance): Promise<void> {
    const state = { displayName: newName(this.#scope), limits: this.#noLimits };
    const found = await change(this.#scope, loan, { state, clause: "admin-4.2" });
    this.#removals.push(found);
    if (found.differences.length === 0 && found.refused !== true) this.#leave(loan, "admin-4.2", this.#noLimits);
  }

  async #judgedCreate(loan: LoanedInstance, row: HistoryRow, isUpdated: boolean): Promise<boolean> {
    const { instance } = loan;
    const settled = await this.#scope.eventually({
      resource: instance,
      read: () => this.#scope.admin.read(instance.name),
      judge: (exchange) => {
        const { body, differences } = bodyOf(exchange, "admin-4.GET");
        return body === null ? differences : this.#judge(row, null)(body);
      },
    });
    this.#note(loan, row, settled.differences, settled.value, [settled.value, instance.created], settled.attempts);
    const { body } = bodyOf(settled.value, "admin-4.GET");
    // Later reads can come from a store with less room than the memory.
    if (body !== null && settled.differences.length === 0 && !isUpdated) this.#scope.revisit(instance, unchangedSince(instance, body));
    return body !== null;
  }

  /** Sends the row as an update, and takes it apart if the target refuses it. */
  async #updated(loan: LoanedInstance, row: HistoryRow): Promise<void> {
    const parts = [this.#without(row)];
    const isOneLevel = new Set(row.levels.values()).size === 1;
    for (let refused = 0, next = parts.shift(); next !== undefined; next = parts.shift()) {
      if (next.levels.size === 0 || (await this.#accepted(loan, next))) continue;
      refused += 1;
      const isKnown = isOneLevel && (next.levels.size === 1 || refused > MOST_REFUSED || this.#probes > MOST_PROBES);
      if (isKnown) for (const [name, level] of next.levels) this.#masked.set(name, (this.#masked.get(name) ?? new Set()).add(level.name));
      else if (isOneLevel) parts.unshift(...halves(next));
      else if (this.#probes <= MOST_PROBES) parts.unshift(...(await this.#apartFrom(loan, next)));
    }
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
    const row = this.#rowAgain(wrong);
    await withLoan(this.#scope, async (loan) => {
      const fails = async (names: readonly LimitName[]): Promise<boolean> => {
        // A value that is written over itself shows nothing, so another one is written first.
        if (row.operation === "overwrite") await this.#accepted(loan, this.#drawnRow("add", new Map([[target, this.#ordinary]])));
        const before = this.#outcomes.length;
        if (!(await this.#accepted(loan, part(row, [target, ...names])))) return false;
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

  #rowAgain({ operation, levels, sent }: Outcome): HistoryRow {
    const all = [...this.#plan.levels, ...this.#plan.mandatory.map(({ level }) => level)];
    const again = [...levels].flatMap(([name, wanted]) =>
      all
        .filter((level) => level.name === wanted)
        .slice(0, 1)
        .map((level) => [name, level] as const),
    );
    return { operation, levels: new Map(again), sent };
  }

  get #ordinary(): LimitLevel {
    return this.#plan.levels.find(({ name }) => name === "ordinary") ?? (this.#plan.levels[0] as LimitLevel);
  }

  /** The row without masked levels, and without one level of each combination that the target refuses. */
  #without(row: HistoryRow): HistoryRow {
    const levels = new Map([...row.levels].filter(([name, level]) => !this.#isMasked(name, level)));
    for (const combination of this.#apart)
      if (combination.every(([name, level]) => levels.get(name) === level)) levels.delete((combination.at(-1) ?? [])[0] as LimitName);
    return part(row, [...levels.keys()]);
  }

  /** The parts that are tried after the target refused a combination of levels that it accepts alone. */
  async #apartFrom(loan: LoanedInstance, row: HistoryRow): Promise<HistoryRow[]> {
    const names = [...row.levels.keys()];
    if (names.length === 1) return [];
    const { items } = await minimise(
      names,
      async (some) => {
        this.#probes += 1;
        const answer = await this.#unlessMasked(() => update(this.#scope, loan.instance, newName(this.#scope), part(row, some).sent));
        if (answer === null || !isSuccess(answer)) return true;
        loan.bare = false;
        this.#shown.delete(loan);
        return false;
      },
      MOST_SPLITS,
    );
    if (items.length > MOST_TOGETHER) return halves(row);
    this.#apart.push(items.map((name) => [name, row.levels.get(name) as LimitLevel] as const));
    return [this.#without(row)];
  }

  /** Whether the target accepted the update. Its response and later reads are judged. */
  async #accepted(loan: LoanedInstance, row: HistoryRow): Promise<boolean> {
    const scope = this.#scope;
    if (row.operation === "add" && !loan.bare) {
      const state = { displayName: newName(scope), limits: this.#noLimits };
      this.#removals.push(
        await change(scope, loan, { state, clause: "admin-4.2", isResponseEnough: this.#removals.length >= MOST_READ_REMOVALS }),
      );
      this.#shown.delete(loan);
    }
    const operation = loan.bare ? "add" : "overwrite";
    const before = operation === "add" ? null : (this.#shown.get(loan) ?? {});
    const asked = { ...row, operation } as const;
    this.#probes += 1;
    const update = {
      state: { displayName: newName(scope), limits: this.#judge(asked, before) },
      limits: row.sent,
      clause: OPERATION_RULES[operation],
      isRefusalOpen: true,
      isRestOpen: operation === "overwrite",
      // Larger rows show whether a read agrees with the response.
      isResponseEnough: row.levels.size === 1,
    };
    const found = await this.#unlessMasked(() => change(scope, loan, update));
    if (found?.refused === true) this.#refusals.set(operation, found.exchanges[0] as Answered);
    if (found === null || found.refused === true) return false;
    this.#probes -= 1;
    const read = found.exchanges.find(({ operation: one }) => one === "read instance");
    this.#note(
      loan,
      asked,
      found.differences,
      (read ?? found.exchanges[0]) as Answered,
      found.exchanges as Answered[],
      found.attempts ?? [],
    );
    return true;
  }

  /** What is wrong with limits after a row. `before`: the limits until then; null: none. */
  #judge({ operation, sent }: HistoryRow, before: JsonObject | null): LimitsJudge {
    const rule = OPERATION_RULES[operation];
    return (body) => {
      const { limits, differences } = limitsIn(body, rule);
      if (limits === null) return differences;
      for (const [name, old] of Object.entries(before ?? {}) as [LimitName, unknown][]) {
        if (Object.hasOwn(sent, name) || sameAsRead(name, old, this.#effective[name])) continue;
        this.#overLimits.add(sameAsRead(name, limits[name], old) ? "kept" : "reset to the default");
      }
      const allowed = (name: LimitName): readonly unknown[] => {
        if (this.#effective[name] === undefined || (before !== null && !Object.hasOwn(before, name))) return [];
        return before === null ? [this.#effective[name]] : [before[name], this.#effective[name]];
      };
      const origin = (difference: Difference): Difference => {
        const name = limitOf(difference);
        if (name === null || difference.nature !== "value") return difference;
        const isOld = before !== null && sameAsRead(name, before[name], limits[name]);
        const isDefault = sameAsRead(name, this.#effective[name], limits[name]);
        const whose = isOld ? " (its value before the update)" : isDefault ? " (its global default)" : "";
        return { ...difference, actual: `${difference.actual}${whose}` };
      };
      return [...sentDifferences(sent, limits, rule, () => true).map(origin), ...unsentDifferences(sent, limits, allowed, rule)];
    };
  }

  #note(
    loan: LoanedInstance,
    { operation, levels, sent }: HistoryRow,
    differences: Outcome["differences"],
    last: Answered,
    exchanges: readonly Answered[],
    attempts: Outcome["attempts"],
  ): void {
    const { body } = bodyOf(last, "admin-4.GET");
    const limits = body?.["limits"];
    if (isObject(limits)) this.#shown.set(loan, limits);
    const names = new Map([...levels].map(([name, level]) => [name, level.name]));
    this.#outcomes.push({ operation, levels: names, sent, differences, isReadable: isObject(limits), exchanges, attempts });
  }

  /** The rows that were judged, with the state of each level, for the coverage. */
  #judgedRows(): { row: number[]; states: LevelState[] }[] {
    return this.#outcomes
      .filter(({ operation }) => operation !== "create")
      .map(({ operation, levels, differences, isReadable }) => {
        const wrong = new Set(differences.map(({ path }) => path.replace(/ \(.*$/, "")));
        const stateOf = (path: string): LevelState => (!isReadable ? "not evaluated" : wrong.has(path) ? "hidden" : "judged");
        return {
          row: [
            OPERATIONS.indexOf(operation),
            ...LIMIT_NAMES.map((name) => this.#levelsOf(name).findIndex((level) => level.name === levels.get(name)) + 1),
          ],
          states: [isReadable ? "judged" : "not evaluated", ...LIMIT_NAMES.map((name) => stateOf(`limits.${name}`))],
        };
      });
  }
}

/** The limits that were sent and that a response showed with another value. A wrong period violates a clause of its own. */
function wrongSent({ sent, differences }: Outcome): LimitName[] {
  const wrong = differences.filter(({ clause }) => clause !== "admin-2.retention-format");
  return [...new Set(wrong.map(limitOf))].filter((name) => name !== null && Object.hasOwn(sent, name)) as LimitName[];
}

function part(row: HistoryRow, names: readonly LimitName[]): HistoryRow {
  return {
    operation: row.operation,
    levels: new Map([...row.levels].filter(([name]) => names.includes(name))),
    sent: Object.fromEntries(Object.entries(row.sent).filter(([name]) => names.includes(name as LimitName))),
  };
}

function halves(row: HistoryRow): HistoryRow[] {
  const names = [...row.levels.keys()];
  const middle = Math.ceil(names.length / 2);
  return [part(row, names.slice(0, middle)), part(row, names.slice(middle))];
}
