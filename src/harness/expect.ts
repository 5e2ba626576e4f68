/** Judges a response by an expectation: a request, the data that it reads, and the rules for its response. */
import type { Exchange } from "../client/exchange.ts";
import { Unanswered } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type Difference, difference, isNeverLate } from "../model/difference.ts";
import { type Finding, isHealed, listOf } from "./finding.ts";
import { askedText } from "./headline.ts";
import type { Assertion, Scope } from "./scope.ts";
import type { Resource } from "./settle.ts";

/** The maximum length of a control request in a message, in characters. */
const SHOWN_CONTROL = 160;

/** A parsed response. If the response does not have the documented form, this object has the differences from the form, and no parsed value. */
export interface Reading<A> {
  /** The parsed response. `answer` is null only if `malformed` has differences. */
  readonly answer: A | null;
  readonly malformed: readonly Difference[];
  readonly exchanges: readonly Exchange[];
}

/** A function that sends a documented read, and resolves to its parsed response. */
export type Ask<A> = (scope: Scope) => Promise<Reading<A>>;

/** Returns the exchanges of several readings. The exchanges with malformed responses come first. */
export function malformedFirst(readings: readonly Reading<unknown>[]): Exchange[] {
  const sorted = readings.toSorted((one, other) => Number(other.malformed.length > 0) - Number(one.malformed.length > 0));
  return sorted.flatMap(({ exchanges }) => exchanges);
}

/** Calls `attempt`. If a late write to `of` may have caused a difference, waits until all writes must be visible, and calls it again. */
export async function unlessLate(scope: Scope, of: Resource, attempt: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  const { deadlineMs } = scope.settle;
  const findings = await attempt();
  const isEarly = performance.now() < of.lastWriteAt + deadlineMs;
  if (!findings.some((one) => isHealed(one) || (isEarly && one.differences.length > 0))) return findings;
  await scope.untilAfterWrite(of, deadlineMs);
  return attempt();
}

/** The result of comparing a response with the model: the differences, and the clauses that were held. */
export interface Comparison {
  readonly differences: readonly Difference[];
  readonly held: readonly ClauseId[];
  /** The index of the wrong exchange in the list of compared exchanges. The default is 0. */
  readonly telling?: number;
}

export interface Expectation<A> {
  /** The clauses that a right response shows as held. */
  readonly clauses: ClauseId | readonly ClauseId[];
  /** The data that was written. A wrong response counts only when the last write to this data must have settled. */
  readonly of: Resource;
  readonly ask: Ask<A>;
  /** Returns the differences of the response. If a response can show several clauses, it also returns the clauses that were held. */
  readonly expect: (answer: A) => readonly Difference[] | Comparison;
  /** With `settled`, the first read waits for the usual delay. It checks that no unexpected data has appeared or changed back. */
  readonly when?: "settled";
  /**
   * Sends smaller requests to find the cause of a wrong response. Resolves to the differences of the smallest wrong request, or to null if
   * all smaller requests were right.
   */
  readonly cause?: (scope: Scope, wrong: Finding) => Promise<Pick<Finding, "differences" | "exchanges"> | null>;
  /** Throws `Masked` if the documents allow this target to answer the request in any way. Called only after a wrong response. */
  readonly unless?: ((scope: Scope) => Promise<void>) | undefined;
  /** Words that say which of the smaller requests got a right response, for example "a plain query is right". */
  readonly contrast?: string | undefined;
  /** The control request. If `ask` gets only 5xx or closed connections, and the control request succeeds, the service refuses `ask`. */
  readonly twin?: Ask<unknown>;
  /** The clause that is violated if only the control request succeeds. The default is the first clause of `clauses`. */
  readonly refused?: ClauseId;
  readonly input?: unknown;
}

interface Judged<A> extends Reading<A>, Comparison {}

function compare<A>({ clauses, expect }: Expectation<A>, reading: Reading<A>): Judged<A> {
  if (reading.answer === null) return { ...reading, differences: reading.malformed, held: [] };
  const compared = expect(reading.answer);
  if ("differences" in compared) return { ...reading, ...compared, exchanges: tellingFirst(reading.exchanges, compared.telling) };
  return { ...reading, differences: compared, held: compared.length === 0 ? listOf(clauses) : [] };
}

/** Puts the wrong exchange first, because a message shows how to repeat the first exchange. */
function tellingFirst(exchanges: readonly Exchange[], telling = 0): readonly Exchange[] {
  return [...exchanges.slice(telling, telling + 1), ...exchanges.slice(0, telling), ...exchanges.slice(telling + 1)];
}

/** Returns the response. A failed request is a refusal if control requests before and after it succeed, else inconclusive. */
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
        const [control] = beside.exchanges;
        const expected = `success (2xx), as for the control request${control === undefined ? "" : ` ${askedText(clause, control, SHOWN_CONTROL)}`}`;
        const refused = scope.exchanges.findLast(({ response }) => response === null || response.status >= 500);
        const exchanges = [...(refused === undefined ? [] : [refused]), ...beside.exchanges];
        return { answer: null, malformed: [difference(clause, "status", expected, `${error.last} in each attempt`, "refused")], exchanges };
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

/** Waits until the last write is visible, compares the response, and traces a difference to its cause. */
export function expecting<A>(expectation: Expectation<A>): Assertion {
  const { clauses, of, when, cause, unless, contrast, input } = expectation;
  const assertion: Assertion = async (scope) => {
    if (when === "settled") await scope.untilAfterWrite(of, scope.settle.windowMs);
    const settled = await scope.eventually({
      resource: of,
      read: async () => compare(expectation, await answered(scope, expectation)),
      judge: ({ differences }) => differences,
      impossibleIn: ({ exchanges: [first] }, differences) => {
        const never = differences.filter(isNeverLate);
        return never.length > 0 || first === undefined ? never : scope.run.everyResponse.impossibleIn(first, differences);
      },
    });
    const { differences } = settled;
    const { held, exchanges } = settled.value;
    if (differences.length > 0) await unless?.(scope);
    else for (const exchange of exchanges) scope.run.everyResponse.noteRight(exchange);
    if (settled.suspicious) scope.suspect(of, assertion);
    const finding: Finding = {
      clauses: listOf(clauses),
      differences,
      held,
      exchanges,
      attempts: settled.attempts,
      ...(input === undefined ? {} : { input }),
    };
    // If requests run out, they are for checks of other clauses, and not for the cause of a clause that diagnoses have often confirmed.
    const isEnough = scope.run.spare() < 0 && scope.settle.areOftenConfirmed(differences);
    const isDiagnosed = differences.length > 0 && !isEnough && cause !== undefined;
    const nearer = isDiagnosed ? await cause(scope, finding) : null;
    if (isDiagnosed) scope.settle.noteDiagnosis(differences, nearer === null);
    if (nearer !== null) return { ...finding, ...nearer, held: [], exchanges: [...nearer.exchanges, ...exchanges] };
    return contrast === undefined ? finding : { ...finding, differences: differences.map((one) => ({ contrast, ...one })) };
  };
  return assertion;
}
