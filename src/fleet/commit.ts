/** Writes the committed proof: `docs/fleet.json`, `docs/fleet-profiles.json`, and the numbers in `docs/proof.md`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SHARED_SETS } from "../harness/costs.ts";
import { packageRoot } from "../model/schemas.ts";
import { compactJson } from "./compact.ts";
import type { Matrix, MatrixVerdict } from "./matrix.ts";
import type { ProfileRecord } from "./profile.ts";

const MARKS = ["<!-- fleet:begin -->", "<!-- fleet:end -->"] as const;

export interface CommittedMatrix extends Matrix {
  readonly verdict: MatrixVerdict;
}

function docsFile(name: string): string {
  mkdirSync(join(packageRoot(), "docs"), { recursive: true });
  return join(packageRoot(), "docs", name);
}

/** Returns the committed results of the fleet, one record per profile. The list is empty if no record was committed. */
export function committedProfiles(): ProfileRecord[] {
  const path = docsFile("fleet-profiles.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ProfileRecord[]) : [];
}

function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

function ofAll(share: number, faults: number, seeds: number): number {
  return Math.round(share * faults * seeds);
}

/** A dataset counts as large from this number of bytes. So does a group of datasets that the same checks read. */
const LARGE_BYTES = 1_000_000;

/** Whether a check reads a dataset that is large or has entries of earlier hours. */
function readsLargeOrOld(check: string): boolean {
  return (
    SHARED_SETS.some(({ bytes, checks }) => bytes >= LARGE_BYTES && checks.includes(check)) ||
    /\/(?:hours|midnight|once-empty|.*-old)/.test(check)
  );
}

/** Returns the ids of the faults that a release run detects without large datasets and without entries of earlier hours. */
function withoutLargeData({ faults }: Pick<Matrix, "faults">): string[] {
  return faults.filter(({ red }) => !red.flatMap(({ checks }) => checks).every(readsLargeOrOld)).map(({ id }) => id);
}

/** Returns the table of `docs/proof.md`, with a column per profile. */
export function proofTable(records: readonly ProfileRecord[]): string {
  const small = withoutLargeData(committedMatrix());
  const ofSmall = (missed: readonly string[]): string => {
    const found = small.filter((id) => !missed.includes(id)).length;
    return `${found} of ${small.length} (${percent(found / Math.max(small.length, 1))})`;
  };
  const rows: [name: string, value: (record: ProfileRecord) => string][] = [
    ["faults", ({ faults }) => String(faults)],
    ["seeds", ({ seeds }) => String(seeds.length)],
    [
      "faults detected, over all seeds",
      ({ share, faults, seeds }) => `${ofAll(share, faults, seeds.length)} of ${faults * seeds.length} (${percent(share)})`,
    ],
    ["faults detected for every seed", ({ always }) => String(always)],
    [
      "of the faults that need no large or old dataset, detected for every seed",
      ({ never, sometimes }) => ofSmall([...never, ...sometimes.map(({ id }) => id)]),
    ],
    ["median of violated clauses per fault", ({ medianRed }) => String(medianRed)],
    ["legal servers (variants)", ({ variants }) => String(variants)],
    ["legal servers blamed, over all seeds", ({ blamed }) => String(blamed.length)],
    ["legal servers with inconclusive clauses", ({ undecided }) => String(undecided.length)],
    ["requests of the most expensive run", ({ mostRequests }) => String(mostRequests)],
  ];
  const cells = [["", ...records.map(({ profile }) => profile)], ...rows.map(([name, value]) => [name, ...records.map(value)])];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

/** Returns the page `docs/proof.md` with the table between its two marks. Throws if the page lacks a mark. */
function withTable(page: string, table: string): string {
  const [begin, end] = MARKS;
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/proof.md has no ${begin} … ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${table}\n\n${page.slice(to)}`;
}

/** For each fault, returns the first check that the committed record has for its clause. Empty if there is no record. */
export function committedChecks(): ReadonlyMap<string, string> {
  const path = docsFile("fleet.json");
  if (!existsSync(path)) return new Map();
  const { faults } = JSON.parse(readFileSync(path, "utf8")) as CommittedMatrix;
  return new Map(
    faults.flatMap(({ id, clause, first, red }): [string, string][] => {
      const checks = red.find((one) => one.clause === clause)?.checks ?? [];
      const check = checks.find((one) => one === first?.check) ?? checks[0];
      return check === undefined ? [] : [[id, check]];
    }),
  );
}

/** Returns the committed matrix. Throws if no matrix was committed. */
export function committedMatrix(): CommittedMatrix {
  return JSON.parse(readFileSync(docsFile("fleet.json"), "utf8")) as CommittedMatrix;
}

export function commitMatrix(matrix: CommittedMatrix): void {
  writeFileSync(docsFile("fleet.json"), compactJson(matrix, 2));
}

/** Replaces the committed record of a profile, and updates the numbers in `docs/proof.md`. */
export function commitProfile(record: ProfileRecord): void {
  const records = [...committedProfiles().filter(({ profile }) => profile !== record.profile), record].toSorted((one, other) =>
    other.profile.localeCompare(one.profile),
  );
  writeFileSync(docsFile("fleet-profiles.json"), compactJson(records, 3));
  const page = docsFile("proof.md");
  writeFileSync(page, withTable(readFileSync(page, "utf8"), proofTable(records)));
}
