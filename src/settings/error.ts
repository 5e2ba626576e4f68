/**
 * The error for a refused setting. The message of this error has one line. After this error, the program ends with exit code 2 and has sent
 * no request.
 */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * Throws a `SettingsError` with the name, the problem and a valid value. The message never has the refused value. The value may be a token
 * in the wrong variable, and a token must not reach a log.
 */
export function refuse(name: string, problem: string, example: string): never {
  throw new SettingsError(`${name} ${problem}; for example ${example}`);
}

/** Throws a `SettingsError` for two settings that contradict each other. `sentence` names both settings. */
export function contradiction(sentence: string): never {
  throw new SettingsError(sentence);
}
