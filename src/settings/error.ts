/** The error for a refused setting, with a message of one line. The program ends with exit code 2, and has sent no request. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Throws a `SettingsError` with the name, the problem and a valid value. The refused value may be a token, so it is never shown. */
export function refuse(name: string, problem: string, example: string): never {
  throw new SettingsError(`${name} ${problem}; for example ${example}`);
}

/** Throws a `SettingsError` for two settings that contradict each other. `sentence` names both settings. */
export function contradiction(sentence: string): never {
  throw new SettingsError(sentence);
}
