/** Runs the checks that the filters of a test runner have selected, and gives each result to the test that waits for it. */
import type { Check } from "./check.ts";
import type { CheckResult } from "./result.ts";
import { executeAll, type Run } from "./run.ts";

interface Waiting {
  readonly result: Promise<CheckResult>;
  readonly resolve: (result: CheckResult) => void;
  readonly reject: (reason: unknown) => void;
}

function waiting(): Waiting {
  let settle: Pick<Waiting, "resolve" | "reject"> | null = null;
  const result = new Promise<CheckResult>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // No test waits for the result if the runner has cancelled it.
  result.catch(() => undefined);
  return { result, ...(settle as unknown as Pick<Waiting, "resolve" | "reject">) };
}

/**
 * A run has an order of phases, and the tests of a runner have the order of the documents. Tests may start one by one or all at once. So no
 * test runs its check itself: the first test starts all selected checks, and each test waits for its own result.
 */
export class Schedule {
  readonly #run: Run;
  readonly #signal: AbortSignal;
  #waiting: ReadonlyMap<string, Waiting> | null = null;

  constructor(run: Run, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
  }

  /** The result of a check. The first call starts the checks that `selected` returns. `selected` is called once. */
  async resultOf(check: Check, selected: () => ReadonlySet<string>): Promise<CheckResult> {
    this.#waiting ??= this.#start(selected());
    const found = this.#waiting.get(check.id);
    if (found === undefined)
      throw new Error(`check ${check.id} cannot run, because it was not selected at the start of the run (a defect of the suite)`);
    return found.result;
  }

  #start(selected: ReadonlySet<string>): ReadonlyMap<string, Waiting> {
    const run = this.#run;
    const plan = run.plan.filter(({ id }) => selected.has(id));
    const all = new Map(plan.map(({ id }) => [id, waiting()]));
    const execute: Run["execute"] = async (check, _signal, othersFirst) => {
      const result = await run.execute(check, this.#signal, othersFirst);
      all.get(check.id)?.resolve(result);
      return result;
    };
    executeAll({ plan, execute, close: async () => run.close() }).catch((error: unknown) => {
      for (const { reject } of all.values()) reject(error);
    });
    return all;
  }
}
