/** Writes `junit.xml` with one test case per judged clause, so that its counts equal the counts in `summary.json`. */
import { contractLink } from "../model/page-link.ts";
import { grouped } from "../model/grouped.ts";
import { seePage } from "./failure-pages.ts";
import { notEvaluated } from "./not-evaluated.ts";
import type { ClauseSummary, FinishedRun, Summary } from "./model.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Whether XML 1.0 allows a character at all. Some control characters are not allowed even as an escape. */
function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff;
}

/** Returns text for an XML element or attribute. A character that XML does not allow becomes U+FFFD. */
export function escapeXml(text: string): string {
  let escaped = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    escaped += isXmlCharacter(code) ? (ENTITIES[character] ?? character) : "\uFFFD";
  }
  return escaped;
}

function attribute(text: string): string {
  // An XML parser replaces line ends in attributes by spaces, unless the line ends are written as character references.
  return escapeXml(text).replaceAll("\n", "&#10;").replaceAll("\r", "&#13;").replaceAll("\t", "&#9;");
}

function messagesOf(clause: ClauseSummary): string {
  return clause.checks
    .filter((check) => check.verdict === clause.verdict && check.message !== "")
    .map((check) => `${check.id}: ${check.title}\n${check.message}`)
    .join("\n\n");
}

const ELEMENT = { fail: "failure", inconclusive: "error", "not-run": "skipped" } as const;

/** Returns the duration of each clause in ms. The duration of a check counts only for its first clause, so that no time counts twice. */
function timesOf(clauses: readonly ClauseSummary[]): ReadonlyMap<string, number> {
  const counted = new Set<string>();
  return new Map(
    clauses.map(({ id, checks }) => {
      const own = checks.filter((check) => !counted.has(check.id));
      for (const check of own) counted.add(check.id);
      return [id, own.reduce((sum, check) => sum + check.durationMs, 0)];
    }),
  );
}

function seconds(times: Iterable<number>): string {
  return ([...times].reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(3);
}

function testCase(clause: ClauseSummary, ms: number): string {
  const head =
    `    <testcase classname="${attribute(`${clause.document}.${clause.section}`)}"` +
    ` name="${attribute(`${clause.id}: ${clause.statement}`)}" time="${seconds([ms])}"`;
  const more = clause.verdict === "deviation" ? `        <property name="deviation" value="${attribute(clause.reason ?? "")}"/>\n` : "";
  const properties = `      <properties>\n        <property name="contract" value="${attribute(contractLink(clause.id))}"/>\n${more}      </properties>\n`;
  const open = `${head}>\n${properties}`;
  const passed = (text: string): string => `${open}      <system-out>${escapeXml(text)}</system-out>\n    </testcase>`;
  if (clause.partly !== undefined) return passed(`pass; not evaluated: ${clause.partly}`);
  if (clause.verdict === "pass" || clause.verdict === "not-judged") return `${open}    </testcase>`;
  // An accepted deviation does not fail the run, so it is a passing test case with the accepted failure as its text.
  if (clause.verdict === "deviation") return passed(messagesOf(clause));
  const element = ELEMENT[clause.verdict];
  const message = attribute(clause.reason ?? clause.verdict);
  const cause =
    clause.followsFrom === undefined
      ? ""
      : `May follow from the violation of ${clause.followsFrom}. Correct ${clause.followsFrom} first.\n\n`;
  const [unjudged] = notEvaluated([clause], "inconclusive");
  const next = unjudged === undefined ? "" : `\n\nNext: ${unjudged.next}${unjudged.page === null ? "" : seePage(unjudged.page)}`;
  const body = clause.verdict === "not-run" ? "" : escapeXml(cause + messagesOf(clause) + next);
  return `${open}      <${element} message="${message}">${body}</${element}>\n    </testcase>`;
}

/** Returns the facts about the run that a reader of `junit.xml` needs without the other reports. */
function runProperties({ run, targets }: Summary): string[] {
  const values = {
    "run id": run.id,
    seed: String(run.seed),
    "duration of the run": `${(run.durationMs / 1000).toFixed(3)} s`,
    profile: run.profile,
    "admin API": targets.admin?.baseUrl ?? "not configured",
    "log API": targets.logs?.baseUrl ?? "not configured",
  };
  const lines = Object.entries(values).map(([name, value]) => `      <property name="${attribute(name)}" value="${attribute(value)}"/>`);
  return ["    <properties>", ...lines, "    </properties>"];
}

function testSuite(document: string, clauses: readonly ClauseSummary[], summary: Summary, times: ReadonlyMap<string, number>): string {
  const count = (verdict: ClauseSummary["verdict"]): number => clauses.filter((clause) => clause.verdict === verdict).length;
  const timeOf = ({ id }: ClauseSummary): number => times.get(id) ?? 0;
  const counts = `tests="${clauses.length}" failures="${count("fail")}" errors="${count("inconclusive")}" skipped="${count("not-run")}"`;
  return [
    `  <testsuite name="${attribute(document)}" ${counts} time="${seconds(clauses.map(timeOf))}" timestamp="${attribute(summary.run.startedAt)}">`,
    ...runProperties(summary),
    ...clauses.map((clause) => testCase(clause, timeOf(clause))),
    "  </testsuite>",
  ].join("\n");
}

export function toJunit({ summary }: FinishedRun): string {
  const judged = summary.clauses.filter((clause) => clause.verdict !== "not-judged");
  const documents = [...grouped(judged, ({ document }) => document)];
  const { fail, inconclusive, notRun } = summary.totals;
  const times = timesOf(judged);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(summary.suite.name)}" tests="${judged.length}" failures="${fail}" errors="${inconclusive}"` +
      ` skipped="${notRun}" time="${seconds(times.values())}">`,
    ...documents.map(([document, clauses]) => testSuite(document, clauses, summary, times)),
    "</testsuites>",
    "",
  ].join("\n");
}
