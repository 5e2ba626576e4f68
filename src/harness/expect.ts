/** The one way to judge an answer: what is asked of which data, and what the answer must be. */
import type { Exchange } from "../client/exchange.ts";
import { Unanswered } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Difference } from "../model/difference.ts";
import { type Finding, listOf, type Trial } from "./finding.ts";
import type { Scope } from "./scope.ts";
import type { Resource } from "./settle.ts";

/** An answer as data, or, when it has not the documented form, what is wrong with that. */
export interface Reading<A> {
  /** Null exactly when `malformed` says why. */
  readonly answer: A | null;
  readonly malformed: readonly Difference[];
  readonly exchanges: readonly Exchange[];
}

/** A documented read as a value. */
export type Ask<A> = (scope: Scope) => Promise<Reading<A>>;

/** The exchanges of several readings, those of malformed answers first. */
export function malformedFirst(readings: readonly Reading<unknown>[]): Exchange[] {
  const sorted = readings.toSorted((one, other) => Number(other.malformed.length > 0) - Number(one.malformed.length > 0));
  return sorted.flatMap(({ exchanges }) => exchanges);
}

/** What comparing an answer with the model gives: what is wrong, and which clauses it showed to be kept. */
export interface Comparison {
  readonly differences: readonly Difference[];
  readonly kept: readonly ClauseId[];
  /** Which of the exchanges that were compared is wrong; absent: the first. */
  readonly telling?: number;
}

export interface Expectation<A> {
  /** The clauses that the answer is to show. */
  readonly clauses: ClauseId | readonly ClauseId[];
  /** What was written: a wrong answer counts once its last write must have settled. */
  readonly of: Resource;
  readonly ask: Ask<A>;
  /** What is wrong with the answer; where one answer shows several clauses, also which of them it showed to be kept. */
  readonly expect: (answer: A) => readonly Difference[] | Comparison;
  /** `settled`: the first look is when writes have usually settled, for what must not come or must not come undone. */
  readonly when?: "settled";
  /** What is wrong with less than was asked, nearest the cause; nothing when the wrong answer is the least that is wrong. */
  readonly cause?: (scope: Scope, wrong: Finding) => Promise<Pick<Finding, "differences" | "exchanges"> | null>;
  /** A read that is answered where the service is well: 5xx or a closed connection to what was asked beside it is an answer of its own. */
  readonly twin?: Ask<unknown>;
  /** The clause that such a refused read breaks; absent: the first of `clauses`. */
  readonly refused?: ClauseId;
  readonly input?: unknown;
}

interface Judged<A> extends Reading<A>, Comparison {}

function compare<A>({ clauses, expect }: Expectation<A>, reading: Reading<A>): Judged<A> {
  if (reading.answer === null) return { ...reading, differences: reading.malformed, kept: [] };
  const compared = expect(reading.answer);
  if ("differences" in compared) return { ...reading, ...compared, exchanges: tellingFirst(reading.exchanges, compared.telling) };
  return { ...reading, differences: compared, kept: compared.length === 0 ? listOf(clauses) : [] };
}

/** The exchange that is wrong comes first: a reader is shown how to repeat that one. */
function tellingFirst(exchanges: readonly Exchange[], telling = 0): readonly Exchange[] {
  return [...exchanges.slice(telling, telling + 1), ...exchanges.slice(0, telling), ...exchanges.slice(telling + 1)];
}

/**
 * The answer to what is asked. A request that is answered 5xx again and again, or that the target hangs up on, while its twin is answered
 * well before and after, is refused by itself; trouble of the service as a whole stays what it is: undecided.
 */
async function answered<A>(scope: Scope, { clauses, ask, twin, refused: own }: Expectation<A>): Promise<Reading<A>> {
  try {
    return await ask(scope);
  } catch (error) {
    const clause = own ?? listOf(clauses)[0];
    if (!(error instanceof Unanswered) || !error.refused || twin === undefined || clause === undefined) throw error;
    for (let round = 0; round < 2; round += 1) {
      const beside = await twin(scope);
      if (beside.answer === null) throw error;
      if (round === 1) {
        const expected = "success (2xx), as for the smaller control request";
        const refused = scope.exchanges.findLast(({ response }) => response === null || response.status >= 500);
        const exchanges = [...(refused === undefined ? [] : [refused]), ...beside.exchanges];
        return { answer: null, malformed: [{ clause, path: "status", expected, actual: `${error.last} in every attempt` }], exchanges };
      }
      try {
        return await ask(scope);
      } catch (again) {
        if (!(again instanceof Unanswered) || !again.refused) throw again;
      }
    }
    throw error;
  }
}

/** Asks with the patience that the last write deserves, judges, and traces a wrong answer to its cause. */
export function expecting<A>(expectation: Expectation<A>): Trial {
  const { clauses, of, when, cause, input } = expectation;
  const trial: Trial = async (scope) => {
    if (when === "settled") await scope.untilAfterWrite(of, scope.settle.windowMs);
    const settled = await scope.eventually({
      resource: of,
      read: async () => compare(expectation, await answered(scope, expectation)),
      judge: ({ differences }) => differences,
    });
    const { differences, kept, exchanges } = settled.value;
    if (settled.suspicious) scope.suspect(of, trial);
    const finding: Finding = {
      clauses: listOf(clauses),
      differences,
      kept,
      exchanges,
      sightings: settled.sightings,
      ...(input === undefined ? {} : { input }),
    };
    const nearer = differences.length === 0 ? null : ((await cause?.(scope, finding)) ?? null);
    return nearer === null ? finding : { ...finding, ...nearer, kept: [], exchanges: [...nearer.exchanges, ...exchanges] };
  };
  return trial;
}
