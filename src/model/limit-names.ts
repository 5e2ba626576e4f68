/** Names of limits as answers write them: exact, or recognisably another way. */
import { LIMIT_NAMES, type LimitName } from "../contract/limits.ts";
import type { JsonObject } from "./json.ts";

/** A name without case and separators, by which a misspelt limit is recognised. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

const BY_LETTERS = new Map(LIMIT_NAMES.map((name) => [lettersOf(name), name]));

/** The limit whose name `key` is written with other case or separators; undefined when it is exact or no limit's. */
export function misspelt(key: string): LimitName | undefined {
  const meant = BY_LETTERS.get(lettersOf(key));
  return meant === key ? undefined : meant;
}

/** The same limits under their exact names: that names are exact is judged by itself, and must not hide the values. */
export function underExactNames(limits: JsonObject): JsonObject {
  const entries = Object.entries(limits).map(([key, value]) => {
    const meant = misspelt(key);
    return [meant === undefined || Object.hasOwn(limits, meant) ? key : meant, value] as const;
  });
  return Object.fromEntries(entries);
}
