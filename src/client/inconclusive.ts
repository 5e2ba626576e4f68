/** Thrown when something that was to be verified could not be: the reason ends up in the verdict `inconclusive`. */
export class Inconclusive extends Error {
  override readonly name = "Inconclusive";
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
