/** Parses the text of a setting. A refusal says what is wrong, and gives a valid value. It never contains the refused value. */
import { refuse } from "./error.ts";
import { SETTINGS, type SettingName } from "./table.ts";
import type { Found } from "./sources.ts";

function wrong(found: Found, name: SettingName, problem: string): never {
  const example = SETTINGS[name].example;
  refuse(found.label, problem, found.source === "flag" ? `${found.label}=${example}` : `${name}=${example}`);
}

/** Accepts only `true` and `false`, because `yes` or `1` may be a mistake. */
export function parseBoolean(found: Found, name: SettingName): boolean {
  const text = found.value.trim();
  if (text !== "true" && text !== "false") wrong(found, name, "must be true or false");
  return text === "true";
}

/** Accepts a decimal integer within the bounds that the table of settings has for the setting. */
export function parseInteger(found: Found, name: SettingName): number {
  const text = found.value.trim();
  if (!/^-?\d+$/.test(text)) wrong(found, name, "must be an integer");
  const value = Number(text);
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = SETTINGS[name];
  if (value < min || value > max) wrong(found, name, `must be between ${min} and ${max}`);
  return value;
}

/** Accepts one of `choices`. */
export function parseChoice<Choice extends string>(found: Found, name: SettingName, choices: readonly Choice[]): Choice {
  const text = found.value.trim();
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) wrong(found, name, `must be one of ${choices.join(", ")}`);
  return choice;
}

/** Accepts an absolute http or https URL without userinfo, query and fragment. Removes final slashes, and keeps a path prefix. */
export function parseBaseUrl(found: Found, name: SettingName): string {
  const text = found.value.trim();
  if (!URL.canParse(text)) wrong(found, name, "is not an absolute URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") wrong(found, name, "must start with http:// or https://");
  // The original text is tested too, because `new URL` removes an empty userinfo, query or fragment.
  const authority = /^[a-z]+:[/\\]*([^/\\?#]*)/i.exec(text)?.[1] ?? "";
  if (authority.includes("@")) wrong(found, name, "must not hold a user or password: tokens have settings of their own");
  if (text.includes("?")) wrong(found, name, "must not have a query");
  if (text.includes("#")) wrong(found, name, "must not have a fragment");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Accepts a text for a header or a path. Refuses control characters and line ends. */
export function parseText(found: Found, name: SettingName): string {
  const text = found.value.trim();
  if (/\p{Cc}/u.test(text)) wrong(found, name, "must not hold line ends or other control characters");
  return text;
}

/** Accepts a path segment: a text between two slashes that needs no escaping. */
export function parseSegment(found: Found, name: SettingName): string {
  const text = found.value.trim();
  if (!/^[\w.~-]+$/.test(text) || text === "." || text === "..") wrong(found, name, "must be one path segment");
  return text;
}

/** Accepts a tenant id without `|`, because `|` separates several tenant ids in the header X-Scope-OrgID. */
export function parseTenant(found: Found, name: SettingName): string {
  const text = parseText(found, name);
  if (text.includes("|")) wrong(found, name, "must be one tenant id, without |");
  if (!/^[\u0021-\u007E]+$/.test(text)) wrong(found, name, "must be visible ASCII characters");
  return text;
}
