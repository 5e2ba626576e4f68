/** Returns the settings of the user in the form that a replay command needs. A secret appears only as its variable. */
import { lookUp, type Sources } from "./sources.ts";
import { flagOf, SETTING_NAMES, SETTINGS, type SettingName } from "./table.ts";
import type { Given } from "./types.ts";

/** The settings that a replay command sets itself, and those that have no effect on verdicts. */
const LEFT_OUT: readonly SettingName[] = ["PROFILE", "SEED", "REPORTS_DIR", "BASELINE_DIR", "DEVIATIONS_FILE", "RUN_ID", "NOTIFY_URL_FILE"];

/** Returns the settings as variables and flags of a command. `command` has the flags that are not settings. */
export function givenIn(sources: Sources, command: ReadonlyMap<string, string>): Given {
  const environment: string[] = [];
  const flags: [string, string][] = [];
  for (const name of SETTING_NAMES) {
    const found = LEFT_OUT.includes(name) ? null : lookUp(sources, name);
    if (found === null) continue;
    const flag = flagOf(name);
    if (flag !== null) flags.push([flag, found.value.trim()]);
    // A replay in the same folder reads the secrets in .env again. So only secrets from the environment are listed.
    else if (SETTINGS[name].kind === "secret" && found.source === "environment") environment.push(name);
  }
  const specs = command.get("specs");
  if (specs !== undefined) flags.push(["specs", specs]);
  return { environment, flags };
}
