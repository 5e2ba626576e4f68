/** Parses the flags of a run that are not settings: the selected checks, the shard, the waiting time and the amount of output. */
import { statSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { CLAUSES, isJudged, matchesGlob } from "../contract/catalogue.ts";
import { isCheck } from "../contract/ended-checks.ts";
import { contradiction, refuse, SettingsError } from "./error.ts";
import { booleanFlag, type CommandFlag, textFlag } from "./flags.ts";
import type { Shard, Surroundings } from "./types.ts";

/** The flags of the command `run`, in addition to the settings. */
export const RUN_FLAGS = {
  only: textFlag(
    "only",
    "Patterns (globs) of clause or check ids, separated by commas; the run judges only these clauses or checks",
    "'admin-4.*'",
  ),
  shard: textFlag(
    "shard",
    "Run part i of n of the run, for n machines that share RUN_ID; plumbline merge makes one report of all parts",
    "1/3",
  ),
  wait: textFlag("wait", "Maximum time in s to wait, before the run begins, until the target answers reads and writes", "120"),
  quiet: booleanFlag("quiet", "Print only the summary at the end"),
  verbose: booleanFlag("verbose", "Print the result of every check"),
  specs: textFlag("specs", "Folder with checks of your own, which run together with the checks of the suite", "./checks"),
  drift: booleanFlag("fail-on-drift", "End the run with 1 if behaviour differs from the run in BASELINE_DIR"),
};

type CommandFlags = ReadonlyMap<string, string>;

/** Whether a glob matches ids of checks. The id of a check has a slash, and the id of a clause has none. */
export function isCheckGlob(glob: string): boolean {
  return glob.includes("/");
}

/**
 * Parses `--only`. Throws a `SettingsError` if a glob matches nothing, or if no judged clause is selected. The ids of checks are not known
 * here, so `refuseEmptyGlobs` tests globs of check ids later.
 */
export function parseOnly(text: string | null): readonly string[] {
  if (text === null) return [];
  const globs = text
    .split(",")
    .map((glob) => glob.trim())
    .filter((glob) => glob !== "");
  if (globs.length === 0) throw new SettingsError("--only names no clause; for example --only 'admin-4.*'");
  const ofClauses = globs.filter((glob) => !isCheckGlob(glob));
  for (const glob of ofClauses) {
    if (!CLAUSES.some((clause) => matchesGlob(glob, clause.id))) {
      throw new SettingsError(
        `--only ${JSON.stringify(glob)} matches no clause; \`plumbline clauses\` lists them, for example --only 'admin-4.*'`,
      );
    }
  }
  const judged = CLAUSES.some((clause) => isJudged(clause) && ofClauses.some((glob) => matchesGlob(glob, clause.id)));
  if (!judged && ofClauses.length === globs.length) {
    throw new SettingsError(
      "--only matches only clauses that are not judged; `plumbline clauses` says which are, for example --only 'admin-4.*'",
    );
  }
  return globs;
}

/** Refuses a glob of check ids that matches none of `ids`. */
export function refuseEmptyGlobs(only: readonly string[], ids: readonly string[]): void {
  for (const glob of only.filter((one) => isCheckGlob(one))) {
    if (ids.some((id) => isCheck(id, glob))) continue;
    throw new SettingsError(
      `--only ${JSON.stringify(glob)} matches no check; \`plumbline clauses\` lists them, for example --only 'admin-4.2/*'`,
    );
  }
}

/** Parses a shard `i/n`. Each number is at least 1, and i is at most n. */
export function parseShard(flags: CommandFlags): Shard | null {
  const text = flags.get(RUN_FLAGS.shard.name);
  if (text === undefined) return null;
  const [, index, count] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(text.trim()) ?? [];
  if (index === undefined || count === undefined || Number(index) > Number(count)) {
    refuse("--shard", "must be i/n with 1 <= i <= n <= 99", "--shard 1/3");
  }
  return { index: Number(index), count: Number(count) };
}

/** Parses a number of seconds, with or without `s`, into milliseconds. */
export function parseWait(flags: CommandFlags): number | null {
  const text = flags.get(RUN_FLAGS.wait.name);
  if (text === undefined) return null;
  const [, seconds] = /^(\d{1,5})s?$/.exec(text.trim()) ?? [];
  if (seconds === undefined || Number(seconds) === 0) refuse("--wait", "must be a number of seconds, at least 1", "--wait 120");
  return Number(seconds) * 1000;
}

export function parseVerbosity(flags: CommandFlags): Surroundings["verbosity"] {
  const quiet = isSet(flags, RUN_FLAGS.quiet);
  const verbose = isSet(flags, RUN_FLAGS.verbose);
  if (quiet && verbose) contradiction("--quiet and --verbose are both given; give only one of these flags");
  if (quiet) return "quiet";
  return verbose ? "verbose" : "normal";
}

/** Whether a boolean flag was given with the value true. */
export function isSet(flags: CommandFlags, { name }: CommandFlag): boolean {
  const text = flags.get(name);
  if (text !== undefined && text !== "true" && text !== "false") refuse(`--${name}`, "must be true or false", `--${name}`);
  return text === "true";
}

/** Returns the absolute path of a folder. Throws a `SettingsError` if the folder does not exist. */
export function parseFolder(label: string, text: string, example: string): string {
  const path = resolvePath(text.trim());
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) refuse(label, "is not a folder", example);
  return path;
}
