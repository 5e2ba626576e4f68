/** Streams of two tenants with the same labels that begin and end at the same times, so old that a service may have put them away. */
import { isSuccess } from "../../client/exchange.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { nowOf, storeAt } from "./datasets.ts";
import { hourSet } from "./hour-set.ts";
import { HOUR } from "./placing.ts";
import type { Tenant, TwoTenants } from "./two-tenants.ts";

const MINUTE = 60_000_000_000n;
/** Where the first entry lies, and full hours that a target must show for that. */
const AGE = 3n * HOUR - 9n * MINUTE;
const HOURS = 4;
/** From the first to the last entry it is more than two hours, after which a service may put away all of a stream. */
const LAST = 125n * MINUTE;
/** Unequal amounts: what one tenant is shown of the other can be told by number, too. */
const AMOUNTS = { first: 4, second: 6 } as const;

type Owner = Tenant["owner"];

function entriesOf(owner: Owner): { offset: bigint; line: string }[] {
  const last = AMOUNTS[owner] - 1;
  return Array.from({ length: last + 1 }, (_, index) => ({
    offset: index === last ? LAST : BigInt(index) * 7n * MINUTE,
    line: `${owner} old ${index}`,
  }));
}

/** Pushed early in a run; null where this target does not take or show entries that are so old, or a push had to be tried again. */
export const oldTenants: Fixture<TwoTenants | null> = fixture("logs", "old streams of two tenants", async (scope) => {
  const hours = (await scope.use(hourSet))?.hours ?? 0;
  if (hours < HOURS) return null;
  const { tenantId2 } = scope.logsTarget;
  const place = { anchor: (await nowOf(scope)) - AGE, span: LAST + MINUTE };
  const name = "old-tenants";
  const push = async (owner: Owner): Promise<Tenant> => {
    const override = owner === "second" ? { tenant: tenantId2 } : {};
    const payload = { pushes: [[{ labels: { svc_size: "old" }, entries: entriesOf(owner) }]] };
    const dataset = await storeAt(scope, name, payload, place, override);
    return { owner, override, dataset, word: owner, ownName: "svc_size", ownSize: "old" };
  };
  const second = await push("second");
  const first = await push("first");
  const isTaken = [first, second].every(({ dataset }) => dataset.name === name && dataset.pushes.every(isSuccess));
  return isTaken ? { first, second } : null;
});
