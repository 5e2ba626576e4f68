/** `plumbline run`: the main job, from settings to exit code. */
import type { CommandFlag, ParsedFlags } from "../settings/flags.ts";
import { loadSources } from "../settings/load.ts";
import { resolveSettings } from "../settings/resolve.ts";
import type { Command } from "./command.ts";

const ONLY: CommandFlag = {
  name: "only",
  kind: "text",
  description: "Clause-id globs, comma-separated: only these clauses are judged",
  example: "'admin-4.*'",
};

async function run(flags: ParsedFlags): Promise<number> {
  const { settings, warnings } = resolveSettings(loadSources(flags), flags.command.get("only") ?? null);
  for (const warning of warnings) process.stderr.write(`plumbline: warning: ${warning}\n`);
  // Everything below is loaded late: a refused setting answers at once.
  const [{ conduct }, { Interrupts }, { freshRunId, suiteIdentity }] = await Promise.all([
    import("./conduct.ts"),
    import("./interrupt.ts"),
    import("./suite.ts"),
  ]);
  return conduct(settings, freshRunId(), suiteIdentity(), new Interrupts());
}

export const RUN_COMMAND: Command = {
  name: "run",
  summary: "judge the configured target, or the embedded reference server (the default command)",
  details:
    "Runs the checks, writes summary.json, junit.xml, report.html, allure-report/, allure-results/, observations.json and\n" +
    "created.jsonl into REPORTS_DIR, and ends with 0 (conformant), 1 (contract violated), 2 (configuration) or 3 (inconclusive).",
  takesSettings: true,
  flags: [ONLY],
  run,
};
