/** `plumbline run`: runs the suite, from the settings to the exit code. */
import type { ParsedFlags } from "../settings/flags.ts";
import { loadSources } from "../settings/load.ts";
import { resolveSettings } from "../settings/resolve.ts";
import { isCheckGlob, refuseEmptyGlobs, RUN_FLAGS } from "../settings/run-flags.ts";
import type { Settings } from "../settings/types.ts";
import { SETTING_NAMES } from "../settings/table.ts";
import type { Command } from "./command.ts";

/** Refuses globs of check ids that match nothing, and invalid checks of the user. Without such globs or checks, loads no checks. */
async function refuseEmpty({ only, specsDir }: Settings): Promise<void> {
  if (specsDir === null && !only.some((glob) => isCheckGlob(glob))) return;
  const [{ CHECKS }, { ownChecks }] = await Promise.all([import("../../specs/index.ts"), import("../harness/own-checks.ts")]);
  const own = specsDir === null ? [] : await ownChecks(specsDir, CHECKS);
  refuseEmptyGlobs(
    only,
    [...CHECKS, ...own].map(({ id }) => id),
  );
}

function warn(line: string): void {
  process.stderr.write(`plumbline: warning: ${line}\n`);
}

async function run(flags: ParsedFlags): Promise<number> {
  const { settings, surroundings, warnings } = resolveSettings(loadSources(flags), flags.command);
  await refuseEmpty(settings);
  for (const warning of warnings) warn(warning);
  // These modules take long to load. They are loaded only now, so that a wrong setting is refused immediately.
  const [{ conduct }, { EXIT_OF_SIGNAL, exitCodeOf }, { Interrupts }, { freshRunId, suiteIdentity }] = await Promise.all([
    import("./conduct.ts"),
    import("../report/summary.ts"),
    import("./interrupt.ts"),
    import("./suite.ts"),
  ]);
  const runId = surroundings.runId ?? freshRunId();
  const interrupts = new Interrupts();
  const summary = await conduct({ settings, surroundings, runId, suite: suiteIdentity() }, interrupts, { out: process.stdout, warn });
  // A signal may also arrive after all checks have ended.
  return interrupts.received === null ? exitCodeOf(summary) : EXIT_OF_SIGNAL[interrupts.received];
}

export const RUN_COMMAND: Command = {
  name: "run",
  summary: "judge the configured target, or the embedded reference server (the default command)",
  details:
    "Runs the checks, writes summary.json, junit.xml, report.html, allure-report/, allure-results/, observations.json and\n" +
    "created.jsonl into REPORTS_DIR, and ends with 0 (conformant), 1 (contract violated), 2 (configuration) or 3 (inconclusive).",
  settings: SETTING_NAMES,
  flags: Object.values(RUN_FLAGS),
  run,
};
