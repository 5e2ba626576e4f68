/** Makes validated `Settings` from flags, environment and `.env`. Throws a `SettingsError` of one sentence. */
import { randomInt } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, resolve as resolvePath } from "node:path";
import { readDeviations } from "./deviations.ts";
import { contradiction, refuse } from "./error.ts";
import { readCaBundle, readExtraHeaders, readToken } from "./files.ts";
import { givenIn } from "./given.ts";
import { parseBoolean, parseChoice, parseInteger } from "./parse.ts";
import { isSet, parseFolder, parseOnly, parseShard, parseVerbosity, parseWait, RUN_FLAGS } from "./run-flags.ts";
import { lookUp, proxyVariable, refuseUnknownNames, type Sources, valueOf } from "./sources.ts";
import { FIXED_SEED, PROFILE_BUDGETS, type SettingName } from "./table.ts";
import { resolveTargets, type Targets } from "./targets.ts";
import type { Budgets, Profile, Settings, Shard, Surroundings, TransportSettings } from "./types.ts";

export interface Resolved {
  readonly settings: Settings;
  readonly surroundings: Surroundings;
  /** The warnings about settings, which the program writes to stderr. A warning does not prevent the run. */
  readonly warnings: readonly string[];
}

const PROFILES = ["smoke", "release", "nightly"] as const satisfies readonly Profile[];

function integer(sources: Sources, name: SettingName, otherwise: number): number {
  return valueOf(sources, name, parseInteger, otherwise);
}

/** Returns the URL of a proxy, or null. A proxy variable that no target needs may be for another program, so it is not validated. */
function proxy(sources: Sources, name: "HTTP_PROXY" | "HTTPS_PROXY", isUsed: boolean): string | null {
  const value = proxyVariable(sources, name);
  if (value === "" || !isUsed) return null;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    refuse(name, "is not an http or https URL", `${name}=http://proxy.example.com:3128`);
  }
  return value;
}

function transport(sources: Sources, schemes: ReadonlySet<string>): TransportSettings {
  const ca = lookUp(sources, "TLS_CA_FILE");
  const tlsInsecure = valueOf(sources, "TLS_INSECURE", parseBoolean, false);
  if (tlsInsecure && ca !== null) {
    contradiction("TLS_INSECURE and TLS_CA_FILE are both set: set only one of these settings; for example TLS_CA_FILE=./ca.pem");
  }
  return {
    concurrency: integer(sources, "CONCURRENCY", 8),
    requestTimeoutMs: integer(sources, "REQUEST_TIMEOUT_MS", 10_000),
    tlsCa: ca === null ? null : readCaBundle(ca, "TLS_CA_FILE"),
    tlsInsecure,
    httpProxy: proxy(sources, "HTTP_PROXY", schemes.has("http:")),
    httpsProxy: proxy(sources, "HTTPS_PROXY", schemes.has("https:")),
    noProxy: proxyVariable(sources, "NO_PROXY"),
    extraHeaders: valueOf(sources, "EXTRA_HEADERS_FILE", readExtraHeaders, {}),
  };
}

function budgets(sources: Sources, profile: Profile): Budgets {
  const defaults = PROFILE_BUDGETS[profile];
  return {
    runTimeoutMs: integer(sources, "RUN_TIMEOUT_MS", defaults.runTimeoutMs),
    maxRequests: integer(sources, "MAX_REQUESTS", defaults.maxRequests),
    maxInstances: integer(sources, "MAX_INSTANCES", defaults.maxInstances),
    maxPushBytes: integer(sources, "MAX_PUSH_BYTES", defaults.maxPushBytes),
  };
}

/** Returns the run id that all shards share. Without shards, RUN_ID has no effect, so it is refused as a flag or in `.env`. */
function sharedRunId(sources: Sources, shard: Shard | null, warnings: string[]): string | null {
  const found = lookUp(sources, "RUN_ID");
  if (shard === null) {
    if (found === null) return null;
    if (found.source !== "environment") contradiction(`${found.label} has no effect without --shard: a whole run always gets a new id`);
    warnings.push("RUN_ID has no effect without --shard: a whole run always gets a new id");
    return null;
  }
  if (found === null)
    contradiction("--shard is given but RUN_ID is not set: the shards of one run share its id; for example RUN_ID=r17342");
  const id = found.value.trim();
  if (!/^[a-z][a-z0-9]{2,12}$/.test(id)) {
    refuse(found.label, "must be 3 to 13 lower-case letters and digits, a letter first", "RUN_ID=r17342");
  }
  return id;
}

/** Returns the address that receives the verdict and the counts. It is a secret, so no message contains it. */
function notifyUrl(sources: Sources): string | null {
  const found = lookUp(sources, "NOTIFY_URL_FILE");
  if (found === null) return null;
  const url = readToken(found, "NOTIFY_URL_FILE");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    refuse(found.label, "names a file that does not hold an http or https address", "NOTIFY_URL_FILE=/run/secrets/webhook");
  }
  return url;
}

function surroundings(sources: Sources, flags: ReadonlyMap<string, string>, shard: Shard | null, warnings: string[]): Surroundings {
  const baseline = lookUp(sources, "BASELINE_DIR");
  const deviations = lookUp(sources, "DEVIATIONS_FILE");
  const failOnDrift = isSet(flags, RUN_FLAGS.drift);
  if (failOnDrift && baseline === null) {
    contradiction(
      "--fail-on-drift is given but BASELINE_DIR is not set: there is no earlier run to compare with; for example BASELINE_DIR=./baseline",
    );
  }
  if (shard !== null && baseline !== null) {
    contradiction(
      "--shard and BASELINE_DIR are both given: a part of a run cannot be compared with a whole run; compare the merged report instead",
    );
  }
  return {
    deviationsFile: deviations === null ? null : resolvePath(deviations.value.trim()),
    baselineDir: baseline === null ? null : parseFolder(baseline.label, baseline.value, "BASELINE_DIR=./baseline"),
    failOnDrift,
    runId: sharedRunId(sources, shard, warnings),
    notifyUrl: notifyUrl(sources),
    waitMs: parseWait(flags),
    verbosity: parseVerbosity(flags),
  };
}

/** Creates a folder and its missing parents. Does not use the option `recursive`, which never ends for some paths, such as /proc/x. */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // A different process may have created the folder after the test above.
    if (!existsSync(path)) throw error;
  }
}

/** Returns the folder for the outputs of a run. It is created and tested before the run sends a request. */
export function reportsDir(sources: Sources): string {
  const found = lookUp(sources, "REPORTS_DIR");
  const path = resolvePath(found?.value.trim() ?? "reports");
  try {
    createFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch {
    refuse(found?.label ?? "REPORTS_DIR", "is not a folder that can be written", "REPORTS_DIR=./reports");
  }
  return path;
}

const NO_FLAGS: ReadonlyMap<string, string> = new Map();

function schemesOf({ embedded, admin, logs }: Targets): ReadonlySet<string> {
  return new Set(embedded ? [] : [admin, logs].flatMap((target) => (target === null ? [] : [new URL(target.baseUrl).protocol])));
}

/** Resolves all settings. `flags` has the flags of the command. The report folder is created last, and not if a setting is refused. */
export function resolveSettings(sources: Sources, flags: ReadonlyMap<string, string> | null): Resolved {
  const unknown = refuseUnknownNames(sources);
  const targets = resolveTargets(sources);
  const profile = valueOf(sources, "PROFILE", (found, name) => parseChoice(found, name, PROFILES), "release");
  const { embedded, admin, logs } = targets;
  const own = flags ?? NO_FLAGS;
  const shard = parseShard(own);
  const warnings = [...targets.warnings];
  const around = surroundings(sources, own, shard, warnings);
  const specs = own.get(RUN_FLAGS.specs.name);
  const rest = {
    embedded,
    admin,
    logs,
    transport: transport(sources, schemesOf(targets)),
    settleTimeoutMs: integer(sources, "SETTLE_TIMEOUT_MS", 15_000),
    profile,
    seed: integer(sources, "SEED", profile === "nightly" ? randomInt(-(2 ** 31), 2 ** 31) : FIXED_SEED),
    budgets: budgets(sources, profile),
    cleanup: valueOf(sources, "CLEANUP", (found, name) => parseChoice(found, name, ["none", "delete"] as const), "none"),
    only: parseOnly(own.get(RUN_FLAGS.only.name) ?? null),
    deviations: valueOf(sources, "DEVIATIONS_FILE", readDeviations, []),
    shard,
    specsDir: specs === undefined ? null : parseFolder("--specs", specs, "--specs ./checks"),
    given: givenIn(sources, own),
  } as const;
  if (unknown.length > 0) warnings.push(`not settings of this program, ignored: ${unknown.join(", ")}`);
  return { settings: { ...rest, reportsDir: reportsDir(sources) }, surroundings: around, warnings };
}
