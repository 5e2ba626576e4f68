/** Recognises the names of limits in responses, exactly or in another spelling. */
import { LIMIT_NAMES, type LimitName } from "../contract/limits.ts";
import type { JsonObject } from "./json.ts";

/** A name in lower case without separators. Such a name identifies a limit in another spelling. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

const BY_LETTERS = new Map(LIMIT_NAMES.map((name) => [lettersOf(name), name]));

/**
 * Returns the limit whose name `key` has in another case or with other separators. Returns undefined if `key` is exact or belongs to no
 * limit.
 */
export function misspelt(key: string): LimitName | undefined {
  const meant = BY_LETTERS.get(lettersOf(key));
  return meant === key ? undefined : meant;
}

/** The same limits under their exact names. Names are judged separately. So a wrong name must not prevent the judgement of the value. */
export function underExactNames(limits: JsonObject): JsonObject {
  const entries = Object.entries(limits).map(([key, value]) => {
    const meant = misspelt(key);
    return [meant === undefined || Object.hasOwn(limits, meant) ? key : meant, value] as const;
  });
  return Object.fromEntries(entries);
}
