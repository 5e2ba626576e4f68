/** Generates windows between the entries of a dataset, and limits at the edges of real servers. */
import fc from "fast-check";
import type { Direction } from "../model/logs.ts";

/** A window between two gaps of a dataset, a limit and a direction. The values do not depend on the size of the dataset. */
export interface RelativeCut {
  /** The gaps at which the window begins and ends, in parts of a million of all gaps. */
  readonly from: number;
  readonly to: number;
  readonly limit: RelativeLimit;
  readonly direction: Direction;
}

/** A number, or a difference to the number of entries in the window. */
export type RelativeLimit = { readonly exactly: number } | { readonly more: number };

const PARTS = 1_000_000;

/** The sizes of batches, pages and defaults, and the numbers next to them. */
const SEAMS = [1, 2, 99, 100, 101, 127, 128, 129, 255, 256, 257, 511, 512, 513, 999, 1_000];

const limit: fc.Arbitrary<RelativeLimit> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ more: fc.constantFrom(0, -1, 1) }) },
  { weight: 3, arbitrary: fc.record({ exactly: fc.constantFrom(...SEAMS) }) },
  { weight: 2, arbitrary: fc.record({ exactly: fc.integer({ min: 1, max: 1_000 }) }) },
  { weight: 2, arbitrary: fc.record({ exactly: fc.constant(1_000) }) },
);

const place = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(PARTS) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: PARTS }) },
);

export const cut: fc.Arbitrary<RelativeCut> = fc.record({
  from: place,
  to: place,
  limit,
  direction: fc.constantFrom<Direction>("backward", "forward"),
});

/** The two gaps that bound the window, of `count` gaps. The second gap comes after the first. */
export function gapsOf({ from, to }: Pick<RelativeCut, "from" | "to">, count: number): readonly [first: number, last: number] {
  const [one, other] = [from, to].map((part) => Math.round((part / PARTS) * (count - 1))).toSorted((left, right) => left - right);
  const first = Math.min(one ?? 0, count - 2);
  return [first, Math.max(other ?? count - 1, first + 1)];
}

/** The limit as a number from 1 to 1,000, for a window with `entries` entries. */
export function limitOf(relative: RelativeLimit, entries: number): number {
  const wanted = "exactly" in relative ? relative.exactly : entries + relative.more;
  return Math.min(Math.max(wanted, 1), 1_000);
}
