/** Errors that are not verdicts: they say why something could not be judged, or was not requested. */
import type { Exchange } from "./exchange.ts";

/** Thrown when something could not be verified. The reason becomes part of the verdict `inconclusive`. */
export class Inconclusive extends Error {
  override readonly name: string = "Inconclusive";
}

/**
 * The target always refuses something that the documents do not promise, so nothing is judged by it. A clause that is judged by other
 * requests says so in `partly`.
 */
export class Masked extends Error {
  override readonly name = "Masked";
  readonly clause: string;
  /** What is refused, to stand behind "the target refuses". */
  readonly what: string;

  constructor(clause: string, what: string, refusal: Exchange) {
    super(`not evaluated: the target refuses ${what} (${refusal.response?.status ?? "no answer"}), which the documents do not promise`);
    this.clause = clause;
    this.what = what;
  }
}

/** A request that may be repeated got only 429, 5xx or no response. */
export class Unanswered extends Inconclusive {
  override readonly name = "Unanswered";
  /** Whether every attempt of this request was refused: answered 5xx, or closed by the target without a response. */
  readonly refused: boolean;
  /** The last attempt's outcome in a few words. */
  readonly last: string;

  constructor(message: string, refused: boolean, last: string) {
    super(message);
    this.refused = refused;
    this.last = last;
  }
}

/** The text of an unknown thrown value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}

/** The run was told to stop (a signal). */
export class Interrupted extends Inconclusive {
  constructor() {
    super("the run was interrupted before this clause could be judged");
  }
}
