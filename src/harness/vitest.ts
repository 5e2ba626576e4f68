/** The one file vitest runs: it declares a test per planned check and hands each result to the reporters as metadata. */
import { AssertionError } from "node:assert";
import { setMaxListeners } from "node:events";
import { appendFileSync } from "node:fs";
import { afterAll, describe, inject, test, type TestContext } from "vitest";
import { CHECKS } from "../../specs/index.ts";
import { describeInAllure } from "./vitest-allure.ts";
import { metaOf, toTaskMeta } from "./vitest-types.ts";
import { clauseOf, isJudged } from "../contract/catalogue.ts";
import { PHASES } from "./check.ts";
import { judgedOutcomes, judgedVerdict } from "./judged.ts";
import type { CheckResult } from "./result.ts";
import { createRun } from "./run.ts";

const input = inject("plumbline");
const run = createRun({
  settings: input.settings,
  runId: input.runId,
  suiteVersion: input.suiteVersion,
  checks: CHECKS,
  onCreate: (created) => {
    appendFileSync(input.createdFile, `${JSON.stringify(created)}\n`);
  },
});

// vitest's own cancelling would end each test before its check could say that it was interrupted.
const interrupted = new AbortController();
// Every running check listens; that is no leak.
setMaxListeners(0, interrupted.signal);
const channel = new BroadcastChannel(input.cancelChannel);
channel.addEventListener("message", () => {
  interrupted.abort();
});

/** The verdict in the terms Allure reads: AssertionError is failed, any other error broken, `skip` skipped. */
function conclude(result: CheckResult, context: TestContext): void {
  const verdict = judgedVerdict(result);
  const told = judgedOutcomes(result).filter((outcome) => outcome.verdict === verdict);
  const message = told.map((outcome) => outcome.message).join("\n\n");
  switch (verdict) {
    case null:
    case "pass":
      return;
    case "fail":
      throw new AssertionError({ message });
    case "inconclusive":
      throw new Error(message);
    case "not-run":
      context.skip(told[0]?.headline ?? "not run");
  }
}

let file: TestContext["task"]["file"] | undefined;

for (const phase of PHASES) {
  const checks = run.plan.filter((check) => check.phase === phase);
  if (checks.length === 0) continue;
  describe(phase, () => {
    for (const check of checks) {
      const declare = phase === "alone" ? test : test.concurrent;
      const { id, title, clauses, service } = check;
      const judges = clauses.some((clause) => isJudged(clauseOf(clause)));
      const meta = toTaskMeta({ planned: { id, title, clauses, service }, allureSkip: !judges });
      declare(title, { meta }, async (context) => {
        file = context.task.file;
        const result = await run.execute(check, interrupted.signal);
        metaOf(context.task.meta).result = result;
        metaOf(context.task.meta).allureSkip = judgedVerdict(result) === null;
        await describeInAllure(check, result, input);
        conclude(result, context);
      });
    }
  });
}

afterAll(async () => {
  const end = await run.close();
  if (file !== undefined) metaOf(file.meta).runEnd = end;
  channel.close();
});
