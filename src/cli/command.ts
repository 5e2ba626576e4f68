/** What every command is: its own flags, whether it takes settings, and a function from a parsed line to an exit code. */
import type { CommandFlag, ParsedFlags } from "../settings/flags.ts";

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** More for its own `--help`. */
  readonly details: string;
  readonly takesSettings: boolean;
  readonly flags: readonly CommandFlag[];
  /** Resolves to the exit code. Throws `SettingsError` for what the user has to change. */
  readonly run: (flags: ParsedFlags) => Promise<number>;
}

/** Documented exit codes that no verdict decides. */
export const EXIT = { ok: 0, usage: 2, inconclusive: 3 } as const;
