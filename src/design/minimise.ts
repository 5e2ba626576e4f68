/** Finds the smallest part of an input that still fails. */

export interface Minimised<T> {
  readonly items: readonly T[];
  readonly attempts: number;
}

/**
 * Leaves out halves, then smaller parts, as long as the rest fails (delta debugging, Zeller and Hildebrandt 2002). All `items` together
 * must fail. Calls `fails` at most `most` times. If this is enough, the result fails only with all its items.
 */
export async function minimise<T>(
  items: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
  most: number,
): Promise<Minimised<T>> {
  let attempts = 0;
  const stillFails = async (part: readonly T[]): Promise<boolean> => {
    attempts += 1;
    return fails(part);
  };
  let rest = items;
  let size = Math.ceil(rest.length / 2);
  while (size >= 1 && rest.length > 1) {
    let from = 0;
    while (from < rest.length && rest.length > 1) {
      if (attempts >= most) return { items: rest, attempts };
      const without = [...rest.slice(0, from), ...rest.slice(from + size)];
      if (without.length > 0 && (await stillFails(without))) {
        rest = without;
        // After an item was removed, the failure may no longer need other items. So the search tries again to leave out each remaining
        // item.
        from = 0;
      } else from += size;
    }
    size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return { items: rest, attempts };
}
