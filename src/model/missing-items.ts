/** Describes what a list of label names or label values lacks. */
import { show } from "./difference.ts";

/** A similar item has at least this share of the missing item at its beginning. */
const SIMILAR_SHARE = 0.5;

/**
 * For example `missing from a list of 12 items; the most similar item is "svc_ab"`. The most similar item is often the missing item in an
 * altered form.
 */
export function missingItemText(wanted: string, list: readonly unknown[]): string {
  const common = (one: string): number => {
    const at = [...one].findIndex((character, place) => character !== wanted[place]);
    return at === -1 ? one.length : at;
  };
  const [nearest] = list.filter((one) => typeof one === "string").toSorted((one, other) => common(other) - common(one));
  const isSimilar = nearest !== undefined && common(nearest) >= SIMILAR_SHARE * wanted.length;
  return `missing from a list of ${list.length} items${isSimilar ? `; the most similar item is ${show(nearest)}` : ""}`;
}
