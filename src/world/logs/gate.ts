/** A first small set, and whether the log API answers at all: without that nothing about it can be judged. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { type Dataset, store } from "./datasets.ts";

/** A first small set; it also shows whether the service answers. */
export const hello: Fixture<Dataset> = fixture("logs", "a first push", (scope) =>
  store(scope, "hello", {
    pushes: [
      [
        {
          labels: { svc_a: `a-${scope.run.runId}`, svc_ab: `ab-${scope.run.runId}` },
          entries: [
            { offset: 1_000_000_001n, line: "first" },
            { offset: 2_000_000_002n, line: "second" },
            { offset: 3_123_456_789n, line: "third" },
          ],
        },
      ],
    ],
  }),
);

export const logsAnswer: Fixture<void> = fixture("logs", "the log API answers", async (scope) => {
  const { pushes } = await scope.use(hello);
  if (pushes.some(isSuccess)) return;
  const labels = await scope.logs.labels();
  if (isSuccess(labels)) return;
  const status = statusOf(labels);
  const hint = status === 404 || status === 405 ? "are LOGS_BASE_URL and LOGS_PATH_SEGMENT right?" : "does the target speak this API?";
  throw new Inconclusive(
    `no documented request to the log API was answered with success: push was answered ${pushes.map(statusOf).join(", ")}, labels ${status}; ${hint}`,
  );
});
