/** A dataset in each of two tenants, for the checks of one tenant and of both tenants together. */
import { createHash } from "node:crypto";
import type { RelativeStream } from "../arbitraries/streams.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { LogsOverride } from "../client/logs.ts";
import { type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { type Dataset, type Placing, placingFor, refusalFinding, storeAt, stored } from "./datasets.ts";
import { hello } from "./first-push.ts";
import type { Age } from "./placing.ts";
import { visible } from "./read-back.ts";

/** What one tenant has pushed, how to ask as it, and what only it has. */
export interface Tenant {
  readonly owner: "first" | "second";
  readonly override: LogsOverride;
  readonly dataset: Dataset;
  /** A word in lines of this tenant and of no other. */
  readonly word: string;
  /** A label name that no other tenant uses. */
  readonly ownName: string;
  /** Values of `svc_size` and of `svc_colour` that no other tenant uses: of one the first tenant's comes last, of the other the second's. */
  readonly ownSize: string;
  readonly ownColour: string;
}

export interface TwoTenants {
  readonly first: Tenant;
  readonly second: Tenant;
}

/** A label name that is only ever pushed to one tenant, whichever place it has in the settings of a run. */
function nameOf(tenant: string | null): string {
  return `svc_t${createHash("sha256")
    .update(tenant ?? "")
    .digest("hex")
    .slice(0, 8)}`;
}

/** Unequal amounts, so that what one tenant is told of the other shows in every sum. */
const AMOUNTS = { first: 3, second: 8 } as const;

/** Comes after every other value that this suite pushes, in order of bytes, of characters and of UTF-16. */
const AFTER_ALL = "\u{1f9f5}";

function ownValues(owner: Tenant["owner"], runId: string): Pick<Tenant, "ownSize" | "ownColour"> {
  const value = `${owner}-${runId}`;
  return owner === "first" ? { ownSize: `${AFTER_ALL}${value}`, ownColour: value } : { ownSize: value, ownColour: `${AFTER_ALL}${value}` };
}

function streamsOf(owner: Tenant["owner"], runId: string, ownName: string): RelativeStream[] {
  const nanosecond = owner === "second" ? 1n : 0n;
  const { ownSize, ownColour } = ownValues(owner, runId);
  return [
    {
      labels: { svc_size: ownSize, svc_colour: ownColour, [ownName]: "yes" },
      entries: Array.from({ length: AMOUNTS[owner] }, (_, index) => ({
        offset: BigInt(index + 1) * 1_000_000_000n + nanosecond,
        line: `${owner} ${index + 1}`,
      })),
    },
    // Both tenants have a stream with these labels; their entries differ, since equal ones may collapse where both are read.
    { labels: { svc_size: `shared-${runId}` }, entries: [{ offset: 15_000_000_000n + nanosecond, line: `${owner} shared` }] },
  ];
}

async function tenant(
  scope: Scope,
  owner: Tenant["owner"],
  id: string | null,
  override: LogsOverride,
  name: string,
  placing: Placing,
): Promise<Tenant> {
  const ownName = nameOf(id);
  const { runId } = scope.run;
  const dataset = await storeAt(scope, name, { pushes: [streamsOf(owner, runId, ownName)] }, placing, override);
  const pushed = dataset.streams.find(({ labels }) => Object.hasOwn(labels, ownName))?.labels ?? {};
  const { ownSize, ownColour } = ownValues(owner, runId);
  return {
    owner,
    override,
    word: owner,
    dataset,
    ownName,
    ownSize: pushed["svc_size"] ?? ownSize,
    ownColour: pushed["svc_colour"] ?? ownColour,
  };
}

/**
 * One set under one name in each of two tenants: same labels but for a value, other lines, and not equally many. The second is pushed
 * first: a service that takes the first tenant it meets for all must not be right by chance.
 */
export const twoTenants: Fixture<TwoTenants> = fixture("logs", "a set in each of two tenants", async (scope) => {
  // What a tenant does not see of its own is a matter of tenants only where pushes are kept and read at all.
  await visible(scope, stored(await scope.use(hello)));
  // Label endpoints may look back a few minutes only; a service whose clock is behind may refuse what is so young.
  const young = await oneName(scope, "young");
  const taken = [young.first, young.second].every(({ dataset }) => refusalFinding(dataset) === null);
  const { first, second } = taken ? young : await oneName(scope, "settled");
  return { first: { ...first, dataset: stored(first.dataset) }, second: { ...second, dataset: stored(second.dataset) } };
});

const MOST_TRIES = 4;

/**
 * Both sets under one name. A push that had to be tried again took another one, and what its first try may have left under the old
 * name would be taken for the other tenant's.
 */
async function oneName(scope: Scope, age: Age): Promise<TwoTenants> {
  const { tenantId, tenantId2 } = scope.logsTarget;
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const placing = await placingFor(scope, age);
    const name = `tenants-${age}-${attempt}`;
    const second = await tenant(scope, "second", tenantId2, { tenant: tenantId2 }, name, placing);
    const first = await tenant(scope, "first", tenantId, {}, name, placing);
    // Where the first try had to leave something out, the next one leaves it out from the beginning.
    const isWhole = first.dataset.isReduced !== true || attempt > 0;
    if (first.dataset.name === second.dataset.name && first.dataset.pushes.length === 1 && isWhole) return { first, second };
  }
  throw new Inconclusive(`in each of ${MOST_TRIES} rounds, a push of one of the two tenants was not answered at the first attempt`);
}
