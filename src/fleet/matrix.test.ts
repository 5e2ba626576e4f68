/** The verdict on a matrix, and the whole matrix itself: no survivor, no false alarm, no wrong diagnosis. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { FAULTS } from "../reference/faults/index.ts";
import { VARIANTS } from "../reference/variants/index.ts";
import { readmeTable } from "./commit.ts";
import { type FaultRow, isSound, judgeMatrix, type Matrix, type MatrixVerdict, type VariantRow } from "./matrix.ts";
import { fleetPage } from "./page.ts";

const LONGEST_MS = 15 * 60_000;

function fault(id: string, clause: string, red: readonly string[]): FaultRow {
  return {
    id,
    clause,
    sentence: "s",
    killed: red.length > 0,
    diagnosed: red.includes(clause),
    red: red.map((one) => ({ clause: one, checks: [`${one}/x`], headline: "h <b>" })),
    inconclusive: 0,
    requests: 1,
    durationMs: 1,
  };
}

function variant(id: string, red: readonly string[], inconclusive: readonly string[] = []): VariantRow {
  return {
    id,
    sentence: "s",
    why: "w",
    red: red.map((clause) => ({ clause, checks: [], headline: "h" })),
    inconclusive: inconclusive.map((check) => ({ check, reason: "r" })),
    requests: 1,
    durationMs: 1,
  };
}

test("survivors, wrong diagnoses, false alarms and untested clauses are each found", () => {
  const verdict = judgeMatrix({
    faults: [
      fault("killed", "admin-4.1", ["admin-4.1"]),
      fault("alive", "admin-4.2", []),
      fault("elsewhere", "admin-4.3", ["admin-4.1", "admin-4.GET"]),
    ],
    variants: [variant("peace", []), variant("blamed", ["admin-4.1"]), variant("stuck", [], ["x/y"])],
  });
  expect(verdict).toMatchObject({ survivors: ["alive"], misdiagnosed: ["elsewhere"], falseAlarms: ["blamed", "stuck"], medianRed: 2 });
  expect(verdict.untested).toContain("admin-4.2");
  expect(verdict.untested).not.toContain("admin-4.1");
  expect(verdict.soleKillers).toEqual({ "admin-4.1/x": "killed" });
  expect(verdict.neverAlone).toEqual(["admin-4.GET/x"]);
  expect(isSound(verdict)).toBe(false);
});

test("the page escapes what servers said", () => {
  const matrix: Matrix = {
    profile: "release",
    seed: 1,
    durationMs: 1,
    faults: [fault("f", "admin-4.1", ["admin-4.1"])],
    variants: [],
    rerun: [],
  };
  expect(fleetPage(matrix, judgeMatrix(matrix))).toContain("h &lt;b&gt;");
});

test("the whole fleet: every fault is caught by its clause, and no variant is blamed", { timeout: LONGEST_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-fleet-"));
  try {
    // The program as it is shipped, in worker threads of its own.
    await promisify(execFile)(process.execPath, [join(packageRoot(), "dist/src/fleet/main.js"), "--out", folder], {
      timeout: LONGEST_MS,
    }).catch((error: unknown) => error);
    const matrix = JSON.parse(readFileSync(join(folder, "fleet.json"), "utf8")) as Matrix & { readonly verdict: MatrixVerdict };
    const { survivors, misdiagnosed, falseAlarms, untested, medianRed } = matrix.verdict;
    expect({ survivors, misdiagnosed, falseAlarms, untested }).toEqual({ survivors: [], misdiagnosed: [], falseAlarms: [], untested: [] });
    expect(medianRed).toBeLessThanOrEqual(3);
    expect(matrix.faults).toHaveLength(FAULTS.length);
    expect(matrix.variants).toHaveLength(VARIANTS.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the committed matrix is of this fleet", () => {
  const committed = JSON.parse(readFileSync(join(packageRoot(), "docs/fleet.json"), "utf8")) as Matrix & {
    readonly verdict: MatrixVerdict;
  };
  expect(committed.faults.map(({ id }) => id)).toEqual(FAULTS.map(({ id }) => id));
  expect(committed.variants.map(({ id }) => id)).toEqual(VARIANTS.map(({ id }) => id));
  expect(readFileSync(join(packageRoot(), "README.md"), "utf8")).toContain(readmeTable(committed, committed.verdict));
});
