/** All faults of the fleet. */
import { MEETING_UPDATE_FAULTS } from "./admin-update-meeting.ts";
import { ADMIN_CREATED_FAULTS } from "./admin-created.ts";
import { ADMIN_FIELD_FAULTS } from "./admin-fields.ts";
import { ADMIN_FILLING_FAULTS } from "./admin-filling.ts";
import { ADMIN_LIMIT_FAULTS } from "./admin-limits.ts";
import { ADMIN_MIXED_FAULTS, ADMIN_UNTRIED_FAULTS } from "./admin-mixed.ts";
import { ADMIN_READ_FAULTS } from "./admin-reads.ts";
import { ADMIN_UPDATE_FAULTS } from "./admin-update.ts";
import { ADMIN_VALUE_FAULTS } from "./admin-values.ts";
import { EVERY_RESPONSE_FAULTS } from "./every-response.ts";
import { LOGS_BLOCK_FAULTS, LOGS_SEAM_BLOCK_FAULTS, LOGS_SEAM_CHUNK_FAULTS } from "./logs-blocks.ts";
import { LOGS_SEAM_BATCH_FAULTS } from "./logs-seams-batches.ts";
import { LOGS_SEAM_HOUR_FAULTS, LOGS_SEAM_PAGE_FAULTS } from "./logs-seams-hours.ts";
import { LOGS_SEAM_IN_FLIGHT_FAULTS } from "./logs-seams-in-flight.ts";
import { LOGS_SEAM_METRIC_FAULTS } from "./logs-seams-metrics.ts";
import { LOGS_SEAM_OVERLAP_FAULTS } from "./logs-seams-overlap.ts";
import { LOGS_SEAM_QUERY_FAULTS } from "./logs-seams-queries.ts";
import { LOGS_SEAM_SHARD_FAULTS } from "./logs-seams-shards.ts";
import { LOGS_SEAM_SIZE_FAULTS } from "./logs-seams-sizes.ts";
import { LOGS_BUFFER_FAULTS } from "./logs-buffers.ts";
import { LOGS_CALCULATION_FAULTS, LOGS_FORM_FAULTS } from "./logs-calculations.ts";
import { LOGS_ARCHIVE_FAULTS } from "./logs-archive.ts";
import { LOGS_EMPTY_KEPT_FAULTS, LOGS_KEPT_FAULTS } from "./logs-kept.ts";
import { LOGS_ENTRY_FAULTS } from "./logs-entries.ts";
import { LOGS_LABEL_FAULTS } from "./logs-labels.ts";
import { LOGS_METRIC_FAULTS } from "./logs-metrics.ts";
import { LOGS_MODE_FAULTS, TOKEN_FAULTS } from "./logs-modes.ts";
import { LOGS_ORDER_FAULTS } from "./logs-order.ts";
import { LOGS_PUSH_FAULTS } from "./logs-push.ts";
import { LOGS_RANGE_FAULTS } from "./logs-range.ts";
import { LOGS_REFUSAL_FAULTS } from "./logs-refusals.ts";
import { LOGS_SEAM_LATE_FAULTS } from "./logs-seams-late.ts";
import { LOGS_SHORTCUT_FAULTS } from "./logs-shortcuts.ts";
import { LOGS_SEAM_STORE_FAULTS } from "./logs-seams-store.ts";
import { LOGS_FILTERING_FAULTS } from "./logs-filtering.ts";
import { LOGS_SELECTING_FAULTS } from "./logs-selecting.ts";
import { LOGS_STREAM_FAULTS } from "./logs-streams.ts";
import { LOGS_SEAM_TENANT_FAULTS, LOGS_TENANT_FAULTS } from "./logs-tenants.ts";
import { LOGS_COMBINED_FAULTS, LOGS_DEFAULT_FAULTS } from "./logs-combined.ts";
import { LOGS_UNTRIED_FAULTS } from "./logs-untried.ts";
import { CHUNKED_FAULTS, COMPRESSED_FAULTS, REQUEST_FAULTS } from "./requests.ts";
import type { Fault } from "./types.ts";

export const FAULTS: readonly Fault[] = [
  ...EVERY_RESPONSE_FAULTS,
  ...ADMIN_FIELD_FAULTS,
  ...ADMIN_LIMIT_FAULTS,
  ...ADMIN_READ_FAULTS,
  ...ADMIN_FILLING_FAULTS,
  ...ADMIN_UPDATE_FAULTS,
  ...MEETING_UPDATE_FAULTS,
  ...CHUNKED_FAULTS,
  ...COMPRESSED_FAULTS,
  ...ADMIN_CREATED_FAULTS,
  ...ADMIN_VALUE_FAULTS,
  ...ADMIN_MIXED_FAULTS,
  ...LOGS_STREAM_FAULTS,
  ...LOGS_ENTRY_FAULTS,
  ...LOGS_PUSH_FAULTS,
  ...LOGS_RANGE_FAULTS,
  ...LOGS_ORDER_FAULTS,
  ...LOGS_SELECTING_FAULTS,
  ...LOGS_FILTERING_FAULTS,
  ...LOGS_BUFFER_FAULTS,
  ...LOGS_BLOCK_FAULTS,
  ...LOGS_CALCULATION_FAULTS,
  ...LOGS_FORM_FAULTS,
  ...LOGS_SEAM_CHUNK_FAULTS,
  ...LOGS_SHORTCUT_FAULTS,
  ...LOGS_EMPTY_KEPT_FAULTS,
  ...LOGS_KEPT_FAULTS,
  ...LOGS_METRIC_FAULTS,
  ...LOGS_LABEL_FAULTS,
  ...LOGS_REFUSAL_FAULTS,
  ...LOGS_MODE_FAULTS,
  ...LOGS_TENANT_FAULTS,
  ...LOGS_DEFAULT_FAULTS,
  ...REQUEST_FAULTS,
  ...TOKEN_FAULTS,
  ...LOGS_SEAM_LATE_FAULTS,
  ...LOGS_SEAM_STORE_FAULTS,
  ...LOGS_ARCHIVE_FAULTS,
  ...ADMIN_UNTRIED_FAULTS,
  ...LOGS_UNTRIED_FAULTS,
  ...LOGS_COMBINED_FAULTS,
  ...LOGS_SEAM_BLOCK_FAULTS,
  ...LOGS_SEAM_HOUR_FAULTS,
  ...LOGS_SEAM_PAGE_FAULTS,
  ...LOGS_SEAM_BATCH_FAULTS,
  ...LOGS_SEAM_SHARD_FAULTS,
  ...LOGS_SEAM_METRIC_FAULTS,
  ...LOGS_SEAM_QUERY_FAULTS,
  ...LOGS_SEAM_TENANT_FAULTS,
  ...LOGS_SEAM_OVERLAP_FAULTS,
  ...LOGS_SEAM_IN_FLIGHT_FAULTS,
  ...LOGS_SEAM_SIZE_FAULTS,
];
