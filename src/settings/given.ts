/** What the user gave, in the form in which it can be given again: every setting that matters, secrets by their variable only. */
import { lookUp, type Sources } from "./sources.ts";
import { flagOf, SETTING_NAMES, SETTINGS, type SettingName } from "./table.ts";
import type { Given } from "./types.ts";

/** Settings a replay says by itself, or that change nothing of what is judged. */
const LEFT_OUT: readonly SettingName[] = ["PROFILE", "SEED", "REPORTS_DIR", "BASELINE_DIR", "DEVIATIONS_FILE", "RUN_ID", "NOTIFY_URL_FILE"];

/** The settings as variables and flags of a command; `command` are the command's own flags. */
export function givenIn(sources: Sources, command: ReadonlyMap<string, string>): Given {
  const environment: string[] = [];
  const flags: [string, string][] = [];
  for (const name of SETTING_NAMES) {
    const found = LEFT_OUT.includes(name) ? null : lookUp(sources, name);
    if (found === null) continue;
    const flag = flagOf(name);
    if (flag !== null) flags.push([flag, found.value.trim()]);
    // A replay from the same folder reads .env itself.
    else if (SETTINGS[name].kind === "secret" && found.source === "environment") environment.push(name);
  }
  const specs = command.get("specs");
  if (specs !== undefined) flags.push(["specs", specs]);
  return { environment, flags };
}
