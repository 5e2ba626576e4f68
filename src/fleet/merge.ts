/** Replaces the rows of some faults and variants in a committed record of one seed. A new fault then needs no run of the whole fleet. */
import { judgeMatrix, aloneIn, type Matrix } from "./matrix.ts";
import type { ProfileRecord, SomeSeeds } from "./profile.ts";

/** The ids of all faults and of all variants, in the order of the fleet. */
export interface Fleet {
  readonly faults: readonly string[];
  readonly variants: readonly string[];
}

/** Returns the newest row of each id, in the order of the fleet. Rows with an id that is no longer in the fleet are dropped. */
function inOrder<Row extends { readonly id: string }>(ids: readonly string[], old: readonly Row[], fresh: readonly Row[]): Row[] {
  const rows = new Map([...old, ...fresh].map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Returns a matrix in which the rows of `fresh` replace the old rows. Throws if the matrices have different profiles or seeds. */
export function mergedMatrix(old: Matrix, fresh: Matrix, fleet: Fleet): Matrix {
  if (old.profile !== fresh.profile || old.seed !== fresh.seed)
    throw new Error(
      `the committed matrix is of ${old.profile}, seed ${old.seed}: rows of ${fresh.profile}, seed ${fresh.seed} are no part of it`,
    );
  const { profile, seed, durationMs } = old;
  return {
    profile,
    seed,
    durationMs,
    faults: inOrder(fleet.faults, old.faults, fresh.faults),
    variants: inOrder(fleet.variants, old.variants, fresh.variants),
    rerun: [...old.rerun.filter((id) => !isIn(fresh, id)), ...fresh.rerun].filter((id) => isOf(fleet, id)),
  };
}

function isIn({ faults, variants }: Pick<Matrix, "faults" | "variants">, id: string): boolean {
  return [...faults, ...variants].some((row) => row.id === id);
}

function isOf({ faults, variants }: Fleet, id: string): boolean {
  return faults.includes(id) || variants.includes(id);
}

/**
 * Returns the record with the newer results. The median does not change, because it cannot be computed from a record. Throws if the
 * profiles or seeds differ, or if the record has several seeds.
 */
export function mergedProfile(old: ProfileRecord, fresh: Matrix, fleet: Fleet): ProfileRecord {
  const { profile, seed, faults, variants } = fresh;
  if (old.profile !== profile || old.seeds.length !== 1 || old.seeds[0] !== seed)
    throw new Error(
      `the committed record is of ${old.profile}, seeds ${old.seeds.join(", ")}: rows of ${profile}, seed ${seed} are no part of it`,
    );
  const verdict = judgeMatrix(fresh);
  const isKept = (id: string): boolean => !isIn(fresh, id) && isOf(fleet, id);
  // Entries about unexplained clauses begin with the id of the fault.
  const some = (before: readonly SomeSeeds[], now: readonly string[]): SomeSeeds[] => [
    ...before.filter(({ id }) => isKept(id.split(":")[0] ?? "")),
    ...now.map((id) => ({ id, seeds: [seed] })),
  ];
  const missed = new Set([...old.never.filter(isKept), ...verdict.survivors]);
  return {
    ...old,
    faults: fleet.faults.length,
    variants: fleet.variants.length,
    share: 1 - missed.size / fleet.faults.length,
    always: fleet.faults.length - missed.size,
    never: fleet.faults.filter((id) => missed.has(id)),
    misdiagnosed: some(old.misdiagnosed, verdict.misdiagnosed),
    unexplained: some(old.unexplained, verdict.unexplained),
    blamed: some(old.blamed, verdict.blamed),
    undecided: some(
      old.undecided,
      verdict.falseAlarms.filter((id) => !verdict.blamed.includes(id)),
    ),
    rerun: some(old.rerun, fresh.rerun),
    mostRequests: Math.max(old.mostRequests, ...[...faults, ...variants].map(({ requests }) => requests)),
    alone: { ...aloneIn(faults), ...Object.fromEntries(Object.entries(old.alone).filter(([, id]) => isKept(id))) },
  };
}
