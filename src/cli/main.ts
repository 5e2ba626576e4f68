#!/usr/bin/env node
/** The command-line program: finds the command, parses its flags, and ends with a documented exit code. */
import { parseFlags } from "../settings/flags.ts";
import { SettingsError } from "../settings/error.ts";
import { nearestName } from "../settings/distance.ts";
import { EXIT, type Command } from "./command.ts";
import { keepHeapSmall } from "./heap.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { ACCEPT_COMMAND } from "./accept.ts";
import { CLAUSES_COMMAND } from "./clauses.ts";
import { COMPARE_COMMAND } from "./compare.ts";
import { DOCTOR_COMMAND } from "./doctor.ts";
import { endInconclusiveOnCrash, endWith, surviveLostOutput, tellInternalError } from "./exit.ts";
import { INIT_COMMAND } from "./init.ts";
import { MERGE_COMMAND } from "./merge.ts";
import { RUN_COMMAND } from "./run.ts";
import { SERVE_COMMAND } from "./serve.ts";
import { followStarter } from "./starter.ts";

const COMMANDS: readonly Command[] = [
  RUN_COMMAND,
  SERVE_COMMAND,
  DOCTOR_COMMAND,
  CLAUSES_COMMAND,
  COMPARE_COMMAND,
  MERGE_COMMAND,
  ACCEPT_COMMAND,
  INIT_COMMAND,
];

function findCommand(word: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === word);
  if (command !== undefined) return command;
  const names = COMMANDS.map((candidate) => candidate.name);
  const nearest = nearestName(word, names, 2);
  throw new SettingsError(
    `the command must be one of ${names.join(", ")}${nearest === null ? "" : `; did you mean ${nearest}?`}; for example plumbline run`,
  );
}

async function main(argv: readonly string[]): Promise<number> {
  const [first] = argv;
  if (first === "--help" || first === "-h" || first === "help") {
    process.stdout.write(generalHelp(COMMANDS));
    return EXIT.ok;
  }
  if (first === "--version") {
    const { suiteIdentity } = await import("./suite.ts");
    process.stdout.write(`${suiteIdentity().version}\n`);
    return EXIT.ok;
  }
  const named = first !== undefined && !first.startsWith("-");
  const command = named ? findCommand(first) : RUN_COMMAND;
  const rest = named ? argv.slice(1) : argv;
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(commandHelp(command));
    return EXIT.ok;
  }
  return command.run(parseFlags(rest, command));
}

async function exitCodeFor(argv: readonly string[]): Promise<number> {
  try {
    return await main(argv);
  } catch (error) {
    if (error instanceof SettingsError) {
      process.stderr.write(`plumbline: ${error.message.split("\n")[0] ?? ""}\n`);
      return EXIT.usage;
    }
    tellInternalError(error);
    return EXIT.inconclusive;
  }
}

surviveLostOutput();
endInconclusiveOnCrash();
keepHeapSmall();
followStarter();
await endWith(await exitCodeFor(process.argv.slice(2)));
