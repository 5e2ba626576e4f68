/** The functions of the log API that faults and variants can replace. In this file, they obey the rules of docs/2. */
import { BATCHES_BASE, type BatchesBehaviour } from "./batches.ts";
import { BLOCKS_BASE, type BlocksBehaviour } from "./blocks.ts";
import { HOURS_BASE, type HoursBehaviour } from "./hours.ts";
import { INGEST_BASE, type IngestBehaviour } from "./ingest.ts";
import { INSTANT_BASE, type InstantBehaviour } from "./instant.ts";
import { LABELS_BASE, type LabelsBehaviour } from "./labels.ts";
import { QUERY_BASE, type QueryBehaviour } from "./query.ts";
import { RANGE_BASE, type RangeBehaviour } from "./range.ts";
import { SHARDS_BASE, type ShardsBehaviour } from "./shards.ts";
import { TENANT_PATHS_BASE, type TenantPathsBehaviour } from "./tenant-paths.ts";
import { TENANCY_BASE, type TenancyBehaviour } from "./tenancy.ts";

export interface LogsBehaviour
  extends
    TenancyBehaviour,
    IngestBehaviour,
    QueryBehaviour,
    RangeBehaviour,
    InstantBehaviour,
    LabelsBehaviour,
    BlocksBehaviour,
    HoursBehaviour,
    ShardsBehaviour,
    BatchesBehaviour,
    TenantPathsBehaviour {}

export const LOGS_BASE: LogsBehaviour = {
  ...TENANCY_BASE,
  ...INGEST_BASE,
  ...QUERY_BASE,
  ...RANGE_BASE,
  ...INSTANT_BASE,
  ...LABELS_BASE,
  ...BLOCKS_BASE,
  ...HOURS_BASE,
  ...SHARDS_BASE,
  ...BATCHES_BASE,
  ...TENANT_PATHS_BASE,
};
