/** The sources of settings, by priority: flag, environment, `.env`. An empty value counts as unset. */
import { nearestName } from "./distance.ts";
import { SettingsError } from "./error.ts";
import { SETTING_NAMES, flagOf, isSettingName, type SettingName } from "./table.ts";

export type SourceKind = "flag" | "environment" | ".env";

export interface Found {
  readonly value: string;
  readonly source: SourceKind;
  /** The name of the setting as the user wrote it: `--seed`, `SEED` or `SEED in .env`. */
  readonly label: string;
}

export interface Sources {
  readonly flags: ReadonlyMap<SettingName, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dotenv: Readonly<Record<string, string>>;
}

const KINDS: readonly SourceKind[] = ["flag", "environment", ".env"];

/** The usual proxy variables of HTTP clients. This program uses them, but does not list them as settings. */
const PROXY_NAMES: readonly string[] = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

function valueIn(sources: Sources, kind: SourceKind, name: SettingName): string | undefined {
  if (kind === "flag") return sources.flags.get(name);
  return kind === "environment" ? sources.env[name] : sources.dotenv[name];
}

function labelOf(kind: SourceKind, name: SettingName): string {
  if (kind === "flag") return `--${flagOf(name) ?? name}`;
  return kind === "environment" ? name : `${name} in .env`;
}

/** Returns the value from the source with the highest priority, or null if it is unset or empty in all sources. */
export function lookUp(sources: Sources, name: SettingName): Found | null {
  for (const kind of KINDS) {
    const value = valueIn(sources, kind, name);
    if (value !== undefined && value.trim() !== "") return { value, source: kind, label: labelOf(kind, name) };
  }
  return null;
}

/** Returns the parsed value of a setting, or `otherwise` if it is unset. */
export function valueOf<Name extends SettingName, Value, Otherwise>(
  sources: Sources,
  name: Name,
  parse: (found: Found, name: Name) => Value,
  otherwise: Otherwise,
): Value | Otherwise {
  const found = lookUp(sources, name);
  return found === null ? otherwise : parse(found, name);
}

/** If a source has the setting `name` with an empty value, returns its label there. Otherwise returns null. */
export function presentButEmpty(sources: Sources, name: SettingName): string | null {
  for (const kind of KINDS) {
    if (valueIn(sources, kind, name)?.trim() === "") return labelOf(kind, name);
  }
  return null;
}

/** Returns a proxy variable. Upper case has priority over lower case, and the environment over `.env`. */
export function proxyVariable(sources: Sources, name: "HTTP_PROXY" | "HTTPS_PROXY" | "NO_PROXY"): string {
  for (const record of [sources.env, sources.dotenv]) {
    for (const spelling of [name, name.toLowerCase()]) {
      const value = record[spelling]?.trim();
      if (value !== undefined && value !== "") return value;
    }
  }
  return "";
}

/**
 * Refuses unknown names in `.env`, and names in the environment that are similar to a known name. For some similar names, returns a warning
 * instead, because orchestrators set variables such as `METRICS_SERVICE_HOST`.
 */
export function refuseUnknownNames(sources: Sources): readonly string[] {
  for (const name of Object.keys(sources.dotenv)) {
    if (isSettingName(name) || PROXY_NAMES.includes(name)) continue;
    refuseName(`${name} in .env`, nearestName(name, SETTING_NAMES, 2));
  }
  const warned: string[] = [];
  for (const name of Object.keys(sources.env)) {
    if (isSettingName(name) || PROXY_NAMES.includes(name)) continue;
    const nearest = nearestName(name, SETTING_NAMES, 2);
    if (nearest !== null) refuseName(name, nearest);
    if (/^(?:METRICS|LOGS|TLS)_/.test(name)) warned.push(name);
  }
  return warned.toSorted();
}

function refuseName(label: string, nearest: string | null): never {
  const hint = nearest === null ? "plumbline run --help lists every setting" : `did you mean ${nearest}?`;
  throw new SettingsError(`${label} is not a known setting; ${hint}`);
}
