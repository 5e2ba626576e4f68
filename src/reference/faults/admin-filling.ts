/** Faults of default filling, in creates and in updates that add limits (docs/1 section 2 rules 1-3, section 4 rules 1 and 3). */
import { GLOBAL_DEFAULTS, type WriteContext } from "../admin/base.ts";
import type { LimitValues } from "../admin/state.ts";
import { counter, renamed, zeroOf, mapLimits } from "../change.ts";

import { broken, faultsOf, type Row, type Told, wrongDecision, wrongInput, wrongResult } from "./define.ts";
import { misread, withLimits } from "./helpers.ts";
import type { Fault } from "./types.ts";

type Fill = (requested: LimitValues, defaults: LimitValues, context: WriteContext) => LimitValues | undefined;

function filling(operation: WriteContext["operation"], told: Told, fill: Fill): Row {
  return wrongResult("fillLimits", told, (filled, requested, defaults, context) =>
    context.operation === operation ? fill(requested, defaults, context) : filled,
  );
}

function onCreate(sentence: string, fill: Fill): Row {
  return filling("create", sentence, fill);
}

function onAdding(told: Told, fill: Fill): Row {
  return filling("update", told, fill);
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}

function firstOf(limits: LimitValues, count: number): LimitValues {
  return Object.fromEntries(Object.entries(limits).slice(0, count));
}

export const ADMIN_FILLING_FAULTS: readonly Fault[] = [
  ...faultsOf("admin-4.1", {
    "admin-create-fills-nothing": onCreate("A create keeps the sent limits and fills none.", (requested) => requested),
    "admin-create-fills-zeros": onCreate("A create fills the limits that were not sent with zero values.", (requested, defaults) => ({
      ...mapLimits(defaults, zeroOf),
      ...requested,
    })),
    "admin-create-defaults-win": onCreate("On create, the global defaults replace the sent limits.", (requested, defaults) => ({
      ...requested,
      ...defaults,
    })),
    "admin-create-fills-small-requests": onCreate("A create with more than 12 limits fills none of the others.", (requested, defaults) =>
      Object.keys(requested).length > 12 ? requested : { ...defaults, ...requested },
    ),
    "admin-create-keeps-sixteen": onCreate(
      "A create with more than 16 limits replaces the limits after the sixteenth by their defaults.",
      (requested, defaults) => ({ ...defaults, ...firstOf(requested, 16) }),
    ),
    "admin-create-burst-follows-rate": onCreate(
      "A create that sends ingestion_rate fills ingestion_burst_size with the same value.",
      (requested, defaults) => ({
        ...defaults,
        ...(requested["ingestion_rate"] === undefined ? {} : { ingestion_burst_size: requested["ingestion_rate"] }),
        ...requested,
      }),
    ),
    "admin-create-last-limit-lost": onCreate(
      "A create with several limits replaces the last one by its default.",
      (requested, defaults) => ({
        ...defaults,
        ...firstOf(requested, Math.max(1, Object.keys(requested).length - 1)),
      }),
    ),
    "admin-create-32-bit": broken("Integers above 2^31 - 1 wrap around in a create; an update keeps them.", (base) => ({
      limitOnWrite: (name, value, context) =>
        base.limitOnWrite(name, typeof value === "number" && context.operation === "create" ? value | 0 : value, context),
    })),
    "admin-create-empty-texts-are-none": onCreate(
      "A create whose limits are all empty texts gives the instance no limits.",
      (requested, defaults) => (Object.values(requested).every((value) => value === "") ? undefined : { ...defaults, ...requested }),
    ),
    "admin-own-limit-fills-zero": broken(
      {
        sentence: "A limit of the deployment outside the table is filled with 0 instead of its default.",
        expectedDefaults: { extra: { max_exemplars_per_user: 100_000 } },
      },
      (base) => ({ defaultLimits: (context) => ({ ...base.defaultLimits(context), max_exemplars_per_user: 0 }) }),
    ),
    "admin-create-changes-defaults": broken("The limits of a create become global defaults for later creates.", (base) => {
      let defaults: LimitValues = GLOBAL_DEFAULTS;
      return {
        defaultLimits: () => defaults,
        fillLimits: (requested, given, context) => {
          if (context.operation === "create") defaults = { ...defaults, ...requested };
          return base.fillLimits(requested, given, context);
        },
      };
    }),
    "admin-create-second-unfilled": broken("Only every second create with limits is filled.", (base) => {
      const count = counter();
      return {
        fillLimits: (requested, defaults, context) =>
          context.operation === "create" && count("create") % 2 === 0 ? requested : base.fillLimits(requested, defaults, context),
      };
    }),
    "admin-create-all-limits-refused": broken("A create that sends all limits is refused.", (base) => ({
      checkLimit: (name, value, context) =>
        context.operation === "create" && Object.keys(context.sent ?? {}).length > 40
          ? "too many limits"
          : base.checkLimit(name, value, context),
    })),
    "admin-create-needs-series-limits": wrongDecision(
      "checkLimit",
      "A create with limits is refused unless max_series_per_query is among them.",
      (_name, _value, context) =>
        context.operation === "create" && context.sent?.["max_series_per_query"] === undefined
          ? "max_series_per_query is required"
          : undefined,
    ),
  }),
  ...faultsOf("admin-4.3", {
    "admin-adding-fills-nothing": onAdding("Limits added by an update are not filled.", (requested) => requested),
    "admin-adding-defaults-win": onAdding("When limits are added, the global defaults replace the sent limits.", (requested, defaults) => ({
      ...requested,
      ...defaults,
    })),
    "admin-adding-ignored": onAdding("An update does not add limits to an instance that has none.", () => undefined),
    "admin-adding-first-only": onAdding("If an update adds several limits, only the first is stored.", (requested, defaults) => ({
      ...defaults,
      ...firstOf(requested, 1),
    })),
    "admin-adding-burst-follows-rate": onAdding(
      "Adding ingestion_rate fills ingestion_burst_size with the same value.",
      (requested, defaults) => ({
        ...defaults,
        ...(requested["ingestion_rate"] === undefined ? {} : { ingestion_burst_size: requested["ingestion_rate"] }),
        ...requested,
      }),
    ),
    "admin-adding-needs-company": onAdding(
      { clause: "admin-2.limit.ruler_tenant_shard_size", sentence: "An update that adds only ruler_tenant_shard_size does not store it." },
      (requested, defaults) => (Object.keys(requested).join() === "ruler_tenant_shard_size" ? defaults : { ...defaults, ...requested }),
    ),
    "admin-adding-lapses": misread({ sentence: "Added limits are gone 50 ms later.", settleMs: 1_000 }, (found, { before, ageMs }) =>
      before !== undefined && before.limits === undefined && ageMs > 50 ? withLimits(found, undefined) : found,
    ),
    "admin-adding-brings-back": broken("An update that adds limits also brings back the removed ones.", (base) => {
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
    "admin-adding-once": broken(
      "Limits can be added to an instance once. After their removal, a second update with limits is ignored.",
      (base) => {
        const count = counter();
        return {
          fillLimits: (requested, defaults, context) =>
            context.operation === "update" && count(context.name) > 1 ? undefined : base.fillLimits(requested, defaults, context),
        };
      },
    ),
    "admin-adding-refused": broken("An update that adds limits to an instance created without limits is refused.", (base) => ({
      checkLimit: (name, value, context) =>
        context.operation === "update" && context.previous?.limits === undefined
          ? "limits are set when an instance is created"
          : base.checkLimit(name, value, context),
    })),
    "admin-false-is-unset": wrongResult("limitOnWrite", "A limit of false is treated as not sent.", (written) =>
      written === false ? undefined : written,
    ),
    "admin-32-bit": broken("Integers above 2^31 - 1 wrap around.", (base) => ({
      limitOnWrite: (name, value, context) => base.limitOnWrite(name, typeof value === "number" ? value | 0 : value, context),
    })),
    "admin-names-camel-case": wrongInput(
      "presentInstance",
      { clause: "admin-2.3a", sentence: "Limit names are shown in camel case." },
      (instance, { createdAt, limits }, context) => [instance, { createdAt, limits: limits && renamed(limits, camelCase) }, context],
    ),
  }),
];
