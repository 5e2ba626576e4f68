/** Defines a command: the flags and operands that the command accepts, and the function that runs it. */
import type { Line, ParsedFlags } from "../settings/flags.ts";

export interface Command extends Line {
  readonly name: string;
  /** The line about the command in the list of all commands. */
  readonly summary: string;
  /** The further text that `--help` of the command shows. */
  readonly details: string;
  /** Runs the command and resolves to its exit code. Throws a `SettingsError` if the user has to change a setting. */
  readonly run: (flags: ParsedFlags) => Promise<number>;
}

/** The documented exit codes of commands that judge nothing. */
export const EXIT = { ok: 0, usage: 2, inconclusive: 3 } as const;
