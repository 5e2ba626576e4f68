/** Lists the faults at internal borders of log servers, such as blocks or hours. Only data across a border show its faults. */
import { LOGS_SEAM_BATCH_FAULTS } from "./logs-seams-batches.ts";
import { LOGS_SEAM_BLOCK_FILTER_FAULTS } from "./logs-seams-block-filters.ts";
import { LOGS_SEAM_BLOCK_FAULTS } from "./logs-seams-blocks.ts";
import { LOGS_SEAM_HOUR_ORDER_FAULTS } from "./logs-seams-hour-order.ts";
import { LOGS_SEAM_HOUR_FAULTS } from "./logs-seams-hours.ts";
import { LOGS_SEAM_IN_FLIGHT_FAULTS } from "./logs-seams-in-flight.ts";
import { LOGS_SEAM_METRIC_FAULTS } from "./logs-seams-metrics.ts";
import { LOGS_SEAM_OVERLAP_FAULTS } from "./logs-seams-overlap.ts";
import { LOGS_SEAM_PAGE_FAULTS } from "./logs-seams-pages.ts";
import { LOGS_SEAM_QUERY_FAULTS } from "./logs-seams-queries.ts";
import { LOGS_SEAM_SHARD_FAULTS } from "./logs-seams-shards.ts";
import { LOGS_SEAM_SIZE_FAULTS } from "./logs-seams-sizes.ts";
import { LOGS_SEAM_TENANT_FAULTS } from "./logs-seams-tenants.ts";

export const SEAM_FAULTS = {
  blocks: [...LOGS_SEAM_BLOCK_FAULTS, ...LOGS_SEAM_BLOCK_FILTER_FAULTS],
  hours: [...LOGS_SEAM_HOUR_FAULTS, ...LOGS_SEAM_HOUR_ORDER_FAULTS],
  pages: LOGS_SEAM_PAGE_FAULTS,
  batches: LOGS_SEAM_BATCH_FAULTS,
  shards: LOGS_SEAM_SHARD_FAULTS,
  metrics: LOGS_SEAM_METRIC_FAULTS,
  queries: LOGS_SEAM_QUERY_FAULTS,
  tenants: LOGS_SEAM_TENANT_FAULTS,
  overlap: LOGS_SEAM_OVERLAP_FAULTS,
  inFlight: LOGS_SEAM_IN_FLIGHT_FAULTS,
  sizes: LOGS_SEAM_SIZE_FAULTS,
} as const;
