/** The factors of a request with limits: the operation, and the levels of each of the 47 limits. */
import fc from "fast-check";
import { otherValues, unusualValue, zeroValue } from "../arbitraries/limits.ts";
import { LOOKALIKE_ROUNDS, lookalikeValue, negativeValue } from "../arbitraries/lookalike-values.ts";
import { LIMIT_NAMES, type LimitName, LIMITS, type LimitValue } from "../contract/limits.ts";
import type { HistoryPlan, LimitLevel, MandatoryRow } from "./limit-rows.ts";

const always = (valueOf: (name: LimitName) => LimitValue | undefined) => (name: LimitName) => {
  const value = valueOf(name);
  return value === undefined ? null : fc.constant(value);
};

/**
 * The levels that the covering array combines. The neutral level of each limit is "not sent".
 * The other levels occur in mandatory rows. A limit does not have a level without a value for it.
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

/** The alternative texts of a limit differ much, and so do the units of a duration. So there is a row for each of these texts and units. */
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

/** A list that is longer than a buffer of 64 or 128 items. A target that refuses it may accept the lists of the other levels. */
const LONG_LIST: LimitLevel = {
  name: "a list of 130 items",
  valuesOf: always((name) => (LIMITS[name].type === "list" ? Array.from({ length: 130 }, (_, index) => `label_${index}`) : undefined)),
};

/** Zero values and unusual values in one create, because instances cannot be deleted. An empty list is sent as a list, not as null. */
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

/** Each run sends these rows, in this order. Chance does not select them, because real servers have failed them. */
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
  ...forms,
  ...lookalikes,
  { operation: "overwrite", level: { name: "negative", valuesOf: always(negativeValue) }, names: LIMIT_NAMES, profiles: LARGER },
  // Most updates over limits are sent to the first of the created instances.
  { operation: "create", level: ORDINARY, names: LIMIT_NAMES.slice(1), profiles: ALL },
  { operation: "create", level: ZERO_OR_UNUSUAL, names: LIMIT_NAMES, profiles: LARGER },
  { operation: "create", level: ORDINARY, names: ["max_series_per_user"], profiles: LARGER },
  { operation: "add", level: ORDINARY, names: LIMIT_NAMES.slice(1), profiles: LARGER },
  ...WITHOUT_A_THIRD.map((names): MandatoryRow => ({ operation: "add", level: ORDINARY, names, profiles: LARGER })),
  ...LIMIT_NAMES.map((name): MandatoryRow => ({ operation: "add", level: ORDINARY, names: [name], profiles: LARGER })),
];

export const LIMIT_PLAN: HistoryPlan = { levels: LIMIT_LEVELS, mandatory: MANDATORY_ROWS, most: { smoke: 8, release: 68, nightly: 1_000 } };
