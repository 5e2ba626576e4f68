/**
 * Runs properties with fast-check. All cases run, so that the violation of one clause does not hide another.
 * Afterwards, the first failing case of each violated clause is repeated and shrunk.
 */
import fc from "fast-check";
import type { Exchange } from "../client/exchange.ts";
import { errorText, Inconclusive, Masked } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { blamed, differenceText } from "../model/difference.ts";
import type { Finding } from "./finding.ts";
import { printed } from "./message.ts";
import { type CheckRecord, MOST_RIGHT } from "./record.ts";
import type { Assertion, Scope } from "./scope.ts";
import { derivedSeed } from "./seed.ts";
import { smallestFailing } from "./shrink.ts";
import type { Haste } from "./settle.ts";

export interface PropertyOptions<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  readonly cases: number;
  /** If fewer cases than this number are judged, there is no verdict. The default is `cases`. */
  readonly minimum?: number;
  /** The number of cases that may run concurrently. `overlap` must be 1 if one case writes data that other cases read. */
  readonly overlap: number;
  readonly assertion: (input: T) => Assertion;
  /** Returns the input in a readable form, for messages. */
  readonly print?: (input: T) => unknown;
}

/**
 * The limits of shrinking: attempts, ms, a share of MAX_REQUESTS, and new instances. It stops after `runShare` of the run. On a faulty
 * server many inputs fail, and the run must still judge other clauses.
 */
const SHRINK = { attempts: 300, ms: 20_000, requestShare: 0.06, instances: 2, runShare: 0.75 };
/** The maximum number of violated clauses whose input is shrunk. Further violated clauses are reported with their first failing case. */
const MOST_SHRUNK_CLAUSES = 3;
/** When the run has used this share of its time or requests, a property stops after its minimum number of cases. */
const ENOUGH = 0.6;
/** A nightly run adds cases until it has used the share `run` of its budgets, or the property has used the share `own` of the requests. */
const FURTHER = { run: 0.5, own: 0.1 };

/** A generated case. The same seed and number give the same case again. */
interface Case<T> {
  /** The SEED of the run that first drew this case. */
  readonly seed: number;
  readonly index: number;
  readonly input: T;
}

interface Failing<T> extends Case<T> {
  readonly clause: ClauseId;
  /** The index of the case among the cases of this run. */
  readonly place: number;
  readonly finding: Finding;
}

/** Runs the cases and records their findings. Throws `Inconclusive` if fewer cases than the minimum could be judged. */
export async function runProperty<T>(scope: Scope, checkId: string, record: CheckRecord, options: PropertyOptions<T>): Promise<void> {
  const property = record.properties;
  record.properties += 1;
  const { seed } = scope.settings;
  const known = scope.run.corpus.filter((one) => one.check === checkId && one.property === property);
  const drawn = (from: number, to: number, by = seed): Case<T>[] =>
    fc
      .sample(options.arbitrary, { seed: derivedSeed(by, checkId), numRuns: to })
      .slice(from)
      .map((input, at) => ({ seed: by, index: from + at, input }));
  const cases = [...known.flatMap((one) => drawn(one.case, one.case + 1, one.seed)), ...drawn(0, options.cases)];
  const first = new Map<ClauseId, Failing<T>>();
  const minimum = options.minimum ?? options.cases;
  let ran = 0;
  let stopped: unknown = null;
  /** The number of cases that were left out because the target refuses their requests. */
  let left = 0;
  let next = 0;
  let requests = 0;
  // A nightly run adds cases if nothing failed and the budgets allow it. If the corpus has failed cases, it may use more of the budgets.
  const mayGoOn = (): boolean =>
    scope.settings.profile === "nightly" &&
    first.size === 0 &&
    !isEnough(scope, known.length > 0 ? ENOUGH : FURTHER.run) &&
    requests < FURTHER.own * scope.settings.budgets.maxRequests;
  const worker = async (): Promise<void> => {
    while (stopped === null) {
      if (ran >= minimum && isEnough(scope)) return;
      if (next === cases.length) {
        if (!mayGoOn()) return;
        const own = cases.length - known.length;
        cases.push(...drawn(own, 2 * own));
      }
      const place = next;
      const { input, ...origin } = cases[place] as Case<T>;
      next += 1;
      try {
        const finding = await runCase(scope, record, options.assertion(input), "patient");
        ran += 1;
        requests += finding.exchanges.length;
        for (const clause of blamed(finding.differences)) {
          const earlier = first.get(clause);
          if (earlier === undefined || place < earlier.place) first.set(clause, { ...origin, input, clause, place, finding });
        }
        // A failing case is recorded in two steps: now its clauses that were held or not evaluated, and later its violations.
        record.note(finding, undefined, "left");
      } catch (error) {
        if (!(error instanceof Masked)) {
          stopped = error;
          return;
        }
        // The documents do not promise that a target accepts each case. If it refuses one, the others still count.
        record.masked ??= scope.mask(error).message;
        left += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.overlap, cases.length) }, worker));
  record.cases = (record.cases ?? 0) + ran;
  let told = 0;
  for (const failing of first.values()) {
    told += 1;
    const { clause, seed: by, index } = failing;
    const asItIs: Told<T> = { finding: failing.finding, input: failing.input, note: `case ${index + 1}, seed ${by}` };
    const { finding, input, note, intermittent } =
      told > MOST_SHRUNK_CLAUSES ? asItIs : await shrunk(scope, record, options, failing, { asItIs, drawnBy: derivedSeed(by, checkId) });
    const value = options.print === undefined ? input : options.print(input);
    record.failing.push({ check: checkId, property, seed: by, case: index, clause, input: printed(value) });
    record.note(
      { ...finding, clauses: [], differences: finding.differences.filter(({ clause }) => clause === failing.clause) },
      { value, note, ...(intermittent === undefined ? {} : { intermittent }) },
    );
  }
  if (stopped !== null && !(stopped instanceof Inconclusive)) {
    if (first.size === 0) throw stopped;
    throw new Inconclusive(`internal error after ${ran} cases: ${errorText(stopped)}`);
  }
  if (ran + left < minimum)
    throw new Inconclusive(
      `only ${ran} generated cases could be judged, and at least ${minimum} are needed${stopped === null ? "" : `: ${errorText(stopped)}`}`,
    );
}

/** Whether the run has used so much of its budgets that a property with its minimum of cases should stop. */
function isEnough(scope: Scope, share = ENOUGH): boolean {
  const { budget } = scope.run.transport(scope.service);
  return budget.requests > share * scope.settings.budgets.maxRequests || isLate(scope, share);
}

/**
 * Whether an engine skips its next case, because other checks need the requests or the time. `requests` is the number of requests that a
 * case needs. With 0, only the time counts.
 */
export function leavesOutRow(scope: Scope, mostTime: number, requests: number): boolean {
  if (scope.settings.profile === "nightly") return isEnough(scope);
  if (isLate(scope, mostTime)) return true;
  if (requests === 0 || scope.run.spare() >= 0) return false;
  scope.progress.requests += requests;
  return true;
}

function isLate(scope: Scope, share: number): boolean {
  const { runTimeoutMs } = scope.settings.budgets;
  return scope.run.transport(scope.service).budget.msLeft < (1 - share) * runTimeoutMs;
}

/**
 * Runs a case. If the case passes, the record keeps only its last exchange, and no exchange if it already has many. `record` counts the
 * passed cases.
 */
async function runCase(scope: Scope, record: CheckRecord, assertion: Assertion, haste: Haste): Promise<Finding> {
  const exchanges: Exchange[] = [];
  let isRight = false;
  try {
    const finding = await assertion(scope.fork(exchanges, haste));
    isRight = finding.differences.length === 0;
    return finding;
  } finally {
    if (isRight && scope.exchanges.length >= MOST_RIGHT) record.unkept += 1;
    else scope.exchanges.push(...exchanges.slice(-1));
  }
}

interface Told<T> {
  readonly finding: Finding;
  readonly input: T;
  readonly note: string;
  readonly intermittent?: true;
}

/** Searches for the smallest failing input. If a budget is used up, the result is the smallest failing input so far. */
async function shrunk<T>(
  scope: Scope,
  record: CheckRecord,
  options: PropertyOptions<T>,
  { clause, index }: Failing<T>,
  { asItIs, drawnBy }: { readonly asItIs: Told<T>; readonly drawnBy: number },
): Promise<Told<T>> {
  const { input, note } = asItIs;
  /** Resolves to the finding of an attempt, or to null if it could not be judged, because it is then no smaller failure. */
  const attempt = async (value: T, haste: Haste): Promise<Finding | null> => {
    try {
      return await runCase(scope, record, options.assertion(value), haste);
    } catch {
      return null;
    }
  };
  const isBroken = (one: Finding | null): one is Finding => one?.differences.some((difference) => difference.clause === clause) === true;
  const breaks = async (value: T, haste: Haste): Promise<Finding | null> => {
    const one = await attempt(value, haste);
    return isBroken(one) ? one : null;
  };
  const again = await attempt(input, "patient");
  if (!isBroken(again)) return { ...asItIs, ...unrepeated(note, again) };
  const smallest = await smallestFailing(
    options.arbitrary,
    { seed: drawnBy, index },
    async (value) => breaks(value, "hasty"),
    shrinkLimits(scope),
  );
  if (smallest === null) return { finding: again, input, note };
  const confirmed = await breaks(smallest.input, "patient");
  return confirmed === null
    ? { finding: again, input, note }
    : { finding: confirmed, input: smallest.input, note: `${note}, shrunk ${smallest.steps} times` };
}

function unrepeated(note: string, again: Finding | null): Pick<Told<unknown>, "note" | "intermittent"> {
  if (again === null) return { note: `${note}; the run did not repeat the input, because a budget was nearly used up` };
  const [other] = again.differences;
  if (other === undefined) return { note: `${note}; intermittent: the same input, sent again, gave a right response`, intermittent: true };
  return {
    note: `${note}; the same input, sent again, gave a response that was wrong in another respect: ${other.path}: ${differenceText(other)}`,
  };
}

function shrinkLimits(scope: Scope): () => boolean {
  const { budget } = scope.run.transport(scope.service);
  const { maxRequests } = scope.settings.budgets;
  const requests = Math.min(budget.requests + SHRINK.requestShare * maxRequests, SHRINK.runShare * maxRequests);
  const instances = budget.instances + SHRINK.instances;
  const ends = performance.now() + SHRINK.ms;
  let attempts = 0;
  return () => {
    attempts += 1;
    return attempts <= SHRINK.attempts && performance.now() < ends && budget.requests <= requests && budget.instances <= instances;
  };
}
