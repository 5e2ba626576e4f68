/** `plumbline merge`: writes the reports of the shards of a run as one report. */
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve as resolvePath } from "node:path";
import { planned } from "../harness/run.ts";
import type { CheckResult, Verdict } from "../harness/result.ts";
import { allureIdOf } from "../harness/vitest-allure.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import { AllureGenerator } from "../report/allure-generator.ts";
import { readHistory } from "../report/allure-html.ts";
import { merge, refuseMixed } from "../report/merge.ts";
import { clearOutputs, outputsIn, type Outputs } from "../report/outputs.ts";
import type { ShardFile } from "../report/shard-file.ts";
import { exitCodeOf } from "../report/summary.ts";
import { terminalReporter } from "../report/terminal.ts";
import { sinceFirstSeen } from "../report/trend.ts";
import { SettingsError } from "../settings/error.ts";
import type { ParsedFlags } from "../settings/flags.ts";
import { loadSources } from "../settings/load.ts";
import { reportsDir } from "../settings/resolve.ts";
import { lookUp, refuseUnknownNames } from "../settings/sources.ts";
import type { Command } from "./command.ts";
import { lock } from "./lock.ts";
import { suiteIdentity } from "./suite.ts";
import { writeReports } from "./write-reports.ts";

function readShard(folder: string): ShardFile {
  const path = outputsIn(resolvePath(folder)).shard;
  let file: Partial<ShardFile> | null;
  try {
    file = JSON.parse(readFileSync(path, "utf8")) as Partial<ShardFile> | null;
  } catch {
    throw new SettingsError(
      `${folder} is not the report folder of a shard: it holds no ${basename(path)} that can be read; give the REPORTS_DIR of run --shard`,
    );
  }
  if (file?.schemaVersion !== 1 || file.details?.suite.version !== suiteIdentity().version) {
    throw new SettingsError(`${folder} was written by another version of this program; use that version to merge`);
  }
  return file as ShardFile;
}

const STATUS: Readonly<Record<Verdict, string>> = {
  pass: "passed",
  fail: "failed",
  deviation: "failed",
  inconclusive: "broken",
  "not-run": "skipped",
};

/** Copies the Allure results of all shards. If several shards ran the same check, copies the result with the merged verdict. */
function mergeAllure(folders: readonly string[], results: readonly CheckResult[], outputs: Outputs): void {
  const wanted = new Map(results.map(({ id, verdict }) => [allureIdOf(id), STATUS[verdict]]));
  const taken = new Map<string, { readonly status: string; readonly path: string }>();
  for (const folder of folders) {
    const from = outputsIn(resolvePath(folder)).allureResults;
    if (!existsSync(from)) continue;
    cpSync(from, outputs.allureResults, { recursive: true });
    for (const name of readdirSync(from).filter((file) => file.endsWith("-result.json"))) {
      const path = join(outputs.allureResults, name);
      const { historyId = "", status = "" } = JSON.parse(readFileSync(path, "utf8")) as { historyId?: string; status?: string };
      const known = taken.get(historyId);
      const better = known === undefined || (known.status !== wanted.get(historyId) && status === wanted.get(historyId));
      if (known !== undefined) rmSync(better ? known.path : path, { force: true });
      if (better) taken.set(historyId, { status, path });
    }
  }
}

async function run(flags: ParsedFlags): Promise<number> {
  const sources = loadSources(flags);
  refuseUnknownNames(sources);
  const folders = flags.operands;
  const files = folders.map(readShard);
  const [first, ...more] = files;
  if (first === undefined)
    throw new SettingsError("merge needs the report folders of the shards; for example plumbline merge shard-1 shard-2");
  refuseMixed(files, folders);
  const target = reportsDir(sources);
  if (folders.some((folder) => resolvePath(folder) === target)) {
    throw new SettingsError("REPORTS_DIR is the folder of one of the shards; set another folder, for example REPORTS_DIR=./reports");
  }
  const release = lock(target, first.details.runId);
  try {
    const { CHECKS } = await import("../../specs/index.ts");
    const whole = planned(CHECKS, { ...first.settings, shard: null });
    const checks = whole.map(({ id, title, clauses, service }): PlannedCheck => ({ id, title, clauses, service }));
    const { settings, finished: merged, missing } = merge([first, ...more], checks);
    const outputs = outputsIn(target);
    const history = readHistory(outputs);
    const finished = sinceFirstSeen(merged, settings, history);
    clearOutputs(outputs);
    mergeAllure(folders, finished.results, outputs);
    const created = folders.map((folder) => outputsIn(resolvePath(folder)).created).filter((path) => existsSync(path));
    writeFileSync(outputs.created, created.map((path) => readFileSync(path, "utf8")).join(""));
    const problem = await writeReports(finished, settings, outputs, { history, generator: new AllureGenerator() });
    if (problem !== null) throw new Error(problem);
    const deviations = lookUp(sources, "DEVIATIONS_FILE");
    const deviationsFile = deviations === null ? null : resolvePath(deviations.value.trim());
    process.stdout.write(
      `${files.length} shards of run ${first.details.runId}${missing.length === 0 ? "" : `; missing: ${missing.join(", ")}`}\n`,
    );
    await terminalReporter(process.stdout, settings, outputs, { deviationsFile }).onFinish?.(finished);
    return exitCodeOf(finished.summary);
  } finally {
    release();
  }
}

export const MERGE_COMMAND: Command = {
  name: "merge",
  summary: "make one report of the shards of a run",
  details: [
    "DIR is the REPORTS_DIR of one shard. The command writes summary, JUnit, metrics, observations and the Allure report of the whole run into",
    "REPORTS_DIR. It refuses shards of different runs. The clauses of a missing shard are inconclusive. It ends with the code of the whole run.",
  ].join("\n"),
  settings: ["REPORTS_DIR", "DEVIATIONS_FILE"],
  flags: [],
  operands: "DIR…",
  run,
};
