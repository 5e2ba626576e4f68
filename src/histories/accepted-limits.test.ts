import { expect, test } from "vitest";
import { divided } from "./accepted-limits.ts";

test("limits of several types are divided by type, and limits of one type in halves", () => {
  expect(divided(["ingestion_rate", "accept_ha_samples", "ha_max_clusters", "max_query_length"])).toEqual([
    ["ingestion_rate", "ha_max_clusters"],
    ["accept_ha_samples"],
    ["max_query_length"],
  ]);
  expect(divided(["ingestion_rate", "ha_max_clusters", "cardinality_limit"])).toEqual([
    ["ingestion_rate", "ha_max_clusters"],
    ["cardinality_limit"],
  ]);
});
