/** The interface of a command: the flags and operands that it accepts, and a function that returns the exit code. */
import type { Line, ParsedFlags } from "../settings/flags.ts";

export interface Command extends Line {
  readonly name: string;
  /** A line for the list of commands that says what the command does. */
  readonly summary: string;
  /** Further text for the `--help` of the command. */
  readonly details: string;
  /** Resolves to the exit code. Throws a `SettingsError` if the user has to change a setting. */
  readonly run: (flags: ParsedFlags) => Promise<number>;
}

/** Documented exit codes that do not depend on a verdict. */
export const EXIT = { ok: 0, usage: 2, inconclusive: 3 } as const;
