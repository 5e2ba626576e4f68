/** Shows the progress while checks run, and the summary at the end. */
import { existsSync } from "node:fs";
import { styleText } from "node:util";
import { clauseOf, isJudged } from "../contract/catalogue.ts";
import { judgedVerdict, toldFirst } from "../harness/judged.ts";
import type { CheckResult, Verdict } from "../harness/result.ts";
import type { Settings, Surroundings } from "../settings/types.ts";
import type { PlannedCheck } from "../harness/vitest-types.ts";
import type { FinishedRun } from "./model.ts";
import type { Outputs } from "./outputs.ts";
import type { Subscriber } from "./subscriber.ts";
import { type Colour, printable, summaryLines } from "./summary-lines.ts";
import { counted } from "./words.ts";

/** The part of an output stream that the terminal output needs. Tests pass an object of their own. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The colour and the word of each verdict. */
const SHOWN: Readonly<Record<Verdict, readonly [Colour, string]>> = {
  pass: ["green", "pass"],
  fail: ["red", "FAIL"],
  deviation: ["yellow", "deviation"],
  inconclusive: ["yellow", "inconclusive"],
  "not-run": ["gray", "not run"],
};

/** The time between two lines of progress if the output is not a terminal, in ms. */
const NEWS_EVERY_MS = 10_000;

export interface TerminalOptions {
  readonly verbosity?: Surroundings["verbosity"];
  readonly now?: () => number;
  /** The absolute path of the deviations file, or null if there is no such file. */
  readonly deviationsFile?: string | null;
  readonly exists?: (path: string) => boolean;
}

/** Returns a subscriber that shows the progress of a run and its final summary on `screen`. */
export function terminalReporter(
  screen: Screen,
  settings: Settings,
  outputs: Outputs,
  { verbosity = "normal", now = Date.now, deviationsFile = null, exists = existsSync }: TerminalOptions = {},
): Subscriber {
  const colours = screen.isTTY === true;
  const live = colours && verbosity !== "quiet";
  const paint = (colour: Colour, text: string): string => (colours ? styleText(colour, text) : text);
  const counts: Record<Verdict, number> = { pass: 0, fail: 0, deviation: 0, inconclusive: 0, "not-run": 0 };
  let planned = 0;
  let done = 0;
  let lastNews = now();
  const clearLine = (): void => {
    if (live) screen.write("\r\u001B[2K");
  };
  const progress = (): string => {
    const accepted = counts.deviation === 0 ? "" : ` · ${counted(counts.deviation, "deviation")}`;
    return `${done}/${planned} checks · ${counts.pass} passed · ${counts.fail} failed${accepted} · ${counts.inconclusive} inconclusive · ${counts["not-run"]} not run`;
  };
  const showProgress = (): void => {
    screen.write(progress().slice(0, (screen.columns ?? 80) - 1));
  };
  const tell = (result: CheckResult, verdict: Verdict | null): void => {
    const [first, ...others] = toldFirst(result).filter((outcome) => outcome.verdict === verdict);
    // The end of the output repeats the headline, with the request.
    const [what = ""] = printable(first?.headline ?? "").split(", request: ", 1);
    const why = what === "" ? "" : `: ${what}`;
    const more =
      others.length === 0 ? "" : others.length === 1 ? ` and ${others[0]?.clause}` : ` and ${counted(others.length, "other clause")}`;
    const word = verdict === null ? paint("gray", "observed") : paint(...SHOWN[verdict]);
    const subject = verdict === "fail" ? `${first?.clause ?? ""}${more}, check ${result.id}` : result.id;
    screen.write(`${word}  ${subject} (${Math.round(result.durationMs)} ms)${why}\n`);
  };
  return {
    onPlan: (plan: readonly PlannedCheck[]) => {
      // The progress does not count checks that only observe.
      planned = plan.filter(({ clauses }) => clauses.some((clause) => isJudged(clauseOf(clause)))).length;
      lastNews = now();
      if (verbosity !== "quiet") screen.write(`${counted(planned, "check")}\n`);
      if (live) showProgress();
    },
    onResult: (result: CheckResult) => {
      const verdict = judgedVerdict(result);
      if (verdict !== null) {
        done += 1;
        counts[verdict] += 1;
      }
      if (verbosity === "quiet") return;
      clearLine();
      // Inconclusive checks are listed at the end, grouped by reason, because one cause often affects many checks.
      if (verbosity === "verbose" || verdict === "fail") tell(result, verdict);
      if (live) showProgress();
      else if (verbosity === "normal" && now() - lastNews >= NEWS_EVERY_MS) {
        lastNews = now();
        screen.write(`${progress()}\n`);
      }
    },
    onFinish: (run: FinishedRun) => {
      clearLine();
      screen.write(summaryLines(run, settings, outputs, { paint, exists, deviationsFile }).join("\n"));
    },
  };
}
