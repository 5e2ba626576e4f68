/** What a profile finds over several seeds: how often each fault is caught, and whether a variant was ever blamed. */
import type { Profile } from "../settings/types.ts";
import { aloneIn, judgeMatrix, type Matrix } from "./matrix.ts";

/** Something that happened for some seeds. */
export interface SomeSeeds {
  readonly id: string;
  readonly seeds: readonly number[];
}

export interface ProfileRecord {
  readonly profile: Profile;
  readonly seeds: readonly number[];
  readonly faults: number;
  readonly variants: number;
  /** Runs that caught their fault, of all runs against faults; 1 is all of them. */
  readonly share: number;
  /** Faults caught for every seed. */
  readonly always: number;
  /** Faults caught for some seeds, with the seeds that missed them. */
  readonly sometimes: readonly SomeSeeds[];
  /** Faults caught for no seed. */
  readonly never: readonly string[];
  readonly misdiagnosed: readonly SomeSeeds[];
  /** `fault: clause` where a red clause was not explained by the fault. */
  readonly unexplained: readonly SomeSeeds[];
  /** Variants with a failing clause. */
  readonly blamed: readonly SomeSeeds[];
  /** Variants that could not be judged wholly, such as those that cost more requests than the profile may send. */
  readonly undecided: readonly SomeSeeds[];
  /** Entries that were run a second time by themselves. */
  readonly rerun: readonly SomeSeeds[];
  /** Median over the seeds of the median number of red clauses per fault. */
  readonly medianRed: number;
  /** Requests of the most expensive entry that ran to its end. */
  readonly mostRequests: number;
  /** Checks that alone caught some fault for the first seed, with one such fault. */
  readonly alone: Readonly<Record<string, string>>;
}

/** Sums up the matrices of one profile, one per seed, all of the same entries. Throws when there is none. */
export function recordOf(matrices: readonly Matrix[]): ProfileRecord {
  const [first] = matrices;
  if (first === undefined) throw new Error("no matrix to sum up");
  const found = matrices.map((matrix) => ({ matrix, verdict: judgeMatrix(matrix) }));
  const collect = (of: (one: (typeof found)[number]) => readonly string[]): SomeSeeds[] => {
    const seeds = new Map<string, number[]>();
    for (const one of found) for (const id of of(one)) seeds.set(id, [...(seeds.get(id) ?? []), one.matrix.seed]);
    return [...seeds].map(([id, list]) => ({ id, seeds: list }));
  };
  const missed = collect(({ verdict }) => verdict.survivors);
  const runs = first.faults.length * matrices.length;
  return {
    profile: first.profile,
    seeds: matrices.map(({ seed }) => seed),
    faults: first.faults.length,
    variants: first.variants.length,
    share: runs === 0 ? 1 : 1 - missed.reduce((sum, { seeds }) => sum + seeds.length, 0) / runs,
    always: first.faults.length - missed.length,
    sometimes: missed.filter(({ seeds }) => seeds.length < matrices.length),
    never: missed.filter(({ seeds }) => seeds.length === matrices.length).map(({ id }) => id),
    misdiagnosed: collect(({ verdict }) => verdict.misdiagnosed),
    unexplained: collect(({ verdict }) => verdict.unexplained),
    blamed: collect(({ verdict }) => verdict.blamed),
    undecided: collect(({ verdict }) => verdict.falseAlarms.filter((id) => !verdict.blamed.includes(id))),
    rerun: collect(({ matrix }) => matrix.rerun),
    medianRed: median(found.map(({ verdict }) => verdict.medianRed)),
    mostRequests: Math.max(0, ...matrices.flatMap(({ faults, variants }) => [...faults, ...variants].map(({ requests }) => requests))),
    alone: aloneIn(first.faults),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
