/** Every check of the suite. */
import type { Check } from "../src/harness/check.ts";
import { ADMIN_CHECKS } from "./admin/index.ts";
import { LOGS_CHECKS } from "./logs/index.ts";

export const CHECKS: readonly Check[] = [...ADMIN_CHECKS, ...LOGS_CHECKS];
