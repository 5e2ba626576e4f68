/** Combines the results of a profile with several seeds: how often each fault was detected, and whether a variant was blamed. */
import type { Profile } from "../settings/types.ts";
import { aloneIn, judgeMatrix, type Matrix } from "./matrix.ts";

/** An id in a list of results, and the seeds with which this result occurred. */
export interface SomeSeeds {
  readonly id: string;
  readonly seeds: readonly number[];
}

export interface ProfileRecord {
  readonly profile: Profile;
  readonly seeds: readonly number[];
  readonly faults: number;
  readonly variants: number;
  /** The share (0 to 1) of the runs against faults in which the fault was detected. */
  readonly share: number;
  /** The number of faults that were detected with each seed. */
  readonly always: number;
  /** The faults that were detected with some seeds and missed with others, each with the seeds that missed it. */
  readonly sometimes: readonly SomeSeeds[];
  readonly never: readonly string[];
  readonly misdiagnosed: readonly SomeSeeds[];
  /** As `fault: clause`: reported clauses that the fault of the run does not explain. */
  readonly unexplained: readonly SomeSeeds[];
  /** The variants for which a run reported a violation. */
  readonly blamed: readonly SomeSeeds[];
  /** The variants that could not be judged completely, for example because a run would need more requests than its profile allows. */
  readonly undecided: readonly SomeSeeds[];
  /** The faults and variants that were run a second time, one at a time. */
  readonly rerun: readonly SomeSeeds[];
  /** For each seed, the median number of reported clauses per fault is computed. This is the median of these medians. */
  readonly medianRed: number;
  /** The highest number of requests of a run. Runs that ended early are not counted. */
  readonly mostRequests: number;
  /** With the first seed: each check that was the only one to detect a fault, with the id of the fault. */
  readonly alone: Readonly<Record<string, string>>;
}

/** Combines the matrices of a profile, one for each seed, with the same faults and variants. Throws if `matrices` is empty. */
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
