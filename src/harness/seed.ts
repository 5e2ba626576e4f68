/** Generates inputs that depend only on SEED and on their purpose. */
import { createHash } from "node:crypto";
import fc from "fast-check";

/** Returns a 32-bit signed integer, computed from the seed of the run and the id of the check or fixture that needs inputs. */
export function derivedSeed(seed: number, id: string): number {
  return createHash("sha256").update(`${seed} ${id}`).digest().readInt32BE(0);
}

/** Returns `count` values of an arbitrary. Calls with the same seed and the same id give the same values. */
export function draw<T>(arbitrary: fc.Arbitrary<T>, seed: number, id: string, count: number): T[] {
  return fc.sample(arbitrary, { seed: derivedSeed(seed, id), numRuns: count });
}
