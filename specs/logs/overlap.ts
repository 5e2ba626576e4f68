/** Sections 4 and 5 with concurrent requests: concurrent pushes, reads during pushes, and concurrent reads that are nearly equal. */
import type { Check } from "../../src/harness/check.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { TablePart } from "../../src/harness/context.ts";
import { bothEnds, endsBesidePushes, overlappingPushes, readsDuringPushes } from "../../src/scenarios/concurrent-pushes.ts";
import { hourBoundaryData, whileKept } from "../../src/datasets/hour-boundary-data.ts";
import { labelled } from "../../src/datasets/small-datasets.ts";
import { blocks, crowd } from "../../src/datasets/large-datasets.ts";
import {
  dividedAtOnce,
  groupsAtOnce,
  largeAtOnce,
  largeMetricsAtOnce,
  metricsAtOnce,
  rangesAtOnce,
  tenantLargeReadsAtOnce,
  tenantListsAtOnce,
  tenantReadsAtOnce,
  valuesAtOnce,
} from "../../src/scenarios/concurrent-reads.ts";
import { MANY_LABEL, several } from "../../src/datasets/shared-datasets.ts";
import { tenantsAtOnce } from "../../src/scenarios/concurrent-tenants.ts";
import { twoTenants } from "../../src/datasets/two-tenants.ts";
import { isListed, largerCheck, notListed } from "./check.ts";
import { secondTenant } from "./tenants.ts";
import { EVERY, hourOrder, isOrdered } from "../../src/queries/paging.ts";

const sideBySide = largerCheck({
  slug: "side-by-side",
  title: "after concurrent pushes to one stream or to many streams, each acknowledged entry is returned exactly once",
  clauses: ["logs-4.push"],
  async run(t) {
    const parts = (["one", "many"] as const).map((kind): TablePart => async () => {
      const { seen: assertion } = await t.probe(overlappingPushes(kind));
      if (assertion === null)
        return t.notRun("the target does not show out-of-order entries; the document does not say whether a service must show them");
      return [assertion];
    });
    await t.verifyParts("logs-4.push", parts);
  },
});

/** These checks run alone. Requests of other checks could delay some of the reads, so that they would not be concurrent. */
const READS = { slug: "reads-at-once", phase: "alone" } as const;

const readsAtSameTime = largerCheck({
  ...READS,
  title: "if concurrent queries or requests for label lists differ in one parameter, each request gets its own result",
  clauses: ["logs-4.query_range", "logs-4.3", "logs-4.query", "logs-4.label-values"],
  async run(t) {
    // If single limited reads across full hours are wrong, they prove nothing about concurrent reads. So they are not sent.
    const hours: TablePart = async () => {
      const set = await t.use(hourBoundaryData);
      return set !== null && isOrdered(await t.use(hourOrder)) ? [whileKept(set, dividedAtOnce(set.dataset, EVERY.filters))] : [];
    };
    const values: TablePart = async () => {
      const dataset = await t.use(labelled);
      return isListed(dataset) ? [valuesAtOnce(dataset, t.runId)] : notListed(t);
    };
    for (const [clause, part] of [
      ["logs-4.query_range", async () => [rangesAtOnce(await t.use(several), "several 1")]],
      ["logs-4.query_range", async () => [largeAtOnce(await t.use(blocks), 250)]],
      ["logs-4.query_range", hours],
      ["logs-4.query", async () => [metricsAtOnce(await t.use(several), "several 1")]],
      ["logs-4.query", async () => [largeMetricsAtOnce(await t.use(blocks))]],
      ["logs-4.query", async () => [groupsAtOnce(await t.use(crowd), MANY_LABEL)]],
      ["logs-4.label-values", values],
    ] as const satisfies readonly (readonly [ClauseId, TablePart])[])
      await t.verifyParts(clause, [part]);
  },
});

const tenantsAtSameTime = largerCheck({
  ...READS,
  title: "if two tenants send equal reads concurrently, each tenant gets only its own data",
  clauses: ["logs-5.2a"],
  unless: secondTenant,
  async run(t) {
    const both = await t.use(twoTenants);
    await t.verify(tenantReadsAtOnce(both));
    const [large] = await t.use(tenantsAtOnce);
    if (large !== undefined) await t.verify(tenantLargeReadsAtOnce(large));
    // Lists are judged only if the datasets of both tenants are so young that lists must have them.
    if (isListed(both.first.dataset) && isListed(both.second.dataset)) await t.verify(tenantListsAtOnce(both));
  },
});

const duringPushes = largerCheck({
  slug: "during-pushes",
  title: "while more entries are pushed, range queries and metric queries still return and count all older entries",
  clauses: ["logs-4.query_range", "logs-4.query"],
  async run(t) {
    // This stream is pushed early, so that it is old enough when a later check reads it.
    await t.use(bothEnds);
    for (const clause of ["logs-4.query_range", "logs-4.query"] as const)
      await t.verifyParts(clause, [async () => [readsDuringPushes(clause)]]);
  },
});

const betweenPushes = largerCheck({
  slug: "between-pushes",
  title:
    "a query with a limit returns the newest (direction=forward: the oldest) entries, even while entries with timestamps in between are pushed",
  clauses: ["logs-4.1"],
  phase: "waiting",
  run: async (t) => t.verify(endsBesidePushes),
});

export const OVERLAP_CHECKS: readonly Check[] = [sideBySide, duringPushes, readsAtSameTime, tenantsAtSameTime, betweenPushes];
