import { expect, test } from "vitest";
import type { LimitName, Limits } from "../contract/limits.ts";
import { brokenRows, diagnosed, keptNames, type Operation, type Outcome } from "./limit-outcomes.ts";

const isTelling = (level: string): boolean => level === "ordinary";

/** Returns an outcome in which the limits `lost` do not have the values that were sent. */
function outcome(operation: Operation, sent: Limits, lost: readonly LimitName[], level = "ordinary"): Outcome {
  return {
    operation,
    sent,
    open: new Set(),
    levels: new Map((Object.keys(sent) as LimitName[]).map((name) => [name, level])),
    differences: lost.map((name) => ({
      clause: `admin-2.limit.${name}`,
      path: `limits.${name} (in a later read)`,
      expected: "the value that was sent",
      actual: "another value",
      kind: "value",
    })),
    isReadable: true,
    exchanges: [],
    attempts: [],
  };
}

const rowsIn = (...outcomes: Outcome[]): string[] => [...brokenRows(outcomes, isTelling)];
const clausesOf = (one: Outcome, ...outcomes: Outcome[]): string[] =>
  diagnosed(one, outcomes, brokenRows(outcomes, isTelling)).map(({ clause }) => clause);

test("a limit that every operation loses violates its row", () => {
  const both = [
    outcome("add", { cardinality_limit: 7 }, ["cardinality_limit"]),
    outcome("overwrite", { cardinality_limit: 9 }, ["cardinality_limit"]),
  ];
  expect(rowsIn(...both)).toEqual(["cardinality_limit"]);
  expect(clausesOf(both[0] as Outcome, ...both)).toEqual(["admin-2.limit.cardinality_limit"]);
});

test("a limit that one operation loses and another keeps violates the rule of the operation", () => {
  const kept = outcome("add", { cardinality_limit: 7 }, []);
  const lost = outcome("overwrite", { cardinality_limit: 9, max_series_per_user: 3 }, ["cardinality_limit"]);
  expect(rowsIn(kept, lost)).toEqual([]);
  expect(clausesOf(lost, kept, lost)).toEqual(["admin-4.PUT-over-limits"]);
  const created = outcome("create", { cardinality_limit: 7 }, []);
  const added = outcome("add", { cardinality_limit: 9, max_series_per_user: 3 }, ["cardinality_limit"]);
  expect(clausesOf(added, created, added)).toEqual(["admin-4.3"]);
});

test("three lost limits violate the rule, and adding them is nearer to the cause than writing them over others", () => {
  const sent = { cardinality_limit: 7, max_series_per_user: 8, max_series_per_query: 9 };
  const names = Object.keys(sent) as LimitName[];
  const [added, written] = [outcome("add", sent, names), outcome("overwrite", sent, names)];
  expect(rowsIn(added, written)).toEqual([]);
  expect(new Set([...clausesOf(added, added, written), ...clausesOf(written, added, written)])).toEqual(new Set(["admin-4.3"]));
});

test("all booleans that are lost at the same value violate the rule, although they are only two", () => {
  const sent = { enforce_metric_name: false, enforce_metadata_metric_name: false, accept_ha_samples: true };
  const lost = outcome("add", sent, ["enforce_metric_name", "enforce_metadata_metric_name"]);
  expect(clausesOf(lost, lost)).toEqual(["admin-4.3", "admin-4.3"]);
});

test("a limit that is lost only when it is sent alone violates its row, and a value that a server may refuse does not", () => {
  const alone = outcome("add", { ruler_tenant_shard_size: 4 }, ["ruler_tenant_shard_size"]);
  const together = outcome("add", { ruler_tenant_shard_size: 4, cardinality_limit: 1 }, []);
  expect(rowsIn(alone, together)).toEqual(["ruler_tenant_shard_size"]);
  const unusual = outcome("add", { ruler_tenant_shard_size: 2 ** 53 - 1 }, ["ruler_tenant_shard_size"], "unusual");
  expect(rowsIn(unusual, together)).toEqual([]);
});

test("a limit that alone loses a value that a server may refuse violates its row", () => {
  const most = 2 ** 53 - 1;
  const sent = { ingestion_rate: most, cardinality_limit: most, max_series_per_user: most, max_series_per_query: most };
  expect(rowsIn(outcome("add", sent, ["ingestion_rate"], "unusual"))).toEqual(["ingestion_rate"]);
});

test("a limit of which one text is always lost, and another always kept, violates its row", () => {
  const sent = (text: string, lost: readonly LimitName[]): Outcome =>
    outcome("overwrite", { ha_cluster_label: text, cardinality_limit: 7 }, lost);
  const of = (text: string, lost: boolean): Outcome[] => [1, 2, 3].map(() => sent(text, lost ? ["ha_cluster_label"] : []));
  const added = outcome("add", { ha_cluster_label: "plain", cardinality_limit: 7 }, []);
  expect(rowsIn(added, ...of("a/b", true), ...of("plain", false))).toEqual(["ha_cluster_label"]);
  expect(rowsIn(added, ...of("a/b", true), ...of("plain", true))).toEqual([]);
});

test("a limit is kept if one response showed it as it was sent", () => {
  const some = outcome("add", { cardinality_limit: 7, max_series_per_user: 8 }, ["cardinality_limit"]);
  expect([...keptNames([some])]).toEqual(["max_series_per_user"]);
});

test("an old retention period violates the clause of the operation if the operation loses other limits too", () => {
  const name = "compactor_blocks_retention_period";
  const [difference] = outcome("overwrite", { [name]: "2y" }, [name]).differences;
  const period = (actual: string): Outcome => ({
    ...outcome("overwrite", { [name]: "2y" }, []),
    differences: difference === undefined ? [] : [{ ...difference, clause: "admin-2.retention-format", actual }],
  });
  const [kept, lost] = [[], ["cardinality_limit"] as const].map((names) =>
    outcome("overwrite", { cardinality_limit: 9, [name]: "250d" }, names),
  );
  expect(clausesOf(period('"250d"'), kept as Outcome)).toEqual(["admin-2.retention-format"]);
  expect(clausesOf(period('"250d"'), lost as Outcome)).toEqual(["admin-4.PUT-over-limits"]);
  expect(clausesOf(period('"1y"'), lost as Outcome)).toEqual(["admin-2.retention-format"]);
});
