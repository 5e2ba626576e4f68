/** Declares checks as tests of vitest, grouped by document and section. The reporters get each result as metadata. */
import { AssertionError } from "node:assert";
import { setMaxListeners } from "node:events";
import { appendFileSync } from "node:fs";
import { afterAll, describe, inject, test, type RunnerTask, type TestContext } from "vitest";
import { SERVICES } from "../contract/clause.ts";
import { clauseOf, isJudged } from "../contract/catalogue.ts";
import { DOCUMENTS, SECTIONS, sectionName } from "../contract/sections.ts";
import type { Check } from "./check.ts";
import { judgedOutcomes, judgedVerdict } from "./judged.ts";
import type { CheckResult } from "./result.ts";
import { createRun } from "./run.ts";
import { Schedule } from "./schedule.ts";
import { describeInAllure } from "./vitest-allure.ts";
import { metaOf, testName, toTaskMeta, type WorkerInput } from "./vitest-types.ts";

/** Ends a test, so that its status in Allure fits the verdict: an AssertionError gives `failed`, another error gives `broken`. */
function conclude(result: CheckResult, context: TestContext): void {
  const verdict = judgedVerdict(result);
  const told = judgedOutcomes(result).filter((outcome) => outcome.verdict === verdict);
  const message = told.map((outcome) => outcome.message).join("\n\n");
  switch (verdict) {
    case "pass":
      return;
    case null:
      // If the test of an observation passed, a clause would seem to be judged. So the test is skipped.
      context.skip("observed, never judged");
    case "fail":
    case "deviation":
      throw withoutStack(new AssertionError({ message }));
    case "inconclusive":
      throw withoutStack(new Error(message));
    case "not-run":
      context.skip(told[0]?.headline ?? "not run");
  }
}

/** Removes the stack from an error, because the stack shows only lines of the suite itself, and the message has all facts. */
function withoutStack<E extends Error>(error: E): E {
  error.stack = "";
  return error;
}

/** Returns the ids of the checks whose tests vitest runs. The filters of vitest have selected the tests before the first test runs. */
function selectedIn(task: RunnerTask): string[] {
  if (task.type === "suite") return task.tasks.flatMap(selectedIn);
  const { planned } = metaOf(task.meta);
  return planned !== undefined && (task.mode === "run" || task.mode === "queued") ? [planned.id] : [];
}

/** Its signal aborts when the run must stop: after a message on the broadcast channel, or when vitest cancels a test. */
class Interruption {
  readonly #controller = new AbortController();
  readonly #channel: InstanceType<typeof BroadcastChannel>;

  constructor({ cancelChannel }: WorkerInput) {
    // Each running check adds a listener to the signal, so Node must not warn of a leak when there are many listeners.
    setMaxListeners(0, this.signal);
    this.#channel = new BroadcastChannel(cancelChannel);
    this.#channel.addEventListener("message", () => this.#controller.abort());
    // If the filters of vitest select no test, nothing closes the channel. The open channel must not keep the process alive then.
    this.#channel.unref();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the whole run when this test is cancelled, because vitest then cancels all tests. */
  follow({ signal }: TestContext): void {
    signal.addEventListener("abort", () => this.#controller.abort(), { once: true });
  }

  close(): void {
    this.#channel.close();
  }
}

function sectionOf({ clauses: [primary] }: Check): string {
  const { document, section } = clauseOf(primary);
  return `${document}.${section}`;
}

/** Refuses a pattern that matches no check. Otherwise, a run with a mistyped pattern would judge nothing and succeed. */
function refuseEmpty(fullNames: readonly string[], pattern: string | null): void {
  if (pattern === null || fullNames.some((name) => new RegExp(pattern).test(name))) return;
  throw withoutStack(new Error(`-t ${pattern} matches no check of this run; "npx plumbline clauses" lists the checks`));
}

/** Declares one test per check of this run. */
export function conformance(checks: readonly Check[]): void {
  const input = inject("plumbline");
  const run = createRun({
    settings: input.settings,
    runId: input.runId,
    suiteVersion: input.suiteVersion,
    checks,
    corpus: input.corpus,
    onCreate: (created) => {
      appendFileSync(input.createdFile, `${JSON.stringify(created)}\n`);
    },
  });
  const interruption = new Interruption(input);
  const schedule = new Schedule(run, interruption.signal);
  let file: TestContext["task"]["file"] | undefined;

  const declare = (check: Check): void => {
    const { id, title, clauses, service } = check;
    const judges = clauses.some((clause) => isJudged(clauseOf(clause)));
    const meta = toTaskMeta({ planned: { id, title, clauses, service }, allureSkip: !judges });
    // The tests run concurrently, so that the result of each check is reported as soon as the check has ended.
    test.concurrent(testName(check), { meta }, async (context) => {
      file = context.task.file;
      interruption.follow(context);
      const result = await schedule.resultOf(check, () => new Set(selectedIn(context.task.file)));
      metaOf(context.task.meta).result = result;
      metaOf(context.task.meta).allureSkip = judgedVerdict(result) === null;
      await describeInAllure(check, result, input);
      conclude(result, context);
    });
  };

  const sections = SECTIONS.map(({ document, number }) => ({
    document,
    title: sectionName({ document, section: number }),
    checks: run.plan.filter((check) => sectionOf(check) === `${document}.${number}`),
  })).filter((section) => section.checks.length > 0);
  const names = sections.flatMap(({ document, title, checks: own }) =>
    own.map((check) => `${DOCUMENTS[document].title} ${title} ${testName(check)}`),
  );
  refuseEmpty(names, input.namePattern);
  for (const document of SERVICES) {
    const own = sections.filter((section) => section.document === document);
    if (own.length === 0) continue;
    describe.concurrent(DOCUMENTS[document].title, () => {
      for (const section of own) {
        describe.concurrent(section.title, () => {
          section.checks.forEach(declare);
        });
      }
    });
  }

  afterAll(async () => {
    const end = await run.close();
    if (file !== undefined) metaOf(file.meta).runEnd = end;
    interruption.close();
  });
}
