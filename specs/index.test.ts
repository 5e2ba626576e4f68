/**
 * Tests that the catalogue of clauses and the checks agree: each judged clause has a check in each profile, and no check judges another
 * clause.
 */
import { expect, test } from "vitest";
import { CLAUSES, clauseOf, isJudged } from "../src/contract/catalogue.ts";
import { CHECKS } from "./index.ts";

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
