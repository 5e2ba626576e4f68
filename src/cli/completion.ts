/** `plumbline completion`: prints a script with which a shell completes commands and flags. */
import { SettingsError } from "../settings/error.ts";
import type { ParsedFlags } from "../settings/flags.ts";
import { flagOf } from "../settings/table.ts";
import { EXIT, type Command } from "./command.ts";

function flagsOf({ settings, flags }: Command): string[] {
  const own = flags.map(({ name }) => `--${name}`);
  return [...own, ...settings.flatMap((name) => flagOf(name) ?? []).map((flag) => `--${flag}`), "--help"];
}

function bash(commands: readonly Command[]): string {
  const cases = commands.map((command) => `    ${command.name}) words="${flagsOf(command).join(" ")}" ;;`);
  return [
    "_plumbline() {",
    "  local word words command",
    '  word="${COMP_WORDS[COMP_CWORD]}"',
    '  command="${COMP_WORDS[1]}"',
    '  case "$command" in',
    ...cases,
    '    *) words="" ;;',
    "  esac",
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.map(({ name }) => name).join(" ")} --help --version"; fi`,
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '  if [ "${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY=($(compgen -f -- "$word")); fi',
    "}",
    "complete -F _plumbline plumbline",
  ].join("\n");
}

function fish(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return [
    ...commands.map(
      ({ name, summary }) =>
        `complete -c plumbline -n "not __fish_seen_subcommand_from ${names}" -a ${name} -d '${summary.replaceAll("'", "")}'`,
    ),
    ...commands.flatMap((command) =>
      flagsOf(command).map((flag) => `complete -c plumbline -n "__fish_seen_subcommand_from ${command.name}" -l ${flag.slice(2)}`),
    ),
  ].join("\n");
}

const SHELLS: ReadonlyMap<string, (commands: readonly Command[]) => string> = new Map([
  ["bash", bash],
  // zsh has a compatibility layer for completion scripts of bash, so it reads the same script.
  ["zsh", (commands) => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`],
  ["fish", fish],
]);

/** Returns the command `completion`. `commands` returns all commands of the program. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: "print the completion of commands and flags for a shell",
    details: 'SHELL is bash, zsh or fish; for example: eval "$(plumbline completion bash)"',
    settings: [],
    flags: [],
    operands: "SHELL",
    run: async ({ operands }: ParsedFlags) => {
      const write = operands.length === 1 ? SHELLS.get(operands[0] ?? "") : undefined;
      if (write === undefined)
        throw new SettingsError("completion needs one shell: bash, zsh or fish; for example plumbline completion bash");
      process.stdout.write(`${write(commands())}\n`);
      return EXIT.ok;
    },
  };
}
