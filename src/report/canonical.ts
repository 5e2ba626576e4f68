/** Writes JSON in which the fields of each object have a fixed order. */

/** Returns a value as JSON text in which the fields of each object are sorted by name. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}
