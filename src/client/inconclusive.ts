/** Thrown when something that was to be verified could not be: the reason ends up in the verdict `inconclusive`. */
export class Inconclusive extends Error {
  override readonly name: string = "Inconclusive";
}

/** The service refused this input with 403 although it took others of the same operation: a quota or a rule of a gateway, which are not stated. */
export class InputForbidden extends Inconclusive {
  override readonly name = "InputForbidden";
}

/** A request that may be repeated was never answered otherwise than 429, 5xx or not at all. */
export class Unanswered extends Inconclusive {
  override readonly name = "Unanswered";
  /** Whether each attempt was refused by itself: answered 5xx, or the target closed the connection and said nothing. */
  readonly refused: boolean;
  /** The last attempt's outcome in a few words. */
  readonly last: string;

  constructor(message: string, refused: boolean, last: string) {
    super(message);
    this.refused = refused;
    this.last = last;
  }
}

/** What an unknown thrown value says of itself. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}

/** The run was told to stop (a signal). */
export class Interrupted extends Inconclusive {
  constructor() {
    super("the run was interrupted before this could be judged");
  }
}
