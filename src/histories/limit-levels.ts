/**
 * The ways in which requests with limits can vary: the operation, and the kinds of values (levels) of each of the 47 limits. A row is a
 * combination of these. This file also remembers the levels that a target refuses.
 */
import fc from "fast-check";
import { otherValues, unusualValue, zeroValue, type Writable } from "../arbitraries/limits.ts";
import { LOOKALIKE_ROUNDS, lookalikeValue, negativeValue } from "../arbitraries/lookalike-values.ts";
import { LIMIT_NAMES, type LimitName, LIMITS, type LimitValue, type Limits } from "../contract/limits.ts";
import type { Row } from "../design/covering-array.ts";
import type { Operation, Outcome } from "../diagnosis/limit-outcomes.ts";
import type { Check } from "../harness/check.ts";
import type { Scope } from "../harness/scope.ts";
import type { AcceptedLimits } from "./accepted-limits.ts";

const always = (valueOf: (name: LimitName) => LimitValue | undefined) => (name: LimitName) => {
  const value = valueOf(name);
  return value === undefined ? null : fc.constant(value);
};

/**
 * The levels that are combined in pairs. The neutral level of each limit is "not sent". All other levels occur only in rows that are always
 * sent. If no value of a limit suits a level, the limit does not have the level.
 */
const LIMIT_LEVELS: readonly LimitLevel[] = [
  {
    name: "default",
    // The default of a retention period is an integer, and a request must write a period as a text.
    valuesOf: (name, { defaults }) => (LIMITS[name].type === "retention" ? null : always((one) => defaults[one])(name)),
  },
  // This level sends an empty list as `[]`. The level "default" sends it as null.
  { name: "zero or empty", valuesOf: (name) => (LIMITS[name].type === "boolean" ? null : always((one) => zeroValue(one, []))(name)) },
  { name: "ordinary", valuesOf: (name, { accepted }) => (accepted.names.includes(name) ? accepted.valueOf(name) : null) },
  {
    name: "unusual",
    valuesOf: (name, { accepted }) =>
      ["integer", "string", "list"].includes(LIMITS[name].type) && !accepted.refused.has(name) ? unusualValue(name) : null,
  },
];

const lookalikes = Array.from({ length: LOOKALIKE_ROUNDS }, (_, round): MandatoryRow => {
  const level = { name: `lookalike ${round + 1}`, kind: "lookalike", valuesOf: always((name) => lookalikeValue(name, round)) };
  return { operation: "overwrite", level, names: LIMIT_NAMES, profiles: ["release", "nightly"] };
});

/** The possible texts of a limit differ much, and so do the units of a duration. So each text and each unit has its own request. */
const forms = [0, 1, 2, 3, 4].map((form): MandatoryRow => {
  const valueOf = (name: LimitName): LimitValue | undefined =>
    ["string", "duration"].includes(LIMITS[name].type) ? otherValues(name).ordinary[form] : undefined;
  return {
    operation: "overwrite",
    level: { name: `alternative ${form + 1}`, valuesOf: always(valueOf) },
    names: LIMIT_NAMES,
    profiles: ["release", "nightly"],
  };
});

/** Values that a server may confuse with "no limits at all". */
const NOTHING: LimitLevel = {
  name: "all empty",
  valuesOf: always((name) => (["duration", "retention"].includes(LIMITS[name].type) ? undefined : zeroValue(name))),
};

/** A retention period of zero days, if the default is 0 too. With another default, a service may treat a zero period as not set. */
const NO_RETENTION: LimitLevel = {
  name: "zero period",
  valuesOf: (name, { defaults }) => (defaults[name] === 0 ? fc.constant("0d") : null),
};

/** A list that is longer than a buffer of 64 or 128 items. A target that refuses this list may accept the shorter lists of other levels. */
const LONG_LIST: LimitLevel = {
  name: "a list of 130 items",
  valuesOf: always((name) =>
    LIMITS[name].type === "list"
      ? Array.from({ length: 130 }, (_, index) => `${index === 0 ? "l".repeat(60) : "label"}_${index}`)
      : undefined,
  ),
};

/** Items that a server may cut, change or refuse. The items of other lists are short words. */
const UNUSUAL_ITEMS: LimitLevel = {
  name: "a list of unusual items",
  valuesOf: always((name) => (LIMITS[name].type === "list" ? ["label_".padEnd(60, "x"), 'a "quoted" \\ text', "größe"] : undefined)),
};

/** Zero values and unusual values share one create, because instances cannot be deleted. An empty list is sent as a list, not as null. */
const ZERO_OR_UNUSUAL: LimitLevel = {
  name: "zero or unusual",
  valuesOf: (name, known) => {
    const isZero = LIMITS[name].type === "list" || LIMIT_NAMES.indexOf(name) % 2 === 0;
    return isZero ? always((one) => zeroValue(one, []))(name) : UNUSUAL.valuesOf(name, known);
  },
};

const LARGER = ["release", "nightly"] as const;
const ALL = ["smoke", "release", "nightly"] as const;
const [DEFAULT, ZERO, ORDINARY, UNUSUAL] = LIMIT_LEVELS as readonly [LimitLevel, LimitLevel, LimitLevel, LimitLevel];

/** Pairs of related limits that are sent without a third related limit. The third limit must still get its default. */
const WITHOUT_A_THIRD: readonly (readonly LimitName[])[] = [
  ["ingestion_rate", "ingestion_burst_size"],
  ["ha_cluster_label", "ha_replica_label"],
  ["compactor_blocks_retention_period", "per_tenant_override_period"],
];

/** Each run sends these requests, in this order. They are not selected at random, because real servers have failed them. */
const MANDATORY_ROWS: readonly MandatoryRow[] = [
  { operation: "add", level: ORDINARY, names: LIMIT_NAMES, profiles: ALL },
  { operation: "overwrite", level: ZERO, names: LIMIT_NAMES, profiles: ALL },
  { operation: "add", level: ZERO, names: LIMIT_NAMES, profiles: LARGER },
  { operation: "add", level: UNUSUAL, names: LIMIT_NAMES, profiles: ALL },
  { operation: "overwrite", level: DEFAULT, names: LIMIT_NAMES, profiles: ALL },
  { operation: "overwrite", level: ORDINARY, names: LIMIT_NAMES, profiles: LARGER },
  { operation: "overwrite", level: NO_RETENTION, names: ["compactor_blocks_retention_period"], profiles: LARGER },
  { operation: "overwrite", level: NOTHING, names: LIMIT_NAMES, profiles: LARGER },
  { operation: "overwrite", level: LONG_LIST, names: ["drop_labels"], profiles: LARGER },
  { operation: "overwrite", level: UNUSUAL_ITEMS, names: ["drop_labels"], profiles: LARGER },
  ...forms,
  ...lookalikes,
  { operation: "overwrite", level: { name: "negative", valuesOf: always(negativeValue) }, names: LIMIT_NAMES, profiles: LARGER },
  // The first created instance gets most of the updates of instances with limits.
  { operation: "create", level: ORDINARY, names: LIMIT_NAMES.slice(1), profiles: ALL },
  { operation: "create", level: ZERO_OR_UNUSUAL, names: LIMIT_NAMES, profiles: LARGER },
  { operation: "create", level: ORDINARY, names: ["max_series_per_user"], profiles: LARGER },
  { operation: "add", level: ORDINARY, names: LIMIT_NAMES.slice(1), profiles: LARGER },
  ...WITHOUT_A_THIRD.map((names): MandatoryRow => ({ operation: "add", level: ORDINARY, names, profiles: LARGER })),
  ...LIMIT_NAMES.map((name): MandatoryRow => ({ operation: "add", level: ORDINARY, names: [name], profiles: LARGER })),
];

export const LIMIT_PLAN: HistoryPlan = { levels: LIMIT_LEVELS, mandatory: MANDATORY_ROWS, most: { smoke: 8, release: 68, nightly: 1_000 } };

interface Known {
  readonly accepted: AcceptedLimits & Writable;
  readonly defaults: Readonly<Record<LimitName, LimitValue | undefined>>;
}

export interface LimitLevel {
  readonly name: string;
  /** If the target refuses a limit at one level, levels of the same kind are not sent. By default, each level has a kind of its own. */
  readonly kind?: string;
  /** Returns the values of a limit at this level, or null if the limit does not have the level. */
  readonly valuesOf: (name: LimitName, known: Known) => fc.Arbitrary<LimitValue> | null;
}

/** A request in which each of `names` has the same level, and all other limits are not sent. */
interface MandatoryRow {
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
  /** The maximum number of generated combinations, by profile. Requests that each run sends are not counted. */
  readonly most: Readonly<Record<Check["profiles"][number], number>>;
}

/** The operations that are combined with the levels. */
export const OPERATIONS: readonly Operation[] = ["add", "overwrite"];
/** From request to request, the order of the limits is rotated by this number of limits. */
const ROTATION = 13;
/** The number of values of a limit at each level. */
const DRAWN_VALUES = 31;

/** Generates the requests of a run, and remembers which values the target refuses. */
export class LimitRows {
  readonly #scope: Scope;
  readonly #plan: HistoryPlan;
  readonly #known: Known;
  readonly #levels = new Map<LimitName, readonly LimitLevel[]>();
  readonly #values = new Map<string, readonly LimitValue[]>();
  /** For each limit, the kinds of levels that the target refuses even alone. */
  readonly #masked = new Map<LimitName, Set<string>>();
  /** Pairs of levels that the target accepts alone and refuses together. An undefined level stands for all levels of the limit. */
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

  /** The values of a limit at a level. All values are generated at once, because each call of the generator is slow. */
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

  /** Remembers two levels that are refused only together. If this happens twice for the same two limits, they are no longer combined. */
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

  /** Returns a request with values for the wanted levels. If a limit does not have its level, the limit is not sent. */
  drawn(operation: Operation, wanted: ReadonlyMap<LimitName, LimitLevel>): HistoryRow {
    this.#drawn += 1;
    const chosen = [...wanted].flatMap(([name, level]) => {
      const values = this.#valuesOf(name, level);
      const value = values[this.#drawn % values.length];
      return value === undefined ? [] : [{ name, level, value }];
    });
    // The order of the limits in a request must not matter, so each request has another order.
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

  /** Makes the same request again from its outcome. */
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

  /** Returns the request without refused levels, and without one level of each combination that the target refuses. */
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
