/** `plumbline init`: the files that daily use in somebody's own repository needs; nothing that is there is written over. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { packageRoot } from "../model/schemas.ts";
import { EMPTY_DEVIATIONS } from "../settings/deviations-text.ts";
import { SettingsError } from "../settings/error.ts";
import type { CommandFlag, ParsedFlags } from "../settings/flags.ts";
import { isSet } from "../settings/run-flags.ts";
import type { SettingName } from "../settings/table.ts";
import { EXIT, type Command } from "./command.ts";
import { envExample } from "./help.ts";
import { packageIdentity } from "./suite.ts";

const YES: CommandFlag = {
  name: "yes",
  kind: "boolean",
  description: "Ask nothing: every file, with what is to be filled in left empty",
  example: "true",
};

/** What a person is asked; tokens are not, they belong into the environment or a file. */
const ASKED: readonly (readonly [name: SettingName, question: string])[] = [
  ["METRICS_BASE_URL", "Base URL of the metrics admin API (empty: not judged)"],
  ["METRICS_CLUSTER", "Name of an existing cluster for the instances a run creates"],
  ["LOGS_BASE_URL", "Base URL of the log API (empty: not judged)"],
  ["LOGS_PATH_SEGMENT", "The log service's own name in its paths (empty: logs)"],
];

/** `.env` with these values set, everything else commented out. */
export function envWith(values: ReadonlyMap<SettingName, string>): string {
  return [...values].reduce(
    (text, [name, value]) => (value === "" ? text : text.replace(new RegExp(`^#${name}=.*$`, "m"), () => `${name}=${value}`)),
    envExample(),
  );
}

async function answers(): Promise<Map<SettingName, string>> {
  if (!process.stdin.isTTY) throw new SettingsError("there is no terminal to ask at; plumbline init --yes asks nothing");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const values = new Map<SettingName, string>();
  try {
    for (const [name, question] of ASKED) values.set(name, (await terminal.question(`${question}: `)).trim());
  } finally {
    terminal.close();
  }
  return values;
}

function workflow(): string {
  const { name, version } = packageIdentity();
  return readFileSync(join(packageRoot(), "recipes/github-workflow.yml"), "utf8").replaceAll("PACKAGE@VERSION", `${name}@${version}`);
}

async function init(flags: ParsedFlags): Promise<number> {
  const values = isSet(flags.command, YES) ? new Map<SettingName, string>() : await answers();
  const files: readonly (readonly [path: string, text: () => string])[] = [
    [".env", () => envWith(values)],
    [".github/workflows/conformance.yml", workflow],
    ["deviations.json", () => EMPTY_DEVIATIONS],
  ];
  for (const [path, text] of files) {
    if (existsSync(path)) {
      process.stdout.write(`${path}: is there already, left as it is\n`);
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text(), { flag: "wx" });
    process.stdout.write(`${path}: written\n`);
  }
  process.stdout.write("next: put the tokens into the environment, keep .env out of version control, then npx --no -- plumbline doctor\n");
  return EXIT.ok;
}

export const INIT_COMMAND: Command = {
  name: "init",
  summary: "write .env, a workflow and a deviations file into this folder",
  details:
    "Asks for addresses unless --yes is given. A file that is there already is never written over. No token is asked for or written.",
  settings: [],
  flags: [YES],
  run: init,
};
