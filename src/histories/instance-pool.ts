/** The instance pool: a few instances without limits that checks borrow one at a time, so that a run creates few instances. */
import { type Answered, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import type { Finding } from "../harness/finding.ts";
import { member } from "../model/json.ts";
import { bare, created, createInstance, type Instance, LONGEST_NAME, sampled } from "./instances.ts";
import { readSettled } from "./reading.ts";

/** An instance that only its borrower writes. It keeps its own state: what the last answered update left. */
export interface PoolInstance {
  readonly instance: Instance;
  /** The read that showed it before its first update. */
  readonly firstRead: Answered;
  /** created_at as that read shows it. */
  readonly createdAt: unknown;
  /** Whether it is certain to have no limits; it starts so. */
  bare: boolean;
}

interface InstancePool {
  readonly size: number;
  /** The loaned instances that were created so far. */
  readonly created: readonly PoolInstance[];
  /** Instances whose create was accepted and that cannot be read, though another one can. */
  readonly lost: readonly Instance[];
  borrow(scope: Scope): Promise<PoolInstance>;
  giveBack(borrowed: PoolInstance): void;
}

/** From so many instances on a shard may create more of them to lend. */
const ROOM_FOR_MORE = 40;

/** Who may create no more than so many instances lends one of them. */
const FEW = 2;

const instancePool: Fixture<InstancePool> = fixture("admin", "instances to update", async (scope) => {
  // Updates follow one another on each: where machines share the rest, they alone would set how long the run takes.
  const { created, left } = scope.run.instances();
  const sharded = scope.settings.shard !== null && created + left >= ROOM_FOR_MORE;
  const wanted = scope.pick({ smoke: 1, release: sharded ? 6 : 3, nightly: sharded ? 6 : 4 });
  const isFew = created + left <= FEW;
  const size = isFew ? 1 : wanted;
  const suffixes = suffixesFor(scope.run.runId, size);
  const all: PoolInstance[] = [];
  const lost: Instance[] = [];
  const free: PoolInstance[] = [];
  const waiting: { resolve: (borrowed: PoolInstance) => void; reject: (error: unknown) => void }[] = [];
  let failure: unknown = null;
  const returned = async (): Promise<PoolInstance> => new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  return {
    size,
    created: all,
    lost,
    borrow: async (borrower) => {
      const borrowed = free.shift();
      if (borrowed !== undefined) return borrowed;
      if (failure !== null && all.length === 0) throw failure;
      const suffix = failure === null ? suffixes.shift() : undefined;
      if (suffix === undefined) return returned();
      try {
        // The last one is created after an instance with limits, if there is room for both: what that one has must not come to this one.
        if (suffixes.length === 0 && !isFew) await borrower.use(sampled);
        const made = await lent(borrower, suffix, lost);
        all.push(made);
        return made;
      } catch (error) {
        failure = error;
        // Where others were made, whoever borrows waits for one of them; where none was, nobody will give one back.
        if (all.length > 0) return free.shift() ?? returned();
        for (const { reject } of waiting.splice(0)) reject(error);
        throw error;
      }
    },
    giveBack: (borrowed) => {
      const next = waiting.shift();
      if (next === undefined) free.push(borrowed);
      else next.resolve(borrowed);
    },
  };
});

/** So many instances are created for one loan while they cannot be read. */
const MOST_LOST = 3;

/**
 * An update may reach a replica that has not heard of the instance yet, so it is read first until it is there. One that stays unknown is
 * noted as `lost`, and another is created in its place: whether it was created is judged by a check of its own.
 */
async function lent(scope: Scope, suffix: string, lost: Instance[]): Promise<PoolInstance> {
  for (let attempt = 1; ; attempt += 1) {
    const instance = await toLend(scope, attempt === 1 ? suffix : `${suffix}-${attempt}`);
    const firstRead = await readSettled(scope, instance);
    if (isSuccess(firstRead)) return { instance, firstRead, createdAt: member(jsonOf(firstRead), "created_at"), bare: true };
    const first = await scope.use(bare);
    if (attempt === MOST_LOST || !isSuccess(first.created) || !isSuccess(await readSettled(scope, first)))
      throw new Inconclusive(
        `precondition not met: reading a created instance was answered ${statusOf(firstRead)} (see admin-4.POST and admin-4.GET)`,
      );
    lost.push(instance);
  }
}

async function toLend(scope: Scope, suffix: string): Promise<Instance> {
  const { created: made, left } = scope.run.instances();
  // The checks of a shard with one instance only borrow, so no check relies on the state of that instance.
  if (scope.settings.shard !== null && made + left === 1) return created(await scope.use(bare));
  const long = await createInstance(scope, suffix, null);
  // How long a name may be is not stated: where a long one is refused, a short one does.
  const refused = suffix.length > SHORT && !isSuccess(long.created);
  return created(refused ? await createInstance(scope, `b${suffix.slice(-1)}`, null) : long);
}

/** A suffix of no more characters makes no name long. */
const SHORT = 3;

/** Some characters are left for the mark of a create that had to be tried again. */
const LONG_NAME = LONGEST_NAME - 4;

/**
 * What follows the run in the names: the first is the beginning of the others, which are long and differ in their last character.
 * What is written to one must never reach another.
 */
function suffixesFor(runId: string, size: number): string[] {
  const long = "a".padEnd(LONG_NAME - `plb-${runId}-`.length - 1, "1");
  return ["a1", ...Array.from({ length: size - 1 }, (_, index) => `${long}${index + 1}`)];
}

/** The first instance of the pool, which exists before any check asks for instances of its own: a service may have a quota of them. */
export const firstOfPool: Fixture<void> = fixture("admin", "a first instance to update", async (scope) => {
  await scope.use(sampled);
  await withInstance(scope, async () => null);
});

/** How many assertions can work on a loan at the same time. */
export const poolSize: Fixture<number> = fixture("admin", "how many instances there are to update", async (scope) => {
  // Who borrows all of them holds some when the last is created, which comes after this one.
  await scope.use(sampled);
  return (await scope.use(instancePool)).size;
});

/** The loaned instances that there are. */
export const poolInstances: Fixture<readonly PoolInstance[]> = fixture(
  "admin",
  "the instances to update that were created",
  async (scope) => (await scope.use(instancePool)).created,
);

/** Those that were created to be lent and cannot be read. */
export const unreadablePoolInstances: Fixture<readonly Instance[]> = fixture(
  "admin",
  "instances whose create was accepted and that cannot be read",
  async (scope) => (await scope.use(instancePool)).lost,
);

/** A read of each loaned instance before its first update: of instances created without limits. */
export const firstReads: Fixture<readonly Answered[]> = fixture("admin", "first reads of instances without limits", async (scope) =>
  (await scope.use(instancePool)).created.map(({ firstRead }) => firstRead),
);

/** Lends an instance to `work`. */
export async function withInstance<T>(scope: Scope, work: (borrowed: PoolInstance) => Promise<T>): Promise<T> {
  const pool = await scope.use(instancePool);
  const borrowed = await pool.borrow(scope);
  try {
    return await scope.holding(() => work(borrowed));
  } finally {
    pool.giveBack(borrowed);
  }
}

/**
 * An assertion on a loaned instance. `needs` is what its work will use: finding that out may take a loan itself, so it is found out
 * before one is held.
 */
export function onPoolInstance(
  needs: readonly Fixture<unknown>[],
  work: (scope: Scope, borrowed: PoolInstance) => Promise<Finding>,
): Assertion {
  return async (scope) => {
    for (const need of needs) await scope.use(need);
    return withInstance(scope, (borrowed) => work(scope, borrowed));
  };
}
