/**
 * Properties on fast-check. Every case runs, also after one has failed, so that one broken clause does not hide another;
 * then, per broken clause, the first failing case is confirmed and shrunk to the smallest input that still breaks it.
 */
import fc from "fast-check";
import type { Exchange } from "../client/exchange.ts";
import { errorText, Inconclusive } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { blamed, type Difference } from "../model/difference.ts";
import type { CheckContext, Scope } from "./context.ts";
import { derivedSeed } from "./seed.ts";
import type { Sighting } from "./settle.ts";

/** What one case found. */
export interface CaseFinding {
  readonly differences: readonly Difference[];
  readonly sightings?: readonly Sighting[];
}

export interface PropertyOptions<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  /** The clauses every case judges. */
  readonly clauses: readonly ClauseId[];
  /** How many cases run. */
  readonly cases: number;
  /** The least number of cases for a verdict; `cases` when absent. */
  readonly minimum?: number;
  /** How many cases may run at the same time; 1 when a case writes what others read. */
  readonly overlap: number;
  readonly run: (input: T, scope: Scope) => Promise<CaseFinding>;
  /** The input as a person reads it. */
  readonly print?: (input: T) => unknown;
}

export interface Counterexample extends CaseFinding {
  readonly clause: ClauseId;
  readonly input: { readonly value: unknown; readonly note: string };
  readonly exchanges: readonly Exchange[];
}

export interface PropertyOutcome {
  readonly cases: number;
  readonly counterexamples: readonly Counterexample[];
  /** Why fewer cases than the minimum ran, or null. */
  readonly shortfall: string | null;
}

interface CaseRun extends CaseFinding {
  readonly exchanges: readonly Exchange[];
}

/** Shrinking stops after this many attempts, this long, this share of MAX_REQUESTS, or this many more instances. */
const SHRINK = { attempts: 50, ms: 20_000, requestShare: 0.1, instances: 2 };
/** More broken clauses than this are reported with their first case as it is. */
const MOST_SHRUNK_CLAUSES = 3;
/** The share of the run's time and requests after which a property with its minimum met draws no more cases. */
const ENOUGH = 0.6;

export async function runProperty<T>(t: CheckContext, options: PropertyOptions<T>): Promise<PropertyOutcome> {
  const seed = derivedSeed(t.settings.seed, t.checkId);
  const inputs = fc.sample(options.arbitrary, { seed, numRuns: options.cases });
  const first = new Map<ClauseId, { index: number; found: CaseRun }>();
  let ran = 0;
  let stopped: unknown = null;
  let next = 0;
  const minimum = options.minimum ?? options.cases;
  const worker = async (): Promise<void> => {
    while (next < inputs.length && stopped === null) {
      if (ran >= minimum && isEnough(t)) return;
      const index = next;
      next += 1;
      try {
        const found = await runCase(t, options, inputs[index] as T, first.size === 0 ? "full" : "short");
        ran += 1;
        for (const clause of blamed(found.differences)) {
          const known = first.get(clause);
          if (known === undefined || index < known.index) first.set(clause, { index, found });
        }
        if (index === 0 || found.differences.length > 0) t.exchanges.push(...found.exchanges.slice(0, 4));
      } catch (error) {
        stopped = error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.overlap, inputs.length) }, worker));
  const counterexamples: Counterexample[] = [];
  for (const [clause, { index, found }] of first) {
    counterexamples.push(
      counterexamples.length < MOST_SHRUNK_CLAUSES
        ? await shrink(t, options, { clause, index, seed, input: inputs[index] as T, found })
        : described(options, clause, inputs[index] as T, found, `case ${index + 1} of ${ran}, seed ${t.settings.seed}`),
    );
  }
  if (stopped !== null && !(stopped instanceof Inconclusive) && first.size === 0) throw stopped;
  return { cases: ran, counterexamples, shortfall: shortfallOf(ran, minimum, stopped) };
}

function shortfallOf(ran: number, minimum: number, stopped: unknown): string | null {
  if (stopped !== null && !(stopped instanceof Inconclusive)) return `internal error after ${ran} cases: ${errorText(stopped)}`;
  if (ran >= minimum) return null;
  return `only ${ran} of at least ${minimum} generated cases could be judged${stopped === null ? "" : `: ${stopped.message}`}`;
}

function isEnough(t: CheckContext): boolean {
  const { budget } = t.run.transport(t.service);
  const { runTimeoutMs, maxRequests } = t.settings.budgets;
  return budget.requests > ENOUGH * maxRequests || budget.msLeft < (1 - ENOUGH) * runTimeoutMs;
}

async function runCase<T>(t: CheckContext, options: PropertyOptions<T>, input: T, deadline: "full" | "short"): Promise<CaseRun> {
  const exchanges: Exchange[] = [];
  const finding = await options.run(input, t.fork(exchanges, deadline));
  return { ...finding, exchanges };
}

interface Failing<T> {
  readonly clause: ClauseId;
  readonly index: number;
  readonly seed: number;
  readonly input: T;
  readonly found: CaseRun;
}

/** The smallest input found that still breaks the clause. Whatever runs out on the way, the clause stays broken. */
async function shrink<T>(t: CheckContext, options: PropertyOptions<T>, failing: Failing<T>): Promise<Counterexample> {
  const { clause, index, seed, input, found } = failing;
  const note = `case ${index + 1}, seed ${t.settings.seed}`;
  const limits = shrinkLimits(t);
  let smallest: { readonly input: T; readonly found: CaseRun } | null = null;
  let failures = 0;
  const breaks = async (value: T, deadline: "full" | "short"): Promise<CaseRun | null> => {
    try {
      const run = await runCase(t, options, value, deadline);
      return run.differences.some((difference) => difference.clause === clause) ? run : null;
    } catch {
      // An attempt that could not be judged is no smaller failure.
      return null;
    }
  };
  await fc.check(
    fc.asyncProperty(options.arbitrary, async (value) => {
      if (failures > 0 && limits.exhausted()) return;
      const run = await breaks(value, failures === 0 ? "full" : "short");
      if (run === null) return;
      failures += 1;
      smallest = { input: value, found: run };
      throw new Error("still broken");
    }),
    { seed, path: String(index), numRuns: 1 },
  );
  const shrunk = smallest as { readonly input: T; readonly found: CaseRun } | null;
  if (shrunk === null)
    return described(options, clause, input, found, `${note}; the same input did not fail again, the fault is intermittent`);
  if (failures > 1 && (await breaks(shrunk.input, "full")) === null) return described(options, clause, input, found, note);
  return described(options, clause, shrunk.input, shrunk.found, `${note}, shrunk ${failures - 1} times`);
}

function described<T>(options: PropertyOptions<T>, clause: ClauseId, input: T, found: CaseRun, note: string): Counterexample {
  const value = options.print === undefined ? input : options.print(input);
  return { ...found, clause, differences: found.differences.filter((difference) => difference.clause === clause), input: { value, note } };
}

function shrinkLimits(t: CheckContext): { exhausted: () => boolean } {
  const { budget } = t.run.transport(t.service);
  const requests = budget.requests + SHRINK.requestShare * t.settings.budgets.maxRequests;
  const instances = budget.instances + SHRINK.instances;
  const ends = performance.now() + SHRINK.ms;
  let attempts = 0;
  return {
    exhausted: () => {
      attempts += 1;
      return attempts > SHRINK.attempts || performance.now() > ends || budget.requests > requests || budget.instances > instances;
    },
  };
}
