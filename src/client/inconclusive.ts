/** Errors that are no verdicts. Each of the errors says why a clause could not be judged, or why it was not requested. */
import type { Exchange } from "./exchange.ts";

/** Thrown if something could not be verified. The reason becomes part of the verdict `inconclusive`. */
export class Inconclusive extends Error {
  override readonly name: string = "Inconclusive";
}

/**
 * Thrown if the target always refuses a part that the documents do not promise, so that this part is not judged. If other requests judge
 * the clause, its `partly` names the refused part.
 */
export class Masked extends Error {
  override readonly name = "Masked";
  readonly clause: string;
  /** The refused part, in words that can follow "the target refuses". */
  readonly what: string;
  readonly refusal: Exchange;

  constructor(clause: string, what: string, refusal: Exchange) {
    const status = refusal.response?.status;
    const does = status !== undefined && status < 300 ? "finds nothing with" : "refuses";
    super(
      `not evaluated: the target ${does} ${what} (${status ?? "no answer"}); the documents do not say that a service must accept this input`,
    );
    this.clause = clause;
    this.what = what;
    this.refusal = refusal;
  }
}

/** Thrown if a request that may be repeated got only 429, 5xx or no response. */
export class Unanswered extends Inconclusive {
  override readonly name = "Unanswered";
  /** Whether each attempt of this request was refused: it got a 5xx, or the target closed the connection without a response. */
  readonly refused: boolean;
  /** The outcome of the last attempt, in a few words. */
  readonly last: string;

  constructor(message: string, refused: boolean, last: string) {
    super(message);
    this.refused = refused;
    this.last = last;
  }
}

/** Returns the error of a single request without a response. */
export function unanswered(operation: string, outcome: string): Unanswered {
  return new Unanswered(`${operation} was not answered: ${outcome}`, false, outcome);
}

/** The maximum number of attempts of a request that may be repeated although it changes data. */
const MOST_ATTEMPTS = 3;

/** Repeats a request that got no response. `attempt` counts from 0. Use this function only for requests whose repeat can do no harm. */
export async function untilAnswered<T>(send: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(attempt);
    } catch (error) {
      if (!(error instanceof Unanswered) || attempt + 1 >= MOST_ATTEMPTS) throw error;
    }
  }
}

/** Returns the text of a thrown value of unknown type. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}

/** Thrown if a signal has interrupted the run. */
export class Interrupted extends Inconclusive {
  constructor() {
    super("the run was interrupted before this clause could be judged");
  }
}
