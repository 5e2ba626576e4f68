/**
 * Makes covering arrays: short lists of test cases (rows). Each combination of `strength` input values (levels) of different factors occurs
 * in at least one row. A row has the index of one level for each factor. Equal seeds give equal rows. The algorithm is greedy, as in AETG
 * (Cohen, Dalal, Fredman, Patton 1997).
 */

/** A row of a covering array: for each factor, the index of one of its levels. */
export type Row = readonly number[];

/** Whether the chosen levels may occur together (undefined: not chosen yet). If levels are refused, they stay refused with more levels. */
export type Constraint = (levels: readonly (number | undefined)[]) => boolean;

export interface ArrayOptions {
  /** The number of levels of each factor. */
  readonly sizes: readonly number[];
  readonly strength: 1 | 2 | 3;
  readonly seed: number;
  readonly isAllowed?: Constraint;
  /** Rows that the array must have. They come first, and later rows need not cover their combinations again. */
  readonly mandatory?: readonly Row[];
  /** The maximum number of rows of the array, including the rows that it must have. */
  readonly most?: number;
}

/** For each strength, the number of candidates for each row. The best candidate becomes the row. */
const CANDIDATES = { 1: 4, 2: 8, 3: 1 };

/** Returns the rows of a covering array. If it needs more than `most` rows, returns the rows that cover the most combinations. */
export function coveringArray({ sizes, strength, seed, isAllowed = () => true, mandatory = [], most }: ArrayOptions): Row[] {
  const random = randomOf(seed);
  const open = new Combinations(sizes, Math.min(strength, sizes.length), isAllowed);
  const rows: Row[] = [...mandatory];
  for (const row of mandatory) open.cover(row);
  const end = most ?? Number.POSITIVE_INFINITY;
  while (open.size > 0 && rows.length < end) {
    let best: { readonly row: Row; readonly gain: number } | null = null;
    for (let candidate = 0; candidate < CANDIDATES[strength]; candidate += 1) {
      const row = candidateRow(open, sizes, isAllowed, random);
      if (row === null) continue;
      const gain = open.gainOf(row);
      if (best === null || gain > best.gain) best = { row, gain };
    }
    // All candidates contain the same uncovered combination. If there is no candidate, the constraints allow no row with this combination,
    // so it is given up.
    if (best === null || best.gain === 0) open.giveUp();
    else {
      rows.push(best.row);
      open.cover(best.row);
    }
  }
  return rows;
}

/** Returns a row with the first uncovered combination, or null. Each other factor gets the level that covers the most combinations. */
function candidateRow(open: Combinations, sizes: readonly number[], isAllowed: Constraint, random: () => number): Row | null {
  const levels: (number | undefined)[] = Array.from(sizes, () => undefined);
  for (const [factor, level] of open.first()) levels[factor] = level;
  const rest = shuffled(
    sizes.flatMap((_, factor) => (levels[factor] === undefined ? [factor] : [])),
    random,
  );
  for (const factor of rest) {
    let best: { readonly level: number; readonly gain: number } | null = null;
    for (const level of shuffled(
      Array.from({ length: sizes[factor] ?? 0 }, (_, index) => index),
      random,
    )) {
      levels[factor] = level;
      if (!isAllowed(levels)) continue;
      const gain = open.gainWith(levels, factor);
      if (best === null || gain > best.gain) best = { level, gain };
    }
    if (best === null) return null;
    levels[factor] = best.level;
  }
  return levels as Row;
}

/** All combinations of levels of `strength` factors, with a mark for each combination that no row has covered yet. */
class Combinations {
  readonly #sizes: readonly number[];
  readonly #sets: readonly (readonly number[])[];
  /** For each factor, the indexes of the sets that contain it. */
  readonly #setsOf: readonly (readonly number[])[];
  readonly #offsets: readonly number[];
  readonly #isOpen: Uint8Array;
  #from = 0;
  size = 0;

  constructor(sizes: readonly number[], strength: number, isAllowed: Constraint) {
    this.#sizes = sizes;
    this.#sets = subsets(sizes.length, strength);
    this.#setsOf = sizes.map((_, factor) => this.#sets.flatMap((set, index) => (set.includes(factor) ? [index] : [])));
    let total = 0;
    this.#offsets = this.#sets.map((set) => {
      const offset = total;
      total += set.reduce((product, factor) => product * (sizes[factor] ?? 0), 1);
      return offset;
    });
    this.#isOpen = new Uint8Array(total);
    for (let index = 0; index < total; index += 1) {
      const levels: (number | undefined)[] = Array.from(sizes, () => undefined);
      for (const [factor, level] of this.#at(index)) levels[factor] = level;
      if (!isAllowed(levels)) continue;
      this.#isOpen[index] = 1;
      this.size += 1;
    }
  }

  /** Returns the first uncovered combination, as pairs of factor and level. */
  first(): readonly (readonly [factor: number, level: number])[] {
    while (this.#isOpen[this.#from] === 0) this.#from += 1;
    return this.#at(this.#from);
  }

  /** Gives up the first uncovered combination, because no row can cover it. */
  giveUp(): void {
    this.first();
    this.#isOpen[this.#from] = 0;
    this.size -= 1;
  }

  /** Returns how many uncovered combinations a row covers. */
  gainOf(row: Row): number {
    return this.#sets.reduce((gain, set, index) => gain + (this.#isOpen[this.#place(set, index, row) ?? 0] ?? 0), 0);
  }

  /** Returns how many uncovered combinations of chosen levels include `factor`. */
  gainWith(levels: readonly (number | undefined)[], factor: number): number {
    let gain = 0;
    for (const index of this.#setsOf[factor] ?? []) {
      const place = this.#place(this.#sets[index] ?? [], index, levels);
      if (place !== null) gain += this.#isOpen[place] ?? 0;
    }
    return gain;
  }

  cover(row: Row): void {
    for (const [index, set] of this.#sets.entries()) {
      const place = this.#place(set, index, row) ?? 0;
      this.size -= this.#isOpen[place] ?? 0;
      this.#isOpen[place] = 0;
    }
  }

  /** Returns the index of a combination, or null if one of its levels is not chosen yet. */
  #place(set: readonly number[], index: number, levels: readonly (number | undefined)[]): number | null {
    let place = 0;
    for (const factor of set) {
      const level = levels[factor];
      if (level === undefined) return null;
      place = place * (this.#sizes[factor] ?? 0) + level;
    }
    return place + (this.#offsets[index] ?? 0);
  }

  #at(place: number): (readonly [factor: number, level: number])[] {
    let index = this.#offsets.findLastIndex((offset) => offset <= place);
    // If a factor has no levels, its sets have no combinations. So several sets can have the same offset.
    while (place - (this.#offsets[index] ?? 0) < 0) index -= 1;
    let rest = place - (this.#offsets[index] ?? 0);
    return [...(this.#sets[index] ?? [])].toReversed().map((factor) => {
      const size = this.#sizes[factor] ?? 1;
      const level = rest % size;
      rest = Math.floor(rest / size);
      return [factor, level] as const;
    });
  }
}

/** Returns all sets of `size` numbers below `count`, each in ascending order. */
export function subsets(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  return Array.from({ length: count - from }, (_, index) => from + index).flatMap((first) =>
    subsets(count, size - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

/** Returns a random number generator (Mulberry32) whose numbers are at least 0 and below 1. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
