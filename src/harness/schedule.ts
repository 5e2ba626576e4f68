/** Runs checks in the order of their phases: all checks of a plan, or only those that the filters of a test runner select. */
import { type Check, ONE_AT_A_TIME, type Phase, PHASES_OF, PHASES_OF_BOTH } from "./check.ts";
import { SERVICES, type Service } from "../contract/clause.ts";
import type { CheckResult } from "./result.ts";
import type { Run } from "./run.ts";
import type { OthersFirst } from "./scope.ts";

/**
 * Runs a plan without a test runner: the phases one after the other, and the checks of a phase concurrently. When `enough` returns true for
 * a result, the remaining checks are interrupted. The results are in the order of the plan.
 */
export async function executeAll(run: Run, enough: (result: CheckResult) => boolean = () => false): Promise<CheckResult[]> {
  const results = new Map<Check, CheckResult>();
  const stop = new AbortController();
  const execute: Execute = async (check, othersFirst) => {
    const result = await run.execute(check, stop.signal, othersFirst);
    results.set(check, result);
    if (enough(result)) stop.abort();
  };
  const executePhases = async (plan: readonly Check[], phases: readonly Phase[]): Promise<void> => {
    for (const phase of phases) {
      const checks = plan.filter((check) => check.phase === phase);
      if (ONE_AT_A_TIME.has(phase)) await oneAtATime(checks, execute);
      else await Promise.all(checks.map(async (check) => execute(check)));
    }
  };
  const ofService = async (service: Service): Promise<void> =>
    executePhases(
      run.plan.filter((check) => check.service === service),
      PHASES_OF[service],
    );
  await Promise.all(SERVICES.map(ofService));
  await executePhases(run.plan, PHASES_OF_BOTH);
  return run.plan.flatMap((check) => results.get(check) ?? []);
}

type Execute = (check: Check, othersFirst?: OthersFirst) => Promise<void>;

/** Runs checks one at a time. A check can call `othersFirst` to pause, until each other check has ended or paused in this way too. */
async function oneAtATime(checks: readonly Check[], execute: Execute): Promise<void> {
  const waiting: (() => void)[] = [];
  const ends: Promise<void>[] = [];
  let isOver = false;
  for (const check of checks)
    await new Promise<void>((next) => {
      const othersFirst = async (): Promise<void> => {
        next();
        if (!isOver) await new Promise<void>((resume) => waiting.push(resume));
      };
      ends.push(execute(check, othersFirst).finally(next));
    });
  isOver = true;
  for (const resume of waiting) resume();
  await Promise.all(ends);
}

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
  // If the test runner cancels a test, nothing awaits the result of its check. This `catch` avoids an "unhandled rejection".
  result.catch(() => undefined);
  return { result, ...(settle as unknown as Pick<Waiting, "resolve" | "reject">) };
}

/**
 * Connects the tests of a test runner to checks, which must run in the order of their phases.
 * The first test starts all selected checks, and each test waits for the result of its check.
 */
export class Schedule {
  readonly #run: Run;
  readonly #signal: AbortSignal;
  #waiting: ReadonlyMap<string, Waiting> | null = null;

  constructor(run: Run, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
  }

  /** Resolves to the result of a check. The first call starts all checks that `selected` returns. */
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
