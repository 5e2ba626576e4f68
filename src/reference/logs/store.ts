/** Keeps streams in memory, by tenant, with an index from label values to streams. */
import type { Entry, LabelledEntries, Labels } from "./types.ts";

export interface StoredStream extends LabelledEntries {
  readonly labels: Labels;
  /** The entries of the stream in ascending order of time. Entries with equal times are in the order of their pushes. */
  readonly entries: Entry[];
}

function indexKey(name: string, value: string): string {
  return `${name}\u0000${value}`;
}

const NONE: ReadonlySet<StoredStream> = new Set();

export class TenantStore {
  readonly #streams = new Map<string, StoredStream>();
  readonly #index = new Map<string, Set<StoredStream>>();

  get isEmpty(): boolean {
    return this.#streams.size === 0;
  }

  get(identity: string): StoredStream | undefined {
    return this.#streams.get(identity);
  }

  all(): IterableIterator<StoredStream> {
    return this.#streams.values();
  }

  /** Returns the streams in which label `name` has exactly this value. */
  withLabel(name: string, value: string): ReadonlySet<StoredStream> {
    return this.#index.get(indexKey(name, value)) ?? NONE;
  }

  /** Returns the stream with the given identity. If no such stream exists, a stream with `labels` is created. */
  stream(identity: string, labels: Labels): StoredStream {
    const known = this.#streams.get(identity);
    if (known !== undefined) return known;
    const made: StoredStream = { labels, entries: [] };
    this.#streams.set(identity, made);
    for (const [name, value] of Object.entries(labels)) {
      const key = indexKey(name, value);
      const streams = this.#index.get(key);
      if (streams === undefined) this.#index.set(key, new Set([made]));
      else streams.add(made);
    }
    return made;
  }
}

export class LogStore {
  readonly #tenants = new Map<string, TenantStore>();

  tenant(id: string): TenantStore {
    const known = this.#tenants.get(id);
    if (known !== undefined) return known;
    const made = new TenantStore();
    this.#tenants.set(id, made);
    return made;
  }

  /** Returns the tenants that have pushed, in the order of their first push. */
  tenants(): string[] {
    return [...this.#tenants].flatMap(([id, store]) => (store.isEmpty ? [] : [id]));
  }
}

/** Returns the index of the first entry at or after `ts`. */
export function lowerBound(entries: readonly Entry[], ts: bigint): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.ts ?? 0n) < ts) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns all entries with a timestamp. `entries` must be in ascending order of time. */
export function tiesOf(entries: readonly Entry[], ts: bigint): readonly Entry[] {
  return entries.slice(lowerBound(entries, ts), lowerBound(entries, ts + 1n));
}

/** Inserts an entry after all entries with earlier or equal times. If the same entry is already there, it is not inserted. */
export function insertInOrder(entries: Entry[], entry: Entry): void {
  const last = entries.at(-1);
  if (last === undefined || last.ts < entry.ts) {
    entries.push(entry);
    return;
  }
  let position = lowerBound(entries, entry.ts);
  while (entries[position]?.ts === entry.ts) {
    if (entries[position]?.line === entry.line) return;
    position += 1;
  }
  entries.splice(position, 0, entry);
}
