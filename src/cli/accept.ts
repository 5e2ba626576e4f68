/** `plumbline accept`: writes failures of the last run into the file of accepted deviations. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import type { ClauseSummary, Summary } from "../report/model.ts";
import { readSummary } from "../report/read.ts";
import { EMPTY_DEVIATIONS, withEntries, type DeviationEntry } from "../settings/deviations-text.ts";
import { isDate, readDeviations } from "../settings/deviations.ts";
import { SettingsError } from "../settings/error.ts";
import { type CommandFlag, type ParsedFlags, textFlag } from "../settings/flags.ts";
import { loadSources } from "../settings/load.ts";
import { lookUp, refuseUnknownNames } from "../settings/sources.ts";
import { answerTo } from "./ask.ts";
import { EXIT, type Command } from "./command.ts";

/** The deviations file if DEVIATIONS_FILE is not set. */
const DEFAULT_FILE = "deviations.json";

const FLAGS = {
  owner: textFlag("owner", "Person or team that is responsible for the deviation; without this flag, the command asks", "'team logs'"),
  reason: textFlag("reason", "Why the deviation is accepted; without this flag, the command asks", "'mended in 2.5'"),
  expires: textFlag("expires", "Last day on which the deviation is accepted; without this flag, the command asks", "2027-01-31"),
  link: textFlag("link", "Address of the ticket about the deviation", "https://tracker.example.com/17"),
};

function present(what: string): (answer: string) => string | null {
  return (answer) => (answer === "" ? `must say ${what}` : null);
}

/** Returns the failed clause with this id, or the failed clause of the check with this id. */
function failedUnder(id: string, { clauses }: Summary): ClauseSummary {
  const failed = clauses.filter(({ verdict }) => verdict === "fail");
  const found = failed.find((clause) => clause.id === id || clause.checks.some((check) => check.id === id && check.verdict === "fail"));
  if (found !== undefined) return found;
  const known =
    failed.length === 0 ? "that run violated no clause" : `violated in that run: ${failed.map((clause) => clause.id).join(", ")}`;
  throw new SettingsError(`${JSON.stringify(id.slice(0, 80))} did not fail in the last run; ${known}`);
}

async function accept(flags: ParsedFlags): Promise<number> {
  const sources = loadSources(flags);
  refuseUnknownNames(sources);
  if (flags.operands.length === 0)
    throw new SettingsError("accept needs the ids of clauses that failed; for example plumbline accept logs-4.2");
  const reports = resolvePath(lookUp(sources, "REPORTS_DIR")?.value.trim() ?? "reports");
  const summary = readSummary(reports, "REPORTS_DIR");
  const failed = flags.operands.map((id) => ({ id, clause: failedUnder(id, summary) }));
  const found = lookUp(sources, "DEVIATIONS_FILE");
  const file = resolvePath(found?.value.trim() ?? DEFAULT_FILE);
  const exists = existsSync(file);
  // An existing deviations file must be valid before an entry is added.
  if (exists) readDeviations(found ?? { value: file, source: "flag", label: DEFAULT_FILE });
  const get = (flag: CommandFlag): string | undefined => flags.command.get(flag.name);
  const ask = async (flag: CommandFlag, asked: string, problem: (answer: string) => string | null): Promise<string> =>
    answerTo({ flag: flag.name, asked, example: flag.example, problem }, get(flag));
  const owner = await ask(FLAGS.owner, "Who is responsible for the deviation", present("who is responsible for the deviation"));
  const reason = await ask(FLAGS.reason, "Why the deviation is accepted", present("why the deviation is accepted"));
  const expires = await ask(FLAGS.expires, "Last day on which the deviation is accepted", (answer) =>
    !isDate(answer) ? "must be a date YYYY-MM-DD" : answer < new Date().toISOString().slice(0, 10) ? "must not be in the past" : null,
  );
  const link = get(FLAGS.link);
  if (link !== undefined && !URL.canParse(link))
    throw new SettingsError("--link must be a URL; for example --link https://tracker.example.com/17");
  const entries = failed.map(({ id, clause }): DeviationEntry => {
    const target = clause.document === "admin" ? summary.targets.admin : summary.targets.logs;
    return {
      match: id,
      ...(target?.kind === "remote" ? { target: target.baseUrl } : {}),
      owner,
      reason,
      ...(link === undefined ? {} : { link }),
      expires,
    };
  });
  writeFileSync(file, withEntries(exists ? readFileSync(file, "utf8") : EMPTY_DEVIATIONS, entries));
  process.stdout.write(`${file}: ${entries.map(({ match }) => match).join(", ")} accepted until ${expires}\n`);
  if (found === null) process.stdout.write(`to use this file in the next run, set DEVIATIONS_FILE=${DEFAULT_FILE}\n`);
  return EXIT.ok;
}

export const ACCEPT_COMMAND: Command = {
  name: "accept",
  summary: "accept failures of the last run until a date",
  details: [
    "Writes an entry into DEVIATIONS_FILE (deviations.json unless set) for each clause or check that failed in the run whose report is in",
    "REPORTS_DIR. The failure is then reported as a deviation and does not fail the run. A run ends with 1 if an entry has expired, matches nothing or",
    "is no longer needed. The run then names the line to delete.",
  ].join("\n"),
  settings: ["DEVIATIONS_FILE", "REPORTS_DIR"],
  flags: Object.values(FLAGS),
  operands: "CLAUSE…",
  run: accept,
};
