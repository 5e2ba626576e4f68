/** Reads the sources of this process: its environment and the `.env` of its working directory. */
import { readFileSync } from "node:fs";
import { parse } from "dotenv";
import { SettingsError } from "./error.ts";
import type { ParsedFlags } from "./flags.ts";
import type { Sources } from "./sources.ts";

function readDotenv(): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = readFileSync(".env", "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new SettingsError(".env exists but cannot be read; make it readable or remove it");
  }
  return parse(text);
}

/** Returns the flags, `process.env` and the content of `.env` separately. Does not write the content of `.env` into `process.env`. */
export function loadSources(flags: ParsedFlags): Sources {
  return { flags: flags.settings, env: process.env, dotenv: readDotenv() };
}
