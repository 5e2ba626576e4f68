/** Section 7, 429: the check exceeds the rate limit, and then retries with growing waits. No accepted entry may be lost. */
import type { Check } from "../../src/harness/check.ts";
import { hello } from "../../src/datasets/first-push.ts";
import { overloaded } from "../../src/scenarios/overload.ts";
import { logsCheck } from "./check.ts";

const overload = logsCheck({
  slug: "overload-and-recover",
  title: "too many requests are answered 429, and requests succeed again after retries with growing waits",
  clauses: ["logs-7.429", "logs-7.429-recovery", "logs-7.429-accepted"],
  phase: "disruptive",
  profiles: ["release", "nightly"],
  unless: ({ logs }) => (logs?.expectRateLimit === true ? null : "LOGS_EXPECT_RATE_LIMIT is not set"),
  async run(t) {
    await t.use(hello);
    await t.verify(overloaded);
  },
});

export const RATE_LIMIT_CHECKS: readonly Check[] = [overload];
