/** Parses a command line into settings, flags of one command, and operands. */
import { parseArgs } from "node:util";
import { nearestName } from "./distance.ts";
import { refuse, SettingsError } from "./error.ts";
import { SETTINGS, flagOf, isSettingName, type SettingName } from "./table.ts";

/** A flag of one command that is not a setting. */
export interface CommandFlag {
  readonly name: string;
  readonly kind: "text" | "boolean";
  readonly description: string;
  readonly example: string;
}

export function textFlag(name: string, description: string, example: string): CommandFlag {
  return { name, kind: "text", description, example };
}

export function booleanFlag(name: string, description: string): CommandFlag {
  return { name, kind: "boolean", description, example: "true" };
}

export interface ParsedFlags {
  readonly settings: ReadonlyMap<SettingName, string>;
  readonly command: ReadonlyMap<string, string>;
  /** The operands: the words on the command line that are not flags. */
  readonly operands: readonly string[];
}

export interface Line {
  readonly settings: readonly SettingName[];
  readonly flags: readonly CommandFlag[];
  /** The name of the operands, for example `CLAUSE…`, or absent if the command accepts none. */
  readonly operands?: string;
}

type ArgsToken = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/**
 * Parses a command line. Refuses unknown and repeated flags. A boolean flag may have no value. An error message never repeats the value of
 * a flag, because the value could be a token.
 */
export function parseFlags(argv: readonly string[], { settings: taken, flags: own, operands: named }: Line): ParsedFlags {
  const settingByFlag = new Map<string, SettingName>();
  for (const name of taken) {
    const flag = flagOf(name);
    if (flag !== null) settingByFlag.set(flag, name);
  }
  const ownByFlag = new Map(own.map((flag) => [flag.name, flag]));
  const known = [...settingByFlag.keys(), ...ownByFlag.keys()];
  const isBoolean = (flag: string): boolean => {
    const setting = settingByFlag.get(flag);
    return setting === undefined ? ownByFlag.get(flag)?.kind === "boolean" : SETTINGS[setting].kind === "boolean";
  };
  const closesBoolean = (before: ArgsToken | undefined, value: string): boolean =>
    before?.kind === "option" && before.value === undefined && isBoolean(before.name) && (value === "true" || value === "false");
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    options: Object.fromEntries(known.map((flag) => [flag, { type: isBoolean(flag) ? "boolean" : "string" } as const])),
  });
  const settings = new Map<SettingName, string>();
  const command = new Map<string, string>();
  const operands: string[] = [];
  for (const [position, token] of tokens.entries()) {
    if (token.kind !== "option") {
      if (token.kind === "positional" && closesBoolean(tokens[position - 1], token.value)) continue;
      if (token.kind === "positional" && named !== undefined) {
        operands.push(token.value);
        continue;
      }
      throw new SettingsError("the command line has an argument that is no flag; for example --profile smoke");
    }
    const flag = `--${token.name}`;
    if (!known.includes(token.name)) refuseUnknown(token.rawName, token.name, known);
    const next = tokens[position + 1];
    const spelled = next?.kind === "positional" && closesBoolean(token, next.value) ? next.value : "true";
    const value = isBoolean(token.name) ? (token.value ?? spelled) : token.value;
    if (value === undefined || (token.inlineValue === false && value.startsWith("--"))) {
      const setting = settingByFlag.get(token.name);
      const example = setting === undefined ? ownByFlag.get(token.name)?.example : SETTINGS[setting].example;
      refuse(flag, "needs a value", `${flag} ${example ?? "value"}`);
    }
    const setting = settingByFlag.get(token.name);
    if (settings.has(setting ?? "BASE_URL") && setting !== undefined) refuse(flag, "is given twice", `${flag} once`);
    if (command.has(token.name)) refuse(flag, "is given twice", `${flag} once`);
    if (setting === undefined) command.set(token.name, value);
    else settings.set(setting, value);
  }
  return { settings, command, operands };
}

function refuseUnknown(raw: string, name: string, known: readonly string[]): never {
  const setting = name.toUpperCase().replaceAll("-", "_");
  if (isSettingName(setting) && SETTINGS[setting].kind === "secret") {
    refuse(raw, "is not a flag: tokens come from the environment, .env or a file", `${raw}-file /run/secrets/token`);
  }
  if (isSettingName(setting)) throw new SettingsError(`${raw} has no effect in this command; --help lists the flags of the command`);
  const nearest = nearestName(name, known, 2);
  if (nearest !== null) refuse(raw, "is not a known flag", `--${nearest}`);
  throw new SettingsError(`${raw} is not a known flag; --help lists all flags`);
}
