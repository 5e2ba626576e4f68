/** Remembers the current ETag of each instance. If a read shows an older ETag, it comes from a lagging replica and is ignored. */
export class ETags {
  /** The current ETag of each instance, by name, or null if the instance has no ETag. */
  readonly #current = new Map<string, string | null>();
  /** The ETags of each instance, by name, that updates have replaced. */
  readonly #past = new Map<string, Set<string>>();
  #lookups = 0;

  /** The number of reads that were sent only because an update needed the ETag or the state of its instance. */
  get lookups(): number {
    return this.#lookups;
  }

  noteLookup(): void {
    this.#lookups += 1;
  }

  /** Returns the current ETag, null if the instance has none, or undefined if a read must first show the ETag. */
  of(name: string): string | null | undefined {
    return this.#current.get(name);
  }

  /** Records the ETag that a read has shown. If the read shows none, but the instance had an ETag before, the ETag counts as unknown. */
  shown(name: string, etag: string | undefined): void {
    const current = this.#current.get(name);
    if (typeof current === "string" && etag !== undefined && this.#past.get(name)?.has(etag) === true) return;
    this.#note(name, etag);
  }

  /** Records the ETag after a successful update. `sent` is the ETag that it sent. If the response has no ETag, it counts as unknown. */
  updated(name: string, etag: string | undefined, sent: string | undefined): void {
    const past = this.#past.get(name) ?? new Set();
    this.#past.set(name, past);
    if (sent !== undefined) past.add(sent);
    // A service may compute ETags from the content of an instance. Then an ETag that was replaced can become current again.
    if (etag !== undefined) past.delete(etag);
    if (etag === undefined && sent !== undefined) this.#current.delete(name);
    else this.#note(name, etag);
  }

  /** Records that the result of an update is unknown, so that the ETag of its instance is unknown too. */
  forget(name: string): void {
    this.#current.delete(name);
  }

  #note(name: string, etag: string | undefined): void {
    if (etag === undefined && typeof this.#current.get(name) === "string") this.#current.delete(name);
    else this.#current.set(name, etag ?? null);
  }
}
