/** What every command is: the line it takes, and a function from a parsed line to an exit code. */
import type { Line, ParsedFlags } from "../settings/flags.ts";

export interface Command extends Line {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** More for its own `--help`. */
  readonly details: string;
  /** Resolves to the exit code. Throws `SettingsError` for what the user has to change. */
  readonly run: (flags: ParsedFlags) => Promise<number>;
}

/** Documented exit codes that no verdict decides. */
export const EXIT = { ok: 0, usage: 2, inconclusive: 3 } as const;
