/** Says where the missing entries of a response were in the pushes, because a service may lose a part of a push, or a whole push. */
import { grouped } from "./grouped.ts";
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
  /** The place of the entry in its object, beginning with 0, and the number of entries of the object. */
  readonly at: number;
  readonly size: number;
  /** The labels of the stream. */
  readonly key: string;
  readonly isAgain: boolean;
}

function placesIn(pushes: readonly SentPush[], wanted: ReadonlySet<string>): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const push of pushes) {
    const known = new Set<string>();
    for (const [object, { labels, entries }] of push.streams.entries()) {
      const key = labelKey(labels);
      const isAgain = known.has(key);
      known.add(key);
      for (const [at, entry] of entries.entries()) {
        const own = placedKey({ ...entry, labels });
        if (wanted.has(own)) places.set(own, { push, object, at, size: entries.length, key, isAgain });
      }
    }
  }
  return places;
}

/** The shortest pause between two pushes that a message mentions, in ms. */
const LONG_PAUSE = 1_000;

/** Returns words if each missing entry was in an earlier push, or each in a later push, than all returned entries of its stream. */
function orderText(lost: readonly Place[], kept: readonly Place[]): string {
  const times = (some: readonly Place[]): ReadonlyMap<string, number[]> =>
    new Map([...grouped(some, ({ key }) => key)].map(([key, own]) => [key, own.map(({ push }) => push.at)]));
  const [gone, left] = [times(lost), times(kept)];
  const pauses = (before: typeof gone, after: typeof gone): number =>
    Math.min(...[...gone.keys()].map((key) => Math.min(...(after.get(key) ?? [NaN])) - Math.max(...(before.get(key) ?? [NaN]))));
  if (pauses(gone, left) > 0) return "each in an earlier push than the returned entries of its stream";
  const pause = pauses(left, gone);
  const later = pause < LONG_PAUSE ? "" : `, ${(pause / 1_000).toFixed(1)} s later`;
  return pause > 0 ? `each in a later push than the returned entries of its stream${later}` : "";
}

/** Returns words if each missing entry, and no returned entry, has the same place among the entries of its stream in a push. */
function indexText(lost: readonly Place[], kept: readonly Place[]): string {
  const objects = grouped(lost, ({ push, object }) => `${push.at} ${object}`);
  // If all missing entries are of one stream and one push, the text about their age says the same.
  if (objects.size < 2) return "";
  const most = Math.max(...kept.map(({ at }) => at)) + 1;
  for (const [words, isThere] of [
    ["each the first entry of its stream in a push", ({ at }: Place) => at === 0],
    ["each the last entry of its stream in a push", ({ at, size }: Place) => at === size - 1],
    [`each after the first ${most === 1 ? "entry" : `${most} entries`} of its stream in a push`, ({ at }: Place) => at >= most],
  ] as const)
    if (lost.every(isThere) && !kept.some(isThere)) return words;
  return "";
}

/** Returns words if the places of all missing entries (`gone`) differ in the same way from the places of all returned entries (`left`). */
export function pushText(gone: readonly PlacedEntry[], left: readonly PlacedEntry[], pushes: readonly SentPush[]): string {
  const places = placesIn(pushes, new Set([...gone, ...left].map(placedKey)));
  const [lost, kept] = [gone, left].map((some) => some.flatMap((entry) => places.get(placedKey(entry)) ?? [])) as [Place[], Place[]];
  const count = lost[0]?.push.streams.length;
  if (count === undefined || lost.length < gone.length || kept.length === 0) return "";
  if (lost.every(({ isAgain }) => isAgain) && !kept.some(({ isAgain }) => isAgain))
    return "all in a second object with the same labels in one push";
  const order = orderText(lost, kept);
  if (order !== "") return order;
  const index = indexText(lost, kept);
  if (index !== "") return index;
  const own = new Set(lost.map(({ push }) => push));
  const beside = kept.filter(({ push }) => own.has(push));
  // With fewer than three streams, the place of a stream may be a coincidence.
  if (beside.length === 0 || !lost.every(({ push }) => push.streams.length >= 3)) return "";
  const isOfAll = lost.every(({ push }) => push.streams.length === count);
  for (const [end, isThere] of [
    ["first", ({ object }: Place) => object === 0],
    ["last", ({ object, push }: Place) => object === push.streams.length - 1],
  ] as const)
    for (const [some, others, are] of [
      [lost, beside, "all"],
      [beside, lost, "the returned entries were"],
    ] as const)
      if (some.every(isThere) && !others.some(isThere))
        return `${are} in the ${end} ${isOfAll ? `of the ${count} streams` : "stream"} of a push`;
  return "";
}
