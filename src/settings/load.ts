/** Reads the sources of this process: its environment and the `.env` of its working directory. */
import { readFileSync } from "node:fs";
import { parse } from "dotenv";
import { codeOf, refuse, SettingsError } from "./error.ts";
import type { ParsedFlags } from "./flags.ts";
import type { Sources } from "./sources.ts";

function readDotenv(): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = readFileSync(".env", "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return {};
    throw new SettingsError(".env exists but cannot be read; make it readable or remove it");
  }
  return parseDotenv(text);
}

/** Matches an entry of a `.env` file as dotenv reads it. A comment may follow the entry. A value in quotes may have several lines. */
const ENTRY =
  /^\s*(?:export[ \t]+)?[\w.-]+(?:[ \t]*=|:[ \t])[ \t]*(?:"(?:\\"|[^"])*"|'(?:\\'|[^'])*'|`(?:\\`|[^`])*`|[^#\r\n]*)[ \t]*(?:#.*)?$/gm;

/** Returns the entries of a `.env` file. Refuses all other lines, which dotenv ignores. The refusal shows no text that may be a token. */
export function parseDotenv(text: string): Readonly<Record<string, string>> {
  const rest = text.replaceAll(ENTRY, (entry) => entry.replaceAll(/[^\n]/g, "")).split("\n");
  const line = rest.findIndex((one) => !/^\s*(?:#|$)/.test(one));
  if (line !== -1) refuse(`.env line ${line + 1}`, "is neither NAME=value nor a comment", "BASE_URL=https://gateway.example.com");
  return parse(text);
}

/** Returns the flags, `process.env` and the content of `.env` separately. Does not write the content of `.env` into `process.env`. */
export function loadSources(flags: ParsedFlags): Sources {
  return { flags: flags.settings, env: process.env, dotenv: readDotenv() };
}
