/** Writes the matrix of the fleet as a page for people: the clause that was reported for each fault, and the variants that were blamed. */
import { CHECKS } from "../../specs/index.ts";
import type { CommittedMatrix } from "./commit.ts";
import { aloneIn, type FaultRow, type VariantRow } from "./matrix.ts";

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#1d2330;background:#fff}
h1{font-size:1.6rem}h2{margin-top:2rem;font-size:1.2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid #e3e6ec}th{background:#f4f6f9}
code{font:13px ui-monospace,monospace}.ok{color:#176d3b}.bad{color:#b3261e;font-weight:600}.note{color:#5b6373}`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function faultLine(row: FaultRow): string {
  const verdict = !row.killed
    ? '<span class="bad">not detected</span>'
    : row.diagnosed
      ? '<span class="ok">detected</span>'
      : '<span class="bad">misdiagnosed</span>';
  const red = row.red
    .map(
      ({ clause, headline, followsFrom }) =>
        `<div><code>${escaped(clause)}</code> <span class="note">${followsFrom === undefined ? "" : `may follow from ${escaped(followsFrom)}: `}${escaped(headline.slice(0, 240))}</span></div>`,
    )
    .join("");
  return `<tr><td><code>${escaped(row.id)}</code><div class="note">${escaped(row.sentence)}</div></td><td><code>${escaped(row.clause)}</code></td><td>${verdict}</td><td>${red}</td><td>${row.first?.requests ?? ""} / ${row.requests}</td></tr>`;
}

function variantLine(row: VariantRow): string {
  const alarms = [...row.red.map(({ clause }) => clause), ...row.inconclusive.map(({ check }) => check)];
  const verdict = alarms.length === 0 ? '<span class="ok">not blamed</span>' : `<span class="bad">${escaped(alarms.join(", "))}</span>`;
  return `<tr><td><code>${escaped(row.id)}</code><div class="note">${escaped(row.sentence)}</div></td><td>${escaped(row.why)}</td><td>${verdict}</td><td>${row.requests}</td></tr>`;
}

function checkLines(faults: readonly FaultRow[]): string {
  const alone = aloneIn(faults);
  const detected = faults.map(({ red }) => new Set(red.flatMap(({ checks }) => checks)));
  return CHECKS.map(({ id }) => {
    const count = detected.filter((checks) => checks.has(id)).length;
    return `<tr><td><code>${escaped(id)}</code></td><td>${count}</td><td>${escaped(alone[id] ?? "")}</td></tr>`;
  }).join("\n");
}

/** Returns an HTML page about the checks that detected each fault, and the violated clauses. The page has no scripts and loads nothing. */
export function fleetPage(matrix: CommittedMatrix): string {
  const { faults, variants, verdict } = matrix;
  const killed = faults.filter((row) => row.killed).length;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plumbline fleet</title><style>${STYLE}</style></head><body>
<h1>The suite against faulty and unusual servers</h1>
<p>${faults.length} faults: ${killed} detected, ${faults.length - killed} not detected, ${verdict.misdiagnosed.length} misdiagnosed. ${variants.length} variants: ${verdict.falseAlarms.length} false alarms. Median number of violated clauses per fault: ${verdict.medianRed}. The clause of the fault comes first for ${verdict.nearestFirst} faults. Profile ${matrix.profile}, seed ${matrix.seed}, ${(matrix.durationMs / 1000).toFixed(0)} s.</p>
<h2>Faults</h2><table><thead><tr><th>fault</th><th>violates</th><th>verdict</th><th>reported clauses</th><th>requests until the first failure / in total</th></tr></thead><tbody>${faults.map(faultLine).join("\n")}</tbody></table>
<h2>Variants</h2><table><thead><tr><th>variant</th><th>why the documents allow it</th><th>verdict</th><th>requests</th></tr></thead><tbody>${variants.map(variantLine).join("\n")}</tbody></table>
<h2>How many faults each check detects</h2><table><thead><tr><th>check</th><th>faults</th><th>a fault that no other check detects</th></tr></thead><tbody>${checkLines(faults)}</tbody></table>
</body></html>
`;
}
