/** Writes the first page of `report.html`: the verdict and its reasons, which a person can sign without other files. */
import { SERVICES } from "../../contract/clause.ts";
import { replayCommand } from "../../harness/replay.ts";
import { VERDICT_ORDER } from "../../harness/result.ts";
import { clauseOf } from "../../contract/catalogue.ts";
import { DOCUMENTS, sectionName } from "../../contract/sections.ts";
import type { Settings } from "../../settings/types.ts";
import { deletionLine, isToDelete } from "../deviations.ts";
import { observationsOf } from "../json.ts";
import type { ClauseSummary, FinishedRun, Summary } from "../model.ts";
import type { FailurePage } from "../failure-pages.ts";
import { isObject } from "../../model/json.ts";
import { idList, notEvaluated } from "../not-evaluated.ts";
import { byPart } from "../partly.ts";
import { cutLine, hiddenLines, releaseText, replayed } from "../summary-lines.ts";
import { checkTotals } from "../summary.ts";
import type { TrendPoint } from "../trend.ts";
import { counted, seconds } from "../words.ts";
import { durationsSection, trafficSection, trendSection } from "./charts-section.ts";
import { coverageSection } from "./coverage-section.ts";
import { defectsSection } from "./defects-section.ts";
import { type Html, markup, type Piece } from "./html.ts";
import { failureLink, failureSection } from "./manual.ts";
import { checkLink, table } from "./pieces.ts";

/** The path of the dashboard, relative to `report.html`. */
const DASHBOARD = "allure-report/dashboard/index.html";

export interface VerdictPage {
  readonly finished: FinishedRun;
  readonly settings: Settings;
  /** The runs of the trend up to the present run, oldest first. The list is empty if the present run enters no trend. */
  readonly trend: readonly TrendPoint[];
  /** The anchor of each check in the Allure report, by the id of the check. */
  readonly anchors: ReadonlyMap<string, string>;
}

/** Returns the body of the verdict page, without the embedded Allure report. */
export function verdictBody(page: VerdictPage): Html {
  const { finished, settings } = page;
  const { summary } = finished;
  const cut = cutLine(summary);
  return markup`<header class="${summary.verdict}">
      <h1>${summary.verdict.toUpperCase()}</h1>
      <p>${releaseText(summary)}</p>
      ${cut === null ? null : markup`<p><span class="inconclusive">${cut}</span></p>`}
    </header>
    <nav>
      <button class="open" type="button" data-open="">All checks, with their exchanges (Allure)</button>
      <a class="open" href="${DASHBOARD}">Charts of this run and of earlier runs</a>
    </nav>
    ${troubles(summary)} ${defectsSection(finished, page.anchors)} ${details(page)} ${counts(finished)} ${clauses(page)}
    ${unevaluated("Inconclusive", summary.clauses, "inconclusive")} ${unevaluated("Not run", summary.clauses, "not-run")} ${passedInPart(summary)} ${deviations(summary)}
    ${comparison(summary)} ${observations(finished)} ${coverageSection(summary)} ${durationsSection(summary.operations, finished.traffic)}
    ${trafficSection(finished.traffic)} ${trendSection(page.trend)}
    <h2>Replay</h2>
    <pre>${replayCommand(settings, replayed(finished, settings))}</pre>
    ${failureSection(pagesOf(summary))}`;
}

function targetText(target: Summary["targets"]["admin"]): string {
  if (target === null) return "not configured";
  return target.kind === "embedded" ? "embedded reference server, not a deployment" : target.baseUrl;
}

function settlingLines({ settling }: Summary): readonly (readonly [string, string])[] {
  const learned = SERVICES.flatMap((service) => {
    const one = settling?.[service] ?? null;
    return one === null ? [] : [{ name: DOCUMENTS[service].name, ...one }];
  });
  if (learned.length === 0)
    return [
      ["Writes were visible", `not known, because ${settling === undefined ? "the run did not end normally" : "no read showed a write"}`],
    ];
  return [
    ["Writes were visible", learned.map(({ name, slowestMs }) => `${name}: ${shownText(slowestMs)}`).join("; ")],
    ["Wrong reads are repeated", learned.map(({ name, windowMs }) => `${name}: for at least ${seconds(windowMs)}`).join("; ")],
  ];
}

function shownText(slowestMs: number): string {
  return slowestMs === 0 ? "at once" : `within ${seconds(slowestMs)}`;
}

function details({ finished: { summary } }: VerdictPage): Html {
  const { run, targets, suite } = summary;
  const lines: readonly (readonly [string, string])[] = [
    ["Admin API", targetText(targets.admin)],
    ["Log API", targetText(targets.logs)],
    ["Profile and seed", `${run.profile}, ${run.seed}`],
    ["Run", run.id],
    ["Started", `${run.startedAt.replace("T", " ").slice(0, 19)} UTC, ${seconds(run.durationMs)}`],
    ["Sent", `${counted(run.requests, "request")}, ${counted(run.instancesCreated, "instance")} created`],
    ...settlingLines(summary),
    ["Tested with", `${suite.name} ${suite.version}`],
  ];
  return markup`<dl>
    ${lines.map(
      ([name, value]) =>
        markup`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

function totalsRow(name: string, { pass, fail, deviation, inconclusive, notRun }: Summary["totals"]): Piece[] {
  return [name, pass, fail, deviation, inconclusive, notRun];
}

/** Returns the numbers of clauses and checks by verdict, which equal those in `summary.json` and in the Allure report. */
function counts({ summary, results }: FinishedRun): Html {
  return table(
    ["", "passed", "failed", "deviations", "inconclusive", "not run"],
    [totalsRow("Clauses", summary.totals), totalsRow("Checks", checkTotals(results))],
    [1, 2, 3, 4, 5],
  );
}

/** Returns lines about problems: an early end, deviations to delete, and intermittent violations. */
function troubles(summary: Summary): Html {
  const { interrupted, internalError } = summary.run;
  const lines = [
    ...(interrupted === undefined
      ? []
      : [`Interrupted by ${interrupted}. This report shows the checks that ended before the interruption.`]),
    ...(internalError === undefined ? [] : [`Error of the suite itself: ${internalError}`]),
    ...hiddenLines(summary),
    ...summary.deviations.filter((entry) => isToDelete(entry)).map((entry) => deletionLine(entry, null)),
    ...(summary.flaky.length === 0 ? [] : [`Intermittent (violated once, right when repeated unchanged): ${summary.flaky.join(", ")}`]),
  ];
  return markup`${lines.map((line) => markup`<p class="fail">${line}</p>`)}`;
}

function deviations(summary: Summary): Html {
  if (summary.deviations.length === 0) return markup``;
  return markup`<h2>Accepted deviations</h2>
    ${table(
      ["entry", "state", "owner", "reason", "expires"],
      summary.deviations.map(({ match, state, owner, reason, link, expires }) => [
        markup`<code>${match}</code>`,
        state,
        owner,
        link === undefined ? reason : markup`${reason} (<code>${link}</code>)`,
        expires,
      ]),
    )}`;
}

/** Returns the clauses that were not evaluated, grouped by cause, with the next step for each cause. */
function unevaluated(title: string, all: readonly ClauseSummary[], verdict: "inconclusive" | "not-run"): Html {
  const causes = notEvaluated(all, verdict);
  if (causes.length === 0) return markup``;
  return markup`<h2>${title}</h2>
    ${table(
      ["cause and next step", "clauses"],
      causes.map(({ cause, next, page, ids, reasons }) => [
        markup`<span class="cause">${cause}</span><br />${next}${page === null ? "" : markup`: see ${failureLink(page)}`}.
          ${reasons.length === 0 ? null : markup`<details><summary class="soft">${counted(reasons.length, "reason")}</summary>${reasons.map(([reason, of]) => markup`<p class="soft">${reason}: ${idList(of)}</p>`)}</details>`}`,
        markup`<code>${idList(ids)}</code>`,
      ]),
    )}`;
}

/** Returns the failure pages that concern a run: the pages about the causes of unevaluated clauses, and the page about violations. */
function pagesOf({ clauses: all, totals, run, deviations: entries }: Summary): FailurePage[] {
  const causes = (["inconclusive", "not-run"] as const).flatMap((verdict) => notEvaluated(all, verdict));
  return [
    ...(totals.fail > 0 ? (["violation"] as const) : []),
    ...causes.flatMap(({ page }) => page ?? []),
    ...(entries.some((entry) => isToDelete(entry)) ? (["deviations"] as const) : []),
    ...(run.internalError === undefined ? [] : (["internal-error"] as const)),
  ];
}

function passedInPart({ clauses: all }: Summary): Html {
  const parts = byPart(all);
  if (parts.length === 0) return markup``;
  return markup`<h2>Passed in part</h2>
    <p class="soft">These clauses passed, but this run did not evaluate every part of them.</p>
    ${table(
      ["not evaluated", "clauses"],
      parts.map(([partly, ids]) => [partly, markup`<code>${idList(ids)}</code>`]),
    )}`;
}

function comparison({ comparison: compared }: Summary): Html {
  if (compared === undefined) return markup``;
  const rows = compared.differences.map(({ kind, subject, before, now }) => [kind, markup`<code>${subject}</code>`, before, now]);
  return markup`<h2>Compared with the baseline</h2>
    ${rows.length === 0 ? markup`<p>No differences.</p>` : table(["difference", "of", "before", "now"], rows)}`;
}

function observations(finished: FinishedRun): Html {
  const rows = observationsOf(finished).observations.map(({ clause, title, seen }) => [clause, title, inWords(seen)] as const);
  // Two tenants can give the same observation twice.
  const all = [...new Map(rows.map((row) => [row.join(" "), row])).values()];
  if (all.length === 0) return markup``;
  return markup`<h2>Where the documents are silent, and what this target does</h2>
    <p class="soft">Observed, never judged.</p>
    ${table(
      ["clause", "observed", "result"],
      all.map(([clause, ...others]) => [markup`<code>${clause}</code>`, ...others]),
    )}`;
}

/** Returns an observed value in words, such as `status 400, content type text/plain`. */
function inWords(seen: unknown): string {
  if (typeof seen === "boolean") return seen ? "yes" : "no";
  if (seen === null) return "unknown";
  if (Array.isArray(seen)) return seen.length === 0 ? "none" : seen.map(inWords).join("; ");
  if (!isObject(seen)) return typeof seen === "string" ? seen : JSON.stringify(seen);
  const parts = Object.entries(seen).filter(([, value]) => value !== null && value !== false);
  return parts.map(([name, value]) => `${NAMES[name] ?? name} ${inWords(value)}`).join(", ");
}

const NAMES: Readonly<Record<string, string>> = { contentType: "content type", etag: "ETag" };

/** Returns a table of all clauses, in the order of the documents. */
function clauses({ finished: { summary }, anchors }: VerdictPage): Html {
  const defectsOf = (clause: ClauseSummary): Piece =>
    (summary.defects ?? [])
      .filter((defect) => defect.clauses.includes(clause.id))
      .map(({ id, title }) => markup`<br /><a href="#defect-${id}">${title}</a>`);
  const line = (clause: ClauseSummary): Html =>
    markup`<tr id="${clause.id}">
      <td class="tight"><span class="${clause.verdict}">${clause.verdict}</span></td>
      <td>
        <code>${clause.id}</code> ${clause.statement}${defectsOf(clause)}${
          clause.partly === undefined ? null : markup`<br /><span class="soft">pass; not evaluated: ${clause.partly}</span>`
        }${
          clause.checks.length === 0
            ? markup`<br /><span class="soft">${clause.reason ?? ""}</span>`
            : markup`<details>
                <summary class="soft">${counted(clause.checks.length, "check")}</summary>
                ${clause.checks.map(
                  ({ id, title, verdict }) =>
                    markup`<div><span class="${verdict}">${verdict}</span> ${checkLink(id, anchors)} ${title}</div>`,
                )}
              </details>`
        }
      </td>
    </tr>`;
  const sections = [...new Map(summary.clauses.map((clause) => [groupOf(clause), clause])).keys()];
  return markup`<h2>Every clause</h2>
    ${sections.map((section) => {
      const listed = summary.clauses.filter((clause) => groupOf(clause) === section);
      const count = (verdict: ClauseSummary["verdict"]): number => listed.filter((clause) => clause.verdict === verdict).length;
      const said = VERDICT_ORDER.flatMap((verdict) => (count(verdict) === 0 ? [] : [`${count(verdict)} ${verdict}`]));
      return markup`<details><summary>${section} <span class="soft">${
        said.length === 0 ? "no statement that can be judged" : said.join(", ")
      }</span></summary><div class="scroll"><table><tbody>${listed.map(line)}</tbody></table></div></details>`;
    })}`;
}

function groupOf({ id }: ClauseSummary): string {
  const clause = clauseOf(id);
  return `${DOCUMENTS[clause.document].name}, ${sectionName(clause).toLowerCase()}`;
}
