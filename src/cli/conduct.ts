/** Does a whole run: starts the embedded server, runs the checks, prints the summary, and writes the reports. */
import { writeFileSync } from "node:fs";
import { compareRuns, differenceLines, isDrift, partialRuns, toMarkdown } from "../report/compare.ts";
import { AllureGenerator } from "../report/allure-generator.ts";
import { AllureRepair } from "../report/allure-results.ts";
import { readHistory } from "../report/allure-html.ts";
import { readCorpus, writeCorpus } from "../report/corpus-file.ts";
import { observationsOf, writeSummary } from "../report/json.ts";
import type { FinishedRun, RunDetails, Summary } from "../report/model.ts";
import { clearOutputs, outputsIn } from "../report/outputs.ts";
import { type Compared, readRun } from "../report/read.ts";
import { shardFile } from "../report/shard-file.ts";
import type { Subscriber } from "../report/subscriber.ts";
import { summarize } from "../report/summary.ts";
import { type Screen, terminalReporter } from "../report/terminal.ts";
import { sinceFirstSeen } from "../report/trend.ts";
import type { Settings, Surroundings } from "../settings/types.ts";
import { startEmbedded } from "./embedded.ts";
import { execute } from "./execute.ts";
import { inputOf } from "./input.ts";
import { type Interrupts, refuseSignalListeners } from "./interrupt.ts";
import { lock } from "./lock.ts";
import { notify } from "./notify.ts";
import { openingLines } from "./opening.ts";
import { waitForTargets } from "./write-path.ts";
import { writeReports } from "./write-reports.ts";

/** The inputs of a run: its settings, the inputs that no check can read, and its id. */
export interface Conduct {
  readonly settings: Settings;
  readonly surroundings: Surroundings;
  readonly runId: string;
  readonly suite: { readonly name: string; readonly version: string };
}

/** The outputs of a run for people: the output stream, and a function that prints warnings. */
export interface Voice {
  readonly out: Screen;
  readonly warn: (line: string) => void;
}

/** Adds the differences from the baseline to the summary of a finished run. */
function compared(finished: FinishedRun, baseline: Compared | null, { failOnDrift }: Surroundings): FinishedRun {
  if (baseline === null) return finished;
  const { observations } = observationsOf(finished);
  const differences = compareRuns(baseline, { summary: finished.summary, observations });
  const comparison = { differences, gating: failOnDrift && differences.some(isDrift) };
  return { ...finished, summary: { ...finished.summary, comparison } };
}

/** The Allure generator starts after this share of the checks. The last checks mostly wait, so the processor is free. */
const WARMED_AFTER = 0.8;

function warming(generator: AllureGenerator): Subscriber {
  let left = Number.POSITIVE_INFINITY;
  return {
    onPlan: ({ length }) => {
      left = Math.floor(WARMED_AFTER * length);
    },
    onResult: () => {
      left -= 1;
      if (left === 0) generator.warm();
    },
  };
}

/** Runs the checks and writes the reports. Throws a `SettingsError` before a request is sent. */
export async function conduct(run: Conduct, interrupts: Interrupts, { out, warn }: Voice): Promise<Summary> {
  const release = lock(run.settings.reportsDir, run.runId);
  try {
    return await conductLocked(run, interrupts, { out, warn });
  } finally {
    release();
  }
}

async function conductLocked(
  { settings: configured, surroundings, runId, suite }: Conduct,
  interrupts: Interrupts,
  voice: Voice,
): Promise<Summary> {
  const { out, warn } = voice;
  const { baselineDir } = surroundings;
  // The baseline is read first, because the reports of this run may replace its files.
  const baseline = baselineDir === null ? null : readRun(baselineDir, "BASELINE_DIR");
  const outputs = outputsIn(configured.reportsDir);
  const history = readHistory(outputs);
  const corpus = configured.profile === "nightly" ? readCorpus(configured.reportsDir) : [];
  clearOutputs(outputs);
  const embedded = configured.embedded ? await startEmbedded(configured) : null;
  const settings = embedded?.settings ?? configured;
  const quiet = surroundings.verbosity === "quiet";
  const input = inputOf(settings, runId, suite, outputs, { corpus });
  if (!quiet) out.write(`${openingLines(settings, input.runId, suite).join("\n")}\n`);
  const terminal = terminalReporter(out, settings, outputs, surroundings);
  const repair = new AllureRepair();
  const generator = new AllureGenerator();
  try {
    if (surroundings.waitMs !== null) {
      const reason = await waitForTargets(settings, surroundings.waitMs, (line) => void (quiet || out.write(`${line}\n`)));
      if (reason !== null) warn(`not ready after ${surroundings.waitMs / 1000} s: ${reason}`);
    }
    const started = new Date();
    const allowOthers = refuseSignalListeners();
    const reporter = await execute(input, outputs, [terminal, warming(generator)], repair, suite, interrupts).finally(allowOthers);
    const details: RunDetails = {
      suite,
      runId,
      startedAt: started.toISOString(),
      durationMs: Date.now() - started.getTime(),
      end: reporter.end,
      interrupted: interrupts.received,
      internalError: interrupts.received === null ? reporter.internalError : null,
    };
    const finish = (internalError: string | null): FinishedRun => {
      const summarized = summarize(reporter.results, reporter.plan, settings, {
        ...details,
        interrupted: interrupts.received,
        internalError,
      });
      return compared(sinceFirstSeen(summarized, settings, history), baseline, surroundings);
    };
    let finished = finish(details.internalError);
    const { comparison } = finished.summary;
    const partial = baseline === null ? [] : partialRuns(baseline, { summary: finished.summary, observations: [] });
    if (comparison !== undefined) writeFileSync(outputs.comparison, toMarkdown(comparison.differences, partial));
    if (settings.shard !== null) writeFileSync(outputs.shard, JSON.stringify(shardFile(settings, finished, details)));
    if (settings.profile === "nightly") writeCorpus(settings.reportsDir, corpus, finished);
    const problem = await writeReports(finished, settings, outputs, { history, generator });
    if (problem !== null) {
      finished = finish(details.internalError ?? problem);
      writeSummary(outputs, finished);
    }
    if (comparison !== undefined)
      out.write(`compared with ${surroundings.baselineDir ?? ""}:\n${differenceLines(comparison.differences, partial).join("\n")}\n`);
    await terminal.onFinish?.(finished);
    if (surroundings.notifyUrl !== null) {
      const warning = await notify(surroundings.notifyUrl, finished.summary);
      if (warning !== null) warn(warning);
    }
    return finished.summary;
  } finally {
    generator.close();
    await embedded?.close();
  }
}
