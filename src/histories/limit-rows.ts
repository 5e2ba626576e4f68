/** The rows of instance histories: the levels and values that a row sends, and the levels that a target refuses. */
import type fc from "fast-check";
import type { Writable } from "../arbitraries/limits.ts";
import { LIMIT_NAMES, type LimitName, type Limits, type LimitValue } from "../contract/limits.ts";
import type { Row } from "../design/covering-array.ts";
import type { Operation, Outcome } from "../diagnosis/limit-outcomes.ts";
import type { Check } from "../harness/check.ts";
import type { Scope } from "../harness/scope.ts";
import type { AcceptedLimits } from "./accepted-limits.ts";

export interface Known {
  readonly accepted: AcceptedLimits & Writable;
  readonly defaults: Readonly<Record<LimitName, LimitValue | undefined>>;
}

export interface LimitLevel {
  readonly name: string;
  /** A limit that is refused at one level of a kind is sent at no other level of this kind. By default, a level is its own kind. */
  readonly kind?: string;
  /** Returns the values of a limit at this level, or null if the limit does not have the level. */
  readonly valuesOf: (name: LimitName, known: Known) => fc.Arbitrary<LimitValue> | null;
}

/** A row in which each of `names` has the same level, and the other limits are not sent. */
export interface MandatoryRow {
  readonly operation: Operation;
  readonly level: LimitLevel;
  readonly names: readonly LimitName[];
  readonly profiles: Check["profiles"];
}

export interface HistoryRow {
  readonly operation: Operation;
  /** The level of each limit that is sent. */
  readonly levels: ReadonlyMap<LimitName, LimitLevel>;
  readonly sent: Limits;
  /** Whether the update keeps the display name, so that its body equals the previous update with the same limits. */
  readonly isSameName?: true;
}

export interface HistoryPlan {
  readonly levels: readonly LimitLevel[];
  readonly mandatory: readonly MandatoryRow[];
  /** The maximum number of rows of the array, by profile. Mandatory rows are not counted. */
  readonly most: Readonly<Record<Check["profiles"][number], number>>;
}

/** The operations that are combined with the levels. */
export const OPERATIONS: readonly Operation[] = ["add", "overwrite"];
/** The number of limits by which the order of the limits is rotated from row to row. */
const ROTATION = 13;
/** The number of values of a limit at each level. */
const DRAWN_VALUES = 31;

/** Draws the rows of a run, and remembers what the target refuses. */
export class LimitRows {
  readonly #scope: Scope;
  readonly #plan: HistoryPlan;
  readonly #known: Known;
  readonly #levels = new Map<LimitName, readonly LimitLevel[]>();
  readonly #values = new Map<string, readonly LimitValue[]>();
  /** For each limit, the kinds of levels that the target refuses even alone. */
  readonly #masked = new Map<LimitName, Set<string>>();
  /** Levels that the target refuses only together. An undefined level stands for all levels of the limit. */
  readonly #apart: (readonly (readonly [LimitName, LimitLevel | undefined])[])[] = [];
  #drawn = 0;

  constructor(scope: Scope, plan: HistoryPlan, known: Known) {
    this.#scope = scope;
    this.#plan = plan;
    this.#known = known;
  }

  mandatory(): HistoryRow[] {
    return this.#plan.mandatory
      .filter(({ profiles }) => profiles.includes(this.#scope.settings.profile))
      .map(({ operation, level, names }) => this.drawn(operation, new Map(names.map((name) => [name, level]))));
  }

  /** Returns the levels of a limit that the covering array combines. */
  levelsOf(name: LimitName): readonly LimitLevel[] {
    const levels = this.#levels.get(name) ?? this.#plan.levels.filter(({ valuesOf }) => valuesOf(name, this.#known) !== null);
    this.#levels.set(name, levels);
    return levels;
  }

  /** The values of a limit at a level. All values are drawn at once, because each draw is slow. */
  #valuesOf(name: LimitName, level: LimitLevel): readonly LimitValue[] {
    const key = `${name} ${level.name}`;
    const arbitrary = this.#values.has(key) ? null : level.valuesOf(name, this.#known);
    const values = this.#values.get(key) ?? (arbitrary === null ? [] : this.#scope.draw(arbitrary, `histories ${key}`, DRAWN_VALUES));
    this.#values.set(key, values);
    return values;
  }

  isMasked(name: LimitName, level: LimitLevel | undefined): boolean {
    return level !== undefined && this.#masked.get(name)?.has(level.kind ?? level.name) === true;
  }

  mask({ levels }: HistoryRow): void {
    for (const [name, level] of levels) this.#masked.set(name, (this.#masked.get(name) ?? new Set()).add(level.kind ?? level.name));
  }

  /** Remembers that levels are refused only together. After a second such combination, no levels of the same limits are combined. */
  maskTogether({ levels }: HistoryRow, names: readonly LimitName[]): void {
    const isKnown = this.#apart.some((refused) => refused.length === names.length && refused.every(([name]) => names.includes(name)));
    this.#apart.push(names.map((name) => [name, isKnown ? undefined : levels.get(name)] as const));
  }

  /** Whether the target accepts each of two levels alone, and refuses both together. */
  areApart(...pair: readonly (readonly [LimitName, LimitLevel | undefined])[]): boolean {
    return this.#apart.some(
      (refused) =>
        refused.length === pair.length &&
        refused.every(([name, level]) => pair.some((one) => one[0] === name && (level === undefined || one[1] === level))),
    );
  }

  /** Returns a row with values for the wanted levels. If a limit does not have its level, the limit is not sent. */
  drawn(operation: Operation, wanted: ReadonlyMap<LimitName, LimitLevel>): HistoryRow {
    this.#drawn += 1;
    const chosen = [...wanted].flatMap(([name, level]) => {
      const values = this.#valuesOf(name, level);
      const value = values[this.#drawn % values.length];
      return value === undefined ? [] : [{ name, level, value }];
    });
    // The order of the limits in a request must not matter, so each row has another order.
    const from = (this.#drawn * ROTATION) % Math.max(1, chosen.length);
    const inOrder = [...chosen.slice(from), ...chosen.slice(0, from)];
    return {
      operation,
      levels: new Map(chosen.map(({ name, level }) => [name, level])),
      sent: Object.fromEntries((this.#drawn % 2 === 0 ? inOrder : inOrder.toReversed()).map(({ name, value }) => [name, value])),
    };
  }

  ofArray([operation = 0, ...levels]: Row): HistoryRow {
    const wanted = levels.flatMap((level, index): [LimitName, LimitLevel][] => {
      const name = LIMIT_NAMES[index] as LimitName;
      const chosen = this.levelsOf(name)[level - 1];
      return chosen === undefined ? [] : [[name, chosen]];
    });
    return this.drawn(OPERATIONS[operation] ?? "add", new Map(wanted));
  }

  /** Returns the row that led to an outcome. */
  again({ operation, levels, sent }: Outcome): HistoryRow {
    const all = [...this.#plan.levels, ...this.#plan.mandatory.map(({ level }) => level)];
    const again = [...levels].flatMap(([name, wanted]): [LimitName, LimitLevel][] => {
      const known = all.find((level) => level.name === wanted);
      return known === undefined ? [] : [[name, known]];
    });
    return { operation, levels: new Map(again), sent };
  }

  /** The level of values that servers usually accept. */
  get ordinary(): LimitLevel {
    return this.#plan.levels.find(({ name }) => name === "ordinary") ?? (this.#plan.levels[0] as LimitLevel);
  }

  /** Returns the row without masked levels, and without one level of each combination that the target refuses. */
  without(row: HistoryRow): HistoryRow {
    const levels = new Map([...row.levels].filter(([name, level]) => !this.isMasked(name, level)));
    for (const combination of this.#apart)
      if (combination.every(([name, level]) => levels.has(name) && (level === undefined || levels.get(name) === level)))
        levels.delete((combination.at(-1) ?? [])[0] as LimitName);
    return part(row, [...levels.keys()]);
  }
}

export function part(row: HistoryRow, names: readonly LimitName[]): HistoryRow {
  return {
    ...row,
    levels: new Map([...row.levels].filter(([name]) => names.includes(name))),
    sent: Object.fromEntries(Object.entries(row.sent).filter(([name]) => names.includes(name as LimitName))),
  };
}
