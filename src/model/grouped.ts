/** Groups items by a key. The groups are in the order of their first items. In each group, the items keep their order. */
export function grouped<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const known = groups.get(keyOf(item));
    if (known === undefined) groups.set(keyOf(item), [item]);
    else known.push(item);
  }
  return groups;
}
