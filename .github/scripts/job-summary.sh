#!/usr/bin/env bash
# Writes the job summary from summary.json; says so when the run never got that far.
set -euo pipefail
reports="${REPORTS_DIR:-reports}"
out="${GITHUB_STEP_SUMMARY:?}"
if [ ! -f "${reports}/summary.json" ]; then
  printf '## No verdict\n\nThe run ended before it could write a summary; see the log.\n' >>"$out"
  exit 0
fi
# Annotations go to the log, everything else into the summary.
exec 3>&1
node - "${reports}/summary.json" >>"$out" <<'JS'
const { readFileSync, writeSync } = require("node:fs");
const { verdict, run, totals, targets, clauses } = JSON.parse(readFileSync(process.argv[2], "utf8"));
// A pipe, a line end or markup in a reason must not break the table.
const cell = (text) => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;").slice(0, 300);
const target = (it) => (it === null ? "not configured" : it.kind === "embedded" ? "embedded reference server" : it.baseUrl);
const counts = `${totals.pass} clauses passed, ${totals.fail} failed, ${totals.deviation} accepted deviations, ${totals.inconclusive} inconclusive, ${totals.notRun} not run.`;
const lines = [
  `## ${verdict.toUpperCase()}`,
  "",
  counts,
  "",
  `Admin API: ${cell(target(targets.admin))}. Log API: ${cell(target(targets.logs))}.`,
  `Profile ${run.profile}, seed ${run.seed}, run ${run.id}, ${run.requests} requests, ${run.instancesCreated} instances.`,
];
const of = (verdict) => clauses.filter((clause) => clause.verdict === verdict);
// Those that may follow from another one stand behind it.
const failed = of("fail").toSorted((one, other) => Number(one.followsFrom !== undefined) - Number(other.followsFrom !== undefined));
if (failed.length > 0) {
  lines.push("", "### Violated clauses", "", "| clause | the document says | what was seen |", "| --- | --- | --- |");
  for (const { id, statement, reason, followsFrom } of failed) {
    const note = followsFrom === undefined ? "" : ` (may follow from ${followsFrom})`;
    lines.push(`| ${id}${note} | ${cell(statement)} | ${cell(reason ?? "")} |`);
  }
}
for (const [word, title] of [["deviation", "Accepted deviations"], ["inconclusive", "Inconclusive"], ["not-run", "Not run"]]) {
  const byReason = new Map();
  for (const { id, reason = "no reason given" } of of(word)) byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  if (byReason.size === 0) continue;
  lines.push("", `### ${title}`, "", "| why | clauses |", "| --- | --- |");
  for (const [reason, ids] of byReason) lines.push(`| ${cell(reason)} | ${ids.join(", ")} |`);
}
const replay = failed.flatMap(({ checks }) => checks.map(({ message }) => /^Replay: (.*)$/m.exec(message)?.[1])).find((line) => line !== undefined);
if (replay !== undefined) lines.push("", "Replay the first of them:", "", "```", replay, "```");
lines.push("", "The report is among the artifacts of this run: `report.html` opens on the verdict.");
// Annotations stand beside the job; their text may hold no line end.
for (const { id, reason, statement } of failed) {
  const text = (reason ?? statement).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A").slice(0, 500);
  writeSync(3, `::error title=${id} is violated::${text}\n`);
}
console.log(lines.join("\n"));
JS
