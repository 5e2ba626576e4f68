/** Asking a person at a terminal; where there is none, what was not given is a refused setting. */
import { createInterface } from "node:readline/promises";
import { refuse } from "../settings/error.ts";

/** A question whose answer may also be given as a flag. */
export interface Question {
  readonly flag: string;
  readonly asked: string;
  readonly example: string;
  /** What is wrong with an answer, or null. */
  readonly problem: (answer: string) => string | null;
}

/** The answer of the flag, or of the person in front of the terminal. Throws a `SettingsError` when there is neither. */
export async function answerTo({ flag, asked, example, problem }: Question, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const wrong = problem(given.trim());
    if (wrong !== null) refuse(`--${flag}`, wrong, `--${flag} ${example}`);
    return given.trim();
  }
  if (!process.stdin.isTTY) refuse(`--${flag}`, "is missing, and there is no terminal to ask at", `--${flag} ${example}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (;;) {
      const answer = (await terminal.question(`${asked} (for example ${example}): `)).trim();
      const wrong = problem(answer);
      if (wrong === null) return answer;
      process.stderr.write(`  ${wrong}\n`);
    }
  } finally {
    terminal.close();
  }
}
