/** Writes `shard.json`: the data of a shard that a merge needs. Like each output, `shard.json` is redacted, so it has no credentials. */
import type { CheckResult } from "../harness/result.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import type { Settings } from "../settings/types.ts";
import type { FinishedRun, RunDetails } from "./model.ts";

export interface ShardFile {
  readonly schemaVersion: 1;
  /** The settings of the run, without secrets. */
  readonly settings: Settings;
  readonly details: RunDetails;
  readonly plan: readonly PlannedCheck[];
  readonly results: readonly CheckResult[];
}

function withoutSecrets(settings: Settings): Settings {
  const { admin, logs, transport } = settings;
  return {
    ...settings,
    admin: admin === null ? null : { ...admin, token: "" },
    logs: logs === null ? null : { ...logs, credentials: logs.credentials === null ? null : { ...logs.credentials, token: "" } },
    transport: { ...transport, extraHeaders: {}, httpProxy: null, httpsProxy: null, tlsCa: null },
  };
}

/** Returns the content of the `shard.json` of a shard. */
export function shardFile(settings: Settings, { plan, results }: FinishedRun, details: RunDetails): ShardFile {
  return { schemaVersion: 1, settings: withoutSecrets(settings), details, plan, results };
}
