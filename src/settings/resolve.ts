/** Flags, environment and `.env` to one validated `Settings`, or a `SettingsError` with one sentence. */
import { randomInt } from "node:crypto";
import { accessSync, constants, mkdirSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { CLAUSES, isJudged, matchesGlob } from "../contract/catalogue.ts";
import { contradiction, refuse, SettingsError } from "./error.ts";
import { readCaBundle, readExtraHeaders } from "./files.ts";
import { parseBoolean, parseChoice, parseInteger } from "./parse.ts";
import { lookUp, proxyVariable, refuseUnknownNames, type Sources } from "./sources.ts";
import { FIXED_SEED, PROFILE_BUDGETS, type SettingName } from "./table.ts";
import { resolveTargets } from "./targets.ts";
import type { Budgets, Profile, Settings, TransportSettings } from "./types.ts";

export interface Resolved {
  readonly settings: Settings;
  /** Lines for stderr that change nothing. */
  readonly warnings: readonly string[];
}

const PROFILES = ["smoke", "release", "nightly"] as const satisfies readonly Profile[];

function integer(sources: Sources, name: SettingName, otherwise: number): number {
  const found = lookUp(sources, name);
  return found === null ? otherwise : parseInteger(found, name);
}

function transport(sources: Sources): TransportSettings {
  const ca = lookUp(sources, "TLS_CA_FILE");
  const insecure = lookUp(sources, "TLS_INSECURE");
  const headers = lookUp(sources, "EXTRA_HEADERS_FILE");
  const tlsInsecure = insecure !== null && parseBoolean(insecure, "TLS_INSECURE");
  if (tlsInsecure && ca !== null) {
    contradiction("TLS_INSECURE and TLS_CA_FILE are both set: verification is skipped or done against the bundle, not both");
  }
  const proxy = proxyVariable(sources, "HTTPS_PROXY");
  if (proxy !== "" && (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol))) {
    refuse("HTTPS_PROXY", "is not an http or https URL", "HTTPS_PROXY=http://proxy.example.com:3128");
  }
  return {
    concurrency: integer(sources, "CONCURRENCY", 8),
    requestTimeoutMs: integer(sources, "REQUEST_TIMEOUT_MS", 10_000),
    tlsCa: ca === null ? null : readCaBundle(ca, "TLS_CA_FILE"),
    tlsInsecure,
    httpsProxy: proxy === "" ? null : proxy,
    noProxy: proxyVariable(sources, "NO_PROXY"),
    extraHeaders: headers === null ? {} : readExtraHeaders(headers, "EXTRA_HEADERS_FILE"),
  };
}

function budgets(sources: Sources, profile: Profile): Budgets {
  const defaults = PROFILE_BUDGETS[profile];
  return {
    runTimeoutMs: integer(sources, "RUN_TIMEOUT_MS", defaults.runTimeoutMs),
    maxRequests: integer(sources, "MAX_REQUESTS", defaults.maxRequests),
    maxInstances: integer(sources, "MAX_INSTANCES", defaults.maxInstances),
  };
}

/** `--only` to globs. Each must name a clause and all together one that is judged: judging nothing is no success. */
export function parseOnly(text: string | null): readonly string[] {
  if (text === null) return [];
  const globs = text
    .split(",")
    .map((glob) => glob.trim())
    .filter((glob) => glob !== "");
  if (globs.length === 0) throw new SettingsError("--only names no clause; for example --only 'admin-4.*'");
  for (const glob of globs) {
    if (!CLAUSES.some((clause) => matchesGlob(glob, clause.id))) {
      throw new SettingsError(
        `--only ${JSON.stringify(glob)} matches no clause; \`plumbline clauses\` lists them, for example --only 'admin-4.*'`,
      );
    }
  }
  if (!CLAUSES.some((clause) => isJudged(clause) && globs.some((glob) => matchesGlob(glob, clause.id)))) {
    throw new SettingsError(
      "--only matches only clauses that are not judged; `plumbline clauses` says which are, for example --only 'admin-4.*'",
    );
  }
  return globs;
}

/** The folder for the outputs, made and found writable before anything is sent. */
function reportsDir(sources: Sources): string {
  const found = lookUp(sources, "REPORTS_DIR");
  const path = resolvePath(found?.value.trim() ?? "reports");
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch {
    refuse(found?.label ?? "REPORTS_DIR", "is not a folder that can be written", "REPORTS_DIR=./reports");
  }
  return path;
}

/** Resolves everything a run needs. The reports folder comes last: a refused setting leaves no trace. */
export function resolveSettings(sources: Sources, only: string | null): Resolved {
  const unknown = refuseUnknownNames(sources);
  const targets = resolveTargets(sources);
  const foundProfile = lookUp(sources, "PROFILE");
  const profile = foundProfile === null ? "release" : parseChoice(foundProfile, "PROFILE", PROFILES);
  const foundCleanup = lookUp(sources, "CLEANUP");
  const { embedded, admin, logs } = targets;
  const rest = {
    embedded,
    admin,
    logs,
    transport: transport(sources),
    settleTimeoutMs: integer(sources, "SETTLE_TIMEOUT_MS", 15_000),
    profile,
    seed: integer(sources, "SEED", profile === "nightly" ? randomInt(-(2 ** 31), 2 ** 31) : FIXED_SEED),
    budgets: budgets(sources, profile),
    cleanup: foundCleanup === null ? "none" : parseChoice(foundCleanup, "CLEANUP", ["none", "delete"] as const),
    only: parseOnly(only),
  } as const;
  const warnings = [...targets.warnings];
  if (unknown.length > 0) warnings.push(`not settings of this program, ignored: ${unknown.join(", ")}`);
  return { settings: { ...rest, reportsDir: reportsDir(sources) }, warnings };
}
