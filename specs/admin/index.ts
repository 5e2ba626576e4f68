/** The checks of docs/1, in the order of the document. */
import type { Check } from "../../src/harness/check.ts";
import { EVERY_ADMIN_RESPONSE } from "../every-response.ts";
import { adminCheck } from "./check.ts";
import { AUTHENTICATION_CHECKS } from "./authentication.ts";
import { LIMIT_CHECKS } from "./limits.ts";
import { AMONG_MANY, INSTANCE_CHECKS, MUCH_LATER, LAST_UPDATES } from "./instance.ts";
import { ADMIN_OBSERVATIONS } from "./observations.ts";
import { LATER_READS, LIMITED_THROUGHOUT, READ_THEN_UPDATED, REFUSED_CREATE, REFUSED_UPDATES, UPDATE_CHECKS } from "./update.ts";

export const ADMIN_CHECKS: readonly Check[] = [
  ...INSTANCE_CHECKS,
  ...LIMIT_CHECKS,
  ...UPDATE_CHECKS,
  ...AUTHENTICATION_CHECKS,
  LIMITED_THROUGHOUT,
  REFUSED_UPDATES,
  AMONG_MANY,
  // This check needs instances that no check has written to for some time. Here, most of this time has passed. The checks after this place
  // write to the instances.
  MUCH_LATER,
  ...LATER_READS,
  READ_THEN_UPDATED,
  LAST_UPDATES,
  REFUSED_CREATE,
  // A create with an existing name may replace the instance. So no check judges the instance afterwards.
  ...ADMIN_OBSERVATIONS,
  adminCheck(EVERY_ADMIN_RESPONSE),
];
