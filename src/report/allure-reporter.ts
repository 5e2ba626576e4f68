/** The Allure reporter of vitest with another writer. */
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
    // The reporter accepts no writer as an option, so its private field is replaced.
    const runtime = Reflect.get(this, "allureReporterRuntime") as ReporterRuntime;
    runtime.writer = this.#writer;
  }
}
