/** Reports are subscribers: they hear of the plan, of every result, and of the finished run; none knows the runner. */
import type { CheckResult } from "../harness/result.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import type { FinishedRun } from "./model.ts";

export interface Subscriber {
  onPlan?(plan: readonly PlannedCheck[]): void;
  onResult?(result: CheckResult): void;
  onFinish?(run: FinishedRun): Promise<void> | void;
}
