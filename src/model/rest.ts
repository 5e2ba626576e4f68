/** For a missing entry, finds the unexpected entry of a response that is probably the same entry with a change. */
import { entryKey } from "./assigned.ts";
import { labelKey, type PlacedEntry } from "./logs.ts";

/** The ways in which an entry may be changed. Each is given by the properties that stay the same. */
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

/** The unexpected entries of a response. Each is matched at most once, in order. There may be thousands, so there are indexes. */
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
