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

const table = {
  ingestion_rate: { type: "integer", default: 350000, about: "how fast a tenant may write", unit: "samples per second" },
  ingestion_rate_strategy: {
    type: "string",
    default: "local",
    about: "how the ingestion rate is applied: by each instance of the service, or over all of them",
  },
  ingestion_burst_size: {
    type: "integer",
    default: 350000,
    about: "how much a tenant may write at once beyond the ingestion rate",
    unit: "samples",
  },
  accept_ha_samples: { type: "boolean", default: false, about: "whether samples of replicated senders are taken and their copies dropped" },
  ha_cluster_label: { type: "string", default: "cluster", about: "the label that names the group a replicated sender belongs to" },
  ha_replica_label: { type: "string", default: "__replica__", about: "the label that names the replica a sample comes from" },
  ha_max_clusters: { type: "integer", default: 0, about: "how many groups of replicated senders a tenant may have", unit: "groups" },
  drop_labels: { type: "list", default: null, about: "labels that are taken off the series a tenant writes" },
  max_label_name_length: { type: "integer", default: 1024, about: "how long the name of a label may be", unit: "characters or bytes" },
  max_label_value_length: { type: "integer", default: 2048, about: "how long the value of a label may be", unit: "characters or bytes" },
  max_label_names_per_series: { type: "integer", default: 30, about: "how many labels a series may have", unit: "labels" },
  max_metadata_length: {
    type: "integer",
    default: 1024,
    about: "how long a piece of metadata of a metric may be",
    unit: "characters or bytes",
  },
  reject_old_samples: { type: "boolean", default: false, about: "whether samples that are too old are refused" },
  reject_old_samples_max_age: { type: "integer", default: 1209600000000000, time: true, about: "the age beyond which a sample is too old" },
  creation_grace_period: {
    type: "integer",
    default: 600000000000,
    time: true,
    about: "how far ahead of the service's clock a sample may be",
  },
  enforce_metadata_metric_name: { type: "boolean", default: true, about: "whether metadata has to name a metric" },
  enforce_metric_name: { type: "boolean", default: true, about: "whether a sample has to name a metric" },
  ingestion_tenant_shard_size: {
    type: "integer",
    default: 0,
    about: "over how many ingesting parts of the service a tenant is spread",
    unit: "parts of the service",
  },
  max_series_per_query: { type: "integer", about: "how many series one query may touch", unit: "series" },
  max_samples_per_query: { type: "integer", default: 100000, about: "how many samples one query may touch", unit: "samples" },
  max_series_per_user: { type: "integer", about: "how many series a tenant may have, in one part of the service", unit: "series" },
  max_series_per_metric: {
    type: "integer",
    default: 0,
    about: "how many series a metric may have, in one part of the service",
    unit: "series",
  },
  max_global_series_per_user: {
    type: "integer",
    default: 300000,
    about: "how many series a tenant may have, over the whole cluster",
    unit: "series",
  },
  max_global_series_per_metric: {
    type: "integer",
    default: 300000,
    about: "how many series a metric may have, over the whole cluster",
    unit: "series",
  },
  min_chunk_length: { type: "integer", default: 0, about: "how many samples a chunk holds at least", unit: "samples" },
  max_metadata_per_user: {
    type: "integer",
    default: 8000,
    about: "for how many metrics a tenant may have metadata, in one part of the service",
    unit: "metrics",
  },
  max_metadata_per_metric: {
    type: "integer",
    default: 10,
    about: "how many pieces of metadata a metric may have, in one part of the service",
    unit: "pieces of metadata",
  },
  max_global_metadata_per_user: {
    type: "integer",
    default: 0,
    about: "for how many metrics a tenant may have metadata, over the whole cluster",
    unit: "metrics",
  },
  max_global_metadata_per_metric: {
    type: "integer",
    default: 0,
    about: "how many pieces of metadata a metric may have, over the whole cluster",
    unit: "pieces of metadata",
  },
  max_chunks_per_query: { type: "integer", default: 2000000, about: "how many chunks one query may fetch", unit: "chunks" },
  max_query_lookback: { type: "duration", default: "0s", time: true, about: "how far back from now a query may reach" },
  max_query_length: { type: "integer", default: 0, time: true, about: "how long a range of time one query may cover" },
  max_query_parallelism: {
    type: "integer",
    default: 14,
    about: "into how many parts that run at once a query may be split",
    unit: "parts",
  },
  cardinality_limit: { type: "integer", default: 100000, about: "how many series one look-up in the index may find", unit: "series" },
  max_cache_freshness: {
    type: "integer",
    default: 60000000000,
    time: true,
    about: "the age below which results are not kept in the cache",
  },
  max_queriers_per_tenant: {
    type: "integer",
    default: 0,
    about: "over how many querying parts of the service a tenant is spread",
    unit: "parts of the service",
  },
  ruler_evaluation_delay_duration: {
    type: "integer",
    default: 0,
    time: true,
    about: "by how much the evaluation of rules lags behind the clock",
  },
  ruler_tenant_shard_size: {
    type: "integer",
    default: 0,
    about: "over how many rule-evaluating parts of the service a tenant is spread",
    unit: "parts of the service",
  },
  ruler_max_rules_per_rule_group: { type: "integer", default: 0, about: "how many rules a group of rules may hold", unit: "rules" },
  ruler_max_rule_groups_per_tenant: { type: "integer", default: 0, about: "how many groups of rules a tenant may have", unit: "groups" },
  store_gateway_tenant_shard_size: {
    type: "integer",
    default: 0,
    about: "over how many storage-reading parts of the service a tenant is spread",
    unit: "parts of the service",
  },
  compactor_blocks_retention_period: { type: "retention", default: 0, time: true, about: "how long a tenant keeps metrics" },
  s3_sse_type: { type: "string", default: "", about: "the type of encryption on the side of the object storage" },
  s3_sse_kms_key_id: { type: "string", default: "", about: "the key in the key management service that the object storage encrypts with" },
  s3_sse_kms_encryption_context: { type: "string", default: "", about: "the context that goes with that key" },
  per_tenant_override_config: { type: "string", default: "", about: "the file that holds overrides of limits by tenant" },
  per_tenant_override_period: { type: "integer", default: 10000000000, time: true, about: "how often that file is read again" },
} as const satisfies Record<string, LimitRow>;

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
