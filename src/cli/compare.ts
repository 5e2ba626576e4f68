/** `plumbline compare`: what differs between two report folders. */
import { resolve as resolvePath } from "node:path";
import { type Compared, compareRuns, differenceLines, isDrift, toMarkdown } from "../report/compare.ts";
import { readObservations, readSummary } from "../report/read.ts";
import { refuse, SettingsError } from "../settings/error.ts";
import type { CommandFlag, ParsedFlags } from "../settings/flags.ts";
import { isSet, RUN_FLAGS } from "../settings/run-flags.ts";
import { EXIT, type Command } from "./command.ts";

const FORMAT: CommandFlag = {
  name: "format",
  kind: "text",
  description: "How: text, markdown, json; text when absent",
  example: "markdown",
};

function comparedIn(folder: string): Compared {
  const path = resolvePath(folder);
  return { summary: readSummary(path, folder), observations: readObservations(path, folder) };
}

async function compare(flags: ParsedFlags): Promise<number> {
  const [before, now, ...more] = flags.operands;
  if (before === undefined || now === undefined || more.length > 0) {
    throw new SettingsError("compare needs two report folders, the earlier first; for example plumbline compare baseline reports");
  }
  const format = flags.command.get(FORMAT.name) ?? "text";
  const failOnDrift = isSet(flags.command, RUN_FLAGS.drift);
  const differences = compareRuns(comparedIn(before), comparedIn(now));
  if (format === "markdown") process.stdout.write(toMarkdown(differences));
  else if (format === "json") process.stdout.write(`${JSON.stringify({ differences }, null, 2)}\n`);
  else if (format === "text") process.stdout.write(`${differenceLines(differences).join("\n")}\n`);
  else refuse("--format", "must be one of text, markdown, json", "--format markdown");
  return failOnDrift && differences.some(isDrift) ? 1 : EXIT.ok;
}

export const COMPARE_COMMAND: Command = {
  name: "compare",
  summary: "say what differs between the reports of two runs",
  details: [
    "A and B are the REPORTS_DIR of two runs, the earlier first: clauses newly red, green or unverified, behaviour that the documents leave",
    "open, new limits, and operations that got slower or faster. Ends with 0, also beside differences, unless --fail-on-drift is given.",
  ].join("\n"),
  settings: [],
  flags: [FORMAT, { ...RUN_FLAGS.drift, description: "Changed observations and new limits end the command with 1" }],
  operands: "A B",
  run: compare,
};
