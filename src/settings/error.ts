/** The error for a refused setting. Its message has one line, the program ends with exit code 2, and no request is sent. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * Throws a `SettingsError` with the name, the problem and a valid value. The message never has the refused value, because a token in the
 * wrong variable must not reach a log.
 */
export function refuse(name: string, problem: string, example: string): never {
  throw new SettingsError(`${name} ${problem}; for example ${example}`);
}

/** Throws a `SettingsError` that names both contradicting settings instead of an example. */
export function contradiction(sentence: string): never {
  throw new SettingsError(sentence);
}
