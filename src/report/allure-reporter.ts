/** The Allure reporter of vitest, with the writer of this suite in place of its own writer. */
import type { ReporterRuntime } from "allure-js-commons/sdk/reporter";
import AllureVitestReporter, { type AllureVitestReporterConfig } from "allure-vitest/reporter";
import type { Vitest } from "vitest/node";
import { AllureWriter } from "./allure-writer.ts";

export class AllureReporter extends AllureVitestReporter {
  readonly #writer: AllureWriter;

  constructor(config: AllureVitestReporterConfig & { readonly resultsDir: string }) {
    super(config);
    this.#writer = new AllureWriter(config.resultsDir);
  }

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    // The Allure reporter accepts no writer as an option, so the constructor replaces the writer in a private field of the reporter.
    const runtime = Reflect.get(this, "allureReporterRuntime") as ReporterRuntime;
    runtime.writer = this.#writer;
  }
}
