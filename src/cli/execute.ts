/** Runs the checks of one run in one vitest worker and resolves when the last result is in. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WorkerInput } from "../harness/vitest-types.ts";
import { CATEGORIES, environmentOf, type AllureRepair } from "../report/allure-results.ts";
import type { Outputs } from "../report/outputs.ts";
import { PlumblineReporter } from "../report/vitest-reporter.ts";
import type { Subscriber } from "../report/subscriber.ts";
import type { Interrupts } from "./interrupt.ts";

/** How long the checks may take to say that they were interrupted before vitest cancels them. */
const CANCEL_GRACE_MS = 5000;

/** How long after its own time budget a run is cancelled from outside: only a defect of ours takes that long. */
const OVERRUN_MS = 120_000;

/** The spec of vitest's project `conformance`, compiled: the first check starts in less than half the time. */
const ENTRY = "specs/conformance.spec.js";

/** Starts vitest, waits for the end of the run, closes vitest. */
export async function execute(
  input: WorkerInput,
  outputs: Outputs,
  subscribers: readonly Subscriber[],
  repair: AllureRepair,
  suite: { readonly name: string; readonly version: string },
  interrupts: Interrupts,
): Promise<PlumblineReporter> {
  const [{ createVitest }, { AllureReporter }] = await Promise.all([import("vitest/node"), import("../report/allure-reporter.ts")]);
  const reporter = new PlumblineReporter([...subscribers, repair]);
  const allure = new AllureReporter({
    resultsDir: outputs.allureResults,
    reportMatchers: false,
    listeners: [{ beforeTestResultWrite: (result) => repair.repair(result) }],
    environmentInfo: environmentOf(input.settings, { suite, runId: input.runId }),
    categories: CATEGORIES,
  });
  const folder = fileURLToPath(new URL("../..", import.meta.url));
  const vitest = await createVitest(
    "test",
    {
      config: false,
      root: folder,
      dir: folder,
      watch: false,
      include: [ENTRY],
      exclude: [],
      pool: "threads",
      maxWorkers: 1,
      isolate: false,
      fileParallelism: false,
      maxConcurrency: Number.MAX_SAFE_INTEGER,
      testTimeout: 0,
      hookTimeout: 0,
      // Closing may wait for the machine; the runner's own remarks on that mean nothing to who reads the verdict.
      teardownTimeout: OVERRUN_MS,
      passWithNoTests: true,
      // A run writes into REPORTS_DIR and nowhere else.
      cache: false,
      reporters: [reporter, allure],
      // The compiled program runs as it is; only the file vitest enters goes through its loader.
      server: { deps: { external: [/\.js$/] } },
      provide: { plumbline: input },
    },
    { envDir: false, logLevel: "error", clearScreen: false, server: { watch: null } },
  );
  interrupts.removeOthers();
  const channel = new BroadcastChannel(input.cancelChannel);
  const cancel = (): void => {
    channel.postMessage("stop");
    setTimeout(() => void vitest.cancelCurrentRun("keyboard-input"), CANCEL_GRACE_MS).unref();
  };
  const overrun = setTimeout(cancel, Math.min(input.settings.budgets.runTimeoutMs + OVERRUN_MS, 2 ** 31 - 1));
  try {
    await vitest.standalone();
    interrupts.removeOthers();
    const specification = vitest.getRootProject().createSpecification(join(folder, ENTRY));
    const running = vitest.runTestSpecifications([specification], true);
    interrupts.onFirst(cancel);
    await running;
  } finally {
    clearTimeout(overrun);
    channel.close();
    await vitest.close();
    interrupts.removeOthers();
  }
  return reporter;
}
