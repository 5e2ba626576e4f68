/** Sections 4 and 5 when much happens at once: pushes side by side, reads while pushes go on, reads that are nearly the same. */
import type { Check } from "../../src/harness/check.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Assertion } from "../../src/harness/scope.ts";
import { bothEnds, endsBesidePushes } from "../../src/world/logs/between-pushes.ts";
import {
  listedAfterPush,
  longAgoDuringPushes,
  overlappingPushes,
  pushedEarly,
  readsDuringPushes,
} from "../../src/world/logs/overlapping.ts";
import { namesListed, valuesListed } from "../../src/world/logs/lists.ts";
import { EVERY, hourOrder, isOrdered } from "../../src/world/logs/hour-order.ts";
import { hourSet, whileKept } from "../../src/world/logs/hour-set.ts";
import { labelled, NAMES } from "../../src/world/logs/labelled.ts";
import { blocks, crowd } from "../../src/world/logs/large-sets.ts";
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
} from "../../src/world/logs/reads-at-once.ts";
import { MANY_LABEL, several } from "../../src/world/logs/sets.ts";
import { tenantsAtOnce } from "../../src/world/logs/tenants-at-once.ts";
import { twoTenants } from "../../src/world/logs/two-tenants.ts";
import { logsCheck } from "./check.ts";
import { isListed, notListed } from "./listed.ts";
import { secondTenant } from "./tenants.ts";

function overlapCheck(slug: string, title: string, clause: ClauseId, assertion: Assertion): Check {
  return logsCheck({
    slug,
    title,
    clauses: [clause],
    profiles: ["release", "nightly"],
    async run(t) {
      await t.verify(assertion);
    },
  });
}

function sideBySide(slug: string, title: string, kind: "one" | "many"): Check {
  return logsCheck({
    slug,
    title,
    clauses: ["logs-4.push"],
    profiles: ["release", "nightly"],
    async run(t) {
      const { seen: assertion } = await t.probe(overlappingPushes(kind));
      if (assertion === null) return t.notRun("the target does not show out-of-order entries; the document does not say whether it must");
      await t.verify(assertion);
    },
  });
}

/** Alone, as nothing else is to keep such reads apart. */
const READS = { slug: "reads-at-once", phase: "alone", profiles: ["release", "nightly"] } as const;

const rangesAtSameTime = logsCheck({
  ...READS,
  title: "concurrent range queries that differ in limit, direction, window or line filters each return their own result",
  clauses: ["logs-4.query_range", "logs-4.3"],
  async run(t) {
    await t.verify(rangesAtOnce(await t.use(several), "several 1"));
    await t.verify(largeAtOnce(await t.use(blocks), 250));
    const hours = await t.use(hourSet);
    // Where limited reads are wrong by themselves these show nothing of others.
    if (hours !== null && isOrdered(await t.use(hourOrder))) await t.verify(whileKept(hours, dividedAtOnce(hours.dataset, EVERY.filters)));
  },
});

const metricsAtSameTime = logsCheck({
  ...READS,
  title: "concurrent metric queries that differ in function, time, range or line filters each return their own result",
  clauses: ["logs-4.query"],
  async run(t) {
    await t.verify(metricsAtOnce(await t.use(several), "several 1"));
    await t.verify(largeMetricsAtOnce(await t.use(blocks)));
    await t.verify(groupsAtOnce(await t.use(crowd), MANY_LABEL));
  },
});

const valuesAtSameTime = logsCheck({
  ...READS,
  title: "concurrent lists of the values of several labels each contain the values of their own label",
  clauses: ["logs-4.label-values"],
  async run(t) {
    const dataset = await t.use(labelled);
    if (!isListed(dataset)) return notListed(t);
    await t.verify(valuesAtOnce(dataset, t.runId));
  },
});

const tenantsAtSameTime = logsCheck({
  ...READS,
  title: "concurrent equal reads of two tenants show each tenant its own data",
  clauses: ["logs-5.2a"],
  unless: secondTenant,
  async run(t) {
    const both = await t.use(twoTenants);
    await t.verify(tenantReadsAtOnce(both));
    const [large] = await t.use(tenantsAtOnce);
    if (large !== undefined) await t.verify(tenantLargeReadsAtOnce(large));
    // Of lists only where what both pushed is surely listed still.
    if (isListed(both.first.dataset) && isListed(both.second.dataset)) await t.verify(tenantListsAtOnce(both));
  },
});

const duringPushes = logsCheck({
  slug: "during-pushes",
  title: "range queries return all older entries while more entries are pushed",
  clauses: ["logs-4.query_range"],
  profiles: ["release", "nightly"],
  async run(t) {
    // Early, so that they are old enough when they are asked for.
    await t.use(pushedEarly);
    await t.use(bothEnds);
    await t.verify(readsDuringPushes("logs-4.query_range"));
  },
});

const longAgo = logsCheck({
  slug: "added-much-later",
  title: "entries that were pushed some minutes ago are read, counted and listed while more entries are pushed to their stream",
  clauses: ["logs-4.query_range", "logs-4.query", "logs-4.labels", "logs-4.label-values"],
  phase: "waiting",
  profiles: ["release", "nightly"],
  async run(t) {
    await t.verify(longAgoDuringPushes);
    const dataset = await t.use(labelled);
    if (!isListed(dataset)) return notListed(t);
    const [name] = NAMES;
    const lists = [namesListed(dataset, [t.runId]), valuesListed(dataset, name)];
    await t.verify(listedAfterPush(dataset, lists));
  },
});

const betweenPushes = logsCheck({
  slug: "between-pushes",
  title:
    "a query with a limit returns the newest entries, or the oldest with direction=forward while entries with timestamps in between are pushed",
  clauses: ["logs-4.1"],
  phase: "waiting",
  profiles: ["release", "nightly"],
  async run(t) {
    await t.verify(endsBesidePushes);
  },
});

export const OVERLAP_CHECKS: readonly Check[] = [
  sideBySide("side-by-side", "each acknowledged entry of concurrent pushes to one stream is returned once", "one"),
  sideBySide("side-by-side-streams", "each acknowledged entry of concurrent pushes to many streams is returned once", "many"),
  duringPushes,
  overlapCheck(
    "during-pushes",
    "metric queries count all older entries while more entries are pushed",
    "logs-4.query",
    readsDuringPushes("logs-4.query"),
  ),
  rangesAtSameTime,
  metricsAtSameTime,
  valuesAtSameTime,
  tenantsAtSameTime,
  longAgo,
  betweenPushes,
];
