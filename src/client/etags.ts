/**
 * The current ETag of each instance, as far as reads and updates showed it. A read that shows a replaced ETag comes from a replica that
 * lags behind. Such a read does not tell which ETag the next update must send.
 */
export class ETags {
  /** Null if an instance has no ETag. */
  readonly #current = new Map<string, string | null>();
  /** The ETags that updates have replaced, by instance name. */
  readonly #past = new Map<string, Set<string>>();

  /** Undefined if the ETag must be read. */
  of(name: string): string | null | undefined {
    return this.#current.get(name);
  }

  /** Notes what a read shows. If an instance has ETags and a read shows none, the current one must be read. */
  shown(name: string, etag: string | undefined): void {
    const current = this.#current.get(name);
    if (typeof current === "string" && etag !== undefined && this.#past.get(name)?.has(etag) === true) return;
    this.#note(name, etag);
  }

  /** Notes the response to a successful update that sent `sent`. If the response has no ETag, it must be read. */
  updated(name: string, etag: string | undefined, sent: string | undefined): void {
    const past = this.#past.get(name) ?? new Set();
    this.#past.set(name, past);
    if (sent !== undefined) past.add(sent);
    // A service may compute the ETag from the content. Then equal content has an equal ETag.
    if (etag !== undefined) past.delete(etag);
    if (etag === undefined && sent !== undefined) this.#current.delete(name);
    else this.#note(name, etag);
  }

  /** Notes that the result of an update is unknown, so the ETag must be read. */
  forget(name: string): void {
    this.#current.delete(name);
  }

  #note(name: string, etag: string | undefined): void {
    if (etag === undefined && typeof this.#current.get(name) === "string") this.#current.delete(name);
    else this.#current.set(name, etag ?? null);
  }
}
