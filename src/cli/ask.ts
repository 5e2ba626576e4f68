/** Asks a person at a terminal. Without a terminal, a missing answer is reported like a refused setting. */
import { createInterface } from "node:readline/promises";
import { refuse } from "../settings/error.ts";

/** A question to a person, whose answer can also be given as a flag. */
export interface Question {
  readonly flag: string;
  readonly asked: string;
  readonly example: string;
  /** Returns the problem of an answer, or null if the answer is accepted. */
  readonly problem: (answer: string) => string | null;
}

/** Resolves to the flag, or else to the answer at the terminal. Throws a `SettingsError` if there is neither a flag nor a terminal. */
export async function answerTo({ flag, asked, example, problem }: Question, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const wrong = problem(given.trim());
    if (wrong !== null) refuse(`--${flag}`, wrong, `--${flag} ${example}`);
    return given.trim();
  }
  if (!process.stdin.isTTY) refuse(`--${flag}`, "is missing, and there is no terminal to ask for it", `--${flag} ${example}`);
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
