/** Writes `--help`, `.env.example` and the table of docs/settings.md from the table of settings. */
import { SETTINGS, SETTING_NAMES, flagOf, type SettingName } from "../settings/table.ts";
import { grouped } from "../model/grouped.ts";
import type { Command } from "./command.ts";

function groups(wanted: readonly SettingName[] = SETTING_NAMES): ReadonlyMap<string, readonly SettingName[]> {
  return grouped(wanted, (name) => SETTINGS[name].group);
}

function settingHelp(name: SettingName): string[] {
  const row = SETTINGS[name];
  const flag = flagOf(name);
  const spelled = flag === null ? "not a flag" : `--${flag}`;
  return [`  ${name}  (${spelled})`, `      ${row.description}.`, `      Default: ${row.default}.`];
}

function settingsHelp(names: readonly SettingName[]): string[] {
  const lines = [
    "",
    "Settings. A flag has priority over an environment variable, a variable over .env, and .env over the default. An empty setting is not set.",
  ];
  for (const [group, own] of groups(names)) lines.push("", `${group}:`, ...own.flatMap((name) => settingHelp(name)));
  return lines;
}

export function commandHelp(command: Command): string {
  const usage = `plumbline ${command.name}${command.operands === undefined ? "" : ` ${command.operands}`}`;
  const lines = [`${usage}: ${command.summary}`, "", command.details];
  if (command.flags.length > 0) lines.push("", "Flags:");
  for (const flag of command.flags) {
    lines.push(`  --${flag.name}${flag.kind === "text" ? ` ${flag.example}` : ""}`, `      ${flag.description}.`);
  }
  if (command.settings.length > 0) lines.push(...settingsHelp(command.settings));
  return `${lines.join("\n")}\n`;
}

export function generalHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return `${[
    "plumbline: contract conformance tests for a metrics admin API and a log API",
    "",
    "Usage: plumbline [command] [flags]",
    "",
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    "",
    "Without a command, the command is run. Without a base URL, a run judges the embedded reference server.",
    "plumbline <command> --help explains a command; plumbline --version prints the version.",
    "",
    "Exit codes: 0 conformant, 1 contract violated, 2 usage or configuration error, 3 inconclusive or internal error,",
    "130, 143 and 129 after SIGINT, SIGTERM and SIGHUP.",
  ].join("\n")}\n`;
}

export function envExample(): string {
  const lines = [
    "# Settings of plumbline. Copy this file to .env and fill in the settings that you need. An empty setting is not set.",
    "# A flag has priority over an environment variable, a variable over .env, and .env over the default.",
  ];
  for (const [group, names] of groups()) {
    lines.push("", `# --- ${group} ---`);
    for (const name of names) {
      const row = SETTINGS[name];
      const example = row.kind === "secret" ? "" : row.example;
      lines.push("", `# ${row.description}.`, `# Default: ${row.default}.`, `#${name}=${example}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", String.raw`\|`);
}

export function settingsTable(): string {
  const rows = SETTING_NAMES.map((name) => `| \`${name}\` | ${cell(SETTINGS[name].description)} | ${cell(SETTINGS[name].default)} |`);
  return ["| variable | meaning | default |", "| --- | --- | --- |", ...rows].join("\n");
}
