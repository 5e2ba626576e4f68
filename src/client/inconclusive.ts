/** Defines the errors that say why a clause could not be judged. None of these errors means that a clause is violated. */
import type { Exchange } from "./exchange.ts";

/** The error for a check that could not verify its clause. The reports show the reason of this error with the verdict `inconclusive`. */
export class Inconclusive extends Error {
  override readonly name: string = "Inconclusive";
}

/** Returns the error for a check whose precondition is not met. */
export function precondition(reason: string): Inconclusive {
  return new Inconclusive(`precondition not met: ${reason}`);
}

/**
 * The error for a part that the target always refuses and the documents do not promise. The part is not judged. If the clause is judged by
 * other requests, its `partly` names the refused part.
 */
export class Masked extends Error {
  override readonly name = "Masked";
  readonly clause: string;
  /** The part that the target refuses, in words that can follow "the target refuses". */
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

/** The error for a request that a budget does not permit. `what` names the budget. Repeating the request does not help. */
export class BudgetExhausted extends Inconclusive {
  override readonly name = "BudgetExhausted";

  constructor(what: string) {
    super(`budget exhausted: ${what} before this clause could be judged`);
  }
}

/** Matches connection errors that no retry within a run can solve. */
export const HOPELESS = /certificate|self-signed|CERT_|UNABLE_TO_VERIFY|ENOTFOUND|ERR_TLS|wrong version number/i;

/** The error for a request that was repeated, and whose attempts all ended with 429, 5xx or no response. */
export class Unanswered extends Inconclusive {
  override readonly name = "Unanswered";
  /** Whether the target answered each attempt with a 5xx, or closed the connection without a response. */
  readonly refused: boolean;
  /** The outcome of the last attempt of the request, in a few words. */
  readonly last: string;

  constructor(message: string, refused: boolean, last: string) {
    super(message);
    this.refused = refused;
    this.last = last;
  }

  /** Whether no other request can be answered either, because no connection is possible. */
  get isHopeless(): boolean {
    return HOPELESS.test(this.last);
  }
}

/** Returns the error for a request that was sent once and got no response. */
export function unanswered(operation: string, outcome: string): Unanswered {
  return new Unanswered(`${operation} was not answered: ${outcome}`, false, outcome);
}

/** The maximum number of attempts at a request that changes data. It is repeated only if that does no harm. */
const MOST_ATTEMPTS = 3;

/** Repeats a request until it gets a response. `attempt` counts from 0. It must do no harm if the service carries it out twice. */
export async function untilAnswered<T>(send: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(attempt);
    } catch (error) {
      if (!(error instanceof Unanswered) || attempt + 1 >= MOST_ATTEMPTS) throw error;
    }
  }
}

/** Resolves to the value of `work`, or to the value of `otherwise` if `work` ends with `Inconclusive`. */
export async function orInconclusive<T>(work: () => Promise<T>, otherwise: (error: Inconclusive) => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Inconclusive) return otherwise(error);
    throw error;
  }
}

/** Returns the message of a thrown value, which may have any type. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}

export class Interrupted extends Inconclusive {
  constructor() {
    super("the run was interrupted before this clause could be judged");
  }
}
