/** Writes the defects of a run, each with its clause, a command, values, exchanges, and the first run that found it. */
import { clauseOf } from "../../contract/catalogue.ts";
import { inOrder, lineOf, scriptOf } from "../../harness/timeline.ts";
import type { ExchangeEvidence } from "../../harness/result.ts";
import { supportText } from "../defects.ts";
import { idList } from "../not-evaluated.ts";
import { evidenceFor } from "../evidence.ts";
import type { DefectSummary, FinishedRun } from "../model.ts";
import { checkLink, clauseLink, minuteOf } from "./pieces.ts";
import { Html, markup } from "./html.ts";
import { failureLink } from "./manual.ts";

/** The maximum number of checks to which the section links from one defect. */
const SHOWN_CHECKS = 5;

/** The maximum number of clauses of one defect whose sentences are shown. */
const SHOWN_CLAUSES = 2;

/** Returns the section about the defects. Without defects, the section is empty. */
export function defectsSection({ summary, results }: FinishedRun, anchors: ReadonlyMap<string, string>): Html {
  const { defects = [] } = summary;
  if (defects.length === 0) return markup``;
  return markup`<h2>Defects${defects.length > 1 ? ", the one nearest the cause first" : ""}</h2>
    <p class="soft">What to do: see ${failureLink("violation")}.</p>
    ${defects.map((defect, index) => article(defect, summary.run.id, evidenceFor(defect, results), anchors, index === 0))}`;
}

function article(
  defect: DefectSummary,
  run: string,
  { exchanges, message }: ReturnType<typeof evidenceFor>,
  anchors: ReadonlyMap<string, string>,
  isFirst: boolean,
): Html {
  const { id, title, clauses, curl, expected, actual, contrast, followsFrom, firstSeen, checks } = defect;
  const support = supportText(defect);
  return markup`<article id="defect-${id}">
    <h3><span class="fail">${title}</span> <code class="soft">${id}</code></h3>
    ${followsFrom === undefined ? null : markup`<p class="soft">This defect may follow from the violation of ${clauseLink(followsFrom)}. Look at that clause first.</p>`}
    ${clauses.slice(0, SHOWN_CLAUSES).map((clause) => markup`<blockquote>${clauseLink(clause)} ${clauseOf(clause).statement}</blockquote>`)}
    ${clauses.length > SHOWN_CLAUSES ? markup`<p>Also violated in this way: ${idList(clauses.slice(SHOWN_CLAUSES))}.</p>` : null}
    <pre>${curl}</pre>
    <dl class="values"><dt>Expected</dt><dd>${expected}</dd><dt>Actual</dt><dd>${actual}</dd>${contrast === undefined ? null : markup`<dt>Compare</dt><dd>${contrast}</dd>`}</dl>
    ${support === "" ? null : markup`<p>${support}</p>`}
    ${timeline(exchanges)}
    <p class="soft">${firstSeen.run === run ? "First seen in this run" : `First seen in run ${firstSeen.run}, ${minuteOf(firstSeen.startedAt)}`}. Found by ${checks
      .slice(0, SHOWN_CHECKS)
      .map((check, index) => [
        index === 0 ? "" : ", ",
        checkLink(check, anchors),
      ])}${checks.length > SHOWN_CHECKS ? ` and ${checks.length - SHOWN_CHECKS} more checks` : ""}.</p>
    <details${isFirst ? new Html(" open") : null}><summary>The whole explanation</summary><pre>${message}</pre></details>
  </article>`;
}

/** Lists exchanges with their elapsed times. A script that repeats several exchanges follows. */
function timeline(exchanges: readonly ExchangeEvidence[]): Html {
  const sorted = inOrder(exchanges);
  const [first] = sorted;
  if (first === undefined) return markup``;
  const lines = sorted.map(
    (exchange) => markup`<li${exchange.role === "deciding" ? new Html(' class="fail"') : null}>${lineOf(exchange, first)}</li>`,
  );
  const script =
    sorted.length < 2
      ? null
      : markup`<details><summary>A script that repeats all of these requests. The command above repeats only the request that was answered wrongly. Without the requests before it, the response may be right.</summary><pre>${scriptOf(sorted)}</pre></details>`;
  return markup`<ol class="timeline">${lines}</ol>${script}`;
}
