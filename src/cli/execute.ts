/** Runs the checks of a run in a vitest worker. `execute` resolves after the last result. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WorkerInput } from "../harness/vitest-types.ts";
import { CATEGORIES, environmentOf, type AllureRepair } from "../report/allure-results.ts";
import type { Outputs } from "../report/outputs.ts";
import { PlumblineReporter } from "../report/vitest-reporter.ts";
import type { Subscriber } from "../report/subscriber.ts";
import type { Interrupts } from "./interrupt.ts";

/** After an interrupt, vitest cancels the checks that have not reported within this time in ms. */
const CANCEL_GRACE_MS = 5000;

/** The time in ms after which the message that cancels the run is sent again. */
const CANCEL_AGAIN_MS = 100;

/** vitest cancels the run this time (in ms) after RUN_TIMEOUT_MS. Only a defect of the suite makes a run take that long. */
const OVERRUN_MS = 120_000;

/** The compiled spec file of the vitest project `conformance`. With the source file, the first check would start much later. */
const ENTRY = "specs/conformance.spec.js";

/** Starts vitest, waits for the end of the run, and closes vitest. */
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
      // On a busy machine, vitest may end slowly. The timeout is long, because a message about this would confuse the reader of the
      // verdict.
      teardownTimeout: OVERRUN_MS,
      passWithNoTests: true,
      // The cache of vitest is off, because a run writes only into REPORTS_DIR.
      cache: false,
      reporters: [reporter, allure],
      // Node loads the compiled files of the suite, and vitest transforms none of them.
      server: { deps: { external: [/\.js$/] } },
      provide: { plumbline: input },
    },
    { envDir: false, logLevel: "error", clearScreen: false, server: { watch: null } },
  );
  const channel = new BroadcastChannel(input.cancelChannel);
  let repeating: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    // The message is repeated, because the worker may not listen yet.
    repeating ??= setInterval(() => channel.postMessage("stop"), CANCEL_AGAIN_MS);
    channel.postMessage("stop");
    setTimeout(() => void vitest.cancelCurrentRun("keyboard-input"), CANCEL_GRACE_MS).unref();
  };
  const overrun = setTimeout(cancel, Math.min(input.settings.budgets.runTimeoutMs + OVERRUN_MS, 2 ** 31 - 1));
  try {
    await vitest.standalone();
    const specification = vitest.getRootProject().createSpecification(join(folder, ENTRY));
    const running = vitest.runTestSpecifications([specification], true);
    interrupts.onFirst(cancel);
    await running;
  } finally {
    clearTimeout(overrun);
    clearInterval(repeating);
    // All checks have ended. A later signal must not stop the reports.
    interrupts.onFirst(() => undefined);
    channel.close();
    await vitest.close();
  }
  return reporter;
}
