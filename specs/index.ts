/** All checks of the suite. */
import type { Check } from "../src/harness/check.ts";
import { WRONG_ADMIN_CREDENTIALS } from "./admin/authentication.ts";
import { ADMIN_CHECKS } from "./admin/index.ts";
import { WRONG_LOG_CREDENTIALS } from "./logs/authentication.ts";
import { LOGS_CHECKS } from "./logs/index.ts";

export const CHECKS: readonly Check[] = [...ADMIN_CHECKS, ...LOGS_CHECKS, ...WRONG_ADMIN_CREDENTIALS, ...WRONG_LOG_CREDENTIALS];
