/** Searches for the smallest failing input. Each smaller input that fast-check derives is tried once. */
import fc from "fast-check";

/** From these, an input can be generated again: the seed of the generator, and the number of the input. */
export interface Draw {
  readonly seed: number;
  readonly index: number;
}

export interface Smallest<T, F> {
  readonly input: T;
  readonly found: F;
  /** The number of smaller inputs that failed during the search. */
  readonly steps: number;
}

/** A generator that returns the values of another generator, and stores the last value with the data that shrinking needs. */
class Kept<T> extends fc.Arbitrary<T> {
  last: fc.Value<T> | null = null;

  readonly #inner: fc.Arbitrary<T>;

  constructor(inner: fc.Arbitrary<T>) {
    super();
    this.#inner = inner;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    this.last = this.#inner.generate(random, biasFactor);
    return this.last;
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#inner.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#inner.shrink(value, context);
  }
}

interface Candidate<T> {
  readonly value: fc.Value<T>;
  readonly key: string;
}

/** The maximum number of smaller inputs that fast-check proposes in one step of the search. */
const MOST_CANDIDATES = 4_000;
/** How many times, at most, the search replaces an input by an equal input that was generated with fewer parts. */
const MOST_REDRAWN = 50;

interface Smaller<T> {
  /** Inputs whose text is not longer than the text of the current input. The shortest texts come first. */
  readonly candidates: readonly Candidate<T>[];
  /** The same input, generated with fewer parts, for example without the second of two equal streams. Null if there is no such input. */
  readonly same: fc.Value<T> | null;
}

function smallerThan<T>(arbitrary: fc.Arbitrary<T>, { value, key }: Candidate<T>): Smaller<T> {
  const found = new Map<string, fc.Value<T>>();
  let same: fc.Value<T> | null = null;
  for (const smaller of arbitrary.shrink(value.value, value.context).take(MOST_CANDIDATES)) {
    const text = fc.stringify(smaller.value);
    if (text === key) same ??= smaller;
    else if (text.length <= key.length && !found.has(text)) found.set(text, smaller);
  }
  const candidates = [...found].map(([text, smaller]) => ({ value: smaller, key: text }));
  return { candidates: candidates.toSorted((one, other) => one.key.length - other.key.length), same };
}

/**
 * Resolves to the smallest input that still fails, or to null. The search first leaves out large parts of the input, and then small ones.
 * At the end, it tries to leave out the remaining parts once more. It ends when `mayTry` returns false.
 */
export async function smallestFailing<T, F>(
  arbitrary: fc.Arbitrary<T>,
  { seed, index }: Draw,
  fails: (input: T) => Promise<F | null>,
  mayTry: () => boolean,
): Promise<Smallest<T, F> | null> {
  const held = new Kept(arbitrary);
  fc.sample(held, { seed, numRuns: index + 1 });
  if (held.last === null) return null;
  let current: Candidate<T> = { value: held.last, key: fc.stringify(held.last.value) };
  const tried = new Set([current.key]);
  let smallest: Smallest<T, F> | null = null;
  let steps = 0;
  let redrawn = 0;
  let atMost = Number.POSITIVE_INFINITY;
  for (;;) {
    const largest = atMost;
    const length = current.key.length;
    const { candidates, same } = smallerThan(arbitrary, current);
    const untried = candidates.filter(({ key }) => !tried.has(key) && length - key.length <= largest);
    const next = await firstFailing(untried, tried, fails, mayTry);
    if (next === "ended") return smallest;
    if (next === null) {
      if (largest < Number.POSITIVE_INFINITY) atMost = Number.POSITIVE_INFINITY;
      else if (same !== null && redrawn < MOST_REDRAWN) {
        redrawn += 1;
        current = { ...current, value: same };
      } else return smallest;
      continue;
    }
    steps += 1;
    smallest = { input: next.candidate.value.value, found: next.found, steps };
    atMost = length - next.candidate.key.length;
    current = next.candidate;
  }
}

/** Resolves to the first candidate for which `test` fails, or to null if no candidate fails. */
async function firstFailing<T, F>(
  candidates: readonly Candidate<T>[],
  tried: Set<string>,
  fails: (input: T) => Promise<F | null>,
  mayTry: () => boolean,
): Promise<{ readonly candidate: Candidate<T>; readonly found: F } | "ended" | null> {
  for (const candidate of candidates) {
    if (!mayTry()) return "ended";
    tried.add(candidate.key);
    const found = await fails(candidate.value.value);
    if (found !== null) return { candidate, found };
  }
  return null;
}
