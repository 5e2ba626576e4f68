/** Faults of servers that store, confuse or lose values, texts and names of instances. */
import { changedResult } from "../change.ts";
import { type Json, type JsonObject, textMember } from "../http/message.ts";
import { HOUR_NS } from "../logs/hours.ts";
import { broken, fault, faultsOf, type Row, wrongInput, wrongResult } from "./define.ts";
import { misread, withLimits } from "./helpers.ts";
import type { Fault } from "./types.ts";

function kept(clause: string, sentence: string, change: (value: Json, name: string) => Json): Row {
  return wrongInput("limitOnWrite", { clause, sentence }, (name, value, context) => [name, change(value, name), context]);
}

function texts(clause: string, sentence: string, change: (text: string, name: string) => string): Row {
  return kept(clause, sentence, (value, name) => (typeof value === "string" ? change(value, name) : value));
}

/** The number of instances that the faulty server keeps in memory. The server reads all other instances from a store. */
const AT_HAND = 12;

/** Returns a fault: the server confuses long names for which `key` returns the same text. */
function longNames(id: string, where: string, key: (name: string) => string): readonly [id: string, row: Row] {
  const sentence = `Reads confuse names of more than 24 characters that differ only in their ${where}.`;
  const row = misread(sentence, (found, { name: asked, server }) => {
    const first = server.instances.all().find(({ name }) => name.length > 24 && key(name) === key(asked));
    return asked.length <= 24 || first === undefined ? found : { ...first, name: found.name };
  });
  return [`admin-long-names-${id}`, row];
}

/** Returns a fault: the server takes a name for that of an older instance, because it begins or ends with the older name. */
function around(where: "begins" | "ends", isAround: (name: string, asked: string) => boolean): Row {
  const sentence = `An update of a name that ${where} with the name of an older instance changes the older instance.`;
  return broken(sentence, (base, { instances }) => ({
    findInstance: (versions, context) => {
      const older = instances.all().find(({ name }) => isAround(name, context.name));
      return context.operation === "update" && older !== undefined ? older : base.findInstance(versions, context);
    },
  }));
}

function pair(one: string, other: string): Fault {
  return fault(
    "admin-4.PUT-over-limits",
    `admin-pair-${one.replaceAll("_", "-")}`,
    `An update that changes ${one} and ${other} of an instance with limits changes only the first.`,
    changedResult("replaceLimits", (next, old, requested) => {
      const both = [one, other].every((name) => Object.hasOwn(requested, name) && requested[name] !== old[name]);
      return next !== undefined && both ? { ...next, [other]: old[other] ?? null } : next;
    }),
  );
}

export const ADMIN_VALUE_FAULTS: readonly Fault[] = [
  ...faultsOf("admin-2.field.name", {
    "admin-list-joined": kept(
      "admin-2.limit.drop_labels",
      "Lists are stored as one text with commas, so an empty list becomes a list with an empty text.",
      (value) => (Array.isArray(value) ? value.join(",").split(",") : value),
    ),
    "admin-list-of-64": kept("admin-4.PUT-over-limits", "Lists are cut to 64 items.", (value) =>
      Array.isArray(value) ? value.slice(0, 64) : value,
    ),
    "admin-list-items-of-16": kept("admin-4.3", "The items of lists are cut to 16 characters.", (value) =>
      Array.isArray(value) ? value.map((item) => (typeof item === "string" ? item.slice(0, 16) : item)) : value,
    ),
    "admin-list-items-quoted": kept("admin-4.PUT-over-limits", "Quotes and backslashes in the items of lists are lost.", (value) =>
      Array.isArray(value) ? value.map((item) => (typeof item === "string" ? item.replaceAll(/["\\]/g, "") : item)) : value,
    ),
    "admin-texts-255": texts("admin-4.3", "Texts of limits are cut to 255 characters.", (text) => text.slice(0, 255)),
    "admin-texts-ascii": texts("admin-4.3", "Letters outside ASCII become question marks in string limits.", (text) =>
      text.replaceAll(/[^\p{ASCII}]/gu, "?"),
    ),
    "admin-shard-size-one-true": kept(
      "admin-2.limit.ingestion_tenant_shard_size",
      "ingestion_tenant_shard_size set to 1 is kept as true.",
      (value, name) => (name === "ingestion_tenant_shard_size" && value === 1 ? true : value),
    ),
    "admin-integers-short-float": kept(
      "admin-4.3",
      "Integers are stored as single-precision floats, which are exact only to 2^24.",
      (value) => (typeof value === "number" ? Math.fround(value) : value),
    ),
    "admin-created-at-put-away": broken(
      {
        clause: "admin-2.created-at-unchanged",
        sentence:
          "If more than twelve instances are read without a write in between, created_at of the instance read first loses its time zone.",
      },
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
    "admin-create-display-name-plain": wrongInput(
      "createInstance",
      { clause: "admin-2.field.display_name", sentence: "A create cuts the display name at the first quote, slash or backslash." },
      (payload, limits, createdAtNs) => [
        { ...payload, display_name: textMember(payload, "display_name").replace(/["'/\\].*$/s, "") },
        limits,
        createdAtNs,
      ],
    ),
    "admin-namesakes-mixed-up": misread(
      { clause: "admin-4.GET", sentence: "If two instances have the same display name, reads of both show the limits of the first." },
      (found, { server }) =>
        withLimits(found, server.instances.all().find(({ display_name }) => display_name === found.display_name)?.limits),
    ),
    "admin-name-39-in-path": wrongResult("findInstance", "A name of more than 39 characters is not found.", (found, _versions, { name }) =>
      name.length > 39 ? undefined : found,
    ),
    "admin-name-ends-with-another": around("ends", (name, asked) => asked.endsWith(`-${name}`)),
    "admin-name-begins-with-another": around("begins", (name, asked) => asked.startsWith(`${name}-`)),
    "admin-limits-key-without-dashes": broken(
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
    ...Object.fromEntries([
      longNames("last", "last character", (name) => name.slice(0, -1)),
      longNames("dashes", "dashes", (name) => name.replaceAll("-", "")),
      longNames("zeros", "leading zeros", (name) => name.replaceAll(/(?<!\d)0+(?=\d)/g, "")),
      longNames("number", "leading zeros of a number after the last dash", (name) => name.replace(/-0+(?=\d+$)/, "-")),
    ]),
  }),
  pair("ingestion_rate", "ingestion_burst_size"),
  pair("max_series_per_user", "max_global_series_per_user"),
  pair("reject_old_samples", "reject_old_samples_max_age"),
  pair("max_samples_per_query", "max_chunks_per_query"),
  pair("accept_ha_samples", "ha_max_clusters"),
  ...faultsOf("admin-4.GET", {
    "admin-json-control-characters": wrongResult(
      "serialize",
      { clause: "admin-4.json", sentence: String.raw`Control characters are written as \x01 and so on.` },
      (json) => json.replaceAll(/\\u00([01][\da-f])/g, String.raw`\x$1`),
    ),
    "admin-key-name-shortened": texts(
      "admin-2.limit.s3_sse_kms_key_id",
      "Only the last part of a full key name is stored.",
      (text, name) => (name === "s3_sse_kms_key_id" ? text.replace(/^arn:.*\//, "") : text),
    ),
    "admin-often-read-texts-lost": broken("After ten reads without a write in between, an instance shows empty texts.", (base) => {
      const reads = new WeakMap<object, number>();
      return {
        presentInstance: (instance, presented, context) => {
          const count = (reads.get(instance) ?? 0) + 1;
          reads.set(instance, count);
          const limits = Object.entries(presented.limits ?? {}).map(([name, value]) => [name, typeof value === "string" ? "" : value]);
          const isPacked = context.operation === "read" && count > 10 && presented.limits !== undefined;
          return base.presentInstance(instance, isPacked ? { ...presented, limits: Object.fromEntries(limits) } : presented, context);
        },
      };
    }),
    "admin-create-keeps-refused": broken(
      { clause: "admin-4.1", sentence: "A create with limits also gets the limits of the refused create before it." },
      (base) => {
        let left: JsonObject = {};
        return {
          checkCreate: (payload) => {
            const complaint = base.checkCreate(payload);
            const limits = (payload as { readonly limits?: JsonObject } | undefined)?.limits;
            if (complaint !== undefined && limits !== undefined) left = limits;
            return complaint;
          },
          fillLimits: (requested, defaults, context) => {
            if (context.operation !== "create") return base.fillLimits(requested, defaults, context);
            const both = { ...left, ...requested };
            left = {};
            return base.fillLimits(both, defaults, context);
          },
        };
      },
    ),
  }),
];
