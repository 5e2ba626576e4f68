/** How a check of the log API is declared. */
import { checksOf } from "../../src/harness/check.ts";
import { logsAnswer } from "../../src/datasets/first-push.ts";

export const logsCheck = checksOf("logs", logsAnswer);
