/** Makes a check of the admin API. */
import { checksOf } from "../../src/harness/check.ts";
import { adminAnswers } from "../../src/histories/instance-objects.ts";

export const adminCheck = checksOf("admin", adminAnswers);
