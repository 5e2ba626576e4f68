/** Makes a check of the log API. */
import { checksOf } from "../../src/harness/check.ts";
import { logsAnswer } from "../../src/datasets/first-push.ts";

export const logsCheck = checksOf("logs", logsAnswer);
