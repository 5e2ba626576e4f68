/**
 * Sends a request of an instance history, as a create or an update, and judges its response and the read after it. If the target refuses
 * the request, or the response is wrong, sends smaller parts of it, to find the smallest part that is still refused or wrong.
 */
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { Masked } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { LIMIT_NAMES, type LimitName, type Limits } from "../contract/limits.ts";
import { limitOf, type Operation, OPERATION_RULES, type Outcome as OutcomeOf } from "../diagnosis/limit-outcomes.ts";
import { sentDifferences, unsentDifferences } from "../diagnosis/filling.ts";
import type { Finding } from "../harness/finding.ts";
import type { Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { sameAsRead } from "../model/limits.ts";
import { change, type LimitsJudge, removedFrom } from "./changes.ts";
import { shownDefaults, updatePlainly } from "./filled-limits.ts";
import { createInstance, newName, update } from "./instances.ts";
import { type PoolInstance, poolInstance, withInstance } from "./instance-pool.ts";
import { bodyOf, limitsJudgedBy, readSettled, readUntil, refusal, shownBy } from "./reading.ts";
import { unchangedSince } from "./unchanged-instances.ts";
import { minimise } from "../design/minimise.ts";
import { divided, halves } from "./accepted-limits.ts";
import { type HistoryRow, type LimitRows, OPERATIONS, part } from "./limit-levels.ts";

export type Outcome = OutcomeOf<Answered>;

/** The effect of an update of an instance with limits on a limit that the update does not send. */
export type OverLimits = "kept" | "reset to the default";

/** Only the first updates without limits are followed by a read: this number of them. The responses to all of them are judged. */
const MOST_READ_REMOVALS = 12;

/** A refusal with 403, which a gateway may give to any input. */
const FORBIDDEN = "forbidden";

export class RowSender {
  readonly outcomes: Outcome[] = [];
  readonly overLimits = new Set<OverLimits>();
  readonly refusals = new Map<Operation, Answered>();
  readonly removals: Finding[] = [];
  /** The number of requests that were refused, or that were sent to find the reason of a refusal. */
  probes = 0;
  readonly #scope: Scope;
  readonly #noLimits: LimitsJudge;
  readonly #effective: Readonly<Partial<Record<LimitName, unknown>>>;
  /** The limits of an instance in its last read. */
  readonly #shown = new WeakMap<PoolInstance, JsonObject>();
  #names = 0;

  private constructor(scope: Scope, noLimits: LimitsJudge, effective: Readonly<Partial<Record<LimitName, unknown>>>) {
    this.#scope = scope;
    this.#noLimits = noLimits;
    this.#effective = effective;
  }

  static async of(scope: Scope): Promise<RowSender> {
    return new RowSender(scope, await removedFrom(scope), await scope.use(shownDefaults));
  }

  /** Records that the limits of an instance are unknown, because another part of the suite has updated the instance. */
  forget(borrowed: PoolInstance): void {
    this.#shown.delete(borrowed);
  }

  /** Whether the target accepts an update with these limits. The response is not judged. */
  async isAccepted(borrowed: PoolInstance, limits: Limits): Promise<boolean> {
    this.probes += 1;
    const answer = await this.unlessMasked(() => update(this.#scope, borrowed.instance, newName(this.#scope), limits));
    if (answer === null || !isSuccess(answer)) return false;
    this.forget(borrowed);
    return true;
  }

  /** Creates an instance with limits, or resolves to null if the create is refused. The documents do not say which values are valid. */
  async created(row: HistoryRow, isUpdated = false): Promise<PoolInstance | null> {
    if (row.levels.size === 0) return null;
    this.#names += 1;
    const instance = await this.unlessMasked(() => createInstance(this.#scope, `h${this.#names}`, row.sent));
    if (instance !== null && !isSuccess(instance.created)) this.refusals.set("create", instance.created);
    if (instance === null || !isSuccess(instance.created)) return null;
    const firstRead = await readSettled(this.#scope, instance);
    const borrowed = poolInstance(this.#scope, instance, firstRead);
    return (await this.#judgedCreate(borrowed, row, isUpdated)) ? borrowed : null;
  }

  /** Resolves to null on 403, because a gateway may refuse some inputs, and a service may have a quota. */
  async unlessMasked<T>(send: () => Promise<T>): Promise<T | null> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Masked)) throw error;
      this.#scope.mask(error);
      return null;
    }
  }

  async createdAndLeft(row: HistoryRow, update: HistoryRow): Promise<void> {
    const borrowed = await this.created(row, true);
    if (borrowed === null) return;
    const before = this.#shown.get(borrowed) ?? {};
    if ((await this.refusalOf(borrowed, update)) !== null) return;
    const outcome = this.outcomes.find(({ sent }) => sent === update.sent);
    if (outcome?.differences.length !== 0) return;
    const judge = this.#judge(update, before);
    this.#leave(borrowed, "admin-4.PUT-over-limits", (body) => judge(body).map((one) => this.#laterClause(one, body, before)));
  }

  /**
   * Finds the clause if a limit was right in the response to an update over limits, and a later read is wrong. If the read shows the value
   * before the update or the default, the update was lost. Any other value violates the clause of reads.
   */
  #laterClause(difference: Difference, { limits }: JsonObject, before: JsonObject): Difference {
    const name = limitOf(difference);
    if (name === null || difference.kind !== "value") return difference;
    const shown = isObject(limits) ? limits[name] : undefined;
    const isLost = sameAsRead(name, before[name], shown) || sameAsRead(name, this.#effective[name], shown);
    return { ...difference, clause: isLost ? "admin-4.PUT-over-limits" : "admin-4.GET" };
  }

  /** Schedules a read of the instance at the end of the run. It must still show this state. */
  #leave({ instance }: PoolInstance, clause: ClauseId, judge: LimitsJudge): void {
    this.#scope.revisit(instance, shownBy(instance, clause, judge));
  }

  async removed(borrowed: PoolInstance): Promise<void> {
    const state = { displayName: newName(this.#scope), limits: this.#noLimits };
    const found = await change(this.#scope, borrowed, { state, clause: "admin-4.2" });
    this.removals.push(found);
    if (found.differences.length === 0 && found.refused !== true) this.#leave(borrowed, "admin-4.2", this.#noLimits);
  }

  async #judgedCreate(borrowed: PoolInstance, row: HistoryRow, isUpdated: boolean): Promise<boolean> {
    const { instance } = borrowed;
    const { value, differences, attempts } = await readUntil(this.#scope, instance, this.#judge(row, null));
    this.#note(borrowed, row, null, value, { differences, exchanges: [value, instance.created], attempts });
    const { body } = bodyOf(value, "admin-4.GET");
    // The read is repeated later, because a service may truncate values only in its store, and not in memory.
    if (body !== null && differences.length === 0 && !isUpdated) this.#scope.revisit(instance, unchangedSince(instance, body));
    return body !== null;
  }

  /** Sends an update, and judges its response and later reads. Resolves to the refusal, or to null. */
  async refusalOf(borrowed: PoolInstance, row: HistoryRow): Promise<Answered | typeof FORBIDDEN | null> {
    const scope = this.#scope;
    if (row.operation === "add" && !borrowed.bare) {
      const state = { displayName: newName(scope), limits: this.#noLimits };
      const isEnoughRead = this.removals.length >= MOST_READ_REMOVALS;
      const removal = { state, clause: "admin-4.2", isResponseEnough: isEnoughRead, isWrongResponseEnough: isEnoughRead } as const;
      this.removals.push(await change(scope, borrowed, removal));
      this.#shown.delete(borrowed);
    }
    const operation = borrowed.bare ? "add" : "overwrite";
    const before = operation === "add" ? null : (this.#shown.get(borrowed) ?? {});
    const asked = { ...row, operation } as const;
    const displayName = (row.isSameName === true ? borrowed.instance.lastName : undefined) ?? newName(scope);
    const update = {
      state: { displayName, limits: this.#judge(asked, before) },
      limits: row.sent,
      clause: OPERATION_RULES[operation],
      isRefusalOpen: true,
      isRestOpen: operation === "overwrite",
      // Requests with several limits also compare a read with the response.
      isResponseEnough: row.levels.size === 1,
    };
    const found = await this.unlessMasked(() => change(scope, borrowed, update));
    if (found === null || found.refused === true) {
      this.probes += 1;
      if (found === null) return FORBIDDEN;
      const refusal = found.exchanges[0] as Answered;
      this.refusals.set(operation, refusal);
      return refusal;
    }
    const read = found.exchanges.find(({ operation: one }) => one === "read instance");
    const { differences, attempts = [], exchanges } = found;
    this.#note(borrowed, asked, before, (read ?? exchanges[0]) as Answered, { differences, attempts, exchanges: exchanges as Answered[] });
    return null;
  }

  /** Returns the differences of the limits after a request. `before` has the limits before the request, or null if there were none. */
  #judge({ operation, sent }: HistoryRow, before: JsonObject | null): LimitsJudge {
    const rule = OPERATION_RULES[operation];
    return (body) =>
      limitsJudgedBy(body, rule, (limits) => {
        const unsent = unsentDifferences(sent, limits, (name) => this.#allowed(name, before), rule);
        const found = [...sentDifferences(sent, limits, rule), ...unsent];
        // A stale read shows the state before the update, so only a right response is used.
        if (found.length === 0) this.#observe(sent, before ?? {}, limits);
        return found;
      });
  }

  /** Returns the values that a limit may have if it is not sent. If these values are unknown, the list is empty. */
  #allowed(name: LimitName, before: JsonObject | null): readonly unknown[] {
    if (this.#effective[name] === undefined || (before !== null && !Object.hasOwn(before, name))) return [];
    return before === null ? [this.#effective[name]] : [before[name], this.#effective[name]];
  }

  #observe(sent: Limits, before: JsonObject, limits: JsonObject): void {
    for (const name of LIMIT_NAMES) {
      const old = before[name];
      if (old === undefined || Object.hasOwn(sent, name) || sameAsRead(name, old, this.#effective[name])) continue;
      this.overLimits.add(sameAsRead(name, limits[name], old) ? "kept" : "reset to the default");
    }
  }

  #note(
    borrowed: PoolInstance,
    { operation, levels, sent }: HistoryRow,
    before: JsonObject | null,
    last: Answered,
    found: Pick<Outcome, "differences" | "exchanges" | "attempts">,
  ): void {
    const { body } = bodyOf(last, "admin-4.GET");
    const limits = body?.["limits"];
    if (isObject(limits)) this.#shown.set(borrowed, limits);
    const names = new Map([...levels].map(([name, level]) => [name, level.name]));
    const open = new Set(LIMIT_NAMES.filter((name) => !Object.hasOwn(sent, name) && this.#allowed(name, before).length === 0));
    this.outcomes.push({ operation, levels: names, sent, open, isReadable: isObject(limits), ...found });
  }
}

/** The maximum number of requests in one run that find refused levels and combinations. */
const MOST_PROBES = 60;
/** The maximum number of requests for one refused combination of levels. */
const MOST_SPLITS = 16;
/** The number of refused parts of a request whose limits all have one level. After that, these limits are not sent again at this level. */
const MOST_REFUSED = 6;
/** A refused combination of at most this many levels is remembered. */
const MOST_TOGETHER = 3;

export class RowDivision {
  /** The findings about limits that the target refuses alone, and about null for drop_labels. */
  readonly refusedAlone: Finding[] = [];
  readonly #scope: Scope;
  readonly #rows: LimitRows;
  readonly #sender: RowSender;

  constructor(scope: Scope, rows: LimitRows, sender: RowSender) {
    this.#scope = scope;
    this.#rows = rows;
    this.#sender = sender;
  }

  /** Sends the limits as an update. If the target refuses the update, sends parts of the limits. */
  async updated(borrowed: PoolInstance, row: HistoryRow): Promise<void> {
    const parts = [this.#rows.without(row)];
    const isOneLevel = new Set(row.levels.values()).size === 1;
    for (let refused = 0, next = parts.shift(); next !== undefined; next = parts.shift()) {
      const refusal = next.levels.size === 0 ? null : await this.#sender.refusalOf(borrowed, next);
      if (refusal === null) continue;
      refused += 1;
      const isKnown = isOneLevel && (next.levels.size === 1 || refused > MOST_REFUSED || this.#sender.probes > MOST_PROBES);
      if (row.levels.size === 1 && row.operation === "add") await this.#judgeAlone(borrowed, next, refusal);
      else if (isKnown) this.#mask(next, refusal);
      else if (isOneLevel) parts.unshift(...divided([...next.levels.keys()]).map((names) => part(next, names)));
      else if (this.#sender.probes <= MOST_PROBES) parts.unshift(...(await this.#apartFrom(borrowed, next)));
    }
  }

  /** Records that the target refuses these levels. The documents do not say which values a target must accept. */
  #mask(row: HistoryRow, refusal: Answered | typeof FORBIDDEN): void {
    this.#rows.mask(row);
    if (refusal === FORBIDDEN) return;
    if (
      row.levels.size === 1 &&
      row.sent.drop_labels === null &&
      this.#sender.outcomes.some(({ operation }) => operation === row.operation)
    )
      this.refusedAlone.push(nullRefused(refusal));
    // The names of some levels differ only in a number at the end. The report shows these levels as one.
    for (const [name, level] of row.levels)
      this.#scope.mask(new Masked(`admin-2.limit.${name}`, `${level.name.replace(/ \d+$/, "")} values`, refusal));
  }

  /** Judges a refused update with one limit. The target must accept the default, and a value that it accepted with other limits. */
  async #judgeAlone(borrowed: PoolInstance, { levels, sent }: HistoryRow, refusal: Answered | typeof FORBIDDEN): Promise<void> {
    const [name] = levels.keys();
    if (name === undefined || refusal === FORBIDDEN || (await updatePlainly(this.#scope, borrowed, sent)).taken !== null) return;
    const clause = `admin-2.limit.${name}` as const;
    const expected = `success (2xx) for an update that adds only ${name}, with ${show(sent[name])}, the default, or a value that was accepted with other limits`;
    const actual = `each of these updates is refused, first with status ${statusOf(refusal)}: ${show(refusal.response.body)}`;
    this.refusedAlone.push({ clauses: [clause], differences: [{ clause, path: "status", expected, actual }], exchanges: [refusal] });
  }

  /** The target refuses the request, but accepts each of its levels alone. Resolves to the parts of the request to try next. */
  async #apartFrom(borrowed: PoolInstance, row: HistoryRow): Promise<HistoryRow[]> {
    const names = [...row.levels.keys()];
    if (names.length === 1) return [];
    const { items } = await minimise(names, async (some) => !(await this.#sender.isAccepted(borrowed, part(row, some).sent)), MOST_SPLITS);
    if (items.length > MOST_TOGETHER) return halves(names).map((half) => part(row, half));
    this.#rows.maskTogether(row, items);
    return [this.#rows.without(row)];
  }

  /** Repeats the smallest wrong update of each operation with fewer limits, as long as one of its wrong limits is still wrong. */
  async minimiseDefects(): Promise<void> {
    for (const operation of OPERATIONS) {
      const wrong = this.#sender.outcomes
        .filter((one) => one.operation === operation && wrongSent(one).length > 0)
        .toSorted((one, other) => one.levels.size - other.levels.size)[0];
      const [target] = wrong === undefined ? [] : wrongSent(wrong);
      if (wrong !== undefined && target !== undefined && wrong.levels.size > 1) await this.#minimiseDefect(wrong, target);
    }
  }

  async #minimiseDefect(wrong: Outcome, target: LimitName): Promise<void> {
    const row = this.#rows.again(wrong);
    await withInstance(this.#scope, async (borrowed) => {
      this.#sender.forget(borrowed);
      const fails = async (names: readonly LimitName[]): Promise<boolean> => {
        // An update with other values is sent first, because an update that does not change a value shows nothing.
        if (row.operation === "overwrite")
          await this.#sender.refusalOf(borrowed, this.#rows.drawn("add", new Map([[target, this.#rows.ordinary]])));
        const before = this.#sender.outcomes.length;
        if ((await this.#sender.refusalOf(borrowed, part(row, [target, ...names]))) !== null) return false;
        return this.#sender.outcomes.slice(before).some((one) => wrongSent(one).includes(target));
      };
      const others = [...wrong.levels.keys()].filter((name) => name !== target);
      if (!(await fails([]))) await minimise(others, fails, MOST_SPLITS);
    });
  }
}

/** The finding that the target refuses null for drop_labels, although it accepts other updates. The table says `list or null`. */
function nullRefused(refused: Answered): Finding {
  const clause = "admin-2.limit.drop_labels";
  const expected = "success (2xx) for drop_labels: null, because the table of limits says: list or null";
  return { clauses: [clause], differences: [refusal(clause, expected, refused)], exchanges: [refused] };
}

/** Returns the sent limits with a wrong value in a response. A wrong retention period violates a separate clause. */
function wrongSent({ sent, differences }: Outcome): LimitName[] {
  const wrong = differences.filter(({ clause }) => clause !== "admin-2.retention-format");
  return [...new Set(wrong.map(limitOf))].filter((name) => name !== null && Object.hasOwn(sent, name)) as LimitName[];
}
