/** Reads and validates the deviations file. A mistake in it is reported like a refused setting. */
import { isObject } from "../model/json.ts";
import { readText, wrongFile } from "./files.ts";
import { linesOfItems, withoutComments } from "./jsonc.ts";
import type { Found } from "./sources.ts";
import type { Deviation } from "./types.ts";

const TEXTS = ["match", "owner", "reason", "expires"] as const;
const OPTIONAL = ["target", "link"] as const;

/** Returns the problem of an entry of the deviations file, or null if the entry is valid. */
function problemOf(entry: unknown): string | null {
  if (!isObject(entry)) return "is not an object";
  const known: readonly string[] = [...TEXTS, ...OPTIONAL];
  const unknown = Object.keys(entry).find((key) => !known.includes(key));
  if (unknown !== undefined) return `has the unknown field ${JSON.stringify(unknown.slice(0, 40))}`;
  for (const key of TEXTS) {
    const value = entry[key];
    if (typeof value !== "string" || value.trim() === "") return `needs ${key}, a text`;
  }
  for (const key of OPTIONAL) {
    const value = entry[key];
    if (value !== undefined && (typeof value !== "string" || !URL.canParse(value))) return `has a ${key} that is not a URL`;
  }
  return isDate(String(entry["expires"])) ? null : "has an expires that is not a date YYYY-MM-DD";
}

/** Whether the text is a day of the calendar in the form `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Returns the URL without slashes at its end, as in the base URLs of the settings. */
function baseUrlOf(text: string): string {
  const url = new URL(text);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Returns the entries, or a sentence about the problem. `today` is `YYYY-MM-DD`, and an entry is valid until this day is past. */
export function parseDeviations(text: string, today: string): readonly Deviation[] | string {
  let value: unknown;
  try {
    value = JSON.parse(withoutComments(text));
  } catch {
    return "names a file that is not JSON (comments are allowed)";
  }
  const entries = isObject(value) ? value["deviations"] : undefined;
  if (!Array.isArray(entries)) return 'names a file without a list "deviations"';
  const lines = linesOfItems(text);
  const deviations: Deviation[] = [];
  for (const [index, entry] of (entries as unknown[]).entries()) {
    const problem = problemOf(entry);
    const place = lines[index] ?? { first: 1, last: 1 };
    if (problem !== null) return `names a file whose entry ${index + 1} (line ${place.first}) ${problem}`;
    const { match, owner, reason, expires, target, link } = entry as Record<(typeof TEXTS)[number], string> & {
      target?: string;
      link?: string;
    };
    deviations.push({
      match: match.trim(),
      owner,
      reason,
      expires,
      target: target === undefined ? null : baseUrlOf(target),
      link: link ?? null,
      expired: expires < today,
      lines: place,
    });
  }
  return deviations;
}

/** Returns the entries of the file that the setting names. Throws a `SettingsError` if the file cannot be read or has a mistake. */
export function readDeviations(found: Found): readonly Deviation[] {
  const deviations = parseDeviations(readText(found, "DEVIATIONS_FILE"), new Date().toISOString().slice(0, 10));
  if (typeof deviations === "string") wrongFile(found, "DEVIATIONS_FILE", deviations);
  return deviations;
}
