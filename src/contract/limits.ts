/**
 * The table of limits of docs/1 section 2. Schemas, clauses, model, generators and reference server are derived from it. The documents do
 * not explain the limits, so `about` and `unit` are concluded from the names.
 */
import type { LimitType } from "./limit-types.ts";

export type { LimitType } from "./limit-types.ts";

export type LimitValue = number | boolean | string | null | readonly string[];

interface LimitRow {
  readonly type: LimitType;
  /** The default that the document shows, or absent if the document shows no default ("set by the request"). */
  readonly default?: LimitValue;
  /** True for limits whose value is a length of time. The document shows no unit for integers, but the defaults look like nanoseconds. */
  readonly time?: true;
  /** The meaning of the limit, in our own words. */
  readonly about: string;
  /** The unit of the limit's value. A limit whose value is a length of time has `time` instead of `unit`. */
  readonly unit?: string;
}

/** Makes the row of a limit whose value is neither a number nor a length of time. */
function setting(type: LimitType, value: LimitValue, about: string): LimitRow {
  return { type, default: value, about };
}

/** Makes the row of a limit whose value is a number of units. `value` is undefined if the document shows no default. */
function amount(unit: string, value: number | undefined, about: string): LimitRow {
  return { type: "integer", ...(value === undefined ? {} : { default: value }), about, unit };
}

/** Makes the row of a limit whose value is a length of time. */
function time(type: LimitType, value: LimitValue, about: string): LimitRow {
  return { type, default: value, time: true, about };
}

const table = {
  ingestion_rate: amount("samples per second", 350_000, "how fast a tenant may write"),
  ingestion_rate_strategy: setting(
    "string",
    "local",
    "how the ingestion rate is applied: by each instance of the service, or over all of them",
  ),
  ingestion_burst_size: amount("samples", 350_000, "how much a tenant may write at once beyond the ingestion rate"),
  accept_ha_samples: setting("boolean", false, "whether samples of replicated senders are taken and their copies dropped"),
  ha_cluster_label: setting("string", "cluster", "the label that names the group a replicated sender belongs to"),
  ha_replica_label: setting("string", "__replica__", "the label that names the replica a sample comes from"),
  ha_max_clusters: amount("groups", 0, "how many groups of replicated senders a tenant may have"),
  drop_labels: setting("list", null, "labels that are taken off the series a tenant writes"),
  max_label_name_length: amount("characters or bytes", 1024, "how long the name of a label may be"),
  max_label_value_length: amount("characters or bytes", 2048, "how long the value of a label may be"),
  max_label_names_per_series: amount("labels", 30, "how many labels a series may have"),
  max_metadata_length: amount("characters or bytes", 1024, "how long a piece of metadata of a metric may be"),
  reject_old_samples: setting("boolean", false, "whether samples that are too old are refused"),
  reject_old_samples_max_age: time("integer", 1_209_600_000_000_000, "the age beyond which a sample is too old"),
  creation_grace_period: time("integer", 600_000_000_000, "how far ahead of the service's clock a sample may be"),
  enforce_metadata_metric_name: setting("boolean", true, "whether metadata has to name a metric"),
  enforce_metric_name: setting("boolean", true, "whether a sample has to name a metric"),
  ingestion_tenant_shard_size: amount("parts of the service", 0, "over how many ingesting parts of the service a tenant is spread"),
  max_series_per_query: amount("series", undefined, "how many series one query may touch"),
  max_samples_per_query: amount("samples", 100_000, "how many samples one query may touch"),
  max_series_per_user: amount("series", undefined, "how many series a tenant may have, in one part of the service"),
  max_series_per_metric: amount("series", 0, "how many series a metric may have, in one part of the service"),
  max_global_series_per_user: amount("series", 300_000, "how many series a tenant may have, over the whole cluster"),
  max_global_series_per_metric: amount("series", 300_000, "how many series a metric may have, over the whole cluster"),
  min_chunk_length: amount("samples", 0, "how many samples a chunk holds at least"),
  max_metadata_per_user: amount("metrics", 8000, "for how many metrics a tenant may have metadata, in one part of the service"),
  max_metadata_per_metric: amount("pieces of metadata", 10, "how many pieces of metadata a metric may have, in one part of the service"),
  max_global_metadata_per_user: amount("metrics", 0, "for how many metrics a tenant may have metadata, over the whole cluster"),
  max_global_metadata_per_metric: amount("pieces of metadata", 0, "how many pieces of metadata a metric may have, over the whole cluster"),
  max_chunks_per_query: amount("chunks", 2_000_000, "how many chunks one query may fetch"),
  max_query_lookback: time("duration", "0s", "how far back from now a query may reach"),
  max_query_length: time("integer", 0, "how long a range of time one query may cover"),
  max_query_parallelism: amount("parts", 14, "into how many parts that run at once a query may be split"),
  cardinality_limit: amount("series", 100_000, "how many series one look-up in the index may find"),
  max_cache_freshness: time("integer", 60_000_000_000, "the age below which results are not kept in the cache"),
  max_queriers_per_tenant: amount("parts of the service", 0, "over how many querying parts of the service a tenant is spread"),
  ruler_evaluation_delay_duration: time("integer", 0, "by how much the evaluation of rules lags behind the clock"),
  ruler_tenant_shard_size: amount("parts of the service", 0, "over how many rule-evaluating parts of the service a tenant is spread"),
  ruler_max_rules_per_rule_group: amount("rules", 0, "how many rules a group of rules may hold"),
  ruler_max_rule_groups_per_tenant: amount("groups", 0, "how many groups of rules a tenant may have"),
  store_gateway_tenant_shard_size: amount(
    "parts of the service",
    0,
    "over how many storage-reading parts of the service a tenant is spread",
  ),
  compactor_blocks_retention_period: time("retention", 0, "how long a tenant keeps metrics"),
  s3_sse_type: setting("string", "", "the type of encryption on the side of the object storage"),
  s3_sse_kms_key_id: setting("string", "", "the key in the key management service that the object storage encrypts with"),
  s3_sse_kms_encryption_context: setting("string", "", "the context that goes with that key"),
  per_tenant_override_config: setting("string", "", "the file that holds overrides of limits by tenant"),
  per_tenant_override_period: time("integer", 10_000_000_000, "how often that file is read again"),
};

export type LimitName = keyof typeof table;

/** The table of docs/1 section 2, by limit name. */
export const LIMITS: Readonly<Record<LimitName, LimitRow>> = table;

/** The 47 names in the order of the table. */
export const LIMIT_NAMES = Object.keys(table) as readonly LimitName[];

/** Any subset of the limits with their values. */
export type Limits = { readonly [Name in LimitName]?: LimitValue };

/** Whether `name` is the name of a limit in the table. */
export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(table, name);
}

/** The documented defaults of 45 limits. The two limits that are "set by the request" are absent. */
export const DOCUMENTED_DEFAULTS: Limits = Object.fromEntries(
  LIMIT_NAMES.flatMap((name) => {
    const value = LIMITS[name].default;
    return value === undefined ? [] : [[name, value]];
  }),
);
