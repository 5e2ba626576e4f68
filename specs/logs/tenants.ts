/** Section 5 rule 2: each tenant reads its own data, and a request whose header has several ids reads the data of several tenants. */
import { HIGHEST_LIMIT } from "../../src/datasets/requests.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext, TablePart } from "../../src/harness/context.ts";
import type { Assertion } from "../../src/harness/scope.ts";
import {
  besideNobody,
  dividedWords,
  listsTenants,
  entriesRead,
  isolated,
  listRead,
  metricRead,
  seenByNobody,
  type TenantRead,
  union,
  unlessIn,
} from "../../src/queries/tenancy.ts";
import { type Matcher, containing } from "../../src/model/logs.ts";
import { type Dataset, stored } from "../../src/datasets/datasets.ts";
import { hello } from "../../src/datasets/first-push.ts";
import { readBack } from "../../src/datasets/read-back.ts";
import { selection } from "../../src/queries/range-query.ts";
import { words } from "../../src/datasets/shared-datasets.ts";
import { type Invalid, refused, taken } from "../../src/queries/refusals.ts";
import {
  afterPushOfOne,
  equalInBoth,
  equalOfBoth,
  equalSets,
  tenantsAtOnce,
  distinguished,
} from "../../src/scenarios/concurrent-tenants.ts";
import { takesLongRanges } from "../../src/queries/metrics.ts";
import { hourOrder, isOrdered } from "../../src/queries/paging.ts";
import { hourBoundaryData, whileKept } from "../../src/datasets/hour-boundary-data.ts";
import {
  beginsWithOldest,
  clockHours,
  hourlyTenants,
  hourOfBoth,
  inParts,
  isShownToBoth,
  longAgo,
  nearestOfBoth,
  flushedTenants,
  halfAnHourLater,
  shownAlone,
  whileBothBegin,
} from "../../src/datasets/flushed-tenants.ts";
import { type Tenant, twoTenants, inBothOrders, type TwoTenants } from "../../src/datasets/two-tenants.ts";
import type { Settings } from "../../src/settings/types.ts";
import { largerCheck, logsCheck, observed, probed, tenantIds } from "./check.ts";
import { leftToAnother, refusedOfBoth } from "../../src/scenarios/pushes.ts";

/** Returns the reason why a check of two tenants does not run, or null if a second tenant is configured. */
export const secondTenant = ({ logs }: Settings): string | null =>
  logs === null || logs.tenantId2 === null ? "LOGS_TENANT_ID_2 is not set" : null;

export const notSeveral = ({ logs }: Settings): string | null =>
  logs?.multiTenantQueries === true ? null : "LOGS_MULTI_TENANT_QUERIES is not set";

/** Returns a query with another matcher. The matcher selects all streams of the tenant. */
function selecting({ dataset }: Tenant, operator: Matcher["operator"], value: string): Dataset {
  return { ...dataset, matchers: [...dataset.matchers, { name: "svc_size", operator, value }] };
}

/** Reads of a tenant's data. A service may use different code for each of them. */
const FURTHER_READS: readonly ((tenant: Tenant) => TenantRead)[] = [
  (tenant) => entriesRead(selecting(tenant, "=~", ".+")),
  (tenant) => entriesRead(selecting(tenant, "!=", "nothing")),
  (tenant) => entriesRead(selecting(tenant, "!~", "nothing|none")),
  ({ dataset, owner }) => entriesRead(dataset, null, [containing(owner)]),
  ({ dataset, owner }) => metricRead(dataset, "count_over_time", { filters: [containing(owner)] }),
  ({ dataset }) => entriesRead(dataset, { limit: 1, direction: "forward" }),
  ({ dataset }) => entriesRead(dataset, { limit: 2, direction: "backward" }),
];

const isolatedReads = logsCheck({
  slug: "isolated-queries",
  title: "range queries, metric queries and label lists of one tenant show all data of this tenant and no data of another tenant",
  clauses: ["logs-5.2a"],
  unless: secondTenant,
  async run(t) {
    const isSmoke = t.profile === "smoke";
    const both = inBothOrders(await t.use(twoTenants)).map(([mine, theirs]): TablePart => async () => {
      // The tenants may use different dataset names. So each tenant queries its own dataset and the dataset of the other tenant.
      const plain = (isSmoke ? [theirs] : [mine, theirs]).map(({ dataset }) => entriesRead(dataset));
      const others = isSmoke
        ? [entriesRead(selecting({ ...theirs, dataset: selecting(theirs, "!=", "nothing") }, "=~", ".+"), null, [containing(theirs.owner)])]
        : [
            ...FURTHER_READS.map((read) => read(theirs)),
            ...[true, false].map((aggregated) => metricRead(theirs.dataset, "count_over_time", { aggregated })),
            ...(["sizes", "names"] as const).map((which) => listRead(which)),
          ];
      return [...plain, ...others].map((read) => isolated(read, mine, theirs));
    });
    await t.verifyParts("logs-5.2a", both);
  },
});

const isolatedAtOnce = largerCheck({
  slug: "isolated-at-once",
  title: "concurrent pushes of two tenants stay separate, even after pushes of both tenants were partly refused",
  clauses: ["logs-5.2a"],
  unless: secondTenant,
  async run(t) {
    const all = { limit: HIGHEST_LIMIT, direction: "forward" } as const;
    // The streams are pushed early, so that a service may have flushed them when they are read.
    await t.use(flushedTenants);
    if (notSeveral(t.settings) === null) await t.use(hourlyTenants);
    for (const { first, second } of await t.use(tenantsAtOnce)) {
      await t.verify(isolated(entriesRead(first.dataset, all), first, second));
      await t.verify(isolated(entriesRead(second.dataset, all), second, first));
    }
    // Entries that were pushed after the refused pushes can be read now. Parts of the refused pushes must not be among them.
    const refusedInPart = await t.use(refusedOfBoth);
    if (refusedInPart !== null) await t.verify(leftToAnother(refusedInPart));
  },
});

const NOT_TAKEN =
  "the target does not show entries of the last hours for one of the two tenants, or a push had to be repeated; the document does not say how old an entry may be";

/** Resolves to the flushed tenants, and a wrapper. If their entries disappear during the run, the wrapper reports no violation. */
async function oldOfBoth(t: CheckContext): Promise<{ readonly old: TwoTenants; readonly held: (assertion: Assertion) => Assertion }> {
  const hours = await t.use(hourBoundaryData);
  const old = await t.use(flushedTenants);
  if (hours === null || old === null) return t.notRun(NOT_TAKEN);
  return { old, held: (assertion) => whileKept(hours, whileBothBegin(old, assertion)) };
}

/** Ends the check as not run if the target no longer shows the oldest entry of a tenant. */
async function requireOldest(t: CheckContext, old: TwoTenants): Promise<void> {
  for (const [tenant] of inBothOrders(old)) if (!(await t.probe(beginsWithOldest(tenant))).seen) t.notRun(NOT_TAKEN);
}

const isolatedOld = largerCheck({
  slug: "isolated-old",
  title: "streams of two tenants with equal labels and timestamps stay separate, even after a flush",
  clauses: ["logs-5.2a"],
  phase: "closing",
  unless: secondTenant,
  async run(t) {
    const { old, held } = await oldOfBoth(t);
    await requireOldest(t, old);
    const all = { limit: HIGHEST_LIMIT, direction: "forward" } as const;
    const isLongTaken = await t.use(takesLongRanges);
    const verify = async (read: TenantRead, mine: Tenant, theirs: Tenant): Promise<void> => {
      await t.verify(held(isolated(read, mine, theirs)));
    };
    for (const [mine, theirs] of inBothOrders(old)) {
      await verify(entriesRead(mine.dataset, all), mine, theirs);
      // The first tenant must find nothing. Directly afterwards, the second tenant must find all.
      const filters = [containing(theirs.owner)] as const;
      const window = isLongTaken ? inParts(theirs.dataset) : longAgo(theirs.dataset);
      const settled = { ...theirs.dataset, ...window };
      await verify(entriesRead(settled, null, filters), mine, theirs);
      await verify(entriesRead(settled, null, filters), theirs, mine);
      await verify(metricRead(theirs.dataset, "count_over_time", { window }), mine, theirs);
      await verify(metricRead(theirs.dataset, "bytes_over_time", { window }), theirs, mine);
    }
  },
});

const oldUnion = largerCheck({
  slug: "old-union",
  title:
    "a query that lists two tenants returns the entries of both, even after a flush, and even after one of the tenants has pushed again",
  clauses: ["logs-5.2b"],
  phase: "closing",
  unless: notSeveral,
  async run(t) {
    const [first, second] = tenantIds(t);
    const parts = await dividedWords(t);
    if (parts !== null) await t.verify(afterPushOfOne(parts, [first, second]));
    const { old, held } = await oldOfBoth(t);
    const filtered = selection(await t.use(words), { filters: [containing("error")] });
    const ids = { first, second };
    await requireOldest(t, old);
    for (const [mine, theirs] of inBothOrders(old).toReversed()) {
      const settled = { ...theirs.dataset, ...longAgo(theirs.dataset) };
      const read = entriesRead(settled, null, [containing(`${theirs.owner} old`)]);
      await t.verify(held(isolated(read, mine, theirs)));
      await t.verify(held(unlessIn([filtered], union(read, old, `${ids[mine.owner]}|${ids[theirs.owner]}`))));
    }
    const hourly = await t.use(hourlyTenants);
    const shown = hourly === null ? [] : (await t.probe(shownAlone(hourly))).seen;
    const seen = hourly === null ? [] : clockHours(hourly).filter((hour) => isShownToBoth(hour, shown));
    // The last two hours are also read together. A service may read older hours from another store. Queries of several tenants to that
    // store are not judged.
    const [before, last] = seen.slice(-2);
    const together = before === undefined || last === undefined ? [] : [{ start: before.start, end: last.end }];
    if (hourly !== null)
      for (const hour of [...seen, ...seen.slice(0, -1).map(halfAnHourLater), ...together])
        for (const assertion of hourOfBoth(hourly, hour, `${first}|${second}`, shown)) await t.verify(assertion);
    // If limited reads of one tenant across full hours are wrong, limited reads of several tenants show only the same defect again.
    if (hourly !== null && isOrdered(await t.use(hourOrder)))
      for (const hours of together)
        for (const assertion of nearestOfBoth(hourly, hours, `${first}|${second}`, shown)) await t.verify(assertion);
    const isEachShown = hourly !== null && seen.length === clockHours(hourly).length;
    const what = "whether reads of each tenant alone show entries of each of the last four hours";
    t.observe("logs-5.2b", "hours-shown", what, observed(isEachShown));
  },
});

/** Ids that are similar to the id of a tenant. They may be ids of real tenants, so the check requests only the data of this run. */
function nearIds(id: string): readonly string[] {
  const inOtherCase = id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
  const joinedOtherwise = id.replaceAll(/[-_.]/g, (sign) => (sign === "_" ? "-" : "_"));
  const sameNumber = /^\d+$/.test(id) ? `00${id}` : id;
  return [...new Set([id.replaceAll(/[^A-Za-z0-9]/g, ""), joinedOtherwise, `${id}x`, id.slice(0, -1), inOtherCase, sameNumber])];
}

const UNKNOWN_REFUSED = "the target refuses unknown tenants; the document does not say whether a service may refuse them";

const ofNobody: TablePart = async (t) => {
  const tenants = await t.use(twoTenants);
  const [first, second] = tenantIds(t);
  const near = nearIds(second).filter((id) => id !== "" && ![first, second].includes(id));
  // The run id is not the id of any other tenant.
  const probes = [seenByNobody(tenants, `plb-${t.runId}`), ...near.map((id) => seenByNobody(tenants, id, second))];
  const assertions = (await probed(t, probes)).filter((assertion) => assertion !== null);
  return assertions.length === 0 ? t.notRun(UNKNOWN_REFUSED) : assertions;
};

const invalidOfNobody: TablePart = async (t) => {
  const dataset = stored(await t.use(hello));
  const invalid: Invalid = {
    clause: "logs-7.400",
    endpoint: "query_range",
    valid: (selector) => `${selector} |= "hello"`,
    invalid: (selector) => `${selector} |=`,
    override: { tenant: `plb-${t.runId}` },
  };
  return (await t.probe(taken(dataset, invalid))).seen ? [refused(dataset, invalid)] : t.notRun(UNKNOWN_REFUSED);
};

const nobody = largerCheck({
  slug: "unseen-by-nobody",
  title: "a tenant that never pushed gets no data of other tenants, even if their ids are similar, and its invalid query is refused",
  clauses: ["logs-5.2a", "logs-7.400"],
  unless: secondTenant,
  async run(t) {
    await t.verifyParts("logs-5.2a", [ofNobody]);
    await t.verifyParts("logs-7.400", [invalidOfNobody]);
  },
});

const equals = logsCheck({
  slug: "equal-in-both",
  title: "equal entries of two tenants are stored for both tenants",
  clauses: ["logs-5.2a"],
  unless: secondTenant,
  async run(t) {
    // If the service also loses entries of a single tenant, the clause about tenants is not violated.
    await t.verify(unlessIn([readBack(await t.use(hello))], equalInBoth(await t.use(equalSets))));
  },
});

const equalTogether = largerCheck({
  slug: "equal-in-union",
  title: "if responses show the tenant of each stream, a query of two tenants returns equal entries of both tenants separately",
  clauses: ["logs-5.2b"],
  unless: notSeveral,
  async run(t) {
    const sets = await t.use(equalSets);
    const tenant = tenantIds(t).join("|");
    if (!(await t.probe(distinguished(sets, tenant))).seen)
      t.notRun(
        "the target does not distinguish the streams of several tenants in one response; the document does not say whether a service must distinguish them",
      );
    await t.verify(equalOfBoth(sets, tenant));
  },
});

const both = logsCheck({
  slug: "union",
  title: "a query that lists two tenants returns the entries of both, in either order of the ids",
  clauses: ["logs-5.2b"],
  unless: notSeveral,
  async run(t) {
    const { first, second } = await t.use(twoTenants);
    const ids = tenantIds(t);
    const ranges = [first, second].map(({ dataset }) => entriesRead(dataset));
    const more = [
      ...[first, second].map(({ dataset, owner }) => entriesRead(dataset, null, [containing(owner)])),
      entriesRead(first.dataset, { limit: 5, direction: "forward" }),
      entriesRead(first.dataset, { limit: 5, direction: "backward" }),
      ...[first, second].map(({ dataset }) => metricRead(dataset, "count_over_time")),
      metricRead(first.dataset, "bytes_over_time"),
    ];
    // In one of these lists, the value of the second tenant sorts last. In the other list, the value of the first tenant sorts last. So a
    // service that reads only one tenant is noticed.
    for (const [tenant, which] of [
      [ids.join("|"), "colours"],
      [ids.toReversed().join("|"), "sizes"],
    ] as const) {
      for (const read of t.profile === "smoke" ? ranges : [...ranges, ...more]) await t.verify(union(read, { first, second }, tenant));
      // The document speaks of queries of several tenants. So a service may refuse lists of several tenants.
      if (t.profile === "smoke" || !(await t.probe(listsTenants("labels", tenant))).seen) continue;
      for (const list of ["names", which] as const) await t.verify(union(listRead(list), { first, second }, tenant));
    }
  },
});

const NOBODY_LISTED =
  "the target returns nothing to a query that lists a tenant without data; the document does not say whether such a tenant may be listed";

const nobodyToo = largerCheck({
  slug: "beside-nobody",
  title: "a query that lists two tenants with data and a third tenant without data returns all entries of the first two tenants",
  clauses: ["logs-5.2b"],
  unless: notSeveral,
  async run(t) {
    const both = await t.use(twoTenants);
    const [first, second] = tenantIds(t);
    // This tenant has no data, because its id contains the run id. A service may sort the ids. This id begins with 0, so it usually remains
    // first.
    const nobody = `0-${t.runId}`;
    for (const [listed, list, path] of [
      [[nobody, first, second], "names", "labels"],
      [[first, nobody, second], "sizes", "label/svc_size/values"],
    ] as const) {
      const tenant = listed.join("|");
      const looked = await t.probe(besideNobody(both, tenant));
      // A service that returns entries of at least one tenant of the list can read the list.
      if (looked.seen === "refused" || looked.seen === "nothing") {
        if (listed[0] === nobody) t.notRun(NOBODY_LISTED);
        return;
      }
      t.observe("logs-5.2b", "beside-nobody", "the response to a query that lists two tenants and one without data", looked);
      for (const read of [entriesRead(both.first.dataset), metricRead(both.first.dataset, "count_over_time")])
        await t.verify(union(read, both, tenant));
      if ((await t.probe(listsTenants(path, tenant))).seen) await t.verify(union(listRead(list), both, tenant));
    }
  },
});

export const TENANT_CHECKS: readonly Check[] = [
  isolatedReads,
  isolatedAtOnce,
  isolatedOld,
  oldUnion,
  equals,
  equalTogether,
  nobody,
  both,
  nobodyToo,
];
