/** `plumbline compare`: prints the differences between two report folders. */
import { resolve as resolvePath } from "node:path";
import { compareRuns, differenceLines, GATES, partialRuns, toMarkdown } from "../report/compare.ts";
import { readRun } from "../report/read.ts";
import { refuse, SettingsError } from "../settings/error.ts";
import { type ParsedFlags, textFlag } from "../settings/flags.ts";
import { EXIT, type Command } from "./command.ts";

const FORMAT = textFlag("format", "Output format: text, markdown or json; the default is text", "markdown");

const GATE_NAMES = [...GATES.keys()].join(", ");

const FAIL_ON = textFlag("fail-on", `Which differences end the command with 1: ${GATE_NAMES}; by default, no difference does`, "newly-red");

async function compare(flags: ParsedFlags): Promise<number> {
  const [before, now, ...more] = flags.operands;
  if (before === undefined || now === undefined || more.length > 0) {
    throw new SettingsError("compare needs two report folders, the earlier first; for example plumbline compare baseline reports");
  }
  const format = flags.command.get(FORMAT.name) ?? "text";
  const failOn = flags.command.get(FAIL_ON.name);
  const gates = failOn === undefined ? (): boolean => false : GATES.get(failOn);
  if (gates === undefined) refuse(`--${FAIL_ON.name}`, `must be one of ${GATE_NAMES}`, `--${FAIL_ON.name} ${FAIL_ON.example}`);
  const runs = [readRun(resolvePath(before), before), readRun(resolvePath(now), now)] as const;
  const [differences, partial] = [compareRuns(...runs), partialRuns(...runs)];
  if (format === "markdown") process.stdout.write(toMarkdown(differences, partial));
  else if (format === "json") process.stdout.write(`${JSON.stringify({ differences, partial }, null, 2)}\n`);
  else if (format === "text") process.stdout.write(`${differenceLines(differences, partial).join("\n")}\n`);
  else refuse("--format", "must be one of text, markdown, json", "--format markdown");
  return differences.some((difference) => gates(difference)) ? 1 : EXIT.ok;
}

export const COMPARE_COMMAND: Command = {
  name: "compare",
  summary: "say what differs between the reports of two runs",
  details: [
    "A and B are the REPORTS_DIR of two runs, the earlier first. The command shows clauses that are newly red, green or unverified, changed",
    "behaviour about which the documents are silent, new limits, and operations that became slower or faster. It leaves out clauses that only",
    "one of the runs judged, and marks a run that judged fewer clauses than the other run as partial. It ends with 0, unless it finds differences",
    "that --fail-on names.",
  ].join("\n"),
  settings: [],
  flags: [FORMAT, FAIL_ON],
  operands: "A B",
  run: compare,
};
