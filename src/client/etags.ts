/**
 * The current ETag of each instance, from reads and updates. A read that shows an ETag that an update has replaced comes from a replica
 * that lags. Such a read does not show which ETag the next update needs.
 */
export class ETags {
  /** The current ETag of each instance, by name, or null if the instance has no ETag. */
  readonly #current = new Map<string, string | null>();
  /** The ETags that updates have replaced, by instance name. */
  readonly #past = new Map<string, Set<string>>();

  /** Returns the current ETag of an instance. Null means that the instance has no ETag, and undefined that the ETag must be read first. */
  of(name: string): string | null | undefined {
    return this.#current.get(name);
  }

  /** Records the ETag of a read. If an instance has ETags and a read shows none, the current ETag must be read again. */
  shown(name: string, etag: string | undefined): void {
    const current = this.#current.get(name);
    if (typeof current === "string" && etag !== undefined && this.#past.get(name)?.has(etag) === true) return;
    this.#note(name, etag);
  }

  /** Records the response to a successful update that sent `sent`. If the response has no ETag, the ETag must be read. */
  updated(name: string, etag: string | undefined, sent: string | undefined): void {
    const past = this.#past.get(name) ?? new Set();
    this.#past.set(name, past);
    if (sent !== undefined) past.add(sent);
    // If a service computes the ETag from the content, an ETag that was replaced can become current again.
    if (etag !== undefined) past.delete(etag);
    if (etag === undefined && sent !== undefined) this.#current.delete(name);
    else this.#note(name, etag);
  }

  /** Records that the result of an update is unknown, so the ETag must be read. */
  forget(name: string): void {
    this.#current.delete(name);
  }

  #note(name: string, etag: string | undefined): void {
    if (etag === undefined && typeof this.#current.get(name) === "string") this.#current.delete(name);
    else this.#current.set(name, etag ?? null);
  }
}
