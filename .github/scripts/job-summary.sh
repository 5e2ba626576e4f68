#!/usr/bin/env bash
# Writes the job summary from summary.json; says so when the run never got that far.
set -euo pipefail
reports="${REPORTS_DIR:-reports}"
out="${GITHUB_STEP_SUMMARY:?}"
if [ ! -f "${reports}/summary.json" ]; then
  printf '## No verdict\n\nThe run ended before it could write a summary; see the log.\n' >>"$out"
  exit 0
fi
node - "${reports}/summary.json" >>"$out" <<'JS'
const { readFileSync } = require("node:fs");
const { verdict, run, totals, targets, clauses } = JSON.parse(readFileSync(process.argv[2], "utf8"));
// A pipe, a line end or markup in a reason must not break the table.
const cell = (text) => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;").slice(0, 300);
const target = (it) => (it === null ? "not configured" : it.kind === "embedded" ? "embedded reference server" : it.baseUrl);
const lines = [
  `## ${verdict}`,
  "",
  `${totals.pass} clauses passed, ${totals.fail} failed, ${totals.deviation} accepted deviations, ${totals.inconclusive} inconclusive, ${totals.notRun} not run.`,
  "",
  `Admin API: ${cell(target(targets.admin))}. Log API: ${cell(target(targets.logs))}.`,
  `Profile ${run.profile}, seed ${run.seed}, run ${run.id}, ${run.requests} requests, ${run.instancesCreated} instances.`,
];
for (const [word, title] of [["fail", "Violated clauses"], ["deviation", "Accepted deviations"], ["inconclusive", "Inconclusive clauses"]]) {
  const found = clauses.filter((clause) => clause.verdict === word);
  if (found.length === 0) continue;
  lines.push("", `### ${title}`, "", "| clause | what was seen |", "| --- | --- |");
  for (const clause of found) lines.push(`| ${clause.id} | ${cell(clause.reason ?? clause.statement)} |`);
}
console.log(lines.join("\n"));
JS
