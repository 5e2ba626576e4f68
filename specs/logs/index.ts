/** The checks of docs/2, in the order of the document. */
import type { Check } from "../../src/harness/check.ts";
import { EVERY_LOG_RESPONSE } from "../every-response.ts";
import { logsCheck } from "./check.ts";
import { ARCHIVE_CHECKS } from "./archive.ts";
import { HOUR_CHECKS } from "./hours.ts";
import { LABEL_CHECKS } from "./labels.ts";
import { OUT_OF_ORDER_CHECKS } from "./out-of-order.ts";
import { METRIC_CHECKS } from "./metrics.ts";
import { LOG_AUTHENTICATION_CHECKS, RATE_LIMIT_CHECKS } from "./authentication.ts";
import { LOGS_OBSERVATIONS } from "./observations.ts";
import { OVERLAP_CHECKS } from "./overlap.ts";
import { PUSH_CHECKS } from "./push.ts";
import { QUERY_CASE_CHECKS } from "./query-cases.ts";
import { RANGE_CHECKS } from "./ranges.ts";
import { REFUSAL_CHECKS, SPELLED_CHECKS } from "./query-texts.ts";
import { LINE_FILTER_CHECKS } from "./line-filters.ts";
import { MATCHER_CHECKS } from "./matchers.ts";
import { SETTLED_CHECKS } from "./settled.ts";
import { SIZE_CHECKS } from "./size.ts";
import { TENANT_CHECKS } from "./tenants.ts";

export const LOGS_CHECKS: readonly Check[] = [
  ...PUSH_CHECKS,
  ...RANGE_CHECKS,
  ...MATCHER_CHECKS,
  ...LINE_FILTER_CHECKS,
  ...METRIC_CHECKS,
  ...QUERY_CASE_CHECKS,
  ...SPELLED_CHECKS,
  ...SIZE_CHECKS,
  ...OUT_OF_ORDER_CHECKS,
  ...HOUR_CHECKS,
  ...ARCHIVE_CHECKS,
  ...OVERLAP_CHECKS,
  ...REFUSAL_CHECKS,
  ...LABEL_CHECKS,
  ...LOG_AUTHENTICATION_CHECKS,
  ...TENANT_CHECKS,
  ...SETTLED_CHECKS,
  ...RATE_LIMIT_CHECKS,
  ...LOGS_OBSERVATIONS,
  logsCheck(EVERY_LOG_RESPONSE),
];
