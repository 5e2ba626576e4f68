/** Writes `defects.md`: a note for the team of the tested service, ready for a ticket. A run without defects writes no `defects.md`. */
import { writeFileSync } from "node:fs";
import { clauseOf } from "../contract/catalogue.ts";
import { lineOf } from "../harness/timeline.ts";
import { contractLink } from "../model/page-link.ts";
import { defectsText, supportText } from "./defects.ts";
import { idList } from "./not-evaluated.ts";
import { evidenceFor } from "./evidence.ts";
import type { DefectSummary, FinishedRun } from "./model.ts";
import type { Outputs } from "./outputs.ts";

const NOT_ALONE =
  "The command above repeats only the request that was answered wrongly, and may need the other requests of this list first. " +
  "`report.html` has a script that repeats all of these requests.";

/** Returns a Markdown block of code. Its fence has more backticks than any sequence of backticks in the text. */
function block(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function sectionOf(defect: DefectSummary, results: FinishedRun["results"]): string {
  const { id, title, clauses, curl, expected, actual, contrast, input, followsFrom, firstSeen } = defect;
  const [clause = "", ...others] = clauses;
  const { exchanges } = evidenceFor(defect, results);
  const [first] = exchanges;
  const support = supportText(defect);
  const parts = [
    `## ${id}: ${title}`,
    `${clause}: ${clauseOf(clause).statement} (${contractLink(clause)})`,
    ...(others.length === 0 ? [] : [`Also violated in this way: ${idList(others)}.`]),
    ...(followsFrom === undefined ? [] : [`This defect may follow from the violation of ${followsFrom}. Correct ${followsFrom} first.`]),
    block(curl, "sh"),
    `Expected:\n\n${block(expected)}`,
    `Actual:\n\n${block(actual)}`,
    ...(contrast === undefined ? [] : [`For comparison: ${contrast}.`]),
    ...(first === undefined
      ? []
      : [
          `Requests, with the seconds since the first request:\n\n${exchanges.map((exchange) => `- ${lineOf(exchange, first)}`).join("\n")}`,
        ]),
    ...(exchanges.length < 2 ? [] : [NOT_ALONE]),
    ...(support === "" ? [] : [support]),
    ...(input === null ? [] : [`Input:\n\n${block(input, "json")}`]),
    `First seen in run ${firstSeen.run}, started ${firstSeen.startedAt}.`,
  ];
  return parts.join("\n\n");
}

export function defectsNote({ summary, results }: FinishedRun): string | null {
  const { defects = [], run, targets, suite } = summary;
  if (defects.length === 0) return null;
  const urls = [...new Set([targets.admin?.baseUrl, targets.logs?.baseUrl].filter((url) => url !== undefined))];
  const head = [
    `# Contract violations of ${urls.join(" and ")}`,
    `${suite.name} ${suite.version} found ${defectsText(defects)}. Run ${run.id}, started ${run.startedAt}, profile ${run.profile}, seed ${run.seed}.`,
  ];
  return `${[...head, ...defects.map((defect) => sectionOf(defect, results))].join("\n\n")}\n`;
}

export function writeDefects(outputs: Outputs, run: FinishedRun): void {
  const note = defectsNote(run);
  if (note !== null) writeFileSync(outputs.defects, note);
}
