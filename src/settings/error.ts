/** The error for a refused setting. Its message has one line. The program then ends with exit code 2, before it sends any request. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Throws a `SettingsError` with the name, the problem and a valid value. The refused value may be a token, so it is never shown. */
export function refuse(name: string, problem: string, example: string): never {
  throw new SettingsError(`${name} ${problem}; for example ${example}`);
}

/** Returns the code of an error of the system, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

/** Throws a `SettingsError` for two settings that contradict each other. `sentence` names both settings. */
export function contradiction(sentence: string): never {
  throw new SettingsError(sentence);
}
