/** Tests the verdict on a matrix, runs a part of the fleet, and checks the committed record of the whole fleet. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { emptyFolder } from "../model/folder-testing.ts";
import { CHECKS } from "../../specs/index.ts";
import { clauseOf, isJudged } from "../contract/catalogue.ts";
import { packageRoot } from "../model/schemas.ts";
import { VARIANTS } from "../reference/variants/index.ts";
import { type CommittedMatrix, committedProfiles, proofTable } from "./commit.ts";
import { isSound, judgeMatrix, type VariantRow } from "./matrix.ts";
import { fleetPage } from "./page.ts";
import { recordOf } from "./profile.ts";
import { shownIn } from "./shown.ts";
import { fault, matrixOf } from "./testing.ts";

const LONGEST_MS = 10 * 60_000;

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

test("the verdict names undetected faults, wrong diagnoses, false alarms and untested clauses", () => {
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
  expect(verdict.blamed).toEqual(["blamed"]);
  expect(isSound(verdict)).toBe(false);
});

test("a reported clause that is no known consequence of the fault is unexplained", () => {
  const { unexplained, nearestFirst } = judgeMatrix({
    faults: [
      fault("follows", "admin-4.POST", ["admin-4.POST", "admin-4.PUT"]),
      fault("puzzles", "admin-4.2", ["admin-4.2", "admin-4.POST"]),
      { ...fault("twofold", "admin-4.2", ["admin-4.2", "admin-4.POST"]), also: ["admin-4.POST"] },
    ],
    variants: [],
  });
  expect(unexplained).toEqual(["puzzles: admin-4.POST"]);
  expect(nearestFirst).toBe(3);
});

test("the record of several seeds says which faults are detected always, sometimes and never", () => {
  const [always, never] = [fault("always", "admin-4.1", ["admin-4.1"]), fault("never", "admin-4.2", [])];
  const record = recordOf([
    matrixOf(1, [always, never, fault("rare", "admin-4.3", ["admin-4.3"])], [variant("v", [])]),
    matrixOf(2, [always, never, fault("rare", "admin-4.3", [])], [variant("v", [], ["x/y"])]),
  ]);
  expect(record).toMatchObject({
    seeds: [1, 2],
    share: 0.5,
    always: 1,
    sometimes: [{ id: "rare", seeds: [2] }],
    never: ["never"],
    blamed: [],
    undecided: [{ id: "v", seeds: [2] }],
    alone: { "admin-4.1/x": "always", "admin-4.3/x": "rare" },
  });
});

test("the page escapes the texts of servers", () => {
  const matrix = matrixOf(1, [fault("f", "admin-4.1", ["admin-4.1"])]);
  expect(fleetPage({ ...matrix, verdict: judgeMatrix(matrix) })).toContain("h &lt;b&gt;");
});

/** Faults that violate one clause, but make many checks fail. The diagnosis must find this clause as the cause of all failures. */
const FOCUSED = [
  "admin-json-form",
  "admin-create-fills-nothing",
  "admin-update-keeps-display-name",
  "logs-label-ascii",
  "logs-label-values-cut",
  "logs-range-many-streams-cut",
  "logs-range-last-stream-missing",
  "logs-limit-plus-one",
  "logs-direction-swapped",
  "logs-match-unequal-ignored",
  "logs-filter-ignored",
  "logs-count-plus-one",
  "logs-values-first-only",
];

/** Checks that detect no fault of the fleet in a release run: other checks detect the same faults, or the check needs longer waits. */
const UNPROVEN: readonly string[] = [
  "admin-4.POST/each-is-there",
  "logs-4.1/archive-twice",
  "logs-4.push/late-closed",
  "logs-4.query_range/every-response",
  "logs-4.query_range/put-away",
];

/** Runs a part of the fleet with the shipped program, in its own worker threads. The whole fleet takes about 15 minutes. */
async function part(flags: readonly string[]): Promise<CommittedMatrix> {
  const folder = emptyFolder();
  const args = [join(packageRoot(), "dist/src/fleet/main.js"), ...flags, "--out", folder];
  await promisify(execFile)(process.execPath, args, { timeout: LONGEST_MS }).catch((error: unknown) => error);
  return JSON.parse(readFileSync(join(folder, "fleet.json"), "utf8")) as CommittedMatrix;
}

test("each of a ninetieth of the faults is detected by its own clause", { timeout: LONGEST_MS }, async () => {
  const { faults, verdict } = await part(["--faults", "--slice", "1/90", "--until-caught"]);
  expect(faults.length).toBe(Math.ceil(shownIn("release").length / 90));
  const { survivors, misdiagnosed } = verdict;
  expect({ survivors, misdiagnosed }).toEqual({ survivors: [], misdiagnosed: [] });
});

test("each of a ninetieth of the variants is judged completely and not blamed", { timeout: LONGEST_MS }, async () => {
  const { variants, verdict } = await part(["--variants", "--slice", "1/90"]);
  expect(variants.length).toBe(Math.ceil(VARIANTS.length / 90));
  expect(verdict.falseAlarms).toEqual([]);
});

test("the committed matrix is of the current fleet and checks, and has no problem", () => {
  const committed = JSON.parse(readFileSync(join(packageRoot(), "docs/fleet.json"), "utf8")) as CommittedMatrix;
  expect(committed.faults.map(({ id }) => id)).toEqual(shownIn("release").map(({ id }) => id));
  expect(committed.variants.map(({ id }) => id)).toEqual(VARIANTS.map(({ id }) => id));
  const detecting = new Set(committed.faults.flatMap(({ red }) => red.flatMap(({ checks }) => checks)));
  expect([...detecting].filter((id) => !CHECKS.some((check) => check.id === id))).toEqual([]);
  const idle = CHECKS.filter(({ id, clauses }) => clauses.some((clause) => isJudged(clauseOf(clause))) && !detecting.has(id));
  expect(idle.map(({ id }) => id).filter((id) => !UNPROVEN.includes(id))).toEqual([]);
  expect(isSound(committed.verdict)).toBe(true);
  expect(committed.verdict.medianRed).toBeLessThanOrEqual(3);
  const focused = committed.faults.filter(({ red }) => red.length === 1).map(({ id }) => id);
  expect(FOCUSED.filter((id) => !focused.includes(id))).toEqual([]);
});

test("the committed matrix has one line per fault and variant, and few other lines", () => {
  const lines = ["docs/fleet.json", "docs/fleet-profiles.json"].flatMap((file) =>
    readFileSync(join(packageRoot(), file), "utf8").split("\n"),
  );
  const ids = [...shownIn("release"), ...VARIANTS].map(({ id }) => id);
  // Each fault and variant has one line in the record. The number of all other lines must not grow with the fleet.
  expect(lines.length - ids.length).toBeLessThan(900);
  const own = new Set(lines.flatMap((line) => /^\{"id":"([^"]+)","(?:clause|sentence)":/.exec(line)?.[1] ?? []));
  expect(ids.filter((id) => !own.has(id))).toEqual([]);
});

test("the committed records are of the current fleet, and docs/proof.md shows their numbers", () => {
  const records = committedProfiles();
  expect(records.map(({ profile }) => profile)).toEqual(["smoke", "release"]);
  for (const { profile, faults, variants, blamed } of records) {
    expect({ faults, variants, blamed }).toEqual({ faults: shownIn(profile).length, variants: VARIANTS.length, blamed: [] });
  }
  expect(records.find(({ profile }) => profile === "release")).toMatchObject({
    always: shownIn("release").length,
    undecided: [],
    misdiagnosed: [],
    unexplained: [],
  });
  expect(readFileSync(join(packageRoot(), "docs/proof.md"), "utf8")).toContain(proofTable(records));
});
