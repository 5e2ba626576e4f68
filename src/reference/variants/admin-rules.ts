/** Variants of the admin API with additional rules for values and preconditions, with undocumented states, or with another clock. */
import { isLimitName, LIMITS } from "../../contract/limits.ts";
import { GLOBAL_DEFAULTS, type WriteContext } from "../admin/base.ts";
import { rfc3339 } from "../admin/created-at.ts";
import type { Behaviour } from "../behaviour.ts";
import { textReply, type Json, type Reply } from "../http/message.ts";
import { legal, legalInput, legalResult, type Row, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const VALUES = "the document does not say which values a limit may have";
const CLOCK = "the document does not say whose clock created_at follows";
const SECOND_NS = 1_000_000_000;
const MINUTE_NS = 60_000_000_000n;

function checked(sentence: string, complaint: (name: string, value: Json, context: WriteContext) => string | undefined): Row {
  return legalResult("checkLimit", sentence, VALUES, (usual, name, value, context) => usual ?? complaint(name, value, context));
}

/** The integer limits that are a length of time in nanoseconds. */
const DURATIONS: ReadonlySet<string> = new Set([
  "reject_old_samples_max_age",
  "creation_grace_period",
  "max_query_length",
  "max_cache_freshness",
  "ruler_evaluation_delay_duration",
  "per_tenant_override_period",
]);

function isSmallInteger(name: string): boolean {
  const standard = GLOBAL_DEFAULTS[name];
  return isLimitName(name) && LIMITS[name].type === "integer" && typeof standard === "number" && standard <= 10_000 && !DURATIONS.has(name);
}

/** Returns the number that a limit will have after the write, or 0 if its value is not a number. */
function afterwards(name: string, { sent }: WriteContext): number {
  const value = sent?.[name] ?? GLOBAL_DEFAULTS[name];
  return typeof value === "number" ? value : 0;
}

function clocked(sentence: string, offNs: bigint): Row {
  return legalInput("createInstance", sentence, CLOCK, (payload, limits, createdAtNs) => [payload, limits, createdAtNs + offNs]);
}

function taggedOnRead(base: Behaviour): Partial<Behaviour> {
  return {
    instanceHeaders: (instance, context) => ({
      ...base.instanceHeaders(instance, context),
      ...(context.operation === "read" ? { etag: `"${instance.version}"` } : {}),
    }),
    precondition: (request, instance) => {
      const given = request.headers["if-match"];
      if (given === undefined) return textReply(400, "If-Match is required\n");
      if (given !== "*" && given !== `"${instance.version}"`) return textReply(412, "the instance was changed meanwhile\n");
      return base.precondition(request, instance);
    },
  };
}

const CREATING_MS = 500;
const SET_UP_MS = 333;

function notYet(sentence: string, why: string, reply: Reply): Row {
  return legal(sentence, { why, settleMs: 4_000 }, (base, { options }) => ({
    precondition: (request, instance) =>
      options.now() - Number(instance.createdAtNs / 1_000_000n) < SET_UP_MS ? reply : base.precondition(request, instance),
  }));
}

export const ADMIN_RULE_VARIANTS: readonly Variant[] = variantsOf({
  "locked-after-update": legal(
    "For a third of a second after an update, further updates of the instance are answered 409.",
    { why: "error status codes and the conditions that cause them are not shown", settleMs: 4_000 },
    (base, { options, instances }) => ({
      precondition: (request, instance) => {
        const last = instances.versions(instance.name).at(-1);
        const isLocked = last !== undefined && instance.version > 1 && options.now() - last.atMs < SET_UP_MS;
        return isLocked ? textReply(409, "an update is going on\n") : base.precondition(request, instance);
      },
    }),
  ),
  "integers-at-most-10000": checked("Integer limits with a small default are at most 10,000.", (name, value) =>
    isSmallInteger(name) && Number(value) > 10_000 ? `${name} must be at most 10000` : undefined,
  ),
  "integers-at-most-100000": checked("Integer limits are at most 100,000, also if their default is larger.", (name, value) =>
    isLimitName(name) && LIMITS[name].type === "integer" && Number(value) > 100_000 ? `${name} must be at most 100000` : undefined,
  ),
  "integers-in-tens": checked("Integer limits must be multiples of ten.", (name, value) =>
    isLimitName(name) && LIMITS[name].type === "integer" && Number(value) % 10 !== 0 ? `${name} must be a multiple of 10` : undefined,
  ),
  "series-at-most-samples": checked("max_series_per_query must be at most max_samples_per_query.", (name, _value, context) =>
    /^max_(?:series|samples)_per_query$/.test(name) &&
    afterwards("max_series_per_query", context) > afterwards("max_samples_per_query", context)
      ? "max_series_per_query must be at most max_samples_per_query"
      : undefined,
  ),
  "clusters-need-ha": checked("ha_max_clusters can be set only together with accept_ha_samples.", (name, value, { sent }) =>
    name === "ha_max_clusters" && Number(value) > 0 && sent?.["accept_ha_samples"] !== true ? `${name} needs accept_ha_samples` : undefined,
  ),
  "durations-at-least-1s": checked("Integer durations must be 0 or at least one second.", (name, value) =>
    DURATIONS.has(name) && Number(value) > 0 && Number(value) < SECOND_NS ? `${name} must be at least 1s` : undefined,
  ),
  "burst-at-least-rate": checked("The burst size of ingestion must be at least its rate.", (name, _value, context) =>
    /^ingestion_(?:rate|burst_size)$/.test(name) && afterwards("ingestion_burst_size", context) < afterwards("ingestion_rate", context)
      ? "ingestion_burst_size must be at least ingestion_rate"
      : undefined,
  ),
  "sent-burst-at-least-sent-rate": checked(
    "If a request sets the rate and the burst size of ingestion, the burst size must be at least the rate.",
    (name, value, { sent }) =>
      name === "ingestion_burst_size" && typeof sent?.["ingestion_rate"] === "number" && Number(value) < sent["ingestion_rate"]
        ? "ingestion_burst_size must be at least ingestion_rate"
        : undefined,
  ),
  "etag-on-get-only": legal(
    "Only reads return an ETag, and an update without If-Match is answered 400.",
    "the document does not mention preconditions, and its example release demands them",
    taggedOnRead,
  ),
  "status-creating": legal(
    "For half a second after its create, an instance has the status creating.",
    { why: "other status values and transitions between them are not shown", settleMs: 4_000 },
    (base, { options }) => ({
      presentInstance: (instance, presented, context) => {
        const body = base.presentInstance(instance, presented, context);
        const ageMs = options.now() - Number(instance.createdAtNs / 1_000_000n);
        return ageMs < CREATING_MS ? { ...body, status: "creating" } : body;
      },
    }),
  ),
  "set-up-later": notYet(
    "For a third of a second after its create, updates of an instance are answered 409.",
    "error status codes and the conditions that cause them are not shown",
    textReply(409, "the instance is being set up\n"),
  ),
  "known-to-updates-later": notYet(
    "For a third of a second after its create, an instance can be read, but updates are answered 404.",
    "a write may need time until each server knows it",
    textReply(404, "no such instance\n"),
  ),
  "status-updated": legalResult(
    "presentInstance",
    "The response to an update shows the status updated. Later reads show active.",
    "other status values and transitions between them are not shown",
    (body, _instance, _presented, context) => (context.operation === "update" ? { ...body, status: "updated" } : body),
  ),
  "clock-eleven-minutes-behind": clocked(
    "The clock of created_at is eleven minutes behind the clock of the response dates.",
    -11n * MINUTE_NS,
  ),
  "clock-an-hour-ahead": clocked("The clock of created_at is an hour ahead of the clock of the response dates.", 60n * MINUTE_NS),
  "drop-labels-sorted": legal("drop_labels is shown sorted.", "the order of the labels that are dropped means nothing", (base) => ({
    limitOnRead: (name, value, context) =>
      base.limitOnRead(name, name === "drop_labels" && Array.isArray(value) ? (value as readonly string[]).toSorted() : value, context),
  })),
  "created-at-padded": legal(
    "created_at is measured in microseconds and written with nine digits.",
    "the document states the precision of the timestamp, not of the clock",
    () => ({ formatCreatedAt: (ns) => rfc3339((ns / 1_000n) * 1_000n) }),
  ),
});
