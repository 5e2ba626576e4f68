/** A report is a subscriber: it gets the plan, each result, and the finished run, and does not depend on vitest. */
import type { CheckResult } from "../harness/result.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import type { FinishedRun } from "./model.ts";

export interface Subscriber {
  onPlan?(plan: readonly PlannedCheck[]): void;
  onResult?(result: CheckResult): void;
  onFinish?(run: FinishedRun): Promise<void> | void;
}
