/**
 * Defines query cases: each has a subject (a dataset and one of its entries) and levels that change its query. Most levels are chosen so
 * that the query selects this entry, and few responses are empty.
 */
import type fc from "fast-check";
import type { Assertion, Scope } from "../harness/scope.ts";
import type { Entry, Labels, Stream } from "../model/logs.ts";
import { cutPoints, type Dataset, timestamps } from "../datasets/datasets.ts";

export interface CaseSubject {
  readonly name: string;
  readonly dataset: Dataset;
  readonly entry: Entry;
  /** The labels of the stream of the entry. */
  readonly labels: Labels;
  /** Times between entries in ns, in ascending order. The first is before all entries, and the last is after all entries. */
  readonly points: readonly bigint[];
  /** The points that are at least 2 s from any entry. */
  readonly quiet: readonly bigint[];
  /** The timestamps of all entries. */
  readonly taken: ReadonlySet<bigint>;
  /** Whether a window may begin hours before the dataset. */
  readonly mayBeginEarlier: boolean;
  /** Whether a limit may be lower than the number of entries. False if the target answers such queries of this dataset wrongly. */
  readonly mayLimit: boolean;
  /** Wraps an assertion. If it finds a difference, and the target no longer returns the dataset, the wrapper throws `Inconclusive`. */
  readonly guard: (assertion: Assertion) => Assertion;
  /** Returns a random value of the generator `id`, if possible one for which `fits` is true. Returns null if there are no values. */
  readonly drawn: <T>(id: string, arbitrary: () => fc.Arbitrary<T> | null, fits?: (value: T) => boolean) => T | null;
}

/** A level of the factor "dataset". */
export interface CaseDataset {
  readonly name: string;
  /** Pushes the dataset. Resolves to a function from case numbers to subjects, or to null if the target refuses or hides the dataset. */
  readonly prepare: (scope: Scope) => Promise<((at: number) => CaseSubject) | null>;
}

export interface CaseLevel<D> {
  /** The name of the level. If a target may refuse the level, the name can follow the words "the target refuses" in a message. */
  readonly name: string;
  /** Returns the query with this level, or null if the level is impossible for the entry of the subject. */
  readonly change: (draft: D, subject: CaseSubject) => D | null;
  /** Levels of other factors that are not combined with this level, because it would then have no effect. */
  readonly without?: readonly string[];
}

export interface CaseFactor<D> {
  readonly name: string;
  /** The levels of the factor. The first level is neutral: it leaves the query unchanged. */
  readonly levels: readonly CaseLevel<D>[];
  /** True if all levels except the neutral level select only some of the entries. */
  readonly isSelecting?: true;
}

/** The number of values that are taken from each generator. */
const DRAWN = 12;
const QUIET = 2_000_000_000n;
/** Cases with adjacent numbers query entries that are this number of places apart. */
const STEP = 37;

export interface SubjectOptions {
  readonly mayBeginEarlier?: boolean;
  readonly mayLimit?: boolean;
  readonly guard?: CaseSubject["guard"];
  /** The part of the dataset from which the entries of the subjects are taken. The default is the whole dataset. */
  readonly entriesOf?: Dataset;
}

/** Returns the subject (dataset and entry) for each case number. */
export function subjectsOf(
  scope: Scope,
  name: string,
  dataset: Dataset,
  { mayBeginEarlier = true, mayLimit = true, guard = (assertion) => assertion, entriesOf = dataset }: SubjectOptions = {},
): (at: number) => CaseSubject {
  const entries = entriesOf.streams.flatMap(({ labels, entries: own }: Stream) => own.map((entry) => ({ entry, labels })));
  const [points, quiet] = [cutPoints(dataset), cutPoints(dataset, QUIET)];
  const taken = new Set(timestamps(dataset));
  const values = new Map<string, readonly unknown[]>();
  const valuesOf = <T>(id: string, arbitrary: () => fc.Arbitrary<T> | null): readonly T[] => {
    const known = values.get(id);
    if (known !== undefined) return known as readonly T[];
    const made = arbitrary();
    const drawn = made === null ? [] : scope.draw(made, `cases ${name} ${id}`, DRAWN);
    values.set(id, drawn);
    return drawn;
  };
  return (at) => {
    const { entry, labels } = entries[(at * STEP) % entries.length] as { entry: Entry; labels: Labels };
    const drawn: CaseSubject["drawn"] = (id, arbitrary, fits = () => true) => {
      const all = valuesOf(id, arbitrary);
      const from = all.map((_, index) => all[(index + at) % all.length] as (typeof all)[number]);
      return from.find(fits) ?? from[0] ?? null;
    };
    return { name, dataset, entry, labels, points, quiet, taken, mayBeginEarlier, mayLimit, guard, drawn };
  };
}
