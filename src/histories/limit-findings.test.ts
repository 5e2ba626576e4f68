import { expect, test } from "vitest";
import type { Answered } from "../client/exchange.ts";
import type { Masked } from "../client/inconclusive.ts";
import type { Outcome } from "../diagnosis/limit-outcomes.ts";
import { limitFindings, untriedUpdates } from "./limit-findings.ts";
import type { Histories } from "./limit-histories.ts";

const EXCHANGE = {} as Answered;

/** An update that adds limits, and the limits that a read shows with another value. */
function added(sent: Outcome<Answered>["sent"], wrong: readonly string[]): Outcome<Answered> {
  return {
    operation: "add",
    levels: new Map(Object.keys(sent).map((name) => [name as "ingestion_rate", "ordinary"])),
    sent,
    open: new Set(),
    differences: wrong.map((name) => ({ clause: "admin-4.3", path: `limits.${name}`, expected: "1", actual: "2", kind: "value" })),
    isReadable: true,
    exchanges: [EXCHANGE],
    attempts: [],
  };
}

const ROW = "admin-2.limit.ha_max_clusters";
const BROKEN = new Set(["ha_max_clusters"] as const);
const findingsOf = (outcomes: readonly Outcome<Answered>[]) => limitFindings({ outcomes, smaller: [] } as unknown as Histories, BROKEN);

test("a rule is held if one request shows it, although another sent only a limit whose row is violated", () => {
  const findings = findingsOf([
    added({ ha_max_clusters: 1 }, ["ha_max_clusters"]),
    added({ ha_max_clusters: 1, ingestion_rate: 5 }, ["ha_max_clusters"]),
  ]);
  const rules = findings.filter(({ clauses }) => clauses.includes("admin-4.3"));
  expect(rules.map(({ held }) => held)).toEqual([["admin-4.3"]]);
  expect(findings.find(({ clauses }) => clauses.includes(ROW))?.differences).toMatchObject([{ clause: ROW }]);
});

test("a rule that only violated rows could show is not evaluated, and the rows are the reason", () => {
  const [rule] = findingsOf([added({ ha_max_clusters: 1 }, ["ha_max_clusters"])]);
  expect(rule).toMatchObject({ clauses: ["admin-4.3"], held: [], differences: [{ clause: ROW }] });
});

const minimalOf = (outcomes: readonly Outcome<Answered>[]) => findingsOf(outcomes).find(({ clauses }) => clauses.includes(ROW))?.minimal;

test("a violated row has the levels of its smallest request, and the operation only if other operations keep the value", () => {
  const wrong = added({ ha_max_clusters: 1 }, ["ha_max_clusters"]);
  const right = added({ ingestion_rate: 5 }, []);
  const levels = { ha_max_clusters: "ordinary" };
  expect(minimalOf([wrong, right])).toEqual({ levels: { operation: "add", ...levels }, failing: 1, failingWithLevels: 1, rightWithout: 1 });
  expect(minimalOf([wrong, right, { ...wrong, operation: "overwrite" }])).toMatchObject({ levels, failing: 2 });
  expect(minimalOf([right])).toBeUndefined();
});

test("a limit that only some wrong requests send is not a level of the violation", () => {
  const unsent = ["cardinality_limit"];
  const findings = findingsOf([added({ ha_max_clusters: 1 }, unsent), added({ ingestion_rate: 5 }, unsent)]);
  expect(findings.find(({ minimal }) => minimal !== undefined)?.minimal).toMatchObject({ levels: { operation: "add" }, failing: 2 });
});

const clausesOf = (given: Partial<Histories>): string[] =>
  untriedUpdates({ outcomes: [], refused: [], stopped: null, ...given } as unknown as Histories).map(({ clause }) => clause);

test("a kind of update that never succeeded is not evaluated, unless the target refused it or the run left out rows", () => {
  expect(clausesOf({})).toEqual(["admin-4.3", "admin-4.PUT-over-limits"]);
  expect(clausesOf({ outcomes: [added({ ingestion_rate: 5 }, [])] })).toEqual(["admin-4.PUT-over-limits"]);
  expect(clausesOf({ refused: [{ clause: "admin-4.PUT-over-limits" } as Masked] })).toEqual(["admin-4.3"]);
  expect(clausesOf({ stopped: "no time is left" })).toEqual([]);
});
