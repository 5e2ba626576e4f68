import { type Json, textMember } from "../http/message.ts";
import { fault, wrongResult, wrongInput } from "./define.ts";
import type { Fault } from "./types.ts";

function kept(clause: string, id: string, sentence: string, change: (value: Json, name: string) => Json): Fault {
  return wrongInput("limitOnWrite", clause, id, sentence, (name, value, context) => [name, change(value, name), context]);
}

function texts(id: string, sentence: string, change: (text: string) => string, clause = "admin-4.3"): Fault {
  return kept(clause, id, sentence, (value) => (typeof value === "string" ? change(value) : value));
}

const VALUES: readonly Fault[] = [
  kept(
    "admin-2.limit.drop_labels",
    "admin-list-joined",
    "Lists are stored as one text with commas, so an empty list becomes a list with an empty text.",
    (value) => (Array.isArray(value) ? value.join(",").split(",") : value),
  ),
  kept("admin-4.PUT-over-limits", "admin-list-of-64", "Lists are cut to 64 items.", (value) =>
    Array.isArray(value) ? value.slice(0, 64) : value,
  ),
  texts("admin-texts-255", "Texts of limits are cut to 255 characters.", (text) => text.slice(0, 255)),

  texts("admin-texts-ascii", "Letters outside ASCII become question marks in string limits.", (text) =>
    text.replaceAll(/[^\p{ASCII}]/gu, "?"),
  ),
  kept(
    "admin-2.limit.ingestion_tenant_shard_size",
    "admin-shard-size-one-true",
    "ingestion_tenant_shard_size set to 1 is kept as true.",
    (value, name) => (name === "ingestion_tenant_shard_size" && value === 1 ? true : value),
  ),

  kept(
    "admin-4.3",
    "admin-integers-short-float",
    "Integers are stored as single-precision floats, which are exact only to 2^24.",
    (value) => (typeof value === "number" ? Math.fround(value) : value),
  ),
];

const HOUR_NS = 3_600_000_000_000n;

/** The number of instances that the faulty server keeps in memory. The server reads all other instances from a store. */
const AT_HAND = 12;

const TIMES: readonly Fault[] = [
  fault(
    "admin-2.created-at-unchanged",
    "admin-created-at-put-away",
    "If more than twelve instances are read without a write in between, created_at of the instance read first loses its time zone.",
    (base) => {
      let atHand: string[] = [];
      let away = new Set<string>();
      return {
        storeInstance: (next, context) => {
          [atHand, away] = [[], new Set()];
          return base.storeInstance(next, context);
        },
        findInstance: (versions, context) => {
          const found = base.findInstance(versions, context);
          if (found === undefined || context.operation !== "read") return found;
          const wasAway = away.has(found.name);
          atHand = [...atHand.filter((name) => name !== found.name), found.name];
          for (const name of atHand.splice(0, Math.max(0, atHand.length - AT_HAND))) away.add(name);
          return wasAway ? { ...found, createdAtNs: found.createdAtNs + HOUR_NS } : found;
        },
      };
    },
  ),
];

function namedOnCreate(id: string, sentence: string, change: (text: string) => string): Fault {
  return fault("admin-2.field.display_name", id, sentence, (base) => ({
    createInstance: (payload, limits, createdAtNs) =>
      base.createInstance({ ...payload, display_name: change(textMember(payload, "display_name")) }, limits, createdAtNs),
  }));
}

const NAMES: readonly Fault[] = [
  namedOnCreate("admin-create-display-name-plain", "A create cuts the display name at the first quote, slash or backslash.", (text) =>
    text.replace(/["'/\\].*$/s, ""),
  ),
  fault(
    "admin-4.GET",
    "admin-namesakes-mixed-up",
    "If two instances have the same display name, reads of both show the limits of the first.",
    (base, { instances }) => ({
      findInstance: (versions, context) => {
        const found = base.findInstance(versions, context);
        if (found === undefined || context.operation !== "read") return found;
        const first = instances.all().find(({ display_name }) => display_name === found.display_name);
        const { limits: _own, ...rest } = found;
        return first?.limits === undefined ? rest : { ...rest, limits: first.limits };
      },
    }),
  ),
  fault("admin-2.field.name", "admin-name-39-in-path", "A name of more than 39 characters is not found.", (base) => ({
    findInstance: (versions, context) => (context.name.length > 39 ? undefined : base.findInstance(versions, context)),
  })),

  ...(
    [
      ["ends", "ends", (name: string, asked: string): boolean => asked.endsWith(`-${name}`)],
      ["begins", "begins", (name: string, asked: string): boolean => asked.startsWith(`${name}-`)],
    ] as const
  ).map(([id, where, isAround]) =>
    fault(
      "admin-2.field.name",
      `admin-name-${id}-with-another`,
      `An update of a name that ${where} with the name of an older instance changes the older instance.`,
      (base, { instances }) => ({
        findInstance: (versions, context) => {
          const older = instances.all().find(({ name }) => isAround(name, context.name));
          return context.operation === "update" && older !== undefined ? older : base.findInstance(versions, context);
        },
      }),
    ),
  ),
  fault(
    "admin-2.field.name",
    "admin-limits-key-without-dashes",
    "Limits are stored under the name without its dashes. A create also changes the limits of an older instance with this key.",
    (base, { instances, options }) => ({
      storeInstance: (next, context) => {
        const key = next.name.replaceAll("-", "");
        const older = instances.all().filter(({ name }) => name !== next.name && name.replaceAll("-", "") === key);
        if (context.previous === undefined && next.limits !== undefined)
          for (const one of older) instances.write({ ...one, limits: next.limits }, options.now());
        return base.storeInstance(next, context);
      },
    }),
  ),
  ...(
    [
      ["last", "last character", (name: string): string => name.slice(0, -1)],
      ["dashes", "dashes", (name: string): string => name.replaceAll("-", "")],
      ["zeros", "leading zeros", (name: string): string => name.replaceAll(/(?<!\d)0+(?=\d)/g, "")],
      ["number", "leading zeros of a number after the last dash", (name: string): string => name.replace(/-0+(?=\d+$)/, "-")],
    ] as const
  ).map(([id, where, key]) =>
    fault(
      "admin-2.field.name",
      `admin-long-names-${id}`,
      `Reads confuse names of more than 24 characters that differ only in their ${where}.`,
      (base, { instances }) => ({
        findInstance: (versions, context) => {
          const found = base.findInstance(versions, context);
          if (found === undefined || context.operation !== "read" || context.name.length <= 24) return found;
          const first = instances.all().find(({ name }) => name.length > 24 && key(name) === key(context.name));
          return first === undefined ? found : { ...first, name: found.name };
        },
      }),
    ),
  ),
];

function pair(one: string, other: string): Fault {
  return wrongResult(
    "replaceLimits",
    "admin-4.PUT-over-limits",
    `admin-pair-${one.replaceAll("_", "-")}`,
    `An update that changes ${one} and ${other} of an instance with limits changes only the first.`,
    (next, old, requested) => {
      const both = [one, other].every((name) => Object.hasOwn(requested, name) && requested[name] !== old[name]);
      return next !== undefined && both ? { ...next, [other]: old[other] ?? null } : next;
    },
  );
}

const PAIRS: readonly Fault[] = [
  pair("ingestion_rate", "ingestion_burst_size"),
  pair("max_series_per_user", "max_global_series_per_user"),
  pair("reject_old_samples", "reject_old_samples_max_age"),
  pair("max_samples_per_query", "max_chunks_per_query"),
  pair("accept_ha_samples", "ha_max_clusters"),
];

export const ADMIN_VALUE_FAULTS: readonly Fault[] = [...VALUES, ...TIMES, ...NAMES, ...PAIRS];
