/** `plumbline init`: writes the files that a user needs to test a target from another repository. It never overwrites a file. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { packageRoot } from "../model/schemas.ts";
import { EMPTY_DEVIATIONS } from "../settings/deviations-text.ts";
import { SettingsError } from "../settings/error.ts";
import { booleanFlag, type ParsedFlags } from "../settings/flags.ts";
import { isSet } from "../settings/run-flags.ts";
import type { SettingName } from "../settings/table.ts";
import { EXIT, type Command } from "./command.ts";
import { envExample } from "./help.ts";

const YES = booleanFlag("yes", "Ask no questions: write all files, and leave the values empty");

/** A question of `init` to the user. No question asks for a token: tokens belong in the environment or in a file. */
interface Asked {
  readonly name: SettingName;
  readonly question: string;
  /** The setting of this question has no effect without this other setting. */
  readonly needs?: SettingName;
}

/** The questions of `init`. The workflows take the same settings from the variables of the repository. */
export const ASKED: readonly Asked[] = [
  { name: "METRICS_BASE_URL", question: "Base URL of the metrics admin API (empty: not judged)" },
  { name: "METRICS_CLUSTER", question: "Name of an existing cluster, in which a run creates its instances", needs: "METRICS_BASE_URL" },
  { name: "LOGS_BASE_URL", question: "Base URL of the log API (empty: not judged)" },
  { name: "LOGS_PATH_SEGMENT", question: "Name of the log service in its paths (empty: logs)", needs: "LOGS_BASE_URL" },
];

const WORKFLOWS = ["release", "nightly"] as const;
type Workflow = (typeof WORKFLOWS)[number];

const WHICH_WORKFLOWS: ReadonlyMap<string, readonly Workflow[]> = new Map<string, readonly Workflow[]>([
  ["", WORKFLOWS],
  ["both", WORKFLOWS],
  ["release", ["release"]],
  ["nightly", ["nightly"]],
  ["none", []],
]);

export interface Answers {
  readonly values: ReadonlyMap<SettingName, string>;
  readonly workflows: readonly Workflow[];
}

const NO_ANSWERS: Answers = { values: new Map(), workflows: WORKFLOWS };

const DEVIATIONS = "deviations.json";

/** Returns the text of `.env`. The settings in `values` are set, and all other settings are comments. */
export function envWith(values: ReadonlyMap<SettingName, string>): string {
  return [...values].reduce(
    (text, [name, value]) => (value === "" ? text : text.replace(new RegExp(`^#${name}=.*$`, "m"), () => `${name}=${value}`)),
    envExample(),
  );
}

/** Asks the user all questions. Leaves out a question if an earlier answer was empty, so that its setting would have no effect. */
export async function answersTo(ask: (question: string) => Promise<string>): Promise<Answers> {
  const values = new Map<SettingName, string>();
  for (const { name, question, needs } of ASKED) {
    if (needs === undefined || values.get(needs) !== "") values.set(name, (await ask(`${question}: `)).trim());
  }
  for (;;) {
    const answer = (await ask("Workflows for GitHub: release (a gate), nightly, both or none (empty: both): ")).trim();
    const workflows = WHICH_WORKFLOWS.get(answer.toLowerCase());
    if (workflows !== undefined) return { values, workflows };
  }
}

async function answersAtTerminal(): Promise<Answers> {
  if (!process.stdin.isTTY) throw new SettingsError("there is no terminal for the questions; plumbline init --yes asks no questions");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await answersTo(async (question) => terminal.question(question));
  } catch {
    throw new SettingsError("the questions were not answered, so nothing was written; plumbline init --yes asks no questions");
  } finally {
    terminal.close();
  }
}

function recipe(name: Workflow): string {
  return readFileSync(join(packageRoot(), `recipes/github-${name}.yml`), "utf8");
}

/** Returns the files that `init` writes, by path. `.env` and the workflows name the same deviations file. */
export function filesOf({ values, workflows }: Answers): ReadonlyMap<string, string> {
  return new Map([
    [".env", envWith(new Map([...values, ["DEVIATIONS_FILE", DEVIATIONS]]))],
    ...workflows.map((name) => [`.github/workflows/conformance-${name}.yml`, recipe(name)] as const),
    [DEVIATIONS, EMPTY_DEVIATIONS],
  ]);
}

async function init(flags: ParsedFlags): Promise<number> {
  const answers = isSet(flags.command, YES) ? NO_ANSWERS : await answersAtTerminal();
  for (const [path, text] of filesOf(answers)) {
    if (existsSync(path)) {
      process.stdout.write(`${path}: already exists, not changed\n`);
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: "wx" });
    process.stdout.write(`${path}: written\n`);
  }
  const steps = ["set the tokens as environment variables", "do not commit .env", "run npx --no -- plumbline doctor"];
  if (answers.workflows.length > 0) steps.push("commit package.json and package-lock.json, from which the workflows install with npm ci");
  process.stdout.write(`next: ${steps.join("; ")}\n`);
  return EXIT.ok;
}

export const INIT_COMMAND: Command = {
  name: "init",
  summary: "write .env, workflows and a deviations file into this folder",
  details:
    "Asks for the addresses, and which workflows to write: a release gate, a nightly run, or both. With --yes it asks nothing and writes both.\n" +
    "The command never overwrites a file. It never asks for a token and never writes a token.",
  settings: [],
  flags: [YES],
  run: init,
};
