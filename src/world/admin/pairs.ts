/** Limits that are changed together: neighbours of the table and those that are about the same thing. */
import { LIMIT_NAMES, type LimitName } from "../../contract/limits.ts";

export type Pair = readonly [LimitName, LimitName];

/** Each limit is in at least one of them. */
export const RELATED: readonly Pair[] = [
  ["ingestion_rate", "ingestion_burst_size"],
  ["ingestion_rate", "ingestion_rate_strategy"],
  ["accept_ha_samples", "ha_max_clusters"],
  ["ha_cluster_label", "ha_replica_label"],
  ["drop_labels", "max_label_names_per_series"],
  ["max_label_name_length", "max_label_value_length"],
  ["max_metadata_length", "max_metadata_per_user"],
  ["reject_old_samples", "reject_old_samples_max_age"],
  ["creation_grace_period", "max_cache_freshness"],
  ["enforce_metadata_metric_name", "enforce_metric_name"],
  ["ingestion_tenant_shard_size", "store_gateway_tenant_shard_size"],
  ["max_series_per_query", "max_samples_per_query"],
  ["max_samples_per_query", "max_chunks_per_query"],
  ["max_series_per_user", "max_global_series_per_user"],
  ["max_series_per_user", "max_series_per_metric"],
  ["max_series_per_metric", "max_global_series_per_metric"],
  ["max_global_series_per_user", "max_global_series_per_metric"],
  ["min_chunk_length", "max_chunks_per_query"],
  ["max_metadata_per_user", "max_global_metadata_per_user"],
  ["max_metadata_per_metric", "max_global_metadata_per_metric"],
  ["max_query_lookback", "max_query_length"],
  ["max_query_parallelism", "max_queriers_per_tenant"],
  ["cardinality_limit", "max_series_per_query"],
  ["ruler_evaluation_delay_duration", "ruler_tenant_shard_size"],
  ["ruler_max_rules_per_rule_group", "ruler_max_rule_groups_per_tenant"],
  ["compactor_blocks_retention_period", "max_query_lookback"],
  ["s3_sse_type", "s3_sse_kms_key_id"],
  ["s3_sse_kms_key_id", "s3_sse_kms_encryption_context"],
  ["per_tenant_override_config", "per_tenant_override_period"],
];

/** Limits that are sent without a third one that has to do with them: the third is filled with its default all the same. */
export const WITHOUT_A_THIRD: readonly { readonly sent: Pair; readonly third: LimitName }[] = [
  { sent: ["ingestion_rate", "ingestion_burst_size"], third: "ingestion_rate_strategy" },
  { sent: ["ha_cluster_label", "ha_replica_label"], third: "accept_ha_samples" },
  { sent: ["compactor_blocks_retention_period", "per_tenant_override_period"], third: "max_cache_freshness" },
];

/** Every pair of the table. */
export const ALL_PAIRS: readonly Pair[] = LIMIT_NAMES.flatMap((one, index) =>
  LIMIT_NAMES.slice(index + 1).map((other): Pair => [one, other]),
);
