/** Pushes a dataset for each of two tenants, for checks that read one tenant or both tenants together. */
import { createHash } from "node:crypto";
import { type Payload, type RelativeStream, evenly } from "../arbitraries/streams.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { LogsOverride } from "../client/logs.ts";
import { fixture, type Scope } from "../harness/scope.ts";
import { mergeStreams } from "../model/logs.ts";
import { type Dataset, refusalFinding, stored, withStreams } from "./datasets.ts";
import { placingFor, reduced, storeAt } from "./dataset-pushes.ts";
import type { Placing, Age } from "./placing.ts";
import { hello } from "./first-push.ts";
import { visible } from "./read-back.ts";
import { wordStreams } from "./shared-datasets.ts";
import { SECOND } from "../model/times.ts";

/** The data of one tenant, the headers for its requests, and the names and values that only this tenant has. */
export interface Tenant {
  /** The word with which all lines of this tenant begin. No line of the other tenant contains it. */
  readonly owner: "first" | "second";
  readonly override: LogsOverride;
  readonly dataset: Dataset;
  /** A label name that no other tenant uses. */
  readonly ownName: string;
  /**
   * Values that only this tenant uses. The last value of one label, in sorted order, is the first tenant's, and of the other the second's.
   */
  readonly ownSize: string;
  readonly ownColour: string;
}

export interface TwoTenants {
  readonly first: Tenant;
  readonly second: Tenant;
}

/** Returns a label name that only this tenant pushes, even if the settings of another run name the tenants in another order. */
function nameOf(tenant: string | null): string {
  return `svc_t${createHash("sha256")
    .update(tenant ?? "")
    .digest("hex")
    .slice(0, 8)}`;
}

/** The tenants have different numbers of entries, so each sum shows whether it includes entries of the other tenant. */
const AMOUNTS = { first: 3, second: 8 } as const;

/** A character that sorts after each other value of this suite, by bytes, by characters and by UTF-16. */
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
      entries: evenly(AMOUNTS[owner], SECOND, SECOND + nanosecond, (index) => `${owner} ${index + 1}`),
    },
    // Both tenants have a stream with these labels. The entries of these two streams differ, because a read of both tenants may merge equal
    // entries.
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
    dataset,
    ownName,
    ownSize: pushed["svc_size"] ?? ownSize,
    ownColour: pushed["svc_colour"] ?? ownColour,
  };
}

/**
 * A dataset of the same name for each tenant, with nearly equal labels and different lines. The second tenant pushes first. If a service
 * treats all requests as requests of a single tenant, its responses are then not right by chance.
 */
export const twoTenants = fixture<TwoTenants>("logs", "a dataset of each of two tenants", async (scope) => {
  // A missing entry shows a defect of tenants only if entries of one tenant can be read at all.
  await visible(scope, stored(await scope.use(hello)));
  // Label endpoints may look back only a few minutes. A service whose clock is behind may refuse such young entries.
  const young = await tenantsOf(scope, "young");
  const taken = [young.first, young.second].every(({ dataset }) => refusalFinding(dataset) === null);
  const { first, second } = taken ? young : await tenantsOf(scope, "settled");
  return { first: { ...first, dataset: stored(first.dataset) }, second: { ...second, dataset: stored(second.dataset) } };
});

async function tenantsOf(scope: Scope, age: Age): Promise<TwoTenants> {
  const { tenantId, tenantId2 } = scope.logsTarget;
  const [first, second] = await underOneName(scope, `tenants-${age}`, age, async (name, placing) => {
    const theirs = await tenant(scope, "second", tenantId2, { tenant: tenantId2 }, name, placing);
    return [await tenant(scope, "first", tenantId, {}, name, placing), theirs];
  });
  return { first, second };
}

/** A dataset that is divided between two tenants, and the part of each tenant. */
export interface Parted {
  readonly whole: Dataset;
  readonly first: Dataset;
  readonly second: Dataset;
}

/** Streams without one label, for both tenants. The streams have many entries, so that some query cases select one entry. */
const WITHOUT_SIZE = ["red", "green", "blue"].map((colour, stream): RelativeStream => ({
  labels: { svc_colour: colour },
  entries: Array.from({ length: 12 }, (_, index) => ({
    offset: BigInt(index) * 13_000_000_000n + BigInt(stream) * 11n + 5n,
    line: `${index % 2 === 0 ? "error" : "STARTED"} without a size ${index}`,
  })),
}));

function partOf({ pushes }: Payload, isSecond: boolean): Payload {
  return { pushes: pushes.map((streams) => streams.filter((_, index) => (index % 3 === 0) === isSecond)) };
}

/** The streams of `words`. The second tenant has every third one, so that no label distinguishes the tenants. */
export const wordsOfBoth = fixture<Parted>("logs", "words that are divided between two tenants", async (scope) => {
  const override = { tenant: scope.logsTarget.tenantId2 };
  const pushed = await underOneName(scope, "words-of-both", "settled", async (name, placing) => {
    // Parts that the target refuses are removed for both tenants first. If the parts were removed later, only the dataset of one tenant
    // might be pushed again under another name.
    const { payload } = await reduced(scope, { pushes: [[...wordStreams(), ...WITHOUT_SIZE]] }, "known");
    const theirs = await storeAt(scope, name, partOf(payload, true), placing, override);
    return [{ dataset: await storeAt(scope, name, partOf(payload, false), placing) }, { dataset: theirs }];
  });
  const [first, second] = [await visible(scope, pushed[0].dataset), await visible(scope, pushed[1].dataset, override)];
  const streams = mergeStreams([...first.streams, ...second.streams]);
  const lastWriteAt = Math.max(first.lastWriteAt, second.lastWriteAt);
  return { first, second, whole: { ...withStreams(first, streams), lastWriteAt } };
});

const MOST_TRIES = 4;

/**
 * Pushes both datasets under one name. A retried push has a new name, but may have stored entries under the old one.
 * Such entries count as entries of the other tenant, so both datasets are pushed again. Throws `Inconclusive` if each round has a retry.
 */
async function underOneName<T extends { readonly dataset: Dataset }>(
  scope: Scope,
  name: string,
  age: Age,
  push: (name: string, placing: Placing) => Promise<readonly [first: T, second: T]>,
): Promise<readonly [first: T, second: T]> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const both = await push(`${name}-${attempt}`, await placingFor(scope, age));
    const [{ dataset: first }, { dataset: second }] = both;
    // If the first round removed a part that the target refuses, the next round removes this part for both tenants from the start.
    const isWhole = first.isReduced !== true || attempt > 0;
    if (first.name === second.name && isWhole) return both;
  }
  throw new Inconclusive(`in each of ${MOST_TRIES} rounds, a push of one of the two tenants was not answered at the first attempt`);
}

/** Returns both tenants, the second tenant first, each with its counterpart. */
export function inBothOrders({ first, second }: TwoTenants): readonly (readonly [mine: Tenant, theirs: Tenant])[] {
  return [
    [second, first],
    [first, second],
  ];
}
