/** Makes the command that judges the same clauses again with the same inputs. It has variables in place of secrets. */
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";
import type { Settings } from "../settings/types.ts";

/** The report folder of a replay, below the working folder. A replay must not overwrite the report of the run that it repeats. */
const REPLAY_DIR = join("reports", "replay");

/** Returns the command that starts this program. It must not make npm download another package that has the name of the program. */
export function startedAs(root: string): string {
  return /[\\/]node_modules[\\/]/.test(root) ? "npx --no -- plumbline run" : "npm run conformance --";
}

/** Returns a shell line that replays clauses (or checks) on the same target. */
export function replayCommand({ given, seed, profile }: Settings, ids: readonly string[], root: string = packageRoot()): string {
  const flags = [
    ...given.flags,
    ["only", ids.join(",")],
    ["seed", String(seed)],
    ["profile", profile],
    ["reports-dir", REPLAY_DIR],
  ] as const;
  const words = flags.map(([name, value]) => (value.startsWith("-") ? `--${name}=${shellWord(value)}` : `--${name} ${shellWord(value)}`));
  return [...given.environment.map((name) => `${name}="$${name}"`), startedAs(root), ...words].join(" ");
}

function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
