/** Says where the missing entries of a response were in the pushes, because a service may lose a part of a push, or a whole push. */
import { labelKey, type PlacedEntry, type Stream } from "./logs.ts";
import { placedKey } from "./missing-entries.ts";

/** An acknowledged push, with the value of `performance.now()` when its response arrived. */
export interface SentPush {
  readonly tenant: string | null;
  readonly streams: readonly Stream[];
  readonly at: number;
}

/** The place of an entry in its push. `isAgain` means that an earlier object of the same push has the same labels. */
interface Place {
  readonly push: SentPush;
  readonly object: number;
  readonly isAgain: boolean;
}

function placesIn(pushes: readonly SentPush[], wanted: ReadonlySet<string>): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const push of pushes) {
    const known = new Set<string>();
    for (const [object, { labels, entries }] of push.streams.entries()) {
      const isAgain = known.has(labelKey(labels));
      known.add(labelKey(labels));
      for (const entry of entries) {
        const key = placedKey({ ...entry, labels });
        if (wanted.has(key)) places.set(key, { push, object, isAgain });
      }
    }
  }
  return places;
}

/** The shortest pause between two pushes that a message mentions, in ms. */
const LONG_PAUSE = 1_000;

/** Returns words if the places of all missing entries (`gone`) differ in the same way from the places of all returned entries (`left`). */
export function pushText(gone: readonly PlacedEntry[], left: readonly PlacedEntry[], pushes: readonly SentPush[]): string {
  const places = placesIn(pushes, new Set([...gone, ...left].map(placedKey)));
  const [lost, kept] = [gone, left].map((some) => some.flatMap((entry) => places.get(placedKey(entry)) ?? [])) as [Place[], Place[]];
  const [first] = lost;
  if (first === undefined || lost.length < gone.length || kept.length === 0) return "";
  if (lost.every(({ isAgain }) => isAgain) && !kept.some(({ isAgain }) => isAgain))
    return "all in a second object with the same labels in one push";
  const own = new Set(lost.map(({ push }) => push));
  const beside = kept.filter(({ push }) => own.has(push));
  if (beside.length === 0) {
    const pause = Math.min(...[...own].map(({ at }) => at)) - Math.max(...kept.map(({ push }) => push.at));
    const count = own.size === 1 ? "one push" : `${own.size} pushes`;
    return pause < LONG_PAUSE ? "" : `all in ${count}, ${(pause / 1_000).toFixed(1)} s after the last push of the returned entries`;
  }
  for (const [end, isThere] of [
    ["first", ({ object }: Place) => object === 0],
    ["last", ({ object, push }: Place) => object === push.streams.length - 1],
  ] as const)
    for (const [some, others, are] of [
      [lost, beside, "all"],
      [beside, lost, "the returned entries were"],
    ] as const)
      if (some.every(isThere) && !others.some(isThere)) return `${are} in the ${end} of the ${first.push.streams.length} streams of a push`;
  return "";
}
