/** Runs the suite as a function that other programs can call. It does the same as the command `run`, but prints nothing. */
import type { Summary } from "../report/model.ts";
import { exitCodeOf } from "../report/summary.ts";
import { refuse, SettingsError } from "../settings/error.ts";
import { resolveSettings } from "../settings/resolve.ts";
import { RUN_FLAGS } from "../settings/run-flags.ts";
import { isSettingName, type SettingName } from "../settings/table.ts";
import { conduct } from "./conduct.ts";
import { Interrupts } from "./interrupt.ts";
import { freshRunId, suiteIdentity } from "./suite.ts";

export type { CheckSummary, ClauseSummary, Summary } from "../report/model.ts";
export { exitCodeOf, SettingsError };

/** The settings of a run, by the name of their variable. From the environment, only proxy variables are read. `.env` is not read. */
export type RunSettings = Readonly<Partial<Record<SettingName, string>>>;

/** The flags that the command `run` has on the command line. */
export interface RunOptions {
  readonly only?: string;
  readonly shard?: string;
  readonly wait?: string;
  readonly specs?: string;
  readonly failOnDrift?: boolean;
  /** Called with each text that the command line would print. */
  readonly onText?: (text: string) => void;
  /** Called with each warning. A warning does not change the verdict. */
  readonly onWarning?: (line: string) => void;
}

function commandFlags({ only, shard, wait, specs, failOnDrift }: RunOptions): ReadonlyMap<string, string> {
  const given = {
    [RUN_FLAGS.only.name]: only,
    [RUN_FLAGS.shard.name]: shard,
    [RUN_FLAGS.wait.name]: wait,
    [RUN_FLAGS.specs.name]: specs,
    [RUN_FLAGS.drift.name]: failOnDrift === undefined ? undefined : String(failOnDrift),
  };
  return new Map(Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** Runs the suite. Rejects with a `SettingsError` before a request is sent. `exitCodeOf` gives the exit code for the summary. */
export async function run(settings: RunSettings = {}, options: RunOptions = {}): Promise<Summary> {
  const unknown = Object.keys(settings).find((name) => !isSettingName(name));
  if (unknown !== undefined) refuse(unknown, "is not a known setting", 'run({ BASE_URL: "https://gateway.example.com" })');
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = process.env;
  const resolved = resolveSettings(
    { flags: new Map(), env: { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, ...settings }, dotenv: {} },
    commandFlags(options),
  );
  const warn = options.onWarning ?? (() => undefined);
  for (const warning of resolved.warnings) warn(warning);
  const out = { write: (text: string) => options.onText?.(text) };
  const runId = resolved.surroundings.runId ?? freshRunId();
  return conduct({ ...resolved, runId, suite: suiteIdentity() }, new Interrupts(false), { out, warn });
}
