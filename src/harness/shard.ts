/** Divides checks between machines, so that all send about the same number of requests. Divides the budgets by the work. */
import { grouped } from "../model/grouped.ts";
import type { Budgets, Shard } from "../settings/types.ts";
import { type Check, LOOKING_BACK } from "./check.ts";
import { COSTS, INSTANCES_NEEDED, ONE_INSTANCE, OTHER_BYTES, SHARED_SETS } from "./costs.ts";

/** The mean cost of the checks that are not in the table COSTS, in requests. */
const USUAL = 8;

/** The number of requests with which each shard builds its own copy of the shared fixtures, in addition to the requests of its checks. */
const SHARED = 120;

/** The number of shards for each shard with checks of the admin API. There are few such shards: each must create its own instances. */
const SHARDS_PER_ADMIN_SHARD = 5;

type Costed = Pick<Check, "id" | "phase" | "service">;

interface Load<C> {
  cost: number;
  readonly checks: Set<C>;
}

export type CostOf<C> = (check: C) => number;

/** Returns the number of requests that a check costs if it runs. */
export function costOf({ id }: Pick<Check, "id">): number {
  return COSTS[id] ?? USUAL;
}

/** Compares units for the order of assignment: the admin API first, then the most expensive. The order is the same on all machines. */
function inOrder({ first: one, cost }: Unit<Costed>, { first: other, cost: otherCost }: Unit<Costed>): number {
  if (one.service !== other.service) return one.service === "admin" ? -1 : 1;
  return otherCost - cost || (one.id < other.id ? -1 : 1);
}

interface Unit<C> {
  readonly first: C;
  readonly checks: readonly C[];
  readonly cost: number;
}

/** Groups checks into units. All checks that read the same expensive datasets are one unit. Each other check is a unit of its own. */
function unitsOf<C extends Costed>(checks: readonly C[], cost: CostOf<C>): Unit<C>[] {
  const unitOf = ({ id, phase }: C): string | undefined =>
    SHARED_SETS.find(({ checks: ids }) => ids.includes(id))?.checks[0] ?? (LOOKING_BACK.has(phase) ? undefined : id);
  const placed = checks.filter((check) => unitOf(check) !== undefined);
  return [...grouped(placed, unitOf).values()].map((own) => {
    return { first: own[0], checks: own, cost: own.reduce((sum, check) => sum + cost(check), 0) };
  });
}

export interface Whole {
  readonly shard: Shard | null;
  readonly maxInstances: number;
}

function instancesOf<C extends Costed>(checks: readonly C[], count: number, cost: CostOf<C>, maxInstances: number): number[] {
  const services = servicesOf(checks, cost);
  if (!services.has("admin")) return Array.from({ length: count }, () => 0);
  if (services.size > 1)
    return Array.from({ length: count }, (_, index) => partOf(maxInstances, Math.ceil(count / SHARDS_PER_ADMIN_SHARD), index));
  // Most checks of the admin API share instances. So the first shard has all checks that need several instances. Other shards have checks
  // that need at most one instance.
  const spare = maxInstances - (INSTANCES_NEEDED.find((needed) => needed <= maxInstances) ?? maxInstances);
  const small = checks.filter((check) => ONE_INSTANCE.has(check.id) && cost(check) > 0).length;
  const others = Math.min(count - 1, spare, small);
  const each = spare > 2 * others ? 2 : 1;
  return Array.from({ length: count }, (_, index) => (index === 0 ? maxInstances - others * each : index <= others ? each : 0));
}

/** Divides an amount equally between the first `sharing` shards. Returns the part of the shard `index`, which is 0 for the others. */
function partOf(amount: number, sharing: number, index: number): number {
  return index >= sharing ? 0 : Math.floor((amount * (index + 1)) / sharing) - Math.floor((amount * index) / sharing);
}

/** Returns the services that have a check that sends requests. If only one service is configured, all shards test it. */
function servicesOf<C extends Costed>(checks: readonly C[], cost: CostOf<C>): ReadonlySet<Check["service"]> {
  return new Set(checks.filter((check) => cost(check) > 0).map(({ service }) => service));
}

/**
 * Returns the checks of each shard. Checks are added to the shard with the least work so far. A closing check repeats the reads of other
 * checks, so each shard with enough instances has all closing checks of its service. Only one shard has a closing check that reads an
 * expensive dataset.
 */
function loadsOf<C extends Costed>(checks: readonly C[], count: number, cost: CostOf<C>, maxInstances: number): Load<C>[] {
  const loads = Array.from({ length: count }, (): Load<C> => ({ cost: 0, checks: new Set() }));
  const services = servicesOf(checks, cost);
  const instances = instancesOf(checks, count, cost, maxInstances);
  const isSmall = (index: number): boolean => services.size === 1 && services.has("admin") && index > 0;
  const small = loads.filter((_, index) => isSmall(index));
  const units = unitsOf(checks, cost).toSorted(inOrder);
  for (const unit of units) {
    // A shard with only one instance gets only one check of the admin API, because the check may update the instance. A second check could
    // then not use it.
    const takers = small.filter((load) => ONE_INSTANCE.has(unit.first.id) && load.checks.size < mostChecks(instances[loads.indexOf(load)]));
    const holders = loads.filter((load) => (instances[loads.indexOf(load)] ?? 0) > 0 && !small.includes(load));
    const open = unit.first.service !== "admin" || holders.length === 0 ? loads : [...takers, ...holders];
    const least = open.reduce((best, load) => (load.cost < best.cost ? load : best));
    for (const check of unit.checks) least.checks.add(check);
    least.cost += unit.cost;
  }
  const placed = new Set(units.flatMap((unit) => unit.checks));
  for (const check of checks.filter((one) => !placed.has(one))) {
    const asking = loads.filter(
      (load) =>
        [...load.checks].some(({ service, phase }) => service === check.service && !LOOKING_BACK.has(phase)) &&
        !(small.includes(load) && check.service === "admin" && check.phase === "closing"),
    );
    for (const load of asking.length === 0 ? loads.slice(0, 1) : asking) load.checks.add(check);
  }
  return loads;
}

/** Returns the maximum number of admin checks in a shard with few instances. Checks that only judge earlier responses do not count. */
function mostChecks(instances = 0): number {
  return instances < 2 ? instances : Infinity;
}

/** Returns the bytes of log lines that a shard pushes. If a large dataset does not fit into the budget, a small one is pushed instead. */
function bytesOf({ checks }: Load<Costed>, maxPushBytes: number): number {
  if (![...checks].some(({ service }) => service === "logs")) return 0;
  const shared = SHARED_SETS.filter(({ bytes, checks: ids }) => bytes <= maxPushBytes && [...checks].some(({ id }) => ids.includes(id)));
  return shared.reduce((sum, { bytes }) => sum + bytes, OTHER_BYTES);
}

/** Returns the checks of one shard, in the order in which the whole plan lists them. */
export function checksOfShard<C extends Costed>(checks: readonly C[], { shard, maxInstances }: Whole, cost: CostOf<C> = costOf): C[] {
  if (shard === null) return [...checks];
  const own = loadsOf(checks, shard.count, cost, maxInstances)[shard.index - 1]?.checks ?? new Set();
  return checks.filter((check) => own.has(check));
}

/** Returns the budgets of a shard: its share of the budgets of the run. The share depends on the work of the shard. */
export function budgetsOfShard<C extends Costed>(
  checks: readonly C[],
  whole: Budgets,
  shard: Shard | null,
  cost: CostOf<C> = costOf,
): Budgets {
  if (shard === null) return whole;
  const loads = loadsOf(checks, shard.count, cost, whole.maxInstances);
  const part = (amount: number, weightOf: (load: Load<C>) => number): number => {
    const sum = (some: readonly Load<C>[]): number => some.reduce((total, load) => total + weightOf(load), 0);
    const upTo = (end: number): number => Math.floor((amount * sum(loads.slice(0, end))) / Math.max(sum(loads), 1));
    return upTo(shard.index) - upTo(shard.index - 1);
  };
  return {
    runTimeoutMs: whole.runTimeoutMs,
    maxRequests: part(whole.maxRequests, (load) => (load.cost === 0 ? 0 : load.cost + SHARED)),
    maxInstances: instancesOf(checks, shard.count, cost, whole.maxInstances)[shard.index - 1] ?? 0,
    maxPushBytes: part(whole.maxPushBytes, (load) => bytesOf(load, whole.maxPushBytes)),
  };
}
