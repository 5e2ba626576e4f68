/** Writes JSON with a fixed order of fields. */

/** The value as JSON text. The fields are sorted by name. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}
