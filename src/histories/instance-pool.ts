/** The instance pool: a few instances without limits that checks borrow one at a time, so that a run creates few instances. */
import { type Answered, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import { Inconclusive, precondition } from "../client/inconclusive.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import type { Finding } from "../harness/finding.ts";
import { member } from "../model/json.ts";
import { bare, created, createInstance, type Instance, LONGEST_NAME, sampled } from "./instances.ts";
import { readSettled } from "./reading.ts";

/** A borrowed instance. Only the borrower of an instance updates the instance. */
export interface PoolInstance {
  readonly instance: Instance;
  /** The read before the first update. */
  readonly firstRead: Answered;
  /** The created_at in the first read. */
  readonly createdAt: unknown;
  /** Whether the instance certainly has no limits now. */
  readonly bare: boolean;
}

/** Makes an entry of the pool from a created instance. */
export function poolInstance({ run }: Scope, instance: Instance, firstRead: Answered): PoolInstance {
  return {
    instance,
    firstRead,
    createdAt: member(jsonOf(firstRead), "created_at"),
    get bare() {
      return run.everyResponse.isBare(instance.name);
    },
  };
}

interface InstancePool {
  readonly size: number;
  /** The instances of the pool that have been created so far. */
  readonly created: readonly PoolInstance[];
  /** Instances whose create was accepted but that no read shows, although other instances can be read. */
  readonly lost: readonly Instance[];
  /** Lends an instance. `held` is the number of instances that the borrower already has and keeps while it waits. */
  borrow(scope: Scope, held: number): Promise<PoolInstance>;
  giveBack(borrowed: PoolInstance): void;
}

/** A shard that may create at least this number of instances has a larger pool. */
const ROOM_FOR_MORE = 40;

/** A run that may create at most this number of instances has a pool of one instance. */
const FEW = 2;

const TOO_FEW =
  "precondition not met: this check needs more instances at the same time than the pool has; MAX_INSTANCES limits the size of the pool";

export const instancePool = fixture<InstancePool>("admin", "instances to update", async (scope) => {
  // Updates of one instance run one after the other. If several machines share the checks, these updates take the longest. A larger pool
  // helps.
  const { created, left } = scope.run.instances();
  const sharded = scope.settings.shard !== null && created + left >= ROOM_FOR_MORE;
  const wanted = scope.pick({ smoke: 1, release: sharded ? 6 : 3, nightly: sharded ? 6 : 4 });
  const isFew = created + left <= FEW;
  const size = isFew ? 1 : wanted;
  const suffixes = suffixesFor(scope.run.runId, size);
  const all: PoolInstance[] = [];
  const lost: Instance[] = [];
  const free: PoolInstance[] = [];
  const waiting: { held: number; resolve: (borrowed: PoolInstance) => void; reject: (error: unknown) => void }[] = [];
  let failure: unknown = null;
  let creating = 0;
  /** Whether the borrower already has all instances. If so, no other borrower can return an instance. */
  const isHopeless = (held: number): boolean => held >= (failure === null ? size : all.length + creating);
  const returned = async (held: number): Promise<PoolInstance> => {
    if (isHopeless(held)) throw failure ?? new Inconclusive(TOO_FEW);
    return new Promise((resolve, reject) => waiting.push({ held, resolve, reject }));
  };
  return {
    size,
    created: all,
    lost,
    borrow: async (borrower, held) => {
      const borrowed = free.shift();
      if (borrowed !== undefined) return borrowed;
      const suffix = failure === null ? suffixes.shift() : undefined;
      if (suffix === undefined) return returned(held);
      creating += 1;
      try {
        // The last instance is created directly after an instance with limits. A faulty service may give these limits to the last instance.
        if (suffixes.length === 0 && !isFew) await borrower.use(sampled);
        const made = await lent(borrower, suffix, lost);
        all.push(made);
        creating -= 1;
        return made;
      } catch (error) {
        creating -= 1;
        failure = error;
        // No further instance is created. A borrower that already has all instances would wait forever, so it gets an error.
        for (const one of waiting.splice(0)) {
          if (isHopeless(one.held)) one.reject(error);
          else waiting.push(one);
        }
        return free.shift() ?? returned(held);
      }
    },
    giveBack: (borrowed) => {
      const next = waiting.shift();
      if (next === undefined) free.push(borrowed);
      else next.resolve(borrowed);
    },
  };
});

/** The maximum number of creates for one place in the pool. A create is repeated if its instance cannot be read. */
const MOST_LOST = 3;

/**
 * Creates an instance and reads it until a read finds it. Otherwise an update may reach a replica that does not have the instance yet. If
 * no read finds the instance, it is added to `lost`, and another instance is created. A separate check judges lost instances.
 */
async function lent(scope: Scope, suffix: string, lost: Instance[]): Promise<PoolInstance> {
  for (let attempt = 1; ; attempt += 1) {
    const instance = await toLend(scope, attempt === 1 ? suffix : `${suffix}-${attempt}`);
    const firstRead = await readSettled(scope, instance);
    if (isSuccess(firstRead)) return poolInstance(scope, instance, firstRead);
    const first = await scope.use(bare);
    if (attempt === MOST_LOST || !isSuccess(first.created) || !isSuccess(await readSettled(scope, first)))
      throw precondition(`reading a created instance was answered ${statusOf(firstRead)} (see admin-4.POST and admin-4.GET)`);
    lost.push(instance);
  }
}

async function toLend(scope: Scope, suffix: string): Promise<Instance> {
  const { created: made, left } = scope.run.instances();
  // If a shard may create only one instance, all checks borrow the same instance. So no check may rely on its state.
  if (scope.settings.shard !== null && made + left === 1) return created(await scope.use(bare));
  const long = await createInstance(scope, suffix, null);
  // The documents do not say how long a name may be. So if a long name is refused, a short name is tried.
  const refused = suffix.length > SHORT && !isSuccess(long.created);
  return created(refused ? await createInstance(scope, `b${suffix.slice(-1)}`, null) : long);
}

/** The maximum length of a suffix of a short name. */
const SHORT = 3;

/** The length of long names. Four characters are left for the mark of a repeated create. */
const LONG_NAME = LONGEST_NAME - 4;

/** The first name is the beginning of all others, which differ only in their last character. A faulty service may confuse such names. */
function suffixesFor(runId: string, size: number): string[] {
  const long = "a".padEnd(LONG_NAME - `plb-${runId}-`.length - 1, "1");
  return ["a1", ...Array.from({ length: size - 1 }, (_, index) => `${long}${index + 1}`)];
}

/** The first instance of the pool. It is created before checks create their own instances, because a service may have a quota. */
export const firstOfPool = fixture<void>("admin", "a first instance to update", async (scope) => {
  await scope.use(sampled);
  await withInstance(scope, async () => null);
});

interface PoolSize {
  /** The number of instances that checks can borrow at the same time. */
  readonly count: number;
  /** The reason why the pool has fewer instances than planned, or null if the pool has all planned instances. */
  readonly missing: Inconclusive | null;
}

export const poolSize = fixture<PoolSize>("admin", "how many instances there are to update", async (scope) => {
  // The pool creates `sampled` before its last instance. Code that already holds instances of the pool cannot create `sampled`. So
  // `sampled` is created here, before any instance is borrowed.
  await scope.use(sampled);
  const pool = await scope.use(instancePool);
  const held: PoolInstance[] = [];
  try {
    while (held.length < pool.size) held.push(await pool.borrow(scope, held.length));
    return { count: held.length, missing: null };
  } catch (error) {
    // A target may refuse more instances, because the documents do not say how many it must accept.
    if (!(error instanceof Inconclusive) || held.length === 0) throw error;
    return { count: held.length, missing: error };
  } finally {
    for (const borrowed of held) pool.giveBack(borrowed);
  }
});

/** The read of each instance of the pool before its first update. These instances were created without limits. */
export const firstReads = fixture<readonly Answered[]>("admin", "first reads of instances without limits", async (scope) =>
  (await scope.use(instancePool)).created.map(({ firstRead }) => firstRead),
);

export async function withInstance<T>(scope: Scope, work: (borrowed: PoolInstance) => Promise<T>): Promise<T> {
  return withInstances(scope, 1, async ([borrowed]) => work(borrowed as PoolInstance));
}

/** Lends several instances to `work` at the same time. Throws `Inconclusive` if the pool has fewer instances. */
export async function withInstances<T>(
  scope: Scope,
  count: number,
  work: (borrowed: readonly PoolInstance[]) => Promise<T>,
  held: readonly PoolInstance[] = [],
): Promise<T> {
  if (held.length === count) return work(held);
  const pool = await scope.use(instancePool);
  const borrowed = await pool.borrow(scope, held.length);
  try {
    return await scope.holding(() => withInstances(scope, count, work, [...held, borrowed]));
  } finally {
    pool.giveBack(borrowed);
  }
}

/** Makes an assertion on a borrowed instance. The fixtures `needs` are built first, because building them may borrow an instance too. */
export function onPoolInstance(
  needs: readonly Fixture<unknown>[],
  work: (scope: Scope, borrowed: PoolInstance) => Promise<Finding>,
): Assertion {
  return async (scope) => {
    for (const need of needs) await scope.use(need);
    return withInstance(scope, (borrowed) => work(scope, borrowed));
  };
}
