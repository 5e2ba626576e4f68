/** A setting the program refuses: one line for a person, exit code 2, nothing sent anywhere. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * The sentence every refusal has: which name, what was wrong, and what right looks like. Values are never part of it:
 * a token pasted into the wrong variable must not reach a log.
 */
export function refuse(name: string, problem: string, example: string): never {
  throw new SettingsError(`${name} ${problem}; for example ${example}`);
}

/** A refusal that names both halves of a contradiction instead of giving an example. */
export function contradiction(sentence: string): never {
  throw new SettingsError(sentence);
}
