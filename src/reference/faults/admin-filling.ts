/** Faults of limits that are filled wrongly on create or when limits are added (docs/1 section 2 rules 1-3, section 4 rules 1 and 3). */
import { GLOBAL_DEFAULTS, type WriteContext } from "../admin/base.ts";
import type { LimitValues } from "../admin/state.ts";
import type { Behaviour } from "../behaviour.ts";
import { counter, mapLimits, renamed, zeroOf } from "../change.ts";
import type { Json } from "../http/message.ts";
import { fault, wrongInput, wrongDecision } from "./define.ts";
import type { Fault } from "./types.ts";

type Fill = (requested: LimitValues, defaults: LimitValues, context: WriteContext) => LimitValues | undefined;

function filling(operation: WriteContext["operation"], fill: Fill): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    fillLimits: (requested, defaults, context) =>
      context.operation === operation ? fill(requested, defaults, context) : base.fillLimits(requested, defaults, context),
  });
}

function onCreate(id: string, sentence: string, fill: Fill): Fault {
  return fault("admin-4.1", id, sentence, filling("create", fill));
}

function onAdding(id: string, sentence: string, fill: Fill): Fault {
  return fault("admin-4.3", id, sentence, filling("update", fill));
}

function firstOf(limits: LimitValues, count: number): LimitValues {
  return Object.fromEntries(Object.entries(limits).slice(0, count));
}

function omitting(test: (value: Json) => boolean): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({ limitOnWrite: (name, value, context) => (test(value) ? undefined : base.limitOnWrite(name, value, context)) });
}

const CREATE: readonly Fault[] = [
  onCreate("admin-create-fills-nothing", "A create keeps the sent limits and fills none.", (requested) => requested),
  onCreate("admin-create-fills-zeros", "A create fills the limits that were not sent with zero values.", (requested, defaults) => ({
    ...mapLimits(defaults, zeroOf),
    ...requested,
  })),
  onCreate("admin-create-defaults-win", "On create, the global defaults replace the sent limits.", (requested, defaults) => ({
    ...requested,
    ...defaults,
  })),
  onCreate("admin-create-fills-small-requests", "A create with more than 12 limits fills none of the others.", (requested, defaults) =>
    Object.keys(requested).length > 12 ? requested : { ...defaults, ...requested },
  ),
  onCreate(
    "admin-create-keeps-sixteen",
    "A create with more than 16 limits replaces the limits after the sixteenth by their defaults.",
    (requested, defaults) => ({ ...defaults, ...firstOf(requested, 16) }),
  ),
  onCreate(
    "admin-create-burst-follows-rate",
    "A create that sends ingestion_rate fills ingestion_burst_size with the same value.",
    (requested, defaults) => ({
      ...defaults,
      ...(requested["ingestion_rate"] === undefined ? {} : { ingestion_burst_size: requested["ingestion_rate"] }),
      ...requested,
    }),
  ),
  onCreate("admin-create-last-limit-lost", "A create with several limits replaces the last one by its default.", (requested, defaults) => ({
    ...defaults,
    ...firstOf(requested, Math.max(1, Object.keys(requested).length - 1)),
  })),
  fault("admin-4.1", "admin-create-32-bit", "Integers above 2^31 - 1 wrap around in a create; an update keeps them.", (base) => ({
    limitOnWrite: (name, value, context) =>
      base.limitOnWrite(name, typeof value === "number" && context.operation === "create" ? value | 0 : value, context),
  })),
  onCreate(
    "admin-create-empty-texts-are-none",
    "A create whose limits are all empty texts gives the instance no limits.",
    (requested, defaults) => (Object.values(requested).every((value) => value === "") ? undefined : { ...defaults, ...requested }),
  ),
  fault(
    { clause: "admin-4.1", expectedDefaults: { extra: { max_exemplars_per_user: 100_000 } } },
    "admin-own-limit-fills-zero",
    "A limit of the deployment outside the table is filled with 0 instead of its default.",
    (base) => ({ defaultLimits: (context) => ({ ...base.defaultLimits(context), max_exemplars_per_user: 0 }) }),
  ),
  fault("admin-4.1", "admin-create-changes-defaults", "The limits of a create become global defaults for later creates.", (base) => {
    let defaults: LimitValues = GLOBAL_DEFAULTS;
    return {
      defaultLimits: () => defaults,
      fillLimits: (requested, given, context) => {
        if (context.operation === "create") defaults = { ...defaults, ...requested };
        return base.fillLimits(requested, given, context);
      },
    };
  }),
  fault("admin-4.1", "admin-create-second-unfilled", "Only every second create with limits is filled.", (base) => {
    const count = counter();
    return {
      fillLimits: (requested, defaults, context) =>
        context.operation === "create" && count("create") % 2 === 0 ? requested : base.fillLimits(requested, defaults, context),
    };
  }),
  fault("admin-4.1", "admin-create-all-limits-refused", "A create that sends all limits is refused.", (base) => ({
    checkLimit: (name, value, context) =>
      context.operation === "create" && Object.keys(context.sent ?? {}).length > 40
        ? "too many limits"
        : base.checkLimit(name, value, context),
  })),
  wrongDecision(
    "checkLimit",
    "admin-4.1",
    "admin-create-needs-series-limits",
    "A create with limits is refused unless max_series_per_query is among them.",
    (_name, _value, context) =>
      context.operation === "create" && context.sent?.["max_series_per_query"] === undefined
        ? "max_series_per_query is required"
        : undefined,
  ),
];

const ADDING: readonly Fault[] = [
  onAdding("admin-adding-fills-nothing", "Limits added by an update are not filled.", (requested) => requested),
  onAdding("admin-adding-defaults-win", "When limits are added, the global defaults replace the sent limits.", (requested, defaults) => ({
    ...requested,
    ...defaults,
  })),
  onAdding("admin-adding-ignored", "An update does not add limits to an instance that has none.", () => undefined),
  onAdding("admin-adding-first-only", "If an update adds several limits, only the first is stored.", (requested, defaults) => ({
    ...defaults,
    ...firstOf(requested, 1),
  })),

  onAdding(
    "admin-adding-burst-follows-rate",
    "Adding ingestion_rate fills ingestion_burst_size with the same value.",
    (requested, defaults) => ({
      ...defaults,
      ...(requested["ingestion_rate"] === undefined ? {} : { ingestion_burst_size: requested["ingestion_rate"] }),
      ...requested,
    }),
  ),
  fault(
    "admin-2.limit.ruler_tenant_shard_size",
    "admin-adding-needs-company",
    "An update that adds only ruler_tenant_shard_size does not store it.",
    filling("update", (requested, defaults) =>
      Object.keys(requested).join() === "ruler_tenant_shard_size" ? defaults : { ...defaults, ...requested },
    ),
  ),
  fault({ clause: "admin-4.3", settleMs: 1_000 }, "admin-adding-lapses", "Added limits are gone 50 ms later.", (base) => ({
    findInstance: (versions, context) => {
      const found = base.findInstance(versions, context);
      const [before, last] = [versions.at(-2), versions.at(-1)];
      const added = before !== undefined && before.instance.limits === undefined;
      if (found === undefined || last === undefined || !added || context.operation !== "read" || context.nowMs - last.atMs <= 50)
        return found;
      const { limits: _gone, ...rest } = found;
      return rest;
    },
  })),
  fault("admin-4.3", "admin-adding-brings-back", "An update that adds limits also brings back the removed ones.", (base) => {
    const former = new Map<string, LimitValues>();
    return {
      withoutLimits: (old, defaults, context) => {
        if (old !== undefined) former.set(context.name, old);
        return base.withoutLimits(old, defaults, context);
      },
      fillLimits: (requested, defaults, context) =>
        base.fillLimits(requested, { ...defaults, ...(context.operation === "update" ? former.get(context.name) : {}) }, context),
    };
  }),
  fault(
    "admin-4.3",
    "admin-adding-once",
    "Limits can be added to an instance once. After their removal, a second update with limits is ignored.",
    (base) => {
      const count = counter();
      return {
        fillLimits: (requested, defaults, context) =>
          context.operation === "update" && count(context.name) > 1 ? undefined : base.fillLimits(requested, defaults, context),
      };
    },
  ),
  fault("admin-4.3", "admin-adding-refused", "An update that adds limits to an instance created without limits is refused.", (base) => ({
    checkLimit: (name, value, context) =>
      context.operation === "update" && context.previous?.limits === undefined
        ? "limits are set when an instance is created"
        : base.checkLimit(name, value, context),
  })),
  fault(
    "admin-4.3",
    "admin-false-is-unset",
    "A limit of false is treated as not sent.",
    omitting((value) => value === false),
  ),
  fault("admin-4.3", "admin-32-bit", "Integers above 2^31 - 1 wrap around.", (base) => ({
    limitOnWrite: (name, value, context) => base.limitOnWrite(name, typeof value === "number" ? value | 0 : value, context),
  })),
];

function renaming(id: string, sentence: string, rename: (name: string) => string, onUpdateOnly = false): Fault {
  return wrongInput("presentInstance", "admin-2.3a", id, sentence, (instance, presented, context) => [
    instance,
    presented.limits === undefined || (onUpdateOnly && context.operation !== "update")
      ? presented
      : { ...presented, limits: renamed(presented.limits, rename) },
    context,
  ]);
}

const NAMES: readonly Fault[] = [
  renaming("admin-names-camel-case", "Limit names are shown in camel case.", (name) =>
    name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase()),
  ),
];

export const ADMIN_FILLING_FAULTS: readonly Fault[] = [...CREATE, ...ADDING, ...NAMES];
