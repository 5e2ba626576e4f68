/** Writes the last lines of a run: verdict, counts, violations, deviations to delete, the report, and the replay command. */
import { replayCommand } from "../harness/replay.ts";
import type { Settings } from "../settings/types.ts";
import { defectsText } from "./defects.ts";
import { deletionLine, isToDelete } from "./deviations.ts";
import type { ClauseSummary, CoverageSummary, FinishedRun, Summary } from "./model.ts";
import type { Outputs } from "./outputs.ts";
import { seePage } from "./failure-pages.ts";
import { byReason, idList, type NotEvaluated, notEvaluated } from "./not-evaluated.ts";
import { byPart } from "./partly.ts";
import { checkTotals } from "./summary.ts";
import { violated } from "./violated.ts";
import { counted, inThousands, seconds } from "./words.ts";

export type Colour = "green" | "red" | "yellow" | "gray" | "bold";

/** For each verdict of a run, a sentence with its meaning for the user. */
const ADVICE: Readonly<Record<Summary["verdict"], string>> = {
  conformant: "every clause that this run had to judge passed",
  nonconformant: "at least one clause of the contract is violated",
  inconclusive: "no violation was found, but not everything could be verified",
};

/** Returns the line with the verdict for the terminal. The line promises no more than the run has shown. */
export function verdictLine(summary: Summary): string {
  const { verdict, totals, run, deviations } = summary;
  if (verdict !== "conformant") return `${verdict.toUpperCase()}: ${ADVICE[verdict]}`;
  if (totals.deviation > 0) {
    const [until = ""] = deviations
      .filter(({ state }) => state === "accepted")
      .map(({ expires }) => expires)
      .toSorted();
    return `ACCEPTED: ${counted(totals.deviation, "deviation")}${until === "" ? "" : ` until ${until}`}, no other violation`;
  }
  return run.profile === "smoke" ? `CONFORMANT (smoke: each input value once): ${ADVICE.conformant}` : `CONFORMANT: ${ADVICE.conformant}`;
}

/** Returns one sentence that says what the result of the run means for a release. */
export function releaseText(summary: Summary): string {
  const { verdict, totals, run } = summary;
  if (verdict === "nonconformant") {
    const what = defectsText(summary.defects ?? []);
    return `Do not release on this evidence: ${what}.`;
  }
  const [cause] = notEvaluated(summary.clauses, "inconclusive");
  if (verdict === "inconclusive" && totals.pass + totals.deviation === 0 && cause !== undefined)
    return `This run says nothing about a release: nothing was judged. The cause: ${cause.cause}.`;
  if (verdict === "inconclusive" && totals.inconclusive === 0)
    return "This run does not support a release: the run did not judge every clause that it had to judge.";
  if (verdict === "inconclusive")
    return `This run does not support a release: ${counted(totals.inconclusive, "clause")} could not be verified. No violation was found.`;
  if (summary.deviations.some(isToDelete))
    return "No violation was found, but the deviations file is out of date. Correct it before a release.";
  if (summary.comparison?.gating === true)
    return "No violation was found, but the target differs from the baseline. Decide about these differences before a release.";
  const accepted =
    totals.deviation === 0 ? "" : ` ${counted(totals.deviation, "violation")} ${totals.deviation === 1 ? "is" : "are"} accepted.`;
  const left = totals.notRun === 0 ? "" : ` ${counted(totals.notRun, "clause")} ${totals.notRun === 1 ? "was" : "were"} not run.`;
  if (run.profile === "smoke")
    return `No violation was found, and each input value was tried only once. Use the profile release before a release.${accepted}${left}`;
  return `This run found no reason against a release: each clause that was judged has passed.${accepted}${left}`;
}

/** Returns the line that names the judged targets. */
export function judgedLine(settings: Settings): string {
  const { admin, logs } = settings;
  if (settings.embedded) return "Judged: embedded reference server, not a deployment";
  if (admin !== null && logs !== null) return `Judged: admin API at ${admin.baseUrl} and log API at ${logs.baseUrl}`;
  return admin === null ? `Judged: log API only, at ${logs?.baseUrl ?? ""}` : `Judged: admin API only, at ${admin.baseUrl}`;
}

/** Replaces control characters in a text, because control characters from a response must not reach the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, "\uFFFD");
}

/** The maximum number of clauses in a replay command. With more clauses the command replays the whole run. */
const REPLAYED_IDS = 20;

/** Returns the clauses that a replay judges: the violated ones, else the inconclusive ones, else all clauses of the run. */
export function replayed({ summary, plan }: FinishedRun, settings: Settings): readonly string[] {
  const { clauses } = summary;
  const failed = clauses.filter((clause) => clause.verdict === "fail");
  const wanted = failed.length > 0 ? failed : clauses.filter((clause) => clause.verdict === "inconclusive");
  // A check may report a violation of a clause that it does not name. A replay of this clause alone would not run the check.
  const own = new Map(plan.map((check) => [check.id, check.clauses]));
  const ids = wanted.flatMap(({ id, verdict, checks }) => {
    const telling = checks.filter((check) => check.verdict === verdict).map((check) => check.id);
    return telling.length === 0 || telling.some((check) => own.get(check)?.includes(id) !== false) ? [id] : telling.slice(0, 1);
  });
  if (ids.length > 0 && ids.length <= REPLAYED_IDS) return [...new Set(ids)];
  return settings.only.length > 0 ? settings.only : ["*"];
}

function totalsText({ pass, fail, deviation, inconclusive, notRun }: Summary["totals"]): string {
  const accepted = deviation === 0 ? "" : `, ${counted(deviation, "accepted deviation")}`;
  return `${pass} passed, ${fail} failed${accepted}, ${inconclusive} inconclusive, ${notRun} not run`;
}

/** The maximum number of reasons that are listed per cause. */
const SHOWN_REASONS = 3;

function causeLines({ cause, next, page, ids, reasons }: NotEvaluated): string[] {
  const more = reasons.length - SHOWN_REASONS;
  return [
    `  ${cause}: ${idList(ids)}`,
    ...reasons.slice(0, SHOWN_REASONS).map(([reason]) => `    ${printable(reason)}`),
    ...(more > 0 ? [`    and ${counted(more, "other reason")}`] : []),
    `    next: ${next}${page === null ? "" : seePage(page)}`,
  ];
}

/** Returns a line for each service for which accepted deviations hide too many clauses. */
export function hiddenLines({ hidden = [] }: Summary): string[] {
  return hidden.map(
    ({ service, clauses, judged }) =>
      `accepted deviations hide ${clauses} of ${judged} judged clauses of the ${service === "admin" ? "admin" : "log"} API:` +
      " that is more than a tenth, so the run is inconclusive",
  );
}

/** A release run warns if a budget prevented more than this share of the combinations of input values. */
const CUT_SHARE = 0.02;
const COMBINATIONS = { 1: "input values", 2: "pairs of input values", 3: "triples of input values" };

/** The maximum number of groups of cases that the warning names. */
const SHOWN_CUTS = 3;

/** Returns a warning that names where a release run left out more than CUT_SHARE of the combinations for lack of budget, or null. */
export function cutLine({ coverage = [], run }: Summary): string | null {
  const cuts = coverage
    .filter(({ cut, possible }) => run.profile === "release" && cut > CUT_SHARE * possible)
    .toSorted((one, other) => other.cut / other.possible - one.cut / one.possible);
  if (cuts.length === 0) return null;
  const shown = cuts
    .slice(0, SHOWN_CUTS)
    .map(({ name, strength, possible, cut }) => `${inThousands(cut)} of ${inThousands(possible)} ${COMBINATIONS[strength]} (${name})`);
  const more = cuts.length > SHOWN_CUTS ? `, and parts of ${cuts.length - SHOWN_CUTS} more (see Coverage)` : "";
  return (
    `a budget was too small, so the run did not try ${shown.join(", ")}${more};` +
    " a release run may leave out at most 2 %; raise RUN_TIMEOUT_MS and MAX_REQUESTS"
  );
}

/** Returns the number of combinations of levels that an engine judged, and the reasons why it did not judge all other combinations. */
export function coverageLine({ name, strength, possible, judged, masked, hidden, notEvaluated, cut }: CoverageSummary): string {
  const maskedCount = combinationsIn(masked);
  const hiddenCount = combinationsIn(hidden);
  const others = [
    maskedCount === 0 ? "" : `${inThousands(maskedCount)} not judged, because the target refuses or does not show ${refusedText(masked)}`,
    hiddenCount === 0 ? "" : `${inThousands(hiddenCount)} not judged, because a violation hides the result`,
    notEvaluated === 0 ? "" : `${inThousands(notEvaluated)} not judged, because the response was not evaluated`,
    cut === 0 ? "" : `${inThousands(cut)} not tried, because a budget was too small`,
  ].filter((part) => part !== "");
  return [`${name}: ${inThousands(judged)} of ${inThousands(possible)} ${COMBINATIONS[strength]} judged`, ...others].join("; ");
}

/** Returns a line for each engine that did not judge all combinations, and one line for all other engines together. */
function coverageLines(coverage: readonly CoverageSummary[]): string[] {
  if (coverage.length === 0) return [];
  const [complete, others] = [true, false].map((isComplete) =>
    coverage.filter(({ judged, possible }) => (judged === possible) === isComplete),
  );
  const sum = (complete ?? []).reduce((total, { possible }) => total + possible, 0);
  const all = sum === 0 ? [] : [`all ${inThousands(sum)} ${others?.length === 0 ? "" : "other "}combinations of input values were judged`];
  return [
    "",
    "Coverage of the generated requests:",
    ...[...(others ?? []).map((one) => coverageLine(one)), ...all].map((line) => `  ${line}`),
  ];
}

function combinationsIn(parts: readonly { readonly combinations: number }[]): number {
  return parts.reduce((sum, { combinations }) => sum + combinations, 0);
}

function refusedText(masked: CoverageSummary["masked"]): string {
  const factors = new Map<string, string[]>();
  for (const { levels } of masked) {
    const [[factor, level] = ["", ""], ...together] = Object.entries(levels);
    if (level !== "" && together.length === 0) factors.set(level, [...(factors.get(level) ?? []), factor]);
  }
  const alone = [...factors].map(([level, all]) => `${level} (${idList(all)})`);
  const isAll = masked.every(({ levels }) => Object.keys(levels).length === 1);
  return [...alone, ...(isAll ? [] : [alone.length === 0 ? "parts of the requests" : "some levels together"])].join("; ");
}

export interface SummaryView {
  /** Adds a colour to a text, or returns the text unchanged if there are no colours. */
  readonly paint: (colour: Colour, text: string) => string;
  readonly exists: (path: string) => boolean;
  /** The absolute path of the deviations file, or null if there is no such file. */
  readonly deviationsFile: string | null;
}

export function summaryLines(
  finished: FinishedRun,
  settings: Settings,
  outputs: Outputs,
  { paint, exists, deviationsFile }: SummaryView,
): string[] {
  const { summary, results } = finished;
  const { totals, run } = summary;
  const of = (verdict: ClauseSummary["verdict"]): ClauseSummary[] => summary.clauses.filter((clause) => clause.verdict === verdict);
  const colour = { conformant: "green", nonconformant: "red", inconclusive: "yellow" } as const;
  const lines = [
    "",
    paint(colour[summary.verdict], paint("bold", verdictLine(summary))),
    `clauses: ${totalsText(totals)} · ${counted(run.requests, "request")}, ${counted(run.instancesCreated, "instance")} created, ${seconds(run.durationMs)}`,
    `checks: ${totalsText(checkTotals(results))}`,
  ];
  if (run.interrupted !== undefined) {
    const left = results.filter(({ interrupted }) => interrupted === true).length;
    const ended = "the report shows the checks that ended before";
    lines.push(paint("yellow", `interrupted by ${run.interrupted}: ${counted(left, "check")} did not run; ${ended}`));
  }
  if (run.internalError !== undefined)
    lines.push(paint("yellow", `error of the suite itself: ${printable(run.internalError)}${seePage("internal-error")}`));
  const cut = cutLine(summary);
  for (const line of [...(cut === null ? [] : [cut]), ...hiddenLines(summary)]) lines.push(paint("yellow", line));
  const failed = violated(summary.clauses);
  if (failed.length > 0) {
    lines.push("", `Violated clauses${failed.length > 1 ? ", nearest to the cause first" : ""}${seePage("violation")}:`);
    for (const { id, reason, statement, followsFrom } of failed) {
      lines.push(`  ${paint("red", id)}  ${printable(reason ?? statement)}`);
      if (followsFrom !== undefined) lines.push(`    ${paint("gray", `may follow from ${followsFrom}`)}`);
    }
  }
  if (summary.flaky.length > 0) lines.push("", `Intermittent (violated once, right when repeated unchanged): ${summary.flaky.join(", ")}`);
  const accepted = of("deviation");
  if (accepted.length > 0) lines.push("", "Accepted deviations:");
  for (const [reason, ids] of byReason(accepted)) lines.push(`  ${printable(reason)}: ${idList(ids)}`);
  for (const [title, verdict] of [
    ["Inconclusive:", "inconclusive"],
    ["Not run:", "not-run"],
  ] as const) {
    const causes = notEvaluated(summary.clauses, verdict);
    if (causes.length > 0) lines.push("", title);
    for (const cause of causes) lines.push(...causeLines(cause));
  }
  const parts = byPart(summary.clauses);
  if (parts.length > 0) lines.push("", "Passed in part:");
  for (const [partly, ids] of parts) lines.push(`  ${idList(ids)}; not evaluated: ${printable(partly)}`);
  lines.push(...coverageLines(summary.coverage ?? []));
  if (summary.comparison?.gating === true)
    lines.push("", paint("red", "Observations differ from those of the baseline, and --fail-on-drift is given (exit 1)"));
  const toDelete = summary.deviations.filter((entry) => isToDelete(entry));
  if (toDelete.length > 0) lines.push("", paint("red", `The deviations file is out of date (exit 1)${seePage("deviations")}:`));
  for (const entry of toDelete) lines.push(`  ${printable(deletionLine(entry, deviationsFile))}`);
  if (summary.cleanup !== null) {
    const { deleted, failed: held } = summary.cleanup;
    lines.push("", `cleanup: ${counted(deleted.length, "instance")} deleted, ${held.length} could not be deleted`);
    for (const { name, reason } of held) lines.push(`  ${name}: ${printable(reason)}`);
  }
  // Without `report.html`, the summary is the report.
  const report = [outputs.singleReport, outputs.summary].find((path) => exists(path)) ?? "none could be written";
  lines.push("", `report: ${report}`, `replay: ${replayCommand(settings, replayed(finished, settings))}`, judgedLine(settings), "");
  return lines;
}
