/** Makes the input of the vitest worker that runs the checks. */
import type { WorkerInput } from "../harness/vitest-types.ts";
import type { Outputs } from "../report/outputs.ts";
import type { Settings } from "../settings/types.ts";

export function inputOf(
  settings: Settings,
  runId: string,
  suite: { readonly version: string },
  outputs: Outputs,
  { corpus = [], namePattern = null }: { readonly corpus?: WorkerInput["corpus"]; readonly namePattern?: string | null } = {},
): WorkerInput {
  return {
    settings,
    // In reports, all shards of a run have the same run id. But the shards must use different names of instances and streams. So each shard
    // adds its number to the run id.
    runId: settings.shard === null ? runId : `${runId}s${settings.shard.index}`,
    suiteVersion: suite.version,
    createdFile: outputs.created,
    cancelChannel: `plumbline-${runId}-${process.pid}`,
    namePattern,
    corpus,
  };
}
