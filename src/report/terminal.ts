/** What a person sees: progress while checks run, then verdict, counts, failing clauses, where the report is, how to replay. */
import { styleText } from "node:util";
import { judgedOutcomes, judgedVerdict } from "../harness/judged.ts";
import type { CheckResult, Verdict } from "../harness/result.ts";
import { replayCommand } from "../harness/replay.ts";
import type { Settings } from "../settings/types.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import type { ClauseSummary, FinishedRun, Summary } from "./model.ts";
import type { Outputs } from "./outputs.ts";
import type { Subscriber } from "./subscriber.ts";
import { violated } from "./violated.ts";

/** The part of a stream the terminal needs; tests pass their own. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

type Colour = "green" | "red" | "yellow" | "gray" | "bold";

const WORD: Readonly<Record<Verdict, string>> = { pass: "pass", fail: "FAIL", inconclusive: "inconclusive", "not-run": "not run" };
const COLOUR: Readonly<Record<Verdict, Colour>> = { pass: "green", fail: "red", inconclusive: "yellow", "not-run": "gray" };

const ADVICE: Readonly<Record<Summary["verdict"], string>> = {
  conformant: "every clause that was to run passed",
  nonconformant: "at least one clause of the contract is violated",
  inconclusive: "no violation was seen, but not everything could be verified",
};

/** What was judged, for the last line. */
export function judgedLine(settings: Settings): string {
  const { admin, logs } = settings;
  if (settings.embedded) return "Judged: embedded reference server, not a deployment";
  if (admin !== null && logs !== null) return `Judged: admin API at ${admin.baseUrl} and log API at ${logs.baseUrl}`;
  return admin === null ? `Judged: log API only, at ${logs?.baseUrl ?? ""}` : `Judged: admin API only, at ${admin.baseUrl}`;
}

/** Control characters of a target's answer must not steer the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, "\uFFFD");
}

function grouped(clauses: readonly ClauseSummary[]): [reason: string, ids: string[]][] {
  const groups = new Map<string, string[]>();
  for (const clause of clauses) {
    const reason = clause.reason ?? "no reason given";
    groups.set(reason, [...(groups.get(reason) ?? []), clause.id]);
  }
  return [...groups].toSorted((left, right) => right[1].length - left[1].length);
}

/** At most this many ids are listed per reason. */
const SHOWN_IDS = 8;

function idList(ids: readonly string[]): string {
  const more = ids.length > SHOWN_IDS ? ` and ${ids.length - SHOWN_IDS} more` : "";
  return ids.slice(0, SHOWN_IDS).join(", ") + more;
}

/** A longer list of clauses is no help on a command line: the whole run is replayed instead. */
const REPLAYED_IDS = 20;

/** The clauses a replay is about: the violated ones, else the inconclusive ones, else those of the run. */
function replayed({ clauses }: Summary, settings: Settings): readonly string[] {
  const failed = clauses.filter((clause) => clause.verdict === "fail");
  const wanted = failed.length > 0 ? failed : clauses.filter((clause) => clause.verdict === "inconclusive");
  if (wanted.length > 0 && wanted.length <= REPLAYED_IDS) return wanted.map((clause) => clause.id);
  return settings.only.length > 0 ? settings.only : ["*"];
}

/** The summary as lines, `paint` giving colours or not. */
export function summaryLines(
  { summary }: FinishedRun,
  settings: Settings,
  outputs: Outputs,
  paint: (colour: Colour, text: string) => string,
): string[] {
  const { totals, run } = summary;
  const of = (verdict: ClauseSummary["verdict"]): ClauseSummary[] => summary.clauses.filter((clause) => clause.verdict === verdict);
  const colour = { conformant: "green", nonconformant: "red", inconclusive: "yellow" } as const;
  const lines = [
    "",
    `${paint(colour[summary.verdict], paint("bold", summary.verdict.toUpperCase()))}: ${ADVICE[summary.verdict]}`,
    `clauses: ${totals.pass} passed, ${totals.fail} failed, ${totals.inconclusive} inconclusive, ${totals.notRun} not run` +
      ` · ${run.requests} requests, ${run.instancesCreated} instances created, ${(run.durationMs / 1000).toFixed(1)} s`,
  ];
  if (run.interrupted !== undefined) lines.push(paint("yellow", `interrupted by ${run.interrupted}: the report holds what had run`));
  if (run.internalError !== undefined) lines.push(paint("yellow", `error of the suite itself: ${printable(run.internalError)}`));
  const failed = violated(summary.clauses);
  if (failed.length > 0) {
    lines.push("", `Violated clauses${failed.length > 1 ? ", the one nearest the cause first" : ""}:`);
    for (const { id, reason, statement, followsFrom } of failed) {
      lines.push(`  ${paint("red", id)}  ${printable(reason ?? statement)}`);
      if (followsFrom !== undefined) lines.push(`    ${paint("gray", `may follow from ${followsFrom}`)}`);
    }
  }
  for (const [title, clauses] of [
    ["Inconclusive:", of("inconclusive")],
    ["Not run:", of("not-run")],
  ] as const) {
    if (clauses.length > 0) lines.push("", title);
    for (const [reason, ids] of grouped(clauses)) lines.push(`  ${printable(reason)}: ${idList(ids)}`);
  }
  if (summary.cleanup !== null) {
    const { deleted, failed: kept } = summary.cleanup;
    lines.push("", `cleanup: ${deleted.length} instances deleted, ${kept.length} could not be`);
    for (const { name, reason } of kept) lines.push(`  ${name}: ${printable(reason)}`);
  }
  lines.push(
    "",
    `report: ${outputs.singleReport}`,
    `replay: ${replayCommand(settings, replayed(summary, settings))}`,
    judgedLine(settings),
    "",
  );
  return lines;
}

/** Shows progress and the final summary on `screen`. */
export function terminalReporter(screen: Screen, settings: Settings, outputs: Outputs): Subscriber {
  const live = screen.isTTY === true;
  const paint = (colour: Colour, text: string): string => (live ? styleText(colour, text) : text);
  const counts: Record<Verdict, number> = { pass: 0, fail: 0, inconclusive: 0, "not-run": 0 };
  let planned = 0;
  let done = 0;
  const clearLine = (): void => {
    if (live) screen.write("\r\u001B[2K");
  };
  const showProgress = (): void => {
    const text = `${done}/${planned} checks · ${counts.pass} passed · ${counts.fail} failed · ${counts.inconclusive} inconclusive`;
    screen.write(text.slice(0, (screen.columns ?? 80) - 1));
  };
  return {
    onPlan: (plan: readonly PlannedCheck[]) => {
      planned = plan.length;
      screen.write(`${planned} checks\n`);
      if (live) showProgress();
    },
    onResult: (result: CheckResult) => {
      done += 1;
      const verdict = judgedVerdict(result);
      if (verdict !== null) counts[verdict] += 1;
      clearLine();
      if (!live || verdict === "fail" || verdict === "inconclusive") {
        const headline = judgedOutcomes(result).find((outcome) => outcome.verdict === verdict)?.headline ?? "";
        const why = headline === "" ? "" : `: ${printable(headline)}`;
        const word = verdict === null ? paint("gray", "observed") : paint(COLOUR[verdict], WORD[verdict]);
        screen.write(`${word}  ${result.id} (${Math.round(result.durationMs)} ms)${why}\n`);
      }
      if (live) showProgress();
    },
    onFinish: (run: FinishedRun) => {
      clearLine();
      screen.write(summaryLines(run, settings, outputs, paint).join("\n"));
    },
  };
}
