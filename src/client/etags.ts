/**
 * The ETag that each instance has now, as far as reads and updates showed it. A read that shows one that an update has replaced comes from
 * a replica that is behind: it says nothing of what the next update has to send.
 */
export class ETags {
  /** Null where an instance has none. */
  readonly #current = new Map<string, string | null>();
  /** Those that updates have replaced, by instance name. */
  readonly #past = new Map<string, Set<string>>();

  /** Undefined where it must be read. */
  of(name: string): string | null | undefined {
    return this.#current.get(name);
  }

  /** Notes what a read shows. Where an instance has ETags and a read shows none, the one it has now must be read. */
  shown(name: string, etag: string | undefined): void {
    const current = this.#current.get(name);
    if (typeof current === "string" && etag !== undefined && this.#past.get(name)?.has(etag) === true) return;
    this.#note(name, etag);
  }

  /** Notes what an update that was carried out, and sent `sent`, is answered with; without an ETag in the answer it must be read. */
  updated(name: string, etag: string | undefined, sent: string | undefined): void {
    const past = this.#past.get(name) ?? new Set();
    this.#past.set(name, past);
    if (sent !== undefined) past.add(sent);
    // One that is made of what an instance holds is the same again when that is.
    if (etag !== undefined) past.delete(etag);
    if (etag === undefined && sent !== undefined) this.#current.delete(name);
    else this.#note(name, etag);
  }

  /** Notes that what an update came to is not known: the ETag must be read. */
  forget(name: string): void {
    this.#current.delete(name);
  }

  #note(name: string, etag: string | undefined): void {
    if (etag === undefined && typeof this.#current.get(name) === "string") this.#current.delete(name);
    else this.#current.set(name, etag ?? null);
  }
}
