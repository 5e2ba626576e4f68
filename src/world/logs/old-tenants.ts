/** Streams of two tenants with the same labels that begin and end at the same times, so old that a service may have put them away. */
import type { Window } from "../../blame/asked.ts";
import { isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { Trial } from "../../harness/finding.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { range } from "./asks.ts";
import { type Dataset, storeAt, wholeQuery } from "./datasets.ts";
import { overHours } from "./hour-set.ts";
import type { Tenant, TwoTenants } from "./two-tenants.ts";

const MINUTE = 60_000_000_000n;
/** How long ago the last entry lies. */
const LAST_AGE = 3n * MINUTE;
/** Unequal amounts: what one tenant is shown of the other can be told by number, too. */
const AMOUNTS = { first: 4, second: 6 } as const;

type Owner = Tenant["owner"];

function entriesOf(owner: Owner, now: bigint): { offset: bigint; line: string }[] {
  const last = AMOUNTS[owner] - 1;
  return Array.from({ length: last + 1 }, (_, index) => ({
    offset: index === last ? now - LAST_AGE : BigInt(index) * 7n * MINUTE,
    line: `${owner} old ${index}`,
  }));
}

/** Longer ago than what a service takes to be changing: three entries of the first and five of the second, none near an edge. */
export function longAgo({ anchor }: Dataset): Window {
  return { start: anchor - 10n * MINUTE, end: anchor + 31n * MINUTE };
}

/** Pushed early in a run; null where this target does not take or show entries that are so old, or a push had to be tried again. */
export const oldTenants: Fixture<TwoTenants | null> = fixture("logs", "old streams of two tenants", async (scope) => {
  const placing = await overHours(scope);
  if (placing === null) return null;
  const { tenantId2 } = scope.logsTarget;
  const name = "old-tenants";
  const push = async (owner: Owner): Promise<Tenant> => {
    const override = owner === "second" ? { tenant: tenantId2 } : {};
    const payload = { pushes: [[{ labels: { svc_size: "old", svc_colour: "old" }, entries: entriesOf(owner, placing.span) }]] };
    const dataset = await storeAt(scope, name, payload, placing, override);
    return { owner, override, dataset, word: owner, ownName: "svc_size", ownSize: "old", ownColour: "old" };
  };
  const second = await push("second");
  const first = await push("first");
  const isTaken = [first, second].every(({ dataset }) => dataset.name === name && dataset.pushes.every(isSuccess));
  return isTaken ? { first, second } : null;
});

/**
 * Whether what a tenant is shown begins where its stream does, whoever's entries these are: how old entries may be may differ from tenant
 * to tenant.
 */
export function beginsWithOldest({ dataset, override }: Tenant): (scope: Scope) => Promise<boolean> {
  const { start, end, streams } = dataset;
  return async (scope) => {
    const { answer } = await range({ query: wholeQuery(dataset), start, end, limit: 100, direction: "forward" }, { override })(scope);
    const times = (answer ?? []).flatMap(({ entries }) => entries.map(({ ts }) => ts));
    const first = streams[0]?.entries[0]?.ts;
    return first !== undefined && times.includes(first);
  };
}

/** A trial that blames nobody where what a tenant is shown begins later meanwhile. */
export function whileBothBegin({ first, second }: TwoTenants, trial: Trial): Trial {
  return async (scope) => {
    const finding = await trial(scope);
    if (finding.differences.length === 0) return finding;
    for (const tenant of [first, second])
      if (!(await beginsWithOldest(tenant)(scope)))
        throw new Inconclusive("what this target shows of entries that are hours old changed during the run (see logs-3.states)");
    return finding;
  };
}
