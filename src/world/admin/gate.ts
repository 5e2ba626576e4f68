/** Whether the admin API answers at all: without that nothing about it can be judged. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { filledLimits } from "./filled-limits.ts";
import { bare, sampled } from "./instances.ts";
import { firstOfPool } from "./loans.ts";

/** So many instances the shared ones of most checks take, beside the first. */
const SHARED_INSTANCES = 6;

/** Passes when the service answers a documented request with success. */
export const adminAnswers: Fixture<void> = fixture("admin", "the admin API answers", async (scope) => {
  const first = await scope.use(bare);
  if (isSuccess(first.created)) {
    // A shard whose checks are content with the first instance may create no others.
    if (scope.settings.shard !== null && scope.run.instances().left < SHARED_INSTANCES) return;
    // Most checks need these, so they exist before others ask for instances of their own: a service may have a quota of them. Whatever is
    // wrong with them is for the checks that use them.
    await scope.use(firstOfPool).catch(() => null);
    await scope.use(filledLimits).catch(() => null);
    return;
  }
  const second = await scope.use(sampled);
  if (isSuccess(second.created)) return;
  throw new Inconclusive(
    `no documented request to the admin API was answered with success: create instance was answered ${statusOf(first.created)}; ${hint(statusOf(first.created))}`,
  );
});

function hint(status: number): string {
  if (status === 404 || status === 405) return "is METRICS_BASE_URL right?";
  if (status === 400 || status === 422) return "does the cluster named by METRICS_CLUSTER exist?";
  return "does the target speak this API?";
}
