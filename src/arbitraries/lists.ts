/**
 * Generates lists and texts that shrink by losing parts: first all removable items, then half of them, and so on. The lists of fast-check
 * never lose their last item, and lose other items only at the front.
 */
import fc from "fast-check";

/** Returns shorter lists: each is `items` without a part. The largest parts are removed first. At least `min` items remain. */
function* shortened<T>(items: readonly T[], min: number): Generator<T[]> {
  const most = items.length - min;
  for (let size = most; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from + size <= items.length; from += size) yield [...items.slice(0, from), ...items.slice(from + size)];
    // If the length is not a multiple of the size of a part, the last part is the end of the list.
    if (items.length % size !== 0) yield items.slice(0, -size);
  }
}

class List<T> extends fc.Arbitrary<T[]> {
  readonly #item: fc.Arbitrary<T>;
  readonly #length: fc.Arbitrary<number>;
  readonly #min: number;

  constructor(item: fc.Arbitrary<T>, length: fc.Arbitrary<number>, min: number) {
    super();
    this.#item = item;
    this.#length = length;
    this.#min = min;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T[]> {
    const length = this.#length.generate(random, biasFactor).value;
    return listOf(Array.from({ length }, () => this.#item.generate(random, biasFactor)));
  }

  /** False: shrinking needs data that this generator adds to its own lists. */
  override canShrinkWithoutContext(_value: unknown): _value is T[] {
    return false;
  }

  override shrink(_value: T[], context: unknown): fc.Stream<fc.Value<T[]>> {
    return fc.stream(this.#smaller(context as readonly fc.Value<T>[]));
  }

  *#smaller(items: readonly fc.Value<T>[]): Generator<fc.Value<T[]>> {
    for (const fewer of shortened(items, this.#min)) yield listOf(fewer);
    for (const [index, item] of items.entries())
      for (const smaller of this.#item.shrink(item.value, item.context)) yield listOf(items.with(index, smaller));
  }
}

function listOf<T>(items: readonly fc.Value<T>[]): fc.Value<T[]> {
  return new fc.Value(
    items.map(({ value }) => value),
    items,
  );
}

class Fewer<T> extends fc.Arbitrary<T[]> {
  readonly #all: fc.Arbitrary<T[]>;
  readonly #min: number;

  constructor(all: fc.Arbitrary<T[]>, min: number) {
    super();
    this.#all = all;
    this.#min = min;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T[]> {
    return this.#all.generate(random, biasFactor);
  }

  override canShrinkWithoutContext(_value: unknown): _value is T[] {
    return false;
  }

  override shrink(value: T[]): fc.Stream<fc.Value<T[]>> {
    return fc.stream(this.#smaller(value));
  }

  *#smaller(value: readonly T[]): Generator<fc.Value<T[]>> {
    for (const fewer of shortened(value, this.#min)) yield new fc.Value(fewer, undefined);
  }
}

/** Generates a list of `item`s with the length `length`. The list shrinks to at least `min` of its items, or to smaller items. */
export function list<T>(item: fc.Arbitrary<T>, length: fc.Arbitrary<number>, min: number): fc.Arbitrary<T[]> {
  return new List(item, length, min);
}

/** Generates the lists of `all`. Each list shrinks to at least `min` of its items. */
export function fewer<T>(all: fc.Arbitrary<T[]>, min: number): fc.Arbitrary<T[]> {
  return new Fewer(all, min);
}

/** Generates a text of `unit`s. The text shrinks to at least `min` of its units. */
export function text(unit: fc.Arbitrary<string>, length: fc.Arbitrary<number>, min: number): fc.Arbitrary<string> {
  return new List(fc.noShrink(unit), length, min).map((units) => units.join(""));
}
