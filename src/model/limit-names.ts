/** Recognises the names of limits in responses, even with another letter case or other separators. */
import { LIMIT_NAMES, type LimitName } from "../contract/limits.ts";
import type { JsonObject } from "./json.ts";

/** Returns the name of a limit in lower case without separators. The result is the same for each spelling of the name. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

const BY_LETTERS = new Map(LIMIT_NAMES.map((name) => [lettersOf(name), name]));

/** If `key` is the name of a limit with another case or other separators, returns the limit. For an exact or unknown name, undefined. */
export function misspelt(key: string): LimitName | undefined {
  const meant = BY_LETTERS.get(lettersOf(key));
  return meant === key ? undefined : meant;
}

/** Returns the limits under their exact names, so that the value of a misspelt limit is judged too. */
export function underExactNames(limits: JsonObject): JsonObject {
  const entries = Object.entries(limits).map(([key, value]) => {
    const meant = misspelt(key);
    return [meant === undefined || Object.hasOwn(limits, meant) ? key : meant, value] as const;
  });
  return Object.fromEntries(entries);
}
