/** Variants with unusual behaviour of the admin API: concurrent requests, stale reads, or other limits. */
import type { Instance } from "../admin/state.ts";
import { isLimitName, LIMITS } from "../../contract/limits.ts";
import type { Behaviour } from "../behaviour.ts";
import { everyNth } from "../change.ts";
import { emptyReply, isJsonObject, type Json, textReply } from "../http/message.ts";
import { legal, legalResult, type Row, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const CONCURRENCY = "the document does not mention preconditions, and its example release demands them";
const STALE = "no statement says how soon reads show a write";
const LENGTH = "a duration is the same length however it is written";

function strong({ version }: Instance): string {
  return `"${version}"`;
}

const CHANGED_MEANWHILE = textReply(412, "the instance was changed meanwhile\n");

/** A server that sends ETags. An update with an old ETag gets `conflict`. If `demanded` is set, an update without an ETag is refused. */
function tagged(
  tag: (instance: Instance) => string,
  demanded: boolean,
  conflict = CHANGED_MEANWHILE,
  isMet = (given: string, current: string): boolean => given === current,
): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    instanceHeaders: (instance, context) => ({ ...base.instanceHeaders(instance, context), etag: tag(instance) }),
    precondition: (request, instance) => {
      const given = request.headers["if-match"];
      if (demanded && given === undefined) return textReply(428, "If-Match is required\n");
      if (given !== undefined && given !== "*" && !isMet(given, tag(instance))) return conflict;
      return base.precondition(request, instance);
    },
  });
}

/** A server that shows an instance as it was `ms` milliseconds ago, or its first version if it is younger. */
function stale(ms: number): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    findInstance: (versions, context) => {
      if (context.operation !== "read") return base.findInstance(versions, context);
      const old = versions.findLast(({ atMs }) => atMs <= context.nowMs - ms) ?? versions[0];
      return old?.instance;
    },
  });
}

const HOUR = 3_600_000_000_000n;
const DAY = 24n * HOUR;
const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const UNIT_NS: Readonly<Record<string, bigint>> = { s: 1_000_000_000n, m: 60_000_000_000n, h: HOUR, d: DAY, w: 7n * DAY, y: 365n * DAY };

/** Returns the length in nanoseconds of a duration string with one number and unit, or null for any other value. */
function lengthOf(value: Json): bigint | null {
  const term = typeof value === "string" ? /^(\d+)([smhdwy])$/.exec(value) : null;
  return term === null ? null : BigInt(term[1] ?? 0) * (UNIT_NS[term[2] ?? ""] ?? 0n);
}

/** Returns a length as text. The unit is the largest in which it is a whole number. */
function largestUnit(ns: bigint): string {
  const unit = ["y", "w", "d", "h", "m"].find((candidate) => ns > 0n && ns % (UNIT_NS[candidate] ?? 1n) === 0n) ?? "s";
  return `${ns / (UNIT_NS[unit] ?? 1n)}${unit}`;
}

function durations(sentence: string, print: (ns: bigint, name: string) => Json): Row {
  return legal(sentence, LENGTH, (base) => ({
    limitOnRead: (name, value, context) => {
      const type = isLimitName(name) ? LIMITS[name].type : undefined;
      const ns = type === "retention" || type === "duration" ? lengthOf(value) : null;
      return base.limitOnRead(name, ns === null ? value : print(ns, name), context);
    },
  }));
}

const OTHER_DEFAULTS = {
  ingestion_rate: 10_000,
  ingestion_burst_size: 200_000,
  ingestion_rate_strategy: "global",
  accept_ha_samples: true,
  ha_replica_label: "replica",
  max_global_series_per_user: 0,
  max_query_lookback: "30d",
  enforce_metric_name: false,
  compactor_blocks_retention_period: "1y",
  drop_labels: ["pod_uid"],
} satisfies Readonly<Record<string, Json>>;

const CONCURRENT: readonly Variant[] = variantsOf({
  "if-match-demanded": legal("Reads and updates return an ETag, and an update must send it back.", CONCURRENCY, tagged(strong, true)),
  "if-match-weak": legal(
    "ETags are weak, and an update must send them back unchanged.",
    CONCURRENCY,
    tagged((instance) => `W/${strong(instance)}`, true),
  ),
  "if-match-weak-unmet": legal(
    "ETags are weak, and an update that sends a weak ETag back is answered 412.",
    CONCURRENCY,
    tagged(
      (instance) => `W/${strong(instance)}`,
      false,
      CHANGED_MEANWHILE,
      () => false,
    ),
  ),
  "if-match-strong-unmet": legal(
    "Responses have ETags, and an update that sends one back is answered 412.",
    CONCURRENCY,
    tagged(strong, false, CHANGED_MEANWHILE, () => false),
  ),
  "if-match-optional": legal("Responses have ETags, and If-Match is checked if it is sent.", CONCURRENCY, tagged(strong, false)),
  "if-match-answered-400": legal(
    "Responses have ETags, and an update with an old ETag is answered 400 without a body.",
    CONCURRENCY,
    tagged(strong, false, emptyReply(400)),
  ),
  "etag-hash": legal(
    "ETags are long texts with punctuation.",
    CONCURRENCY,
    tagged(({ name, version }) => `"${name}:${version}-0f8fad5b, x/y"`, true),
  ),
});

const STALENESS: readonly Variant[] = variantsOf({
  "stale-reads": legal("Reads show the state of an instance 30 ms ago.", STALE, stale(30)),
  "stale-replica": legal("Every second read shows the state of an instance 30 ms ago.", STALE, (base) => {
    const replica = everyNth(2);
    const lagging = stale(30)(base);
    return {
      findInstance: (versions, context) => (replica() ? (lagging.findInstance ?? base.findInstance) : base.findInstance)(versions, context),
    };
  }),
  "stale-reads-long": legal("Reads show the state of an instance 400 ms ago.", { why: STALE, settleMs: 2_000 }, stale(400)),
  "created-later": legalResult("findInstance", "A new instance can be read 30 ms after its create.", STALE, (found, versions, context) => {
    const [first] = versions;
    const tooEarly = first !== undefined && context.nowMs - first.atMs < 30;
    return context.operation === "read" && tooEarly ? undefined : found;
  }),
  "cached-reads": legal("Reads are answered from a cache whose entries live for 25 ms.", STALE, (base) => {
    const cache = new Map<string, { readonly instance: Instance; readonly atMs: number }>();
    return {
      findInstance: (versions, context) => {
        const hit = cache.get(context.name);
        if (context.operation === "read" && hit !== undefined && context.nowMs - hit.atMs < 25) return hit.instance;
        const instance = base.findInstance(versions, context);
        if (context.operation === "read" && instance !== undefined) cache.set(context.name, { instance, atMs: context.nowMs });
        return instance;
      },
    };
  }),
});

const LIMIT_VALUES: readonly Variant[] = variantsOf({
  "durations-largest-unit": durations("Durations are shown in the largest unit, 365d as 1y and 14d as 2w.", largestUnit),
  "durations-in-hours": durations(
    "Durations are shown in hours, minutes and seconds, 8760h0m0s.",
    (ns) => `${ns / HOUR}h${(ns % HOUR) / MINUTE}m${(ns % MINUTE) / SECOND}s`,
  ),
  "durations-in-days": durations("Durations are shown in days and seconds, or in days only if no seconds are left.", (ns) =>
    ns % DAY === 0n ? `${ns / DAY}d` : `${ns / DAY}d${(ns % DAY) / SECOND}s`,
  ),
  "durations-in-seconds": durations("Durations are shown in seconds, with a fraction of zero.", (ns) => `${ns / 1_000_000_000n}.0s`),
  "retention-nanoseconds": legal(
    "The retention period is shown as an integer of nanoseconds.",
    "on read the table shows an integer",
    (base) => ({
      limitOnRead: (name, value, context) => {
        const ns = name === "compactor_blocks_retention_period" ? lengthOf(value) : null;
        // A length above 2^53 ns is not converted to a number, because such a number would not be exact.
        return base.limitOnRead(name, ns === null || ns > BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(ns), context);
      },
    }),
  ),
  "retention-default-text": legalResult(
    "defaultLimits",
    "The default of the retention period is shown as 0s.",
    "a retention period of zero length is a zero",
    (defaults) => ({ ...defaults, compactor_blocks_retention_period: "0s" }),
  ),
  "lookback-default-0h": legal("The default of max_query_lookback is shown as 0h.", LENGTH, (base) => ({
    defaultLimits: (context) => ({ ...base.defaultLimits(context), max_query_lookback: "0h" }),
  })),
  "extra-limits": legalResult(
    "defaultLimits",
    "There are limits that the table does not name.",
    "the table does not say that there are no other limits",
    (defaults) => ({
      ...defaults,
      max_exemplars_per_user: 0,
      out_of_order_time_window: "0s",
      ruler_alertmanager: { url: null },
    }),
  ),
  "extra-limits-expected": legalResult(
    "defaultLimits",
    "There are limits that the table does not name, and the user has named their defaults.",
    {
      why: "the table does not say that there are no other limits",
      expectedDefaults: { extra: { max_exemplars_per_user: 100_000, ruler_alertmanager: { retries: 3, url: null } } },
    },
    (defaults) => ({
      ...defaults,
      max_exemplars_per_user: 100_000,
      ruler_alertmanager: { url: null, retries: 3 },
    }),
  ),
  "extra-limit-counts": legal(
    "A limit that the table does not name shows how often it was read.",
    "the table does not say that there are no other limits",
    (base) => {
      let reads = 0;
      return {
        presentInstance: (instance, presented, context) => {
          const body = base.presentInstance(instance, presented, context);
          reads += 1;
          return isJsonObject(body["limits"]) ? { ...body, limits: { ...body["limits"], active_series: reads } } : body;
        },
      };
    },
  ),
  "drop-labels-empty": legal("drop_labels is an empty list by default.", "an empty list and null both drop no labels", (base) => ({
    defaultLimits: (context) => ({ ...base.defaultLimits(context), drop_labels: [] }),
  })),
  "drop-labels-null": legal("An empty drop_labels reads back as null.", "an empty list and null both drop no labels", (base) => ({
    limitOnRead: (name, value, context) => base.limitOnRead(name, Array.isArray(value) && value.length === 0 ? null : value, context),
  })),
  "series-defaults-zero": legal("The defaults that the table does not show are 0.", "they are not shown", (base) => ({
    defaultLimits: (context) => ({ ...base.defaultLimits(context), max_series_per_query: 0, max_series_per_user: 0 }),
  })),
  "other-defaults": legal(
    "The global defaults differ from the table.",
    {
      why: "the values in the table are those of one deployment, and the user states other values in a setting",
      expectedDefaults: OTHER_DEFAULTS,
    },
    (base) => ({ defaultLimits: (context) => ({ ...base.defaultLimits(context), ...OTHER_DEFAULTS }) }),
  ),
  "merge-over-limits": legal(
    "An update of an instance that has limits keeps the limits that it does not send.",
    "the document does not say what a server does with them",
    () => ({
      replaceLimits: (old, requested) => ({ ...old, ...requested }),
    }),
  ),
  "empty-limits-remove": legal("`limits: {}` in an update removes the limits.", "the document does not say what it means", (base) => ({
    fillLimits: (requested, defaults, context) =>
      Object.keys(requested).length === 0 ? undefined : base.fillLimits(requested, defaults, context),
    replaceLimits: (old, requested, defaults, context) =>
      Object.keys(requested).length === 0 ? undefined : base.replaceLimits(old, requested, defaults, context),
  })),
});

export const ADMIN_BEHAVIOUR_VARIANTS: readonly Variant[] = [...CONCURRENT, ...STALENESS, ...LIMIT_VALUES];
