/** Faults of texts that have a special meaning in YAML, in URLs, in HTML, in headers, or in terminals. */
import type { JsonObject } from "../http/message.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const DISPLAY_NAMES: readonly Fault[] = [
  fault("admin-4.json", "admin-json-control-characters", String.raw`Control characters are written as \x01 and so on.`, (base) => ({
    serialize: (value, route) => base.serialize(value, route).replaceAll(/\\u00([01][\da-f])/g, String.raw`\x$1`),
  })),
];

const LIMITS: readonly Fault[] = [
  fault("admin-2.limit.s3_sse_kms_key_id", "admin-key-name-shortened", "Only the last part of a full key name is stored.", (base) => ({
    limitOnWrite: (name, value, context) =>
      base.limitOnWrite(name, name === "s3_sse_kms_key_id" && typeof value === "string" ? value.replace(/^arn:.*\//, "") : value, context),
  })),
];

const SEQUENCES: readonly Fault[] = [
  fault(
    "admin-4.GET",
    "admin-often-read-texts-lost",
    "After ten reads without a write in between, an instance shows empty texts.",
    (base) => {
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
    },
  ),
  fault("admin-4.1", "admin-create-keeps-refused", "A create with limits also gets the limits of the refused create before it.", (base) => {
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
  }),
];

export const ADMIN_TEXT_FAULTS: readonly Fault[] = [...DISPLAY_NAMES, ...LIMITS, ...SEQUENCES];
