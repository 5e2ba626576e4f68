/**
 * Tests that the catalogue of clauses and the checks agree: each judged clause has a check in each profile, and no check judges another
 * clause. Tests that a release run has enough requests for all checks.
 */
import { expect, test } from "vitest";
import { CLAUSES, clauseOf, isJudged } from "../src/contract/catalogue.ts";
import { costOf } from "../src/harness/shard.ts";
import { CHECKS } from "./index.ts";

/** The default of MAX_REQUESTS in release runs, without the requests for an overload, a reserve, and repeats after lag. */
const MOST_REQUESTS = 3_000 - 60 - 40 - 100;

test("a release run with all opt-ins can send the requests of all checks, and leaves out no input", () => {
  const planned = CHECKS.filter(({ id, profiles }) => profiles.includes("release") && id !== "logs-7.429/overload-and-recover");
  expect(planned.reduce((sum, check) => sum + costOf(check), 0)).toBeLessThanOrEqual(MOST_REQUESTS);
});

test.each(["smoke", "release", "nightly"] as const)("every judged clause has a check in profile %s", (profile) => {
  const covered = new Set(
    CHECKS.filter(({ profiles }) => profiles.includes(profile)).flatMap(({ clauses }) => clauses as readonly string[]),
  );
  const optIn = new Set(["logs-7.429", "logs-7.429-recovery", "logs-7.429-accepted"]);
  const missing = CLAUSES.filter((clause) => isJudged(clause) && !covered.has(clause.id) && !(profile === "smoke" && optIn.has(clause.id)));
  expect(missing.map(({ id }) => id)).toEqual([]);
});

test("a check names judged clauses, or only unspecified ones that it observes", () => {
  for (const { id, clauses } of CHECKS) {
    const levels = clauses.map((clause) => clauseOf(clause));
    const observes = levels.every(({ level }) => level === "unspecified");
    expect(observes || levels.every(isJudged), id).toBe(true);
  }
});

test("check ids are unique and begin with their first clause", () => {
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
  for (const { id, clauses } of CHECKS) expect(id.startsWith(`${clauses[0]}/`), id).toBe(true);
});

test("a clause left out of judgement says why, and repeats lead to judged clauses", () => {
  for (const clause of CLAUSES) {
    const left = clause.level === "unspecified" || clause.level === "unobservable";
    expect(clause.reason !== undefined, clause.id).toBe(left);
    for (const primary of clause.sameAs ?? []) expect(isJudged(clauseOf(primary)), `${clause.id} repeats ${primary}`).toBe(true);
  }
});
