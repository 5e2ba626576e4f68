/** Entries of an answer that nothing expects, found again by what they have in common with those that are missing. */
import { entryKey } from "./assigned.ts";
import { labelKey, type PlacedEntry } from "./logs.ts";

/** What two entries have in common by which one may stand for the other. */
const FITS = {
  entry: entryKey,
  line: ({ labels, line }: PlacedEntry) => `${labelKey(labels)} ${line}`,
  time: ({ labels, ts }: PlacedEntry) => `${labelKey(labels)} ${ts}`,
} as const;

function grouped(entries: readonly PlacedEntry[], keyOf: (entry: PlacedEntry) => string): ReadonlyMap<string, PlacedEntry[]> {
  const groups = new Map<string, PlacedEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

/** What came and was not expected, to be taken one by one, the first that fits: answers may be wrong in thousands of entries. */
export class Rest {
  readonly #left: Set<PlacedEntry>;
  readonly #by: Readonly<Record<keyof typeof FITS, ReadonlyMap<string, PlacedEntry[]>>>;

  constructor(extra: readonly PlacedEntry[]) {
    this.#left = new Set(extra);
    this.#by = { entry: grouped(extra, FITS.entry), line: grouped(extra, FITS.line), time: grouped(extra, FITS.time) };
  }

  take(fit: keyof typeof FITS, entry: PlacedEntry): PlacedEntry | undefined {
    const all = this.#by[fit].get(FITS[fit](entry)) ?? [];
    while (all.length > 0) {
      const first = all.shift();
      if (first !== undefined && this.#left.delete(first)) return first;
    }
    return undefined;
  }

  get left(): readonly PlacedEntry[] {
    return [...this.#left];
  }
}
