/** Variants of the admin API that refuse, ignore or change inputs, or write durations in other forms. The documents are silent about this. */
import { isLimitName, LIMITS } from "../../contract/limits.ts";
import { GLOBAL_DEFAULTS } from "../admin/base.ts";
import type { Behaviour } from "../behaviour.ts";
import { filterLimits } from "../change.ts";
import { emptyReply, isJsonObject, type Json, type JsonObject, jsonReply, parseJson, textMember, textReply } from "../http/message.ts";
import { legal, legalDecision, legalResult, type Row, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const NAMES = "the document does not show which names a server accepts";
const NOTATION = "the document does not state how reads write a length of time, nor how many days a year has";
const VALUES = "the document does not say which values a limit may have";
const REFUSALS = "the conditions that cause errors are not shown";

function composed(payload: JsonObject): JsonObject {
  return { ...payload, display_name: textMember(payload, "display_name").normalize("NFC") };
}

function names(sentence: string, isTaken: (name: string) => boolean): Row {
  return legalResult("checkCreate", sentence, NAMES, (complaint, payload) => {
    const name = isJsonObject(payload) ? payload["name"] : undefined;
    return complaint ?? (typeof name === "string" && !isTaken(name) ? "no such name is allowed" : undefined);
  });
}

function retention(sentence: string, print: (count: number, unit: "y" | "d") => string): Row {
  return legal(sentence, NOTATION, (base) => ({
    limitOnRead: (name, value, context) => {
      const written =
        isLimitName(name) && LIMITS[name].type === "retention" && typeof value === "string" ? /^(\d+)([yd])$/.exec(value) : null;
      const shown: Json = written === null ? value : print(Number(written[1]), written[2] === "y" ? "y" : "d");
      return base.limitOnRead(name, shown, context);
    },
  }));
}

const quota =
  (most: number, status: number) =>
  (base: Behaviour): Partial<Behaviour> => {
    let created = 0;
    return {
      beforeHandle: (request, route) => {
        if (route?.operation !== "admin.create") return base.beforeHandle(request, route);
        created += 1;
        return created > most ? textReply(status, "the quota of instances is used up\n") : base.beforeHandle(request, route);
      },
    };
  };

const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, y: 365, h: 1 / 24 };

function isRetention(name: string, value: Json, refuses: (days: number) => boolean): boolean {
  if (name !== "compactor_blocks_retention_period" || typeof value !== "string") return false;
  const [, count = "", unit = ""] = /^(\d+)([a-z])$/.exec(value) ?? [];
  const days = Number(count) * (DAYS[unit] ?? Number.NaN);
  return days > 0 && refuses(days);
}

const INPUTS: readonly Variant[] = variantsOf({
  "unknown-limits-ignored": legal(
    "Limits outside the table are ignored silently.",
    "the document does not say what a server does with them",
    (base) => ({
      checkLimit: (name, value, context) => (isLimitName(name) ? base.checkLimit(name, value, context) : undefined),
      limitOnWrite: (name, value, context) => (isLimitName(name) ? base.limitOnWrite(name, value, context) : undefined),
    }),
  ),
  "unknown-limits-kept": legalResult(
    "checkLimit",
    "Limits outside the table are stored unchanged.",
    "the document does not say what a server does with them",
    (complaint, name) => (isLimitName(name) ? complaint : undefined),
  ),
  "name-in-update": legal("An update may repeat the name.", "the document does not say what a server does with it", (base) => ({
    checkUpdate: (payload) =>
      isJsonObject(payload) ? base.checkUpdate(filterLimits(payload, (field) => field !== "name")) : base.checkUpdate(payload),
  })),
  "retention-at-most-400-days": legalDecision(
    "checkLimit",
    "A retention period of more than 400 days is refused.",
    "conditions of errors are not shown",
    (name, value) => (isRetention(name, value, (days) => days > 400) ? "too long" : undefined),
  ),
  "retention-at-least-30-days": legalDecision(
    "checkLimit",
    "A retention period of less than 30 days is refused.",
    "conditions of errors are not shown",
    (name, value) => (isRetention(name, value, (days) => days < 30) ? "too short" : undefined),
  ),
  "status-pending": legal(
    "The status of a new instance is pending for 120 ms.",
    { why: "other status values and transitions are not shown", settleMs: 600 },
    (base, { options }) => ({
      presentInstance: (instance, presented, context) => {
        const young = options.now() - Number(instance.createdAtNs / 1_000_000n) < 120;
        const body = base.presentInstance(instance, presented, context);
        return young && context.operation === "read" ? { ...body, status: "pending" } : body;
      },
    }),
  ),
  "strict-values": legalDecision(
    "checkLimit",
    "Values outside a list are refused for strategies, S3 types and paths, and so are integers above 2^31.",
    VALUES,
    (name, value) => {
      if (typeof value === "number" && value > 2 ** 31 - 1 && value !== GLOBAL_DEFAULTS[name]) return `${name} is too large`;
      if ((name === "s3_sse_type" || name === "per_tenant_override_config") && value !== "") return `${name} cannot be set here`;
      if (name === "ingestion_rate_strategy" && value !== "local") return `${name} must be local`;
      return undefined;
    },
  ),
  "names-of-small-letters": legalResult(
    "checkCreate",
    "A name with characters other than a-z, 0-9 and - is refused.",
    "the rules of names are not shown",
    (complaint, payload) => {
      const name = isJsonObject(payload) ? textMember(payload, "name") : "";
      return complaint ?? (/^[a-z0-9-]+$/.test(name) ? undefined : "name must hold only a-z, 0-9 and -");
    },
  ),
  "display-names-composed": legal(
    "Letters of a display name with combining accents are normalised (NFC).",
    "both spellings are the same text for Unicode, and the document does not say how a text is compared",
    (base) => ({
      createInstance: (payload, limits, createdAtNs) => base.createInstance(composed(payload), limits, createdAtNs),
      updateInstance: (old, payload, limits, nowNs) => base.updateInstance(old, composed(payload), limits, nowNs),
    }),
  ),
  "ascii-display-names": legal(
    "A display name with a character other than letters, digits and spaces is refused.",
    "the document does not say which display names a server accepts",
    (base) => ({
      checkUpdate: (payload) => base.checkUpdate(payload) ?? displayNameComplaint(payload),
      checkCreate: (payload) => base.checkCreate(payload) ?? displayNameComplaint(payload),
    }),
  ),
  "display-names-unique": legal(
    "A create with the display name of another instance is refused.",
    "the document does not say which display names a server accepts",
    (base, { instances }) => ({
      checkCreate: (payload) => {
        const text = isJsonObject(payload) ? textMember(payload, "display_name") : "";
        const inUse = instances.all().some(({ display_name }) => display_name === text);
        return base.checkCreate(payload) ?? (inUse ? "the display name is in use" : undefined);
      },
    }),
  ),
  "names-of-words": refusedNames("Names that end with a dash are refused.", (name) => name.endsWith("-")),
  "short-names": shortNames(40),
  "very-short-names": shortNames(24),
  "shorter-names": shortNames(30),
  "delete-and-list": legal("Instances can be listed and deleted.", "other operations are not shown", (base, { instances }) => ({
    beforeHandle: (request, route) => {
      const [service, , , collection, name] = request.segments;
      if (service !== "admin" || collection !== "instances") return base.beforeHandle(request, route);
      if (request.method === "GET" && name === undefined)
        return jsonReply(200, { items: instances.all().map((instance) => ({ name: instance.name })) });
      if (request.method !== "DELETE" || name === undefined) return base.beforeHandle(request, route);
      instances.remove(name);
      return emptyReply(204);
    },
  })),
  "duplicate-name-400": legal("A create of a known name is answered 400.", "duplicate names are not mentioned", (base, { instances }) => ({
    checkCreate: (payload) => {
      const name = isJsonObject(payload) ? payload["name"] : undefined;
      return base.checkCreate(payload) ?? (typeof name === "string" && instances.has(name) ? "the name is in use" : undefined);
    },
  })),
  "duplicate-name-replaces": legal(
    "A create of a known name replaces the existing instance.",
    "duplicate names are not mentioned",
    (base, { instances }) => ({
      checkCreate: (payload) => {
        const complaint = base.checkCreate(payload);
        const name = isJsonObject(payload) ? payload["name"] : undefined;
        if (complaint === undefined && typeof name === "string") instances.remove(name);
        return complaint;
      },
    }),
  ),
  "null-limits-refused": legal("`limits: null` is refused.", "the document does not say what it means", (base) => ({
    precondition: (request, instance) => {
      const payload = parseJson(request.body);
      return isJsonObject(payload) && payload["limits"] === null
        ? textReply(400, "limits must be an object\n")
        : base.precondition(request, instance);
    },
  })),
});

function displayNameComplaint(payload: Json | undefined): string | undefined {
  const text = isJsonObject(payload) ? payload["display_name"] : undefined;
  return typeof text === "string" && /^[A-Za-z0-9 ]*$/.test(text) ? undefined : "display_name must be letters, digits and spaces";
}

function shortNames(most: number): Row {
  return refusedNames(`Names longer than ${most} characters are refused.`, (name) => name.length > most);
}

function refusedNames(sentence: string, isRefused: (name: string) => boolean): Row {
  return legal(sentence, "name rules are not stated", (base) => ({
    checkCreate: (payload) =>
      base.checkCreate(payload) ?? (isJsonObject(payload) && isRefused(textMember(payload, "name")) ? "no such name" : undefined),
  }));
}

const REFUSING: readonly Variant[] = variantsOf({
  "names-of-letters-and-digits": names("A name may have only small letters and digits.", (name) => /^[a-z][a-z0-9]*$/.test(name)),
  "names-of-20-characters": names("A name may have at most 20 characters.", (name) => name.length <= 20),
  "names-without-digits-at-the-end": names("A name must end with a letter.", (name) => /[a-z]$/.test(name)),
  "names-of-underscores": names("A name may have only small letters, digits and underscores.", (name) => /^[a-z][a-z0-9_]*$/.test(name)),
  "retention-in-julian-years": retention("A retention period in years is shown in hours, with 8,766 hours per year.", (count, unit) =>
    unit === "y" ? `${count * 8_766}h0m0s` : `${count}d`,
  ),
  "retention-in-leap-years": retention("A retention period in years is shown in days, with 366 days per year.", (count, unit) =>
    unit === "y" ? `${count * 366}d` : `${count}d`,
  ),
  "retention-in-iso-8601": retention("Retention periods are shown in ISO 8601.", (count, unit) => `P${count}${unit.toUpperCase()}`),
  "retention-cannot-change": legalDecision(
    "checkLimit",
    "The retention period of an instance with limits cannot be changed.",
    REFUSALS,
    (name, value, { previous }) =>
      name === "compactor_blocks_retention_period" && previous?.limits !== undefined && previous.limits[name] !== value
        ? "the retention period cannot be changed"
        : undefined,
  ),
  "limits-of-operators-only": legalDecision(
    "beforeHandle",
    "Writes with limits of the storage or of the configuration are answered 403.",
    "the document does not show which operations a token permits",
    (request, route) =>
      /"(?:s3|per_tenant)_\w+":/.test(request.body) && route?.operation.startsWith("admin.") === true
        ? textReply(403, "only operators may set this limit\n")
        : undefined,
  ),
  "update-without-change-refused": legal("An update that changes nothing is refused with 400.", REFUSALS, (base) => {
    const last = new Map<string, string>();
    return {
      beforeHandle: (request, route) => {
        if (route?.operation !== "admin.update") return base.beforeHandle(request, route);
        const isSame = last.get(route.name) === request.body;
        last.set(route.name, request.body);
        return isSame ? textReply(400, "nothing to change\n") : base.beforeHandle(request, route);
      },
    };
  }),
  "quota-of-12-instances": legal("Each create after the twelfth is answered 403.", REFUSALS, quota(12, 403)),
  "quota-of-20-instances": legal("A create is answered 507 if there are 20 instances.", REFUSALS, quota(20, 507)),
  "quota-of-9-instances": legal("Each create after the ninth is answered 409.", REFUSALS, quota(9, 409)),
  "quota-of-15-instances": legal("A create is answered 422 if there are 15 instances.", REFUSALS, quota(15, 422)),
  "gateway-refuses-markup": legal("A gateway answers 403 to a body with a tag or with `../`.", REFUSALS, (base) => ({
    beforeHandle: (request, route) =>
      /<[a-z]|\.\.\/|%41|\$\{/i.test(request.body) && route?.operation.startsWith("admin.") === true
        ? textReply(403, "request blocked\n")
        : base.beforeHandle(request, route),
  })),
});

export const ADMIN_REFUSING_VARIANTS: readonly Variant[] = [...REFUSING, ...INPUTS];
