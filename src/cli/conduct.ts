/** One run from its opening lines to its exit code: server, checks, summary, reports. */
import { summarize, exitCodeOf } from "../report/summary.ts";
import { AllureRepair, allureExtras } from "../report/allure-results.ts";
import { generateHtml, readHistory } from "../report/allure-html.ts";
import { junitWriter } from "../report/junit.ts";
import { observationsWriter, summaryWriter } from "../report/json.ts";
import type { FinishedRun, RunFacts } from "../report/model.ts";
import { clearOutputs, outputsIn, type Outputs } from "../report/outputs.ts";
import type { Subscriber } from "../report/subscriber.ts";
import { terminalReporter } from "../report/terminal.ts";
import type { Settings, Surroundings } from "../settings/types.ts";
import { startEmbedded } from "./embedded.ts";
import { execute } from "./execute.ts";
import { inputOf } from "./input.ts";
import type { Interrupts } from "./interrupt.ts";
import { openingLines } from "./opening.ts";

interface Suite {
  readonly name: string;
  readonly version: string;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}

/** One run: what is judged, what surrounds it, and what it is called. */
export interface Conduct {
  readonly settings: Settings;
  readonly surroundings: Surroundings;
  readonly runId: string;
  readonly suite: Suite;
}

/** Writes every file; what fails is said, and makes the run inconclusive instead of losing the other files. */
async function writeReports(finished: FinishedRun, outputs: Outputs, history: string | null): Promise<string | null> {
  const writers: readonly (readonly [what: string, write: () => Promise<void> | void])[] = [
    ["summary.json", () => summaryWriter(outputs).onFinish?.(finished)],
    ["junit.xml", () => junitWriter(outputs).onFinish?.(finished)],
    ["observations.json", () => observationsWriter(outputs).onFinish?.(finished)],
    ["allure-results", () => allureExtras(outputs.allureResults, process.env).onFinish?.(finished)],
    ["report.html", () => generateHtml(outputs, history)],
  ];
  let problem: string | null = null;
  for (const [what, write] of writers) {
    try {
      await write();
    } catch (error) {
      problem ??= `${what} could not be written: ${messageOf(error)}`;
    }
  }
  return problem;
}

/** Runs and reports. Resolves to the exit code. */
export async function conduct({ settings: configured, surroundings, runId, suite }: Conduct, interrupts: Interrupts): Promise<number> {
  const started = new Date();
  const outputs = outputsIn(configured.reportsDir);
  const history = readHistory(outputs);
  clearOutputs(outputs);
  const embedded = configured.embedded ? await startEmbedded(configured) : null;
  const settings = embedded?.settings ?? configured;
  process.stdout.write(`${openingLines(settings, runId, suite).join("\n")}\n`);
  const terminal = terminalReporter(process.stdout, settings, outputs, surroundings);
  const repair = new AllureRepair();
  const subscribers: Subscriber[] = [terminal];
  try {
    const input = inputOf(settings, runId, suite, outputs);
    const reporter = await execute(input, outputs, subscribers, repair, suite, interrupts);
    const facts: RunFacts = {
      suite,
      runId,
      startedAt: started.toISOString(),
      durationMs: Date.now() - started.getTime(),
      end: reporter.end,
      interrupted: interrupts.received,
      internalError: interrupts.received === null ? reporter.internalError : null,
    };
    let finished = summarize(reporter.results, reporter.plan, settings, facts);
    const problem = await writeReports(finished, outputs, history);
    if (problem !== null) {
      finished = summarize(reporter.results, reporter.plan, settings, { ...facts, internalError: facts.internalError ?? problem });
      await summaryWriter(outputs).onFinish?.(finished);
    }
    await terminal.onFinish?.(finished);
    return exitCodeOf(finished.summary);
  } finally {
    await embedded?.close();
  }
}
