/** Faults of texts that have a special meaning in YAML, in URLs, in HTML, in headers, or in terminals. */
import { type JsonObject, textMember } from "../http/message.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

type Writes = "create" | "update";

/** A server that stores another display name, for each kind of request in `writes`. */
function named(id: string, sentence: string, writes: readonly Writes[], change: (text: string) => string): Fault {
  const renamed = (payload: JsonObject): JsonObject => ({ ...payload, display_name: change(textMember(payload, "display_name")) });
  return fault("admin-2.field.display_name", id, sentence, (base) => ({
    createInstance: (payload, limits, createdAtNs) =>
      base.createInstance(writes.includes("create") ? renamed(payload) : payload, limits, createdAtNs),
    updateInstance: (old, payload, limits, nowNs) =>
      base.updateInstance(old, writes.includes("update") ? renamed(payload) : payload, limits, nowNs),
  }));
}

/** The decoded text, or the text itself if it is not a valid part of a URL. */
function unescapedUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text with one of these characters is written in quotes. Other texts are written without quotes. */
const NEEDS_QUOTES = /["\\\n\t:{}[\]]/;

const BOTH: readonly Writes[] = ["create", "update"];

const DISPLAY_NAMES: readonly Fault[] = [
  named("admin-create-display-name-url", "A create decodes the URL escapes in a display name.", ["create"], unescapedUrl),
  named("admin-display-name-url", "URL escapes in a display name are decoded.", ["update"], unescapedUrl),

  named(
    "admin-display-name-plain-comment",
    "A blank and a # in a display name begin a comment, unless the name needs quotes.",
    BOTH,
    (text) => (NEEDS_QUOTES.test(text) ? text : text.replace(/ #.*$/, "")),
  ),

  fault("admin-4.json", "admin-json-control-characters", String.raw`Control characters are written as \x01 and so on.`, (base) => ({
    serialize: (value, route) => base.serialize(value, route).replaceAll(/\\u00([01][\da-f])/g, String.raw`\x$1`),
  })),
];

const LIMITS: readonly Fault[] = [
  fault(
    "admin-2.limit.s3_sse_kms_encryption_context",
    "admin-encryption-context-decoded",
    "An encryption context in Base64 is stored decoded.",
    (base) => ({
      limitOnWrite: (name, value, context) =>
        base.limitOnWrite(
          name,
          name === "s3_sse_kms_encryption_context" && typeof value === "string" && /^[\w+/]{16,}=*$/.test(value)
            ? Buffer.from(value, "base64").toString("utf8")
            : value,
          context,
        ),
    }),
  ),

  fault("admin-2.limit.s3_sse_kms_key_id", "admin-key-name-shortened", "Only the last part of a full key name is stored.", (base) => ({
    limitOnWrite: (name, value, context) =>
      base.limitOnWrite(name, name === "s3_sse_kms_key_id" && typeof value === "string" ? value.replace(/^arn:.*\//, "") : value, context),
  })),
];

const SEQUENCES: readonly Fault[] = [
  fault(
    "admin-4.1",
    "admin-create-texts-fill-texts",
    "If a create sends only limits of type string, only limits of type string are filled.",
    (base) => ({
      fillLimits: (requested, defaults, context) => {
        const onlyTexts = context.operation === "create" && Object.values(requested).every((value) => typeof value === "string");
        const texts = Object.entries(defaults).filter(([, value]) => typeof value === "string");
        return base.fillLimits(requested, onlyTexts ? Object.fromEntries(texts) : defaults, context);
      },
    }),
  ),

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
