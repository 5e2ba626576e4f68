/** Describes which items are missing from a list of label names or label values. */
import { show } from "./difference.ts";

/** A listed item counts as similar to a missing item only if it begins with at least this share of the missing item. */
const SIMILAR_SHARE = 0.5;

/** If the longest listed item has at least this length, and all missing items are longer, the message mentions it. */
const LONG = 16;

/**
 * Returns a text such as `missing from a list of 12 items; the most similar item is "svc_ab"`, which is often an altered form.
 * If all listed items are shorter than the missing items, the text says so.
 */
export function missingItemText(missing: readonly [string, ...string[]], list: readonly unknown[]): string {
  const [wanted] = missing;
  const common = (one: string): number => {
    const at = [...one].findIndex((character, place) => character !== wanted[place]);
    return at === -1 ? one.length : at;
  };
  const listed = list.filter((one) => typeof one === "string");
  const [nearest] = listed.toSorted((one, other) => common(other) - common(one));
  const isSimilar = nearest !== undefined && common(nearest) >= SIMILAR_SHARE * wanted.length;
  const longest = Math.max(...listed.map(({ length }) => length));
  const shared =
    longest >= LONG && missing.every(({ length }) => length > longest)
      ? `; the longest listed item has ${longest} characters, and ${lengthsText(missing)}`
      : "";
  return `missing from a list of ${list.length} items${isSimilar ? `; the most similar item is ${show(nearest)}` : ""}${shared}`;
}

function lengthsText(missing: readonly string[]): string {
  if (missing.length === 1) return `the missing item has ${missing[0]?.length}`;
  return `the shortest of the ${missing.length} missing items has ${Math.min(...missing.map(({ length }) => length))}`;
}
