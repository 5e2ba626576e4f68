/** The committed matrix: `docs/fleet.json` and the numbers that the README shows. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";
import type { Matrix, MatrixVerdict } from "./matrix.ts";

const MARKS = ["<!-- fleet:begin -->", "<!-- fleet:end -->"] as const;

/** The table of the README. */
export function readmeTable({ faults, variants, profile }: Matrix, verdict: MatrixVerdict): string {
  const killed = faults.filter((row) => row.killed).length;
  const rows = [
    ["faults", String(faults.length)],
    ["caught", String(killed)],
    ["named by the clause they break", String(killed - verdict.misdiagnosed.length)],
    ["median of red clauses per fault", String(verdict.medianRed)],
    ["variants", String(variants.length)],
    ["false alarms", String(verdict.falseAlarms.length)],
  ];
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  const line = (one: string, other: string): string => `| ${one.padEnd(width)} | ${other.padEnd(profile.length)} |`;
  return [
    line("", profile),
    line("-".repeat(width), "-".repeat(profile.length)),
    ...rows.map(([one = "", other = ""]) => line(one, other)),
  ].join("\n");
}

/** The README with the table between its marks. Throws when it has no marks. */
export function withTable(readme: string, table: string): string {
  const [begin, end] = MARKS;
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the README has no ${begin} … ${end}`);
  return `${readme.slice(0, from)}${begin}\n\n${table}\n\n${readme.slice(to)}`;
}

/** Writes both files of the checkout. */
export function commitMatrix(matrix: Matrix, verdict: MatrixVerdict): void {
  const root = packageRoot();
  mkdirSync(join(root, "docs"), { recursive: true });
  writeFileSync(join(root, "docs", "fleet.json"), `${JSON.stringify({ ...matrix, verdict }, null, 1)}\n`);
  const readme = join(root, "README.md");
  writeFileSync(readme, withTable(readFileSync(readme, "utf8"), readmeTable(matrix, verdict)));
}
