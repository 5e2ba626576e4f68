/** A few instances without limits that checks borrow, change and give back, so that few have to be created. */
import { type Fixture, fixture, type Scope } from "../../src/harness/context.ts";
import { created, createInstance, type Instance } from "./instances.ts";
import { type Answered, isSuccess, jsonOf, statusOf } from "../../src/client/exchange.ts";
import { Inconclusive } from "../../src/client/inconclusive.ts";
import { member } from "../../src/model/json.ts";
import { readUntil } from "./reading.ts";

/** An instance that only its borrower writes. */
export interface Bench {
  readonly instance: Instance;
  /** The read that showed it before its first update. */
  readonly firstRead: Answered;
  /** created_at as that read shows it. */
  readonly createdAt: unknown;
  /** Whether the last answered update left it without limits; it starts so. */
  bare: boolean;
}

interface BenchPool {
  readonly size: number;
  /** The read of each before its first update. */
  readonly firstReads: readonly Answered[];
  borrow(): Promise<Bench>;
  giveBack(bench: Bench): void;
}

const benches: Fixture<BenchPool> = fixture("admin", "instances to update", async (scope) => {
  const size = scope.pick({ smoke: 1, release: 3, nightly: 4 });
  const suffixes = suffixesFor(scope.run.runId, size);
  const instances = await Promise.all(suffixes.map(async (suffix) => created(await createInstance(scope, suffix, null))));
  // An update may reach a replica that has not heard of the instance yet, so it is read first until it is there.
  const free: Bench[] = await Promise.all(
    instances.map(async (instance) => {
      const { value } = await readUntil(scope, instance, () => []);
      if (!isSuccess(value))
        throw new Inconclusive(
          `precondition: reading a created instance was answered ${statusOf(value)} (see admin-4.POST and admin-4.GET)`,
        );
      return { instance, firstRead: value, createdAt: member(jsonOf(value), "created_at"), bare: true };
    }),
  );
  const waiting: ((bench: Bench) => void)[] = [];
  return {
    size,
    firstReads: free.map(({ firstRead }) => firstRead),
    borrow: async () => free.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    giveBack: (bench) => {
      const next = waiting.shift();
      if (next === undefined) free.push(bench);
      else next(bench);
    },
  };
});

/** Names of up to 40 characters are taken everywhere; some are left for the mark of a create that had to be tried again. */
const LONGEST_NAME = 36;

/**
 * What follows the run in the names: the first is the beginning of the others, which are long and differ in their last character.
 * What is written to one must never reach another.
 */
function suffixesFor(runId: string, size: number): string[] {
  const long = "a".padEnd(LONGEST_NAME - `plb-${runId}-`.length - 1, "1");
  return ["a1", ...Array.from({ length: size - 1 }, (_, index) => `${long}${index + 1}`)];
}

/** How many checks can work on a bench at the same time. */
export async function benchCount(scope: Scope): Promise<number> {
  return (await scope.use(benches)).size;
}

/** A read of each bench before its first update: of instances created without limits. */
export async function firstReads(scope: Scope): Promise<readonly Answered[]> {
  return (await scope.use(benches)).firstReads;
}

/** Lends a bench to `work`. */
export async function withBench<T>(scope: Scope, work: (bench: Bench) => Promise<T>): Promise<T> {
  const pool = await scope.use(benches);
  const bench = await pool.borrow();
  try {
    return await work(bench);
  } finally {
    pool.giveBack(bench);
  }
}
