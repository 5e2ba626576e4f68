/** Pushes a first small dataset. If this fails, no clause about the log API can be judged. */
import { isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { Payload } from "../arbitraries/streams.ts";
import { fixture, type Scope } from "../harness/scope.ts";
import { type Dataset } from "./datasets.ts";
import { placingFor, store, storeAt } from "./dataset-pushes.ts";

function greeting({ run: { runId } }: Scope): Payload {
  const labels = { svc_a: `a-${runId}`, svc_ab: `ab-${runId}` };
  const entries = [
    { offset: 1_000_000_001n, line: "first" },
    { offset: 2_000_000_002n, line: "second" },
    { offset: 3_123_456_789n, line: "third" },
  ];
  return { pushes: [[{ labels, entries }]] };
}

/** The first small dataset. Its push also shows whether the service answers. */
export const hello = fixture<Dataset>("logs", "a first push", (scope) => store(scope, "hello", greeting(scope)));

export const logsAnswer = fixture<void>("logs", "the log API answers", async (scope) => {
  const { pushes } = await scope.use(hello);
  if (pushes.some(isSuccess)) return;
  // If the target accepts younger entries, and then refuses the older entries again, the age of entries is the reason for the refusal.
  const young = await storeAt(scope, "hello-young", greeting(scope), await placingFor(scope, "young"));
  if (young.pushes.some(isSuccess) && !(await store(scope, "hello-again", greeting(scope))).pushes.some(isSuccess))
    throw new Inconclusive(
      `the target refuses entries that are 15 minutes old (status ${pushes.map(statusOf).join(", ")}) and accepts entries of the last minute; the datasets of this suite need older entries; the document does not say which timestamps a service must accept`,
    );
  const labels = await scope.logs.labels();
  if (isSuccess(labels)) return;
  const status = statusOf(labels);
  const hint = status === 404 || status === 405 ? "are LOGS_BASE_URL and LOGS_PATH_SEGMENT right?" : "does the target speak this API?";
  throw new Inconclusive(
    `no documented request to the log API was answered with success: push was answered ${pushes.map(statusOf).join(", ")}, labels ${status}; ${hint}`,
  );
});
