/**
 * The limits table of docs/1 section 2: the one place that knows the 47 names, their types and the
 * documented defaults. Schemas, clauses, model, generators and the reference server derive from it.
 */

/** `duration` is a duration string; `retention` is a duration string on write and that or an integer of nanoseconds on read. */
export type LimitType = "integer" | "boolean" | "string" | "list" | "duration" | "retention";

/** A JSON value a limit can hold. */
export type LimitValue = number | boolean | string | null | readonly string[];

interface LimitRow {
  readonly type: LimitType;
  /** The default the document returns; absent where it shows none ("set by the request"). */
  readonly default?: LimitValue;
  /** Integers and durations whose value is a length of time (the document writes them as nanoseconds). */
  readonly time?: true;
}

const table = {
  ingestion_rate: { type: "integer", default: 350000 },
  ingestion_rate_strategy: { type: "string", default: "local" },
  ingestion_burst_size: { type: "integer", default: 350000 },
  accept_ha_samples: { type: "boolean", default: false },
  ha_cluster_label: { type: "string", default: "cluster" },
  ha_replica_label: { type: "string", default: "__replica__" },
  ha_max_clusters: { type: "integer", default: 0 },
  drop_labels: { type: "list", default: null },
  max_label_name_length: { type: "integer", default: 1024 },
  max_label_value_length: { type: "integer", default: 2048 },
  max_label_names_per_series: { type: "integer", default: 30 },
  max_metadata_length: { type: "integer", default: 1024 },
  reject_old_samples: { type: "boolean", default: false },
  reject_old_samples_max_age: { type: "integer", default: 1209600000000000, time: true },
  creation_grace_period: { type: "integer", default: 600000000000, time: true },
  enforce_metadata_metric_name: { type: "boolean", default: true },
  enforce_metric_name: { type: "boolean", default: true },
  ingestion_tenant_shard_size: { type: "integer", default: 0 },
  max_series_per_query: { type: "integer" },
  max_samples_per_query: { type: "integer", default: 100000 },
  max_series_per_user: { type: "integer" },
  max_series_per_metric: { type: "integer", default: 0 },
  max_global_series_per_user: { type: "integer", default: 300000 },
  max_global_series_per_metric: { type: "integer", default: 300000 },
  min_chunk_length: { type: "integer", default: 0 },
  max_metadata_per_user: { type: "integer", default: 8000 },
  max_metadata_per_metric: { type: "integer", default: 10 },
  max_global_metadata_per_user: { type: "integer", default: 0 },
  max_global_metadata_per_metric: { type: "integer", default: 0 },
  max_chunks_per_query: { type: "integer", default: 2000000 },
  max_query_lookback: { type: "duration", default: "0s", time: true },
  max_query_length: { type: "integer", default: 0, time: true },
  max_query_parallelism: { type: "integer", default: 14 },
  cardinality_limit: { type: "integer", default: 100000 },
  max_cache_freshness: { type: "integer", default: 60000000000, time: true },
  max_queriers_per_tenant: { type: "integer", default: 0 },
  ruler_evaluation_delay_duration: { type: "integer", default: 0, time: true },
  ruler_tenant_shard_size: { type: "integer", default: 0 },
  ruler_max_rules_per_rule_group: { type: "integer", default: 0 },
  ruler_max_rule_groups_per_tenant: { type: "integer", default: 0 },
  store_gateway_tenant_shard_size: { type: "integer", default: 0 },
  compactor_blocks_retention_period: { type: "retention", default: 0, time: true },
  s3_sse_type: { type: "string", default: "" },
  s3_sse_kms_key_id: { type: "string", default: "" },
  s3_sse_kms_encryption_context: { type: "string", default: "" },
  per_tenant_override_config: { type: "string", default: "" },
  per_tenant_override_period: { type: "integer", default: 10000000000, time: true },
} as const satisfies Record<string, LimitRow>;

/** One of the 47 limit names of the table, exact. */
export type LimitName = keyof typeof table;

/** The table of docs/1 section 2, by limit name. */
export const LIMITS: Readonly<Record<LimitName, LimitRow>> = table;

/** The 47 names in the order of the table. */
export const LIMIT_NAMES = Object.keys(table) as readonly LimitName[];

/** Any subset of the limits with their values. */
export type Limits = { readonly [Name in LimitName]?: LimitValue };

/** Whether `name` is one of the 47. */
export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(table, name);
}

/** The documented defaults: 45 rows; the two rows "set by the request" are absent. */
export const DOCUMENTED_DEFAULTS: Limits = Object.fromEntries(
  LIMIT_NAMES.flatMap((name) => {
    const value = LIMITS[name].default;
    return value === undefined ? [] : [[name, value]];
  }),
);
