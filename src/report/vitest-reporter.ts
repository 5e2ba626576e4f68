/** Translates the events of vitest into calls of the subscribers. */
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { CheckResult } from "../harness/result.ts";
import type { RunEnd } from "../harness/run.ts";
import { metaOf, type PlannedCheck } from "../harness/vitest-types.ts";
import type { Subscriber } from "./subscriber.ts";

export class PlumblineReporter implements Reporter {
  readonly #subscribers: readonly Subscriber[];
  readonly #errors: string[] = [];
  #isCollected = false;
  plan: readonly PlannedCheck[] = [];
  readonly results: CheckResult[] = [];
  end: RunEnd | null = null;

  constructor(subscribers: readonly Subscriber[]) {
    this.#subscribers = subscribers;
  }

  /** The first error of the suite itself that belongs to no check, or null. */
  get internalError(): string | null {
    return this.#errors[0] ?? (this.#isCollected ? null : "the test runner collected no checks");
  }

  onTestModuleCollected(module: TestModule): void {
    this.#isCollected = true;
    this.plan = [...module.children.allTests()].flatMap((test) => metaOf(test.meta()).planned ?? []);
    for (const subscriber of this.#subscribers) subscriber.onPlan?.(this.plan);
  }

  onTestCaseResult(test: TestCase): void {
    const { result } = metaOf(test.meta());
    if (result === undefined) {
      for (const error of test.result().errors ?? []) this.#errors.push(error.message);
      return;
    }
    this.results.push(result);
    for (const subscriber of this.#subscribers) subscriber.onResult?.(result);
  }

  onTestModuleEnd(module: TestModule): void {
    this.end = metaOf(module.meta()).runEnd ?? null;
    for (const error of module.errors()) this.#errors.push(error.message);
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    for (const error of unhandled) this.#errors.push(error.message);
  }
}
