/** What the worker that runs the checks is given. */
import type { WorkerInput } from "../harness/vitest-types.ts";
import type { Outputs } from "../report/outputs.ts";
import type { Settings } from "../settings/types.ts";

export function inputOf(
  settings: Settings,
  runId: string,
  suite: { readonly version: string },
  outputs: Outputs,
  namePattern: string | null = null,
): WorkerInput {
  return {
    settings,
    runId,
    suiteVersion: suite.version,
    createdFile: outputs.created,
    cancelChannel: `plumbline-${runId}`,
    namePattern,
  };
}
